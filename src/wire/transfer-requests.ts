// What callers send about transfer contracts.
import Type, { type Static } from 'typebox'
import { TRANSFER_STATUSES } from '../domain/transfer/moves.ts'
import { ListQuery } from './api.ts'
import { Amount, DraftFields } from './contract.ts'
import { closed, Currency, ignored, moment, nullable, oneOrMore, readAs, text, uuid } from './shapes.ts'

/** What a contract shows of itself and a request cannot change. What was read can so be sent back. */
const OWNED =
  'id kind livemode issued_by issued_at paid_by paid_at wallet_id expires_at recipient_profile issued_to_profile payment activities activities_total transfer cancellation refund refund_of approval verifications created_at updated_at version'.split(
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

export type PatchBody = Static<typeof PatchBody>

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

export const RetryBody = closed(
  {
    channel: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The channel to try; by default that of the attempt that failed. The price stays.',
        }),
      ),
    ),
  },
  { $id: 'RetryRequest' },
)

export type RetryBody = Static<typeof RetryBody>

// PostgreSQL has no NUL in text; a body with one is refused where it is parsed.
const NO_NUL = '^[^\\u0000]*$'

/** Digits, and decimals behind a point. */
const majorAmount = (description: string) =>
  readAs({ type: 'number', minimum: 0 }, '^(?:0|[1-9]\\d{0,11})(?:\\.\\d{1,4})?$', description)

export const ContractQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(oneOrMore(TRANSFER_STATUSES, { $id: 'TransferStatus' })),
  channel: Type.Optional(Type.String({ maxLength: 64, pattern: NO_NUL })),
  currency: Type.Optional(Currency),
  reference_id: Type.Optional(Type.String({ maxLength: 128, pattern: NO_NUL })),
  amount_from: Type.Optional(majorAmount('At least so much, in the currency that is named beside it.')),
  amount_to: Type.Optional(majorAmount('At most so much, in the currency that is named beside it.')),
  profile: Type.Optional(uuid('A profile of yours: those whose recipient it is, or to whom they are issued.')),
  created_from: moment('From then on; a date alone is its first moment, in UTC.'),
  created_to: moment('Until then, included; a date alone is its last moment, in UTC.'),
})

export type ContractQuery = Static<typeof ContractQuery>
