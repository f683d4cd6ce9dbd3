// The wire shapes of payment contracts: what a merchant and a payer send, and what they get.
import Type, { type Static, type TSchema } from 'typebox'
import { type MethodForm, PAYMENT_KINDS, PAYMENT_METHODS, type PaymentKind, schemeOf } from '../domain/payment/kinds.ts'
import { PAYMENT_STATUSES } from '../domain/payment/moves.ts'
import { PAYMENT_ATTEMPT_STATUSES } from '../domain/payment/payment.ts'
import { Contract, ContractQuery, DraftBody, sharedContractFields } from './schemas.ts'
import {
  closed,
  envelope,
  forOwners,
  ignored,
  nullable,
  nullableText,
  nullableTime,
  oneOrMore,
  text,
  time,
  uuid,
} from './shapes.ts'

const url = (description: string) => text(2048, description)
const Urls = {
  success_url: url('Where the payer goes after paying.'),
  failure_url: url('Where the payer goes when it failed.'),
  cancel_url: url('Where the payer goes after turning back.'),
}

/** What is sent of a method, by its form. */
const METHOD_FIELDS: Readonly<Record<MethodForm, (kind: PaymentKind) => TSchema>> = {
  e_wallet: () => closed({ mobile: text(20, 'The mobile number of the wallet, where it is known.'), ...Urls }),
  code: (kind) => closed({ scheme: Type.Optional(nullable(Type.Enum([schemeOf(kind)]))) }),
  card_token: () =>
    closed({
      token: Type.String({ maxLength: 255, description: 'A token of the card provider. Never a card number.' }),
      return_url: url('Where the payer goes after 3-D Secure.'),
    }),
  own_wallet: () => closed({ wallet_id: uuid('A wallet of the payer, whose API key comes with the request.') }),
  asset: () =>
    closed({
      asset: Type.String({ maxLength: 20, description: 'Such as USDC.' }),
      network: Type.String({ maxLength: 64, description: 'CAIP-2, such as eip155:1.' }),
      refund_address: text(255, 'Where money that does not fit is sent back to.'),
    }),
}

/** The payer's choice: the kind, and a member of that name with what the kind asks (docs/payments.md). */
const METHOD_MEMBERS = Object.fromEntries(
  PAYMENT_KINDS.map((kind) => [kind, Type.Optional(nullable(METHOD_FIELDS[PAYMENT_METHODS[kind].form](kind)))]),
)
export const MethodBody = closed({ type: Type.Enum([...PAYMENT_KINDS]), ...METHOD_MEMBERS }, { $id: 'PaymentMethod' })
/** The member of the kind holds its fields; the others are not looked at. */
export type MethodBody = { readonly type: PaymentKind } & Partial<Record<PaymentKind, MethodFieldValues | null>>
type MethodFieldValues = Readonly<Record<string, string | null | undefined>>

/** What a payment contract shows beside the members of every contract. */
const OWNED =
  'attempts next_action amount_received amount_in_suspense amount_refunded settles_at completed_at refunds checkout_url'.split(
    ' ',
  )

export const PaymentBody = closed(
  {
    ...DraftBody.properties,
    ...ignored(OWNED),
    status: Type.Optional(
      nullable(Type.Enum(['draft', 'issued'], { description: 'Ignored: a payment contract opens as issued.' })),
    ),
    expires_in: Type.Optional(
      nullable(
        Type.Integer({
          description: 'Seconds until the contract expires, 60 to 2,592,000 (from 1 in test mode); 1,800.',
        }),
      ),
    ),
    return_url: url('Where the payment page leads the payer back to.'),
    payment: Type.Optional(nullable(MethodBody)),
  },
  { $id: 'PaymentRequest' },
)
export type PaymentBody = Static<typeof PaymentBody>

