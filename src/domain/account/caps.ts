// What may leave an account at a time by one of its keys: for each currency that the key may move at all, the most. Pure.
import { displayText } from '../money/money.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

/** The most that one transfer may take from the account in a currency, its fee included. Minor units. */
export type TransferCap = { readonly currency: string; readonly maxMinor: bigint }

/** Why so much may not leave by a key with these caps; null where it may. A key without caps moves any amount. */
export function refuseAboveCap(caps: readonly TransferCap[] | null, currency: string, minor: bigint): Refusal | null {
  if (caps === null) return null
  const cap = caps.find((each) => each.currency === currency)
  if (cap && minor <= cap.maxMinor) return null
  const listed = caps.map((each) => displayText(each.maxMinor, each.currency)).join(', ')
  const mend = 'Move less, or use a key that may move more.'
  const why = cap
    ? `By this API key at most ${displayText(cap.maxMinor, currency)} may leave at a time, and this takes ${displayText(minor, currency)}, fee included.`
    : `By this API key no ${currency} may leave, only ${listed} at a time.`
  return refuse('transfer_above_cap', 'amount', `${why} ${mend}`)
}

/** Whether whoever has the first caps moves no more than whoever has the second. */
export function areCapsWithin(inner: readonly TransferCap[] | null, outer: readonly TransferCap[] | null): boolean {
  if (outer === null) return true
  if (inner === null) return false
  return inner.every(({ currency, maxMinor }) =>
    outer.some((each) => each.currency === currency && maxMinor <= each.maxMinor),
  )
}
