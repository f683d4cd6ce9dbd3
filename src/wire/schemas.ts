// The wire shapes: what validates requests, and what the OpenAPI document is made of. Nothing else knows them but present.
import Type, { type Static } from 'typebox'
import { REFUSALS } from '../domain/contract/refusals.ts'
import { TRANSFER_STATUSES } from '../domain/transfer/moves.ts'
import { ContractChannel, Preview } from './channel-schemas.ts'
import {
  closed,
  envelope,
  ignored,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  oneOrMore,
  text,
  time,
  uuid,
} from './shapes.ts'

const DraftFields = {
  description: text(1000, 'What the contract is about.'),
  issued_to: text(255, "To whom it is issued; by default the recipient's e-mail, mobile or name."),
  channel: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 64, description: 'Id of the chosen channel: GET /channels.' })),
  ),
  deliverable: Type.Optional(
    nullable(
      closed({
        type: Type.Optional(
          nullable(
            Type.String({
              pattern: '^[a-z][a-z0-9_]{0,39}$',
              description:
                'order, invoice, bill, service, salary, remittance, loan, donation, refund, subscription, ticket, other, or a word of your own.',
            }),
          ),
        ),
        reference_id: text(128, 'Your own reference; lists can be filtered by it.'),
        description: text(1000, 'What is paid for.'),
        details: text(1000, 'Anything more.'),
      }),
    ),
  ),
  recipient: Type.Optional(
    nullable(
      closed({
        name: text(255, 'Name of the person or firm.'),
        email: Type.Optional(nullable(Type.String({ maxLength: 254, format: 'email' }))),
        mobile: Type.Optional(nullable(Type.String({ maxLength: 20, description: 'E.164; 09… is read as +63….' }))),
        wallet: text(
          255,
          'Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway.',
        ),
        tag: text(255, 'Second locator: bank code, memo or destination tag.'),
        address: text(1000, 'Postal address.'),
        country: Type.Optional(nullable(Type.String({ maxLength: 2, description: 'ISO 3166-1 alpha-2.' }))),
      }),
    ),
  ),
  status: Type.Optional(nullable(Type.Enum(['draft'], { description: 'May only be draft.' }))),
  preview: Type.Optional(
    nullable(
      closed(
        {
          amount: Type.Optional(nullable(Type.Number())),
          valid: Type.Optional(nullable(Type.Boolean())),
          fees: Type.Optional(
            nullable(
              closed({
                total: Type.Optional(nullable(Type.Number())),
                covered: Type.Optional(nullable(Type.Boolean())),
                ...ignored(['breakdown']),
              }),
            ),
          ),
          ...ignored(['messages', 'receive_amount', 'arrives_at', 'asset']),
        },
        { description: 'Compared with the real preview, never stored: a difference is a warning.' },
      ),
    ),
  ),
  metadata: Type.Optional(
    nullable(
      Type.Record(Type.String(), nullable(Type.String({ maxLength: 500 })), {
        description:
          'Pairs of your own, shown wherever the contract is: at most 50, names of 1 to 40 characters, texts of at most 500. In a patch a pair that is null goes, and null for all of it.',
      }),
    ),
  ),
  expires_in: Type.Optional(
    nullable(
      Type.Integer({ description: 'Seconds until the contract expires, 60 to 2,592,000 (from 1 in test mode).' }),
    ),
  ),
}

const Amount = Type.Number({
  description: 'Major units, above 0, with at most the decimals of the currency and 15 significant digits.',
})
const Currency = Type.String({ pattern: '^[A-Za-z]{3}$', description: 'ISO 4217.' })

/** What a contract shows of itself and a request cannot change. What was read can so be sent back. */
const OWNED =
  'id kind livemode issued_by issued_at paid_by paid_at expires_at payment activities activities_total transfer cancellation refund refund_of created_at updated_at version'.split(
    ' ',
  )

export const DraftBody = closed(
  { amount: Amount, currency: Currency, ...DraftFields, ...ignored(OWNED) },
  { $id: 'TransferDraft' },
)
export type DraftBody = Static<typeof DraftBody>

