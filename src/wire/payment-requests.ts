// What a merchant and a payer send about payment contracts.
import Type, { type Static, type TSchema } from 'typebox'
import { type MethodForm, PAYMENT_KINDS, PAYMENT_METHODS, type PaymentKind, schemeOf } from '../domain/payment/kinds.ts'
import { PAYMENT_STATUSES } from '../domain/payment/moves.ts'
import { RecipientFields } from './contract.ts'
import { closed, ignored, nullable, oneOrMore, tagged, text, uuid } from './shapes.ts'
import { ContractQuery, DraftBody } from './transfer-requests.ts'

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
      token: text(255, 'A token of the card provider. Never a card number.'),
      hosted: Type.Optional(
        nullable(
          Type.Boolean({
            description:
              'True in place of a token: next_action leads to a page of the card provider, where the payer types the card.',
          }),
        ),
      ),
      return_url: url('Where the payer goes after the page of the card provider or bank.'),
    }),
  own_wallet: () => closed({ wallet_id: uuid('A wallet of the payer, whose API key comes with the request.') }),
  asset: () =>
    closed({
      asset: Type.String({ maxLength: 20, description: 'Such as USDC.' }),
      network: Type.String({ maxLength: 64, description: 'CAIP-2, such as eip155:1.' }),
      refund_address: text(255, 'Where money that does not fit is sent back to.'),
    }),
}

const methodFields = (kind: PaymentKind) => Type.Optional(nullable(METHOD_FIELDS[PAYMENT_METHODS[kind].form](kind)))

/** What a choice is read by: the kind, and a member of that name with what the kind asks (docs/payments.md). */
export const SentMethod = closed({
  type: Type.Enum([...PAYMENT_KINDS]),
  ...Object.fromEntries(PAYMENT_KINDS.map((kind) => [kind, methodFields(kind)])),
})

/** The same as it is shown: one shape for each kind. */
const METHODS = Object.fromEntries(
  PAYMENT_KINDS.map((kind) => {
    const $id = `${kind.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}Method`
    return [kind, closed({ type: Type.Enum([kind]), [kind]: methodFields(kind) }, { $id })]
  }),
)
/** The member of the kind holds its fields; the others are not looked at. */
export type MethodBody = { readonly type: PaymentKind } & Partial<Record<PaymentKind, MethodFieldValues | null>>
type MethodFieldValues = Readonly<Record<string, string | boolean | null | undefined>>
export const MethodBody = Type.Unsafe<MethodBody>(tagged('type', METHODS, { $id: 'PaymentMethod' }))

/** What a payment contract shows beside the members of every contract. */
const OWNED =
  'attempts next_action amount_received amount_in_suspense amount_refunded settles_at completed_at refunds payer_profile checkout_url'.split(
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
    wallet: Type.Optional(
      nullable(uuid('The wallet of yours that the money goes to; by default the default one of the currency.')),
    ),
    return_url: url('Where the payment page leads the payer back to.'),
    payment: Type.Optional(nullable(MethodBody)),
  },
  { $id: 'PaymentRequest' },
)

export type PaymentBody = Static<typeof PaymentBody>

export const RefundBody = closed(
  {
    amount: Type.Optional(
      nullable(
        Type.Number({
          description:
            'Major units; without it everything that is left. After 100 refunds of the payment, those that failed too, only everything that is left.',
        }),
      ),
    ),
    reason: text(1000, 'Why. All refunds of a payment together: 20,000 characters.'),
    channel: text(
      64,
      'With recipient: a channel that pays out. Only the account that paid, or with the scope transfers:pay any other, at the price of a transfer and as policies allow it.',
    ),
    recipient: Type.Optional(nullable(closed(RecipientFields))),
  },
  { $id: 'RefundRequest' },
)

export type RefundBody = Static<typeof RefundBody>

export const ReturnBody = closed(
  { channel: RefundBody.properties.channel, recipient: RefundBody.properties.recipient },
  { $id: 'ReturnRequest' },
)

export type ReturnBody = Static<typeof ReturnBody>

export const PaymentQuery = closed({
  ...ContractQuery.properties,
  status: Type.Optional(oneOrMore(PAYMENT_STATUSES, { $id: 'PaymentStatus' })),
})
