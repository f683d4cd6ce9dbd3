// What a provider's signed report is checked against before it moves anything: a signature proves who sent it, not that
// it is about our order. Pure.
import { channelOfAttempt } from '../transfer/attempt.ts'
import { fixedText } from '../money/money.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** Which attempt, channel and money a report is about. `amountDecimal`: major units, all decimals. */
export type Claim = {
  readonly channelId: string
  readonly number: number
  readonly amountDecimal: string
  readonly currency: string
}

/** Why a report is not about the contract's order, in a few words for the log; null when it is. */
export function faultOfClaim(contract: Transfer, claim: Claim): string | null {
  const { terms, debitMinor, feeMinor, execution } = contract
  const wasMade = claim.number >= 1 && claim.number <= execution.number
  if (!wasMade || channelOfAttempt(contract, claim.number) !== claim.channelId) return 'the channel has no such order'
  if (claim.currency !== terms.currency) return 'another currency'
  return claim.amountDecimal === fixedText(debitMinor - feeMinor, terms.currency) ? null : 'another amount'
}
