// Between which amounts a channel moves money in a currency: its bounds, and that a fee taken out of the amount leaves
// something, enough of the asset that leaves. The same rule that preview.ts applies, as a range. Pure.
import type { ChannelFacts } from '../channel/channel.ts'
import { chargeOf } from './fees.ts'
import { isDust } from '../contract/preview.ts'

/** Both ends belong to it; null for no end. Minor units. */
export type AmountRange = { readonly leastMinor: bigint; readonly mostMinor: bigint | null }

// Above every amount that is taken, in any currency (money.ts).
const CEILING_MINOR = 1_000_000_000_000_000n

/** The range in a currency, or null where no amount will do. */
export function amountRange(channel: ChannelFacts, currency: string): AmountRange | null {
  const terms = channel.terms.get(currency)
  if (!terms) return null
  const { minMinor, maxMinor, fees } = terms
  const arrives = (amountMinor: bigint) => {
    const { receiveMinor } = chargeOf(fees, amountMinor, channel.covered ? 'payer' : 'recipient')
    return receiveMinor > 0n && !isDust(channel, currency, receiveMinor)
  }
  const mostMinor = maxMinor ?? CEILING_MINOR
  if (!arrives(mostMinor)) return null
  const leastArrivingMinor = firstWhere(arrives, mostMinor)
  const leastMinor = minMinor !== null && minMinor > leastArrivingMinor ? minMinor : leastArrivingMinor
  return leastMinor > mostMinor ? null : { leastMinor, mostMinor: maxMinor }
}

/**
 * The least amount for which it is true, where it is true for `most`. A fee grows by one minor unit at most from one
 * amount to the next, so what arrives never shrinks, and halving finds where it begins.
 */
function firstWhere(isTrue: (amountMinor: bigint) => boolean, most: bigint): bigint {
  let low = 1n
  let high = most
  while (low < high) {
    const middle = (low + high) / 2n
    if (isTrue(middle)) high = middle
    else low = middle + 1n
  }
  return low
}
