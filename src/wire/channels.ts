// Channels and what they cost, on the wire: a contract's channel and preview, the channel's own page, its policy, and the
// comparison of a draft.
import type { ChannelArchive, ChannelFacts, ChannelTerms } from '../domain/channel/channel.ts'
import { cutOffNotes, type Departure } from '../domain/transfer/departure.ts'
import { feeBreakdown, type FeeBreakdown } from '../domain/money/fees.ts'
import { majorNumber } from '../domain/money/money.ts'
import { isValid, type Preview, problemsOf } from '../domain/contract/preview.ts'
import { assetAmount, type Quote, quoteFrom } from '../domain/money/quotes.ts'
import type { Message } from '../domain/transfer/transfer.ts'
import { windowsConfig } from '../domain/channel/windows.ts'
import { requiredSchema } from './required-schema.ts'
import { iso, isoOrNull } from './times.ts'

const NO_FEES: FeeBreakdown = { pct: 0, add: 0, min: 0, max: 0, fixed: 0 }

/** The channel as a contract in the currency shows it (spec 2.4). */
export function presentContractChannel(baseUrl: string, channel: ChannelFacts, currency: string) {
  const known = presentedChannels.get(channel)?.get(currency)
  if (known) return known
  const made = contractChannel(baseUrl, channel, currency)
  const byCurrency = presentedChannels.get(channel) ?? new Map<string, typeof made>()
  presentedChannels.set(channel, byCurrency.set(currency, made))
  return made
}

// A version of a channel never changes, so neither does its face in a currency.
const presentedChannels = new WeakMap<ChannelFacts, Map<string, ReturnType<typeof contractChannel>>>()

function contractChannel(baseUrl: string, channel: ChannelFacts, currency: string) {
  const terms = channel.terms.get(currency)
  return {
    id: channel.id,
    service: channel.service,
    name: channel.name,
    description: channel.description,
    policy: { uri: policyUri(baseUrl, channel) },
    fees: { covered: channel.covered, breakdown: terms ? feeBreakdown(terms.fees, currency) : NO_FEES },
  }
}

/** Where the very version of the channel is told that prices a contract. */
function policyUri(baseUrl: string, { id, version }: ChannelFacts): string {
  return `${baseUrl}/channels/${encodeURIComponent(id)}/policy?version=${version}`
}

/** What is said of a price beside the price itself. */
export type PreviewNotes = {
  readonly arrivesAt: number | null
  readonly notes: readonly Message[]
  /** The asset's price that is promised, or would be at this moment. */
  readonly quote: Quote | null
}

/** The fee preview (spec 2.7). */
export function presentPreview(
  baseUrl: string,
  preview: Preview,
  currency: string,
  channel: ChannelFacts | null,
  { arrivesAt, notes, quote }: PreviewNotes,
) {
  return {
    amount: majorNumber(preview.debitMinor, currency),
    valid: isValid(preview),
    fees: {
      total: majorNumber(preview.feeMinor, currency),
      covered: channel?.covered ?? false,
      breakdown: channel ? presentContractChannel(baseUrl, channel, currency).fees.breakdown : NO_FEES,
    },
    messages: notes.length === 0 ? preview.messages : [...preview.messages, ...notes],
    receive_amount: majorNumber(preview.receiveMinor, currency),
    arrives_at: isoOrNull(arrivesAt),
    asset: quote && presentAsset(preview.receiveMinor, currency, quote),
  }
}

/** What arrives in the asset itself. Its amounts are text: they have more digits than a number keeps. */
function presentAsset(receiveMinor: bigint, currency: string, quote: Quote) {
  const amount = receiveMinor > 0n ? assetAmount(receiveMinor, currency, quote) : null
  return {
    network: quote.network,
    asset: quote.asset,
    token: quote.token,
    amount: amount === null || 'fault' in amount ? null : amount.text,
    rate: quote.rate,
    expires_at: iso(quote.expiresAt),
  }
}

/** A channel's page: prices and bounds in each currency, and what a draft on it must have, as JSON Schema. */
export function presentChannel(baseUrl: string, channel: ChannelFacts) {
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
function presentCollect({ collect, asset }: ChannelFacts) {
  return (
    collect && {
      type: collect.kind,
      settle_after_seconds: collect.settleAfterSeconds,
      network: asset?.network ?? null,
      asset: asset?.asset ?? null,
      currencies: [...collect.terms].map(([currency, terms]) => {
        const fees = { covered: collect.covered, breakdown: feeBreakdown(terms.fees, currency) }
        return { currency, ...limitsOf(terms, currency), fees }
      }),
    }
  )
}

function limitsOf(terms: ChannelTerms | undefined, currency: string) {
  const major = (minor: bigint | null) => (minor === null ? null : majorNumber(minor, currency))
  return { min_amount: major(terms?.minMinor ?? null), max_amount: major(terms?.maxMinor ?? null) }
}

/** All that a version of a channel promises: what `channel.policy.uri` leads to. */
export function presentPolicy({ versions }: Pick<ChannelArchive, 'versions'>, channel: ChannelFacts) {
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
  readonly preview: Preview
  readonly departure: Departure
}

export function presentOffer(baseUrl: string, { channel, preview, departure }: Offer, currency: string, nowMs: number) {
  const { dispatchAt, cutOffAt, arrivesAt } = departure
  return {
    channel: presentContractChannel(baseUrl, channel, currency),
    preview: presentPreview(baseUrl, preview, currency, channel, {
      arrivesAt,
      notes: cutOffNotes(channel, nowMs),
      quote: channel.asset && quoteFrom(channel.asset, currency, nowMs),
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
