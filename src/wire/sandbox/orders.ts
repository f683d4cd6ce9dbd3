// The provider's books beside ours, on the wire: one attempt at a contract, and what the provider has under its reference.
import Type, { type Static } from 'typebox'
import type { ComparedOrder, TheirOrder } from '../../domain/channel/sandbox.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { ListQuery } from '../api.ts'
import { closed, envelope, nullable, nullableText, time, uuid, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'

export const OrdersQuery = closed({
  rail: Type.Optional(Type.String({ maxLength: 20, description: 'A rail of GET /sandbox.' })),
  reference: Type.Optional(Type.String({ maxLength: 64, description: 'What the rail knows an attempt by.' })),
  contract_id: Type.Optional(uuid('The attempts at this contract.')),
  ...ListQuery.properties,
})
export type OrdersQuery = Static<typeof OrdersQuery>

const Theirs = Type.Object({
  status: Type.String({ description: 'In the words of the provider’s books.' }),
  code: nullableText,
  amount: Type.Number({ description: 'In major units.' }),
  currency: Type.String(),
  moved: Type.Integer({ description: 'How often the money moved. More than once is a double payment.' }),
  moved_back: Type.Integer({ description: 'How often it was returned or refunded.' }),
  history: Type.Array(
    Type.Object({ status: Type.String(), code: nullableText, at: time('By the provider’s clock.') }),
    { description: 'Of a payout, oldest first; empty for what comes in.' },
  ),
})

const Order = Type.Object(
  {
    rail: Type.String(),
    reference: Type.String({ description: 'What the rail knows it by.' }),
    direction: Type.Enum(['out', 'in']),
    contract: Type.Object({
      id: uuid('The contract.'),
      kind: Type.Enum(['transfer', 'payment']),
      status: Type.String({ description: 'How it stands with us.' }),
    }),
    channel: Type.String(),
    attempt: Type.Integer({ description: 'Which attempt at the contract it is, from 1.' }),
    status: Type.String({ description: 'How the attempt stands with us.' }),
    amount: Type.Number({ description: 'What we asked the rail to move, in major units.' }),
    currency: Type.String(),
    created_at: time('When the contract was made.'),
    provider: nullable(Theirs),
  },
  { $id: 'SandboxOrder' },
)

export const OrdersReply = envelope('number', Type.Object({ orders: Type.Array(Order), next: nullableText }))

export function presentOrder({ contract, theirs, ...order }: ComparedOrder): Wire<typeof Order> {
  const { rail, reference, direction, channelId, number, status, amountMinor, currency } = order
  const { id, kind, createdAt } = contract
  return {
    rail,
    reference,
    direction,
    contract: { id, kind, status: contract.status },
    channel: channelId,
    attempt: number,
    status,
    amount: majorNumber(amountMinor, currency),
    currency,
    created_at: iso(createdAt),
    provider: theirs && presentTheirs(theirs),
  }
}

function presentTheirs({ amountMinor, movedBack, ...order }: TheirOrder): NonNullable<Wire<typeof Order>['provider']> {
  const { status, code, currency, moved, history } = order
  const amount = majorNumber(amountMinor, currency)
  return { status, code, amount, currency, moved, moved_back: movedBack, history }
}
