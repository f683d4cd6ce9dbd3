// The wire shapes of channels: as a contract shows them, their pages, their policies, the comparison of a draft, and what
// their providers call back with.
import Type, { type Static } from 'typebox'
import { closed, envelope, forOwners, nullable, nullableText, nullableTime, open, time } from './shapes.ts'

const Breakdown = Type.Object(
  {
    pct: Type.Number({ description: 'Percent of the amount.' }),
    add: Type.Number({ description: 'Added to the percentage, major units.' }),
    min: Type.Number({ description: 'Least fee; 0 for none.' }),
    max: Type.Number({ description: 'Greatest fee; 0 for none.' }),
    fixed: Type.Number({ description: 'Where above 0, this is the fee.' }),
  },
  { $id: 'FeeBreakdown' },
)
const Fees = Type.Object({ covered: Type.Boolean(), breakdown: Breakdown })

export const ContractChannel = Type.Object(
  {
    id: Type.String(),
    service: Type.String(),
    name: Type.String(),
    description: Type.String(),
    policy: Type.Object({
      uri: Type.String({ format: 'uri', description: 'The version of the channel that prices the contract.' }),
    }),
    fees: forOwners(Fees),
  },
  { $id: 'ContractChannel' },
)

export const Preview = Type.Object(
  {
    amount: Type.Number({ description: 'What the payer is debited.' }),
    valid: Type.Boolean({ description: 'No message is an error.' }),
    fees: forOwners(Type.Object({ total: Type.Number(), covered: Type.Boolean(), breakdown: Breakdown })),
    messages: Type.Array(
      Type.Object({ code: Type.String(), type: Type.Enum(['error', 'warning', 'info']), message: Type.String() }),
    ),
    receive_amount: forOwners(Type.Number({ description: 'What arrives: amount − fees.total.' })),
    arrives_at: nullable(
      time('By when it arrives, paid now; from then on by when it does, and when it did. Null where nobody can say.'),
    ),
    asset: nullable(
      Type.Object(
        {
          network: Type.String({ description: 'CAIP-2.' }),
          asset: Type.String(),
          token: nullable(Type.String({ description: 'The contract of the token; null for the coin of the chain.' })),
          amount: nullable(Type.String({ description: 'What arrives, in whole units.' })),
          rate: Type.String({ description: 'What one unit costs in the currency of the contract.' }),
          expires_at: time('Until when the rate holds: while a draft it is only that of its last change.'),
        },
        { description: 'What arrives in a crypto asset; null where money itself arrives.' },
      ),
    ),
  },
  { $id: 'Preview' },
)

const Required = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'JSON Schema of a draft on this channel. A draft as it is kept (currency in capitals, mobile as +63…) fits exactly when its preview is valid.',
})

const Collect = nullable(
  Type.Object(
    {
      type: Type.String({ description: 'The type of payment that it brings in.' }),
      settle_after_seconds: Type.Number({ description: 'From paid to available.' }),
      network: nullableText,
      asset: nullableText,
      currencies: Type.Array(
        Type.Object({
          currency: Type.String(),
          min_amount: nullable(Type.Number()),
          max_amount: nullable(Type.Number()),
          fees: Fees,
        }),
      ),
    },
    { description: 'How it brings money in; null where it only pays out.' },
  ),
)

const ChannelPage = Type.Object(
  {
    id: Type.String(),
    livemode: nullable(
      Type.Boolean({
        description: 'Whose contracts it takes: live ones, or TEST ones. Null: either, the wallet of this gateway.',
      }),
    ),
    service: Type.String(),
    name: Type.String(),
    description: Type.String(),
    version: Type.Integer(),
    policy: Type.Object({ uri: Type.String({ format: 'uri' }) }),
    fees: Type.Object({ covered: Type.Boolean() }),
    undo_seconds: Type.Number({ description: 'How long after pay a cancel surely refunds.' }),
    currencies: Type.Array(
      Type.Object({
        currency: Type.String(),
        min_amount: nullable(Type.Number()),
        max_amount: nullable(Type.Number()),
        fees: Fees,
      }),
    ),
    required: Required,
    collect: Collect,
  },
  { $id: 'Channel' },
)
export const ChannelReply = envelope('number', Type.Object({ channel: ChannelPage }))
export const ChannelsReply = envelope('number', Type.Object({ channels: Type.Array(ChannelPage), next: nullableText }))