export const PatchBody = closed(
  {
    amount: Type.Optional(nullable(Amount)),
    currency: Type.Optional(nullable(Currency)),
    ...DraftFields,
    ...ignored(OWNED),
  },
  { $id: 'TransferPatch', description: 'A JSON merge patch (RFC 7396): null clears.' },
)

const SentPreview = Type.Optional(
  Type.Unsafe<Static<typeof DraftFields.preview>>({
    ...DraftFields.preview,
    description: 'Compared with what would be charged: any difference refuses with preview_mismatch.',
  }),
)
export const IssueBody = closed({ preview: SentPreview }, { $id: 'IssueRequest' })
export const PayBody = closed(
  {
    preview: SentPreview,
    source: Type.Optional(nullable(uuid('The wallet to pay from; by default the account’s wallet in the currency.'))),
  },
  { $id: 'PayRequest' },
)
export const CancelBody = closed({ reason: text(1000, 'Why.') }, { $id: 'CancelRequest' })
export type IssueBody = Static<typeof IssueBody>
export type PayBody = Static<typeof PayBody>
export type CancelBody = Static<typeof CancelBody>

const Free = Type.Record(Type.String(), Type.Unknown())
const Activity = Type.Object(
  {
    parent: uuid('The contract.'),
    id: uuid('The line’s own id.'),
    type: Type.String(),
    actor: uuid('The profile that did it.'),
    proxy: nullable(uuid('The API key by which the actor acted: gateway keys list shows it.')),
    summary: Type.String(),
    published_at: time('When.'),
    resource: Type.Object({ id: uuid('The contract.'), type: Type.String(), data: Free }),
  },
  { $id: 'Activity' },
)

/** What contracts of both kinds show (spec 2.1). */
export const sharedContractFields = {
  id: uuid('Contract identifier.'),
  livemode,
  amount: Type.Number(),
  currency: Type.String(),
  issued_by: nullable(uuid('The profile that issued it.')),
  issued_to: nullableText,
  issued_at: nullableTime,
  paid_by: nullable(uuid('The profile that paid.')),
  paid_at: nullableTime,
  expires_at: time('When a draft or issued contract expires.'),
  description: nullableText,
  deliverable: nullable(
    Type.Object({ type: nullableText, reference_id: nullableText, description: nullableText, details: nullableText }),
  ),
  recipient: nullable(
    Type.Object({
      name: nullableText,
      email: nullableText,
      mobile: nullableText,
      wallet: nullableText,
      tag: nullableText,
      address: nullableText,
      country: nullableText,
    }),
  ),
  channel: nullable(ContractChannel),
  payment: nullable(Type.Object({ paid_at: time('When.'), details: Activity })),
  activities: Type.Array(Activity, { description: 'The newest 50, oldest first; all of them: GET …/{id}/activities.' }),
  activities_total: Type.Integer(),
  metadata: Type.Record(Type.String(), Type.String()),
  preview: Preview,
  cancellation: nullable(
    Type.Object({
      status: Type.Enum(['pending', 'refused', 'done']),
      reason: nullableText,
      requested_at: time('When.'),
    }),
  ),
  created_at: time('When.'),
  updated_at: time('When.'),
  version: Type.Integer(),
}

export const Contract = Type.Object(
  {
    ...sharedContractFields,
    kind: Type.Enum(['transfer']),
    status: Type.Enum([...TRANSFER_STATUSES]),
    transfer: Type.Object({
      status: Type.String({ description: 'How far the money has got: docs/states.md.' }),
      attempts: Type.Integer(),
      reference: nullableText,
      submitted_at: nullableTime,
      completed_at: nullableTime,
      failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    }),
    refund: nullable(Type.Object({ amount: Type.Number(), refunded_at: time('When.') })),
    refund_of: nullable(uuid('The payment contract whose money this gives back.')),
  },
  { $id: 'TransferContract' },
)

const data = { contract: Contract }
export const ContractReply = envelope('number', Type.Object(data))
export const UpdateReply = envelope('string', Type.Object(data))
export const ContractsReply = envelope('number', Type.Object({ contracts: Type.Array(Contract), next: nullableText }))

