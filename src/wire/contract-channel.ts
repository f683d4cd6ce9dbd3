// The channel as a contract shows it, and the preview of what it costs: shapes and presenters.
import Type from 'typebox'
import type { ChannelFacts } from '../domain/channel/channel.ts'
import { isValid, type Preview as DomainPreview } from '../domain/contract/preview.ts'
import { feeBreakdown, type FeeBreakdown } from '../domain/money/fees.ts'
import { majorNumber } from '../domain/money/money.ts'
import { assetAmount, type Quote } from '../domain/money/quotes.ts'
import { FEE_BASES, type FeePrice, pricing } from '../domain/policy/fees.ts'
import type { Message } from '../domain/transfer/transfer.ts'
import { forOwners, nullable, type Owned, time, uuid, type Wire } from './shapes.ts'
import { iso, isoOrNull } from './times.ts'

export const Breakdown = Type.Object(
  {
    pct: Type.Number({ description: 'Percent of the amount.' }),
    add: Type.Number({ description: 'Added to the percentage, major units.' }),
    min: Type.Number({ description: 'Least fee; 0 for none.' }),
    max: Type.Number({ description: 'Greatest fee; 0 for none.' }),
    fixed: Type.Number({ description: 'Where above 0, this is the fee.' }),
  },
  { $id: 'FeeBreakdown' },
)

/** Which policy of fees priced it. */
const PricedBy = Type.Object(
  {
    policy: uuid('The policy of fees: GET /policies/{id}.'),
    version: Type.Integer({ description: 'The version that priced it; later ones change nothing of it.' }),
    name: Type.String(),
    tier: Type.Integer({ description: 'The place of the tier, from 1.' }),
    by: Type.Enum([...FEE_BASES], { description: 'What chose the tier: the amount, or the volume of 30 days before.' }),
    measured: Type.Number({ description: 'That amount or volume, in major units.' }),
  },
  { $id: 'PricedBy', description: 'The policy of fees that priced it; null where the channel’s own price stands.' },
)

export const Fees = Type.Object({ covered: Type.Boolean(), breakdown: Breakdown })

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
    fees: forOwners(
      Type.Object({
        total: Type.Number(),
        covered: Type.Boolean(),
        breakdown: Breakdown,
        policy: nullable(PricedBy),
      }),
    ),
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

/** As the account's own key sees them. */
export type OwnersChannel = Owned<Wire<typeof ContractChannel>, 'fees'>
export type OwnersPreview = Owned<Wire<typeof Preview>, 'fees' | 'receive_amount'>

const NO_FEES: FeeBreakdown = { pct: 0, add: 0, min: 0, max: 0, fixed: 0 }

/** The channel as a contract in the currency shows it (spec 2.4). */
export function presentContractChannel(baseUrl: string, channel: ChannelFacts, currency: string): OwnersChannel {
  const known = presentedChannels.get(channel)?.get(currency)
  if (known) return known
  const made = contractChannel(baseUrl, channel, currency)
  const byCurrency = presentedChannels.get(channel) ?? new Map<string, OwnersChannel>()
  presentedChannels.set(channel, byCurrency.set(currency, made))
  return made
}

// A version of a channel never changes, so neither does its face in a currency.
const presentedChannels = new WeakMap<ChannelFacts, Map<string, OwnersChannel>>()

function contractChannel(baseUrl: string, channel: ChannelFacts, currency: string): OwnersChannel {
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
export function policyUri(baseUrl: string, { id, version }: ChannelFacts): string {
  return `${baseUrl}/channels/${encodeURIComponent(id)}/policy?version=${version}`
}

/** What is said of a price beside the price itself. */
export type PreviewNotes = {
  readonly arrivesAt: number | null
  readonly notes: readonly Message[]
  /** The asset's price that is promised, or would be at this moment. */
  readonly quote: Quote | null
  /** What a policy of fees asked; absent where none did. */
  readonly price?: FeePrice | undefined
}

/** The numbers of the schedule that priced it, and the policy that says so. */
function pricedFees(
  baseUrl: string,
  { debitMinor, receiveMinor }: DomainPreview,
  currency: string,
  channel: ChannelFacts | null,
  price: FeePrice | undefined,
): Pick<OwnersPreview['fees'], 'breakdown' | 'policy'> {
  const own = channel?.terms.get(currency)?.fees
  const amountMinor = channel?.covered ? receiveMinor : debitMinor
  const { fees, by } = own && price ? pricing(own, price, amountMinor) : { fees: null, by: null }
  if (fees !== null && by !== null)
    return { breakdown: feeBreakdown(fees, currency), policy: presentPrice(by, currency) }
  return {
    breakdown: channel ? presentContractChannel(baseUrl, channel, currency).fees.breakdown : NO_FEES,
    policy: null,
  }
}

function presentPrice(price: FeePrice, currency: string): Wire<typeof PricedBy> {
  const { policyId, version, name, tier, by, measuredMinor } = price
  return { policy: policyId, version, name, tier, by, measured: majorNumber(measuredMinor, currency) }
}

/** The fee preview (spec 2.7). */
export function presentPreview(
  baseUrl: string,
  preview: DomainPreview,
  currency: string,
  channel: ChannelFacts | null,
  { arrivesAt, notes, quote, price }: PreviewNotes,
): OwnersPreview {
  return {
    amount: majorNumber(preview.debitMinor, currency),
    valid: isValid(preview),
    fees: {
      total: majorNumber(preview.feeMinor, currency),
      covered: channel?.covered ?? false,
      ...pricedFees(baseUrl, preview, currency, channel, price),
    },
    messages: notes.length === 0 ? preview.messages : [...preview.messages, ...notes],
    receive_amount: majorNumber(preview.receiveMinor, currency),
    arrives_at: isoOrNull(arrivesAt),
    asset: quote && presentAsset(preview.receiveMinor, currency, quote),
  }
}

/** What arrives in the asset itself. Its amounts are text: they have more digits than a number keeps. */
function presentAsset(receiveMinor: bigint, currency: string, quote: Quote): OwnersPreview['asset'] {
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