export const RefundBody = closed(
  {
    amount: Type.Optional(nullable(Type.Number({ description: 'Major units; without it everything that is left.' }))),
    reason: text(1000, 'Why.'),
    channel: text(
      64,
      'With recipient: a channel that pays out. Only the account that paid, or with the scope transfers:pay any other, at the price of a transfer.',
    ),
    recipient: DraftBody.properties.recipient,
  },
  { $id: 'RefundRequest' },
)
export type RefundBody = Static<typeof RefundBody>

export const ReturnBody = closed(
  { channel: RefundBody.properties.channel, recipient: RefundBody.properties.recipient },
  { $id: 'ReturnRequest' },
)
export type ReturnBody = Static<typeof ReturnBody>

const Action = Type.Object(
  {
    type: Type.Enum(['redirect', 'display_qr', 'display_address']),
    url: Type.Optional(Type.String()),
    data: Type.Optional(Type.String({ description: 'The whole text of the code.' })),
    svg: Type.Optional(Type.String({ description: 'The code as an image.' })),
    address: Type.Optional(Type.String()),
    amount: Type.Optional(Type.String({ description: 'Whole units of the asset, as decimal text.' })),
    asset: Type.Optional(Type.String()),
    network: Type.Optional(Type.String()),
    uri: Type.Optional(Type.String({ description: 'EIP-681.' })),
    confirmations: Type.Optional(Type.Integer()),
    expires_at: nullableTime,
  },
  { $id: 'NextAction', description: 'What the payer does next.' },
)

const Attempt = Type.Object(
  {
    number: Type.Integer(),
    type: Type.Enum([...PAYMENT_KINDS]),
    channel: Type.String(),
    reference: forOwners(Type.String({ description: 'What the rail knows the attempt by.' })),
    status: Type.Enum([...PAYMENT_ATTEMPT_STATUSES]),
    amount: Type.Number({ description: 'What the payer is to pay.' }),
    fee: forOwners(Type.Number()),
    provider_id: nullableText,
    details: Type.Record(Type.String(), Type.String(), {
      description:
        'What may be shown of the means of payment: mobile, brand, last4, expiry, asset, network, confirmations.',
    }),
    failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    created_at: time('When.'),
  },
  { $id: 'PaymentAttempt' },
)

const PaymentRefund = Type.Object({
  transfer_id: forOwners(uuid('The transfer contract that gives it back.')),
  from: Type.Enum(['payment', 'suspense']),
  amount: Type.Number(),
  currency: Type.String(),
  status: Type.Enum(['open', 'done', 'failed']),
  created_at: time('When.'),
})

export const PaymentContract = Type.Object(
  {
    ...sharedContractFields,
    kind: Type.Enum(['payment']),
    status: Type.Enum([...PAYMENT_STATUSES]),
    attempts: Type.Array(Attempt),
    next_action: nullable(Action),
    amount_received: Type.Number({ description: 'All that ever arrived in the currency of the contract.' }),
    amount_in_suspense: Type.Number({ description: 'What of it fits no contract and waits to go back.' }),
    amount_refunded: Type.Number(),
    settles_at: nullableTime,
    completed_at: nullableTime,
    refunds: Type.Array(PaymentRefund),
    return_url: nullableText,
    checkout_url: forOwners(Type.String({ description: 'The payer’s page. Whoever has it may pay.' })),
  },
  { $id: 'PaymentContract' },
)

const data = { contract: PaymentContract }
export const PaymentReply = envelope('number', Type.Object(data))
/** A contract of either kind. */
export const AnyContract = Type.Union([Contract, PaymentContract])
const { refund, cancellation } = Contract.properties
/** The id decides which kind is cancelled. */
export const CancelReply = envelope('string', Type.Object({ contract: AnyContract, refund, cancellation }))
export const PaymentsReply = envelope(
  'number',
  Type.Object({ contracts: Type.Array(PaymentContract), next: nullableText }),
)
export const PaymentQuery = closed({
  ...ContractQuery.properties,
  status: Type.Optional(oneOrMore(PAYMENT_STATUSES)),
})
