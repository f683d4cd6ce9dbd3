// Policies of fees on the wire: tiers as a caller writes and sees them, and what a trial says of a price.
import Type, { type Static } from 'typebox'
import { chargeOf, feeBreakdown, feeOf, type FeeSchedule } from '../../domain/money/fees.ts'
import { majorNumber } from '../../domain/money/money.ts'
import type { FeePrice, FeeTier as DomainTier } from '../../domain/policy/fees.ts'
import { FEE_BASES, pricing } from '../../domain/policy/fees.ts'
import { Breakdown } from '../contract-channel.ts'
import { closed, nullable, uuid, type Wire } from '../shapes.ts'

const some = (description: string) => Type.Optional(nullable(Type.Number({ minimum: 0, description })))

export const FeeTier = closed(
  {
    up_to: some('The last amount, or volume, that belongs to the tier, in major units; the last tier has none.'),
    pct: some(
      'Percent of the amount, 0 to 100 with at most 4 decimals; rounded to the minor unit, half away from zero.',
    ),
    add: some('Added to the percentage, in major units.'),
    min: some('Least fee; 0 for none.'),
    max: some('Greatest fee; 0 for none.'),
  },
  { $id: 'FeeTier', description: 'A transfer is in one tier, and the whole of it is priced there.' },
)

export type SentTier = Static<typeof FeeTier>

export function presentTier({ upToMinor, fees }: DomainTier, currency: string): Wire<typeof FeeTier> {
  const { pct, add, min, max } = feeBreakdown(fees, currency)
  return { up_to: upToMinor === null ? null : majorNumber(upToMinor, currency), pct, add, min, max }
}

/** What a transfer would cost by the policies that were tried. */
export const TriedFees = Type.Object(
  {
    policy: nullable(uuid('The policy of fees that prices it; null for one that is not saved.')),
    version: nullable(Type.Integer()),
    name: Type.String(),
    tier: Type.Integer({ description: 'The place of the tier, from 1.' }),
    by: Type.Enum([...FEE_BASES]),
    measured: Type.Number({ description: 'The amount, or the volume before it, that chose the tier.' }),
    total: nullable(Type.Number({ description: 'The fee; null where the channel has no price in the currency.' })),
    channel_total: nullable(Type.Number({ description: 'What the channel itself asks: never less is taken.' })),
    amount: nullable(Type.Number({ description: 'What the payer would be debited.' })),
    breakdown: Breakdown,
  },
  { $id: 'TriedFees', description: 'Null where no policy of fees applies, and the channel’s own price stands.' },
)

/** A price with the channel's own, by which it is bounded below. */
export type TriedPrice = {
  readonly price: FeePrice
  readonly own: FeeSchedule | null
  readonly covered: boolean
  readonly amountMinor: bigint
}

export function presentTried(
  { price, own, covered, amountMinor }: TriedPrice,
  currency: string,
): Wire<typeof TriedFees> {
  const isSaved = price.policyId !== ''
  const { fees } = own ? pricing(own, price, amountMinor) : price
  const charge = chargeOf(fees, amountMinor, covered ? 'payer' : 'recipient')
  const shown = (minor: bigint) => (own ? majorNumber(minor, currency) : null)
  return {
    policy: isSaved ? price.policyId : null,
    version: isSaved ? price.version : null,
    name: price.name,
    tier: price.tier,
    by: price.by,
    measured: majorNumber(price.measuredMinor, currency),
    total: shown(charge.feeMinor),
    channel_total: own && majorNumber(feeOf(own, amountMinor), currency),
    amount: shown(charge.debitMinor),
    breakdown: feeBreakdown(fees, currency),
  }
}