const Wallet = Type.Object(
  {
    id: uuid('Wallet identifier.'),
    livemode,
    currency: Type.String(),
    available: Type.Number(),
    held: Type.Number(),
    in_transit: Type.Number(),
    pending: Type.Number({ description: 'Paid by payers, and not settled yet.' }),
    suspense: Type.Number({ description: 'Arrived, and fits no contract.' }),
  },
  { $id: 'Wallet' },
)
const WalletEntry = Type.Object(
  {
    sequence: Type.Integer(),
    debit: Type.String({ description: 'The ledger account that the amount leaves.' }),
    credit: Type.String({ description: 'The ledger account that receives it.' }),
    amount: Type.Number(),
    currency: Type.String(),
    available_after: Type.Number(),
    contract_id: nullable(uuid('The contract that moved it.')),
    transaction_id: nullableText,
    reference: nullableText,
    created_at: time('When.'),
  },
  { $id: 'WalletEntry' },
)
export const ActivitiesReply = envelope('number', Type.Object({ activities: Type.Array(Activity), next: nullableText }))
export const WalletReply = envelope('number', Type.Object({ wallet: Wallet }))
export const WalletsReply = envelope('number', Type.Object({ wallets: Type.Array(Wallet), next: nullableText }))
export const EntriesReply = envelope('number', Type.Object({ entries: Type.Array(WalletEntry), next: nullableText }))

export const TokenBody = closed(
  {
    grant_type: Type.String({ description: 'client_credentials' }),
    client_id: Type.Optional(Type.String({ maxLength: 255 })),
    client_secret: Type.Optional(
      Type.String({ maxLength: 255, description: 'The API key, where it is not sent in X-Api-Key.' }),
    ),
    expires_in: Type.Optional(Type.Integer({ minimum: 1, maximum: 43_200, description: 'Seconds; 900 by default.' })),
    contract_id: Type.Optional(uuid('Binds the token to one contract.')),
  },
  { $id: 'TokenRequest' },
)
export type TokenBody = Static<typeof TokenBody>
export const TokenReply = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer(),
    scope: Type.String(),
    livemode,
  },
  { $id: 'Token', description: 'RFC 6749, 5.1.' },
)

// PostgreSQL has no NUL in text; a body with one is refused where it is parsed.
const NO_NUL = '^[^\\u0000]*$'

export const ListQuery = closed({
  limit: Type.Optional(Type.String({ pattern: '^(?:[1-9]|[1-9][0-9]|100)$', description: '1 to 100; 25 by default.' })),
  after: Type.Optional(Type.String({ maxLength: 64, description: 'data.next of the page before.' })),
})
const moment = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ],
      description,
    }),
  )
export const ContractQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(oneOrMore(TRANSFER_STATUSES)),
  channel: Type.Optional(Type.String({ maxLength: 64, pattern: NO_NUL })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Za-z]{3}$' })),
  reference_id: Type.Optional(Type.String({ maxLength: 128, pattern: NO_NUL })),
  created_from: moment('From then on; a date alone is its first moment, in UTC.'),
  created_to: moment('Until then, included; a date alone is its last moment, in UTC.'),
})
export type ListQuery = Static<typeof ListQuery>
export type ContractQuery = Static<typeof ContractQuery>

const errorFields = {
  type: Type.Enum([...new Set(Object.values(REFUSALS).map((entry) => entry.type))]),
  message: Type.String(),
  code: Type.String({ description: 'docs/errors.md; families missing_<param> and invalid_<param>.' }),
  param: nullable(Type.String({ description: 'The offending parameter, dotted.' })),
}
export const ErrorReply = Type.Object(
  {
    error: Type.Object({
      ...errorFields,
      contract_id: Type.Optional(
        uuid('Of payment_declined: the contract, which is open. Go on with it: another method may pay it.'),
      ),
      request_id: Type.Optional(Type.String()),
      doc_url: Type.Optional(Type.String()),
      errors: Type.Optional(
        Type.Array(Type.Object({ code: Type.String(), param: nullableText, message: Type.String() })),
      ),
    }),
  },
  { $id: 'Error' },
)

export const IdParams = Type.Object({ id: uuid('The id in the path.') })

export const Health = Type.Object({ status: Type.String() }, { $id: 'Health' })
