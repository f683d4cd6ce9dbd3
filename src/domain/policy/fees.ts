// Fee schedules: policies of the kind `fees`, which say what transfers by a channel cost, in tiers by their amount or by what moved
// before them (docs/adr/0062). A transfer is in one tier, and the whole of it is priced there. Never below the channel's own price:
// that is asked by whoever runs the gateway, and an account lowers nothing of it. Pure; amounts in minor units.
import { type FeeSchedule, feeOf } from '../money/fees.ts'
import type { Condition } from './condition.ts'

export const FEE_BASES = ['amount', 'volume'] as const
/** `amount`: that of the transfer. `volume`: what was paid by the channel in 30 days before it, in its currency. */
export type FeeBasis = (typeof FEE_BASES)[number]

/** From the tier before up to `upToMinor`, which belongs to it; null for the last, which has no end. */
export type FeeTier = { readonly upToMinor: bigint | null; readonly fees: FeeSchedule }

export type FeeOutcome = {
  readonly kind: 'fees'
  readonly channelId: string
  readonly currency: string
  readonly by: FeeBasis
  /** Their ends rise; the last has none. */
  readonly tiers: readonly FeeTier[]
}

/** What a policy asks for a transfer. It is frozen with the contract: a later version changes nothing of it. */
export type FeePrice = {
  readonly policyId: string
  readonly version: number
  readonly name: string
  readonly by: FeeBasis
  /** The place of the tier, from 1. */
  readonly tier: number
  /** The amount, or the volume before it, that chose the tier. */
  readonly measuredMinor: bigint
  readonly fees: FeeSchedule
}

/** Of which transfers a schedule speaks, as conditions. */
export const conditionsOfFees = ({ channelId, currency }: FeeOutcome): readonly Condition[] => [
  { field: 'channel', op: 'in', values: [channelId] },
  { field: 'currency', op: 'in', values: [currency] },
]

/** The one tier that an amount or a volume is in. */
export function tierOf(tiers: readonly FeeTier[], measuredMinor: bigint): { tier: number; fees: FeeSchedule } | null {
  const place = tiers.findIndex(({ upToMinor }) => upToMinor === null || measuredMinor <= upToMinor)
  const found = tiers[place]
  return found ? { tier: place + 1, fees: found.fees } : null
}

/** By which schedule an amount is priced: that of the policy, or the channel's own where that asks for more. */
export function pricing(
  own: FeeSchedule,
  price: FeePrice | null | undefined,
  amountMinor: bigint,
): { readonly fees: FeeSchedule; readonly by: FeePrice | null } {
  const isOwn = !price || feeOf(price.fees, amountMinor) < feeOf(own, amountMinor)
  return isOwn ? { fees: own, by: null } : { fees: price.fees, by: price }
}
