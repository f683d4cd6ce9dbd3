// Money of a payment contract that goes back: refunds, and the return of what fits no contract (docs/payments.md).
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PayerPlace } from '../../domain/channel/collection.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { IdParams } from '../../wire/api.ts'
import { RefundBody, ReturnBody } from '../../wire/payment-requests.ts'
import { PaymentReply } from '../../wire/payment.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, contractOrRefuse, described, guard, parserOf, type RequestWithId } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { COMMAND } from '../openapi/facts.ts'
import { commandCallerOf } from '../request/command-caller.ts'
import { refuseOwnPlace } from '../../app/crypto/own-addresses.ts'
import { repeatedOr } from '../../app/contracts/repeats.ts'
import { maskedOrNull, recipientIn, type SentRecipient } from '../../app/contracts/recipient.ts'
import { type PaymentSent, presentPayment } from './payment-replies.ts'

const TAG = 'Payment contracts'
const REFUND: Access = { accepts: 'api key', scope: 'payments:refund' }

export function paymentRefundRoutes(context: Context): void {
  refundRoute(context)
  returnRoute(context)
}

/** Either may become a transfer, and is refused as one. */
const GIVES_BACK = [
  'insufficient_funds',
  'transfer_above_cap',
  'mandate_exceeded',
  'policy_denied',
  'approval_required',
  'verification_required',
  'channel_not_in_mode',
  'channel_not_found',
  'refund_route_missing',
  'refunds_exhausted',
  'restored_request',
] as const

function refundRoute(context: Context): void {
  const schema = described(
    'payments.refund',
    'Refund a paid payment contract, in whole or in part',
    TAG,
    { params: IdParams, body: RefundBody, reply: PaymentReply },
    REFUND,
    COMMAND,
    { refusals: [...GIVES_BACK, 'payment_not_paid', 'refund_exceeds_payment'] },
  )
  const parse = parserOf(RefundBody)
  const onRequest = guard(context, REFUND)
  context.app.post('/contracts/payment/:id/refunds', { schema, onRequest }, async (request, reply) => {
    const { amount, reason, ...elsewhere } = parse(request.body ?? {})
    const refund = { verb: 'refund', amount: amount ?? null, reason: maskedOrNull(reason) } as const
    return giveBack(context, request, reply, refund, elsewhere)
  })
}

/** What fits no contract and has no way back by itself, or was sent back in vain. */
function returnRoute(context: Context): void {
  const schema = described(
    'payments.return',
    'Return the oldest amount in suspense',
    TAG,
    { params: IdParams, body: ReturnBody, reply: PaymentReply },
    REFUND,
    COMMAND,
    { refusals: [...GIVES_BACK, 'nothing_in_suspense'] },
  )
  const parse = parserOf(ReturnBody)
  const onRequest = guard(context, REFUND)
  context.app.post('/contracts/payment/:id/returns', { schema, onRequest }, async (request, reply) =>
    giveBack(context, request, reply, { verb: 'return' }, parse(request.body ?? {})),
  )
}

type Asked =
  | { readonly verb: 'refund'; readonly amount: number | null; readonly reason: string | null }
  | { readonly verb: 'return' }

const BEGUN = { refund: 'Refund begun.', return: 'Return begun.' } as const

async function giveBack(
  context: Context,
  request: RequestWithId,
  reply: PaymentSent,
  asked: Asked,
  { channel, recipient }: Pick<RefundBody, 'channel' | 'recipient'>,
): Promise<FastifyReply> {
  const { deps } = context
  const { id } = request.params
  const route = routeOf(channel ?? null, recipient ?? null)
  if (isRefusal(route)) return sendRefusal(reply, route)
  const requester = commandCallerOf(request, id)
  if (isRefusal(requester)) return sendRefusal(reply, requester)
  const transferId = deps.newContractId(requester, requester.idempotency)
  const own = route && (await refuseOwnPlace(deps, route))
  const command = { ...asked, id, transferId, route, allowed: mayPay(request) } as const
  const answer = own
    ? await repeatedOr(deps.execute, requester, { kind: 'payment', id: transferId, otherwise: own })
    : await deps.execute({ ...requester, command })
  const done = contractOrRefuse(reply, answer)
  return done?.contract.kind === 'payment' ? presentPayment(context, reply, done.contract, BEGUN[asked.verb]) : reply
}

function routeOf(channelId: string | null, recipient: SentRecipient | null): PayerPlace | null | Refusal {
  if (channelId === null && recipient === null) return null
  if (channelId === null || recipient === null)
    return refuseAll([
      invalid(channelId === null ? 'channel' : 'recipient', 'Send channel and recipient together, or neither.'),
    ])
  // As of any transfer, so that a limit for each recipient knows who it is.
  const problems: Problem[] = []
  const read = Object.entries(recipientIn(recipient, 'recipient.', problems))
  const [first, ...others] = problems
  if (first) return refuseAll([first, ...others])
  const entries = read.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return { channelId, recipient: Object.fromEntries(entries) }
}

/** Money that goes elsewhere than back is a transfer, and needs the right to pay one. */
function mayPay(request: FastifyRequest): 'may pay' | 'may not pay' {
  return callerOf(request).scopes.has('transfers:pay') ? 'may pay' : 'may not pay'
}
