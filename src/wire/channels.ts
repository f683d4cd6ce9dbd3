// Channels: their pages, their policies, and the comparison of a draft on each. Shapes and presenters.
import Type, { type Static } from 'typebox'
import type { ChannelArchive, ChannelFacts, ChannelTerms } from '../domain/channel/channel.ts'
import { windowsConfig } from '../domain/channel/windows.ts'
import { isValid, type Preview as DomainPreview, problemsOf } from '../domain/contract/preview.ts'
import { feeBreakdown } from '../domain/money/fees.ts'
import type { FeePrice } from '../domain/policy/fees.ts'
import { majorNumber } from '../domain/money/money.ts'
import { quoteFrom } from '../domain/money/quotes.ts'
import { cutOffNotes, type Departure } from '../domain/transfer/departure.ts'
import {
  ContractChannel,
  Fees,
  policyUri,
  presentContractChannel,
  presentPreview,
  Preview,
} from './contract-channel.ts'
import { requiredSchema } from './required-schema.ts'
import { closed, envelope, nullable, nullableText, nullableTime, time, type Wire, readAs, Currency } from './shapes.ts'
import { iso, isoOrNull } from './times.ts'

const Required = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'JSON Schema of a draft on this channel. A draft as it is kept (currency in capitals, mobile as +63…) fits exactly when its preview is valid.',
})

const Collect = nullable(
  Type.Object(
    {
      type: Type.String({ description: 'The type of payment that it brings in.' }),
      settle_after_seconds: Type.Number({ description: 'From paid to available.' }),
      hosted: Type.Boolean({
        description: 'Whether payers can type their card on a page of the rail: {"card": {"hosted": true}}.',
      }),
      network: nullableText,
      asset: nullableText,
      currencies: Type.Array(
        Type.Object({
          currency: Currency,
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
        currency: Currency,
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
        currency: Currency,
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
    readAs(
      { type: 'integer', minimum: 1, maximum: 999_999_999 },
      '^[1-9][0-9]{0,8}$',
      'The version; by default the one that is offered now.',
    ),
  ),
})

export type PolicyQuery = Static<typeof PolicyQuery>

const ChannelOffer = Type.Object(
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

export const CompareReply = envelope('number', Type.Object({ channels: Type.Array(ChannelOffer), next: nullableText }))

export const ChannelParams = Type.Object({ id: Type.String({ description: 'The channel’s id.' }) })

export type ChannelParams = Static<typeof ChannelParams>

/** A channel's page: prices and bounds in each currency, and what a draft on it must have, as JSON Schema. */
export function presentChannel(baseUrl: string, channel: ChannelFacts): Wire<typeof ChannelPage> {
  return {
    id: channel.id,
    livemode: channel.mode === 'both' ? null : channel.mode === 'live',
    service: channel.service,
    name: channel.name,
    description: channel.description,
    version: channel.version,
    policy: { uri: policyUri(baseUrl, channel) },
    fees: { covered: channel.covered },
    undo_seconds: channel.undoSeconds,
    currencies: [...channel.terms].map(([currency, terms]) => {
      const fees = { covered: channel.covered, breakdown: feeBreakdown(terms.fees, currency) }
      return { currency, ...limitsOf(terms, currency), fees }
    }),
    required: requiredSchema(channel),
    collect: presentCollect(channel),
  }
}

/** How the channel brings money in; null where it only pays out. */
function presentCollect({ collect, asset }: ChannelFacts): Wire<typeof Collect> {
  return (
    collect && {
      type: collect.kind,
      settle_after_seconds: collect.settleAfterSeconds,
      hosted: collect.hosted,
      network: asset?.network ?? null,
      asset: asset?.asset ?? null,
      currencies: [...collect.terms].map(([currency, terms]) => {
        const fees = { covered: collect.covered, breakdown: feeBreakdown(terms.fees, currency) }
        return { currency, ...limitsOf(terms, currency), fees }
      }),
    }
  )
}

function limitsOf(terms: ChannelTerms | undefined, currency: string): Wire<typeof ChannelOffer>['limits'] {
  const major = (minor: bigint | null) => (minor === null ? null : majorNumber(minor, currency))
  return { min_amount: major(terms?.minMinor ?? null), max_amount: major(terms?.maxMinor ?? null) }
}

/** All that a version of a channel promises: what `channel.policy.uri` leads to. */
export function presentPolicy(
  { versions }: Pick<ChannelArchive, 'versions'>,
  channel: ChannelFacts,
): Wire<typeof Policy> {
  return {
    id: channel.id,
    version: channel.version,
    name: channel.name,
    currencies: [...channel.terms].map(([currency, terms]) => {
      const { min_amount: min, max_amount: max } = limitsOf(terms, currency)
      return { currency, min, max, fees: { covered: channel.covered, breakdown: feeBreakdown(terms.fees, currency) } }
    }),
    windows: channel.windows && windowsConfig(channel.windows),
    arrival: channel.arrivalSeconds === null ? null : { within_seconds: channel.arrivalSeconds },
    undo_seconds: channel.undoSeconds,
    recall: channel.canRecall,
    bounces: channel.canBounce,
    required: requiredSchema(channel),
    collect: presentCollect(channel),
    versions: versions(channel.id).map(({ version, sinceMs }) => ({ version, since: iso(sinceMs) })),
  }
}

/** A draft priced on one channel. `departure` is what becomes of it when it is paid now. */
export type Offer = {
  readonly channel: ChannelFacts
  readonly preview: DomainPreview
  readonly departure: Departure
  /** What a policy of fees asks; absent where none does. */
  readonly price?: FeePrice | undefined
}

export function presentOffer(
  baseUrl: string,
  { channel, preview, departure, price }: Offer,
  currency: string,
  nowMs: number,
): Wire<typeof ChannelOffer> {
  const { dispatchAt, cutOffAt, arrivesAt } = departure
  return {
    channel: presentContractChannel(baseUrl, channel, currency),
    preview: presentPreview(baseUrl, preview, currency, channel, {
      arrivesAt,
      notes: cutOffNotes(channel, nowMs),
      quote: channel.asset && quoteFrom(channel.asset, currency, nowMs),
      price,
    }),
    undo_seconds: channel.undoSeconds,
    valid: isValid(preview),
    dispatch_at: iso(dispatchAt),
    arrives_at: isoOrNull(arrivesAt),
    cut_off: isoOrNull(cutOffAt),
    limits: limitsOf(channel.terms.get(currency), currency),
    can_recall: channel.canRecall,
    can_bounce: channel.canBounce,
    required: requiredSchema(channel),
    missing: problemsOf(preview),
  }
}
