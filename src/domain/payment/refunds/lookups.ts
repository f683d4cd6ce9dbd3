// An event proves that its sender holds a secret, and secrets leak: money that only an event reported is looked for at the rail that
// brought it before it leaves by any other way than that rail's own refund (docs/adr/0100). Pure.
import { inquiryDelayMs, unansweredDelayMs } from '../../webhook/backoff.ts'
import { isRefusal } from '../../contract/refusals.ts'
import { parseAmount } from '../../money/money.ts'
import { nextDue } from '../attempts.ts'
import type { LookedReceipt, ProcessDuePayment } from '../commands.ts'
import { jobDue, type PaymentDecision, type PaymentFacts, unchanged } from '../decision.ts'
import { type CollectionJob, isLiveAttempt, type Payment, type Receipt } from '../payment.ts'
import { decideReturn, heldBack } from './returns.ts'
import { NOWHERE_ELSE, wayOfReturn } from './routes.ts'

/** A rail may tell of money before its list shows it. */
const NOT_FOUND_FINAL_AFTER_MS = 60_000
/** A rail that gives no answer for so long is asked no more: a person looks. */
const LOOKED_FOR_MS = 72 * 3_600_000

/** Whether an amount has to be looked for before it goes back by itself. */
export function isToLookFor(payment: Payment, receipt: Receipt, facts: PaymentFacts): boolean {
  if (receipt.reportedBy === 'gateway' || facts.adoptedReturn(receipt)) return false
  const route = wayOfReturn(payment, receipt, NOWHERE_ELSE, facts)
  return !isRefusal(route) && route.refundOf === null
}

/**
 * Whether the lease after so many tries is for the amount to look for, rather than for an attempt: one after the other, so that a rail
 * without an answer about the one keeps nobody from asking about the others.
 */
export function isTurnOfReceipt({ attempts }: Payment, { tries }: CollectionJob): boolean {
  return tries % (attempts.filter(isLiveAttempt).length + 1) === 0
}

type Looked = NonNullable<ProcessDuePayment['looked']>

/** What its rail answered about an amount: it goes back to the account that the rail names, or waits for an operator, or the rail is asked again. */
export function decideLooked(
  payment: Payment,
  { objectId, fence, found }: Looked,
  facts: PaymentFacts,
): PaymentDecision {
  const { job, nowMs, returnsAtOnce } = facts
  // Another lease came after ours.
  if (job?.fence !== fence) return unchanged(payment)
  const receipt = facts.waiting().find((each) => each.objectId === objectId)
  if (!receipt || !returnsAtOnce || payment.returnsHeld)
    return unchanged(payment, { job: jobDue(payment, job, nextDue(payment, facts)) })
  if (isToAskAgain(receipt, found, nowMs)) {
    const otherwise = nextDue(payment, { ...facts, returnsAtOnce: false })
    const tries = Math.max(0, job.tries - 1)
    // What was not sent shows nothing of how often the rail is to be asked.
    const againAt = nowMs + (found.kind === 'not_sent' ? unansweredDelayMs(tries) : inquiryDelayMs(tries))
    return unchanged(payment, { job: jobDue(payment, job, Math.min(againAt, otherwise ?? againAt)) })
  }
  const reason = whyNotProved(receipt, found)
  if (reason !== null) return heldBack(payment, receipt, { reason }, facts)
  const { payer } = found.kind === 'received' ? found.money : receipt
  return decideReturn(payment, { ...receipt, payer, reportedBy: 'gateway' }, facts)
}

function isToAskAgain({ at }: Receipt, { kind }: LookedReceipt, nowMs: number): boolean {
  if (kind === 'not_found') return nowMs < at + NOT_FOUND_FINAL_AFTER_MS
  return (kind === 'unknown' || kind === 'not_sent') && nowMs < at + LOOKED_FOR_MS
}

/** Why the answer does not prove that the amount came, and from whom; null where it does. */
function whyNotProved({ amountMinor, currency }: Receipt, found: LookedReceipt): string | null {
  switch (found.kind) {
    case 'received': {
      const { money } = found
      const parsed = parseAmount(Number(money.amountDecimal), money.currency)
      const isSame = !('fault' in parsed) && parsed.amountMinor === amountMinor && money.currency === currency
      if (!isSame) return 'an event reported it, and its rail knows another amount of this id'
      return money.payer === null ? 'an event reported it, and its rail does not say who paid' : null
    }
    case 'not_found':
      return 'an event reported it, and its rail does not know it'
    case 'not_askable':
      return 'only an event reported it, and its rail cannot be asked about it'
    case 'not_sent':
    case 'unknown':
      return 'an event reported it, and its rail gave no answer about it for three days'
  }
}