const Windows = Type.Object({
  utc_offset: Type.String({ description: 'Of the times of day below: +08:00.' }),
  cut_offs: Type.Array(Type.String({ description: 'HH:MM' })),
  weekdays: Type.Array(Type.Integer({ description: '0 is Sunday.' })),
  holidays: Type.Array(Type.String({ description: 'YYYY-MM-DD: nothing leaves on that day.' })),
})

const Policy = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer(),
    name: Type.String(),
    currencies: Type.Array(
      Type.Object({
        currency: Type.String(),
        min: nullable(Type.Number()),
        max: nullable(Type.Number()),
        fees: Fees,
      }),
    ),
    windows: nullable(Windows),
    arrival: nullable(
      Type.Object({ within_seconds: Type.Number({ description: 'From when it leaves until it arrives, at most.' }) }),
    ),
    undo_seconds: Type.Number({ description: 'How long after pay a cancel surely refunds.' }),
    recall: Type.Boolean({ description: 'Whether a transfer that was accepted can be asked back.' }),
    bounces: Type.Boolean({ description: 'Whether a transfer that arrived may come back by itself, to be refunded.' }),
    required: Required,
    collect: Collect,
    versions: Type.Array(Type.Object({ version: Type.Integer(), since: time('Since when it was offered.') })),
  },
  { $id: 'ChannelPolicy' },
)
export const PolicyReply = envelope('number', Type.Object({ policy: Policy }))
export const PolicyQuery = closed({
  version: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The version; by default the one that is offered now.' }),
  ),
})
export type PolicyQuery = Static<typeof PolicyQuery>

const Offer = Type.Object(
  {
    channel: ContractChannel,
    preview: Preview,
    undo_seconds: Type.Number({ description: 'How long after pay a cancel surely refunds.' }),
    valid: Type.Boolean({ description: 'Whether the draft could be issued on this channel as it is.' }),
    dispatch_at: time('When it would leave, paid now.'),
    arrives_at: nullable(time('By when it would arrive, paid now; null where nobody can say.')),
    cut_off: nullableTime,
    limits: Type.Object(
      { min_amount: nullable(Type.Number()), max_amount: nullable(Type.Number()) },
      { description: 'Of the amount, in the currency of the draft; null for none.' },
    ),
    can_recall: Type.Boolean({ description: 'Whether it can be asked back once the channel has accepted it.' }),
    can_bounce: Type.Boolean({ description: 'Whether it may come back after it arrived, to be refunded.' }),
    required: Required,
    missing: Type.Array(Type.Object({ code: Type.String(), param: nullableText, message: Type.String() }), {
      description: 'Why not: each with the parameter that is in the way and the mend.',
    }),
  },
  { $id: 'ChannelOffer' },
)
export const CompareReply = envelope('number', Type.Object({ channels: Type.Array(Offer), next: nullableText }))

export const ChannelParams = Type.Object({ id: Type.String({ description: 'The channel’s id.' }) })
export type ChannelParams = Static<typeof ChannelParams>

export const CallbackBody = open(
  {
    id: Type.String({ maxLength: 255, description: 'The same however often it is told.' }),
    type: Type.String({ maxLength: 255, description: 'transfer.accepted, .completed, .failed or .returned.' }),
    created_at: Type.Union([Type.String(), Type.Number()]),
    data: open({
      object: Type.Record(Type.String(), Type.Unknown(), {
        description: '{rail, reference, amount, currency, status, code, message}, in the words of the provider.',
      }),
    }),
  },
  { $id: 'ChannelCallback' },
)
export type CallbackBody = Static<typeof CallbackBody>
export const CallbackReply = Type.Object({}, { $id: 'Received' })
