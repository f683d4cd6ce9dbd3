// The wire is checked by types: tsc is what runs this file. Each marked line must fail to compile, so that the check of types
// fails as soon as one of them compiles: a reply that lacks a member, adds one, or has another type.
import { OPEN } from '../../src/http/openapi/facts.ts'
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { expect, expectTypeOf, test } from 'vitest'
import type { FeeBreakdown } from '../../src/domain/money/fees.ts'
import type { Failure, Message, Recipient } from '../../src/domain/transfer/transfer.ts'
import { type Context, described, parserOf } from '../../src/http/context.ts'
import { type ReplyOf, sendJson, succeed } from '../../src/http/replies.ts'
import { presentActivity, type Activity } from '../../src/wire/activities.ts'
import { Health, IdParams, type TokenReply } from '../../src/wire/api.ts'
import type { OwnersChannel, OwnersPreview } from '../../src/wire/contract-channel.ts'
import { type Event, presentEvent, presentStoredEvent } from '../../src/wire/events.ts'
import { type PaymentContract, presentPayment, type PaymentReply } from '../../src/wire/payment.ts'
import type { Wire } from '../../src/wire/shapes.ts'
import { IssueBody } from '../../src/wire/transfer-requests.ts'
import {
  ContractReply,
  type OwnersTransfer,
  presentTransfer,
  type TransferContract,
  type UpdateReply,
} from '../../src/wire/transfer.ts'
import { presentWallet, type WalletReply } from '../../src/wire/wallets/wallets.ts'

const WALLET = {
  label: null,
  default: true,
  status: 'open' as const,
  low_balance: null,
  is_low: false,
  metadata: {},
  available: 1,
  held: 0,
  in_transit: 0,
  pending: 0,
  suspense: 0,
}
const NAMED = { id: '0193', livemode: false, currency: 'PHP' }

// None of these is called: their bodies are what is checked.
function replies(
  wallet: ReplyOf<typeof WalletReply>,
  read: ReplyOf<typeof ContractReply>,
  updated: ReplyOf<typeof UpdateReply>,
  payment: ReplyOf<typeof PaymentReply>,
  token: ReplyOf<typeof TokenReply>,
  untyped: FastifyReply,
  contract: OwnersTransfer,
) {
  succeed(wallet, 200, 'Found.', { wallet: { ...NAMED, ...WALLET } })
  succeed(read, 200, 'Found.', { contract })
  succeed(updated, '200', 'Updated.', { contract })
  // @ts-expect-error: a member is missing
  succeed(wallet, 200, 'Found.', { wallet: { ...WALLET, id: '0193', livemode: false } })
  // @ts-expect-error: a member is added
  succeed(wallet, 200, 'Found.', { wallet: { ...NAMED, ...WALLET, colour: 'red' } })
  // @ts-expect-error: a member is added beside
  succeed(read, 200, 'Found.', { contract, colour: 'red' })
  // @ts-expect-error: a member has another type
  succeed(wallet, 200, 'Found.', { wallet: { ...NAMED, ...WALLET, held: '0' } })
  // @ts-expect-error: a contract of the other kind
  succeed(payment, 200, 'Found.', { contract })
  // @ts-expect-error: the status of a read is a number
  succeed(read, '200', 'Found.', { contract })
  // @ts-expect-error: the status of an update is a text
  succeed(updated, 200, 'Updated.', { contract })
  // @ts-expect-error: no envelope is declared
  succeed(token, 200, 'Given.', {})
  // @ts-expect-error: nobody knows the shape
  succeed(untyped, 200, 'Found.', { contract })
  // @ts-expect-error: nobody knows the shape
  sendJson(untyped, { status: 'ok' })
}

function routes({ app }: Context) {
  const schema = described(
    'tests.get',
    'Get',
    'Tests',
    { params: IdParams, body: IssueBody, reply: ContractReply },
    OPEN,
  )
  const parse = parserOf(IssueBody)
  app.get('/typed/:id', { schema }, async (request, reply) => {
    expectTypeOf(request.params).toEqualTypeOf<{ id: string }>()
    // Nobody has looked at it so far.
    expectTypeOf(request.body).toBeUnknown()
    expectTypeOf(parse(request.body)).toEqualTypeOf<Static<typeof IssueBody>>()
    // @ts-expect-error: the path has no such parameter
    if (request.params.colour) return reply
    // @ts-expect-error: only the text of the declared shape can be sent
    return reply.send('{}')
  })
  // @ts-expect-error: an object is no text of the declared shape
  app.get('/well', { schema: described('Well?', 'Tests', { reply: Health }, []) }, async () => ({ status: 'ok' }))
}

test('presenters have the very types of their schemas', () => {
  expectTypeOf(presentWallet).returns.toEqualTypeOf<Wire<typeof WalletReply>['data']['wallet']>()
  expectTypeOf(presentStoredEvent).returns.toEqualTypeOf<Wire<typeof Event>>()
  expectTypeOf(presentEvent).returns.toExtend<Wire<typeof Event>>()
  expectTypeOf(presentActivity).returns.toEqualTypeOf<Wire<typeof Activity>>()
  expectTypeOf<keyof ReturnType<typeof presentTransfer>>().toEqualTypeOf<keyof Wire<typeof TransferContract>>()
  expectTypeOf<keyof ReturnType<typeof presentPayment>>().toEqualTypeOf<keyof Wire<typeof PaymentContract>>()
  expectTypeOf<ReturnType<typeof presentTransfer>>().toExtend<Wire<typeof TransferContract>>()
  expectTypeOf<ReturnType<typeof presentPayment>>().toExtend<Wire<typeof PaymentContract>>()
  expect([replies, routes]).toHaveLength(2)
})

test('what is passed on as the domain has it has no member that the schema does not name', () => {
  type Shown = Wire<typeof TransferContract>
  expectTypeOf<keyof Recipient>().toEqualTypeOf<keyof NonNullable<Shown['recipient']>>()
  expectTypeOf<keyof Failure>().toEqualTypeOf<keyof NonNullable<Shown['transfer']['failure']>>()
  expectTypeOf<keyof Message>().toEqualTypeOf<keyof OwnersPreview['messages'][number]>()
  expectTypeOf<keyof FeeBreakdown>().toEqualTypeOf<keyof OwnersChannel['fees']['breakdown']>()
  expect(Health.required).toEqual(['status'])
})
