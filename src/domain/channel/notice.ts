// What a provider's signed report is checked against before it moves anything: a signature proves who sent it, not that
// it is about our order. Pure.
import { channelOfAttempt } from '../transfer/attempt.ts'
import { fixedText } from '../money/money.ts'
import type { Transfer } from '../transfer/transfer.ts'

/** Which attempt, channel and money a report is about. `amountDecimal`: major units, all decimals. */
export type ReportedOrder = {
  readonly channelId: string
  readonly number: number
  readonly amountDecimal: string
  readonly currency: string
}

/** Why a report is not about the contract's order, in a few words for the log; null when it is. */
export function faultOfReport(contract: Transfer, report: ReportedOrder): string | null {
  const { terms, debitMinor, feeMinor, execution } = contract
  const wasMade = report.number >= 1 && report.number <= execution.number
  if (!wasMade || channelOfAttempt(contract, report.number) !== report.channelId) return 'the channel has no such order'
  if (report.currency !== terms.currency) return 'another currency'
  return report.amountDecimal === fixedText(debitMinor - feeMinor, terms.currency) ? null : 'another amount'
}
