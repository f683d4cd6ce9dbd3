// An event proves that its sender holds a secret, and secrets leak: money that only an event reported is looked for at the rail that
// brought it before it leaves by any other way than that rail's own refund (docs/adr/0100). Pure.
import type { PayerPlace } from '../../channel/collection.ts'
import { minorIn } from '../arrivals.ts'
import { nextDue } from '../attempts.ts'
import type { LookedReceipt, ProcessDuePayment } from '../commands.ts'
import { jobDue, type PaymentDecision, type PaymentFacts, unchanged } from '../decision.ts'
import { type CollectionJob, isLiveAttempt, type Payment, type Receipt } from '../payment.ts'
import { decideReturn, heldBack } from './returns.ts'
import { lookAgainAt } from './routes.ts'

/** A rail may tell of money before its list shows it. */
const NOT_FOUND_FINAL_AFTER_MS = 60_000
const UNSENT_AGAIN_MS = 60_000

/**
 * The amount that the lease after so many tries is for, rather than an attempt: attempts first, then one amount, each in its turn, so
 * that a rail without an answer about the one keeps nobody from asking about the others.
 */
export function dueReceipt(
  { attempts }: Payment,
  { tries }: CollectionJob,
  returnable: readonly Receipt[],
): Receipt | undefined {
  const live = attempts.filter(isLiveAttempt).length
  if (tries % (live + 1) !== live) return undefined
  return returnable[Math.floor(tries / (live + 1)) % Math.max(1, returnable.length)]
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
  const againAt = againAtOf(receipt, found, nowMs)
  if (againAt !== null) {
    const otherwise = nextDue(payment, { ...facts, returnsAtOnce: false }) ?? againAt
    const endsAt = payment.status === 'issued' && payment.expiresAt > nowMs ? payment.expiresAt : againAt
    return unchanged(payment, { job: jobDue(payment, job, Math.min(againAt, otherwise, endsAt)) })
  }
  const proof = proofIn(receipt, found)
  return 'payer' in proof
    ? decideReturn(payment, { ...receipt, payer: proof.payer, reportedBy: 'gateway' }, facts)
    : heldBack(payment, receipt, { reason: proof.why }, facts)
}

/** When the rail is asked again; null where it has answered. No clock ends its silence: whoever returns the money by hand need not wait for it. */
function againAtOf(receipt: Receipt, { kind }: LookedReceipt, nowMs: number): number | null {
  const againAt = lookAgainAt(receipt, nowMs)
  if (kind === 'unknown') return againAt
  // It shows nothing of how often the rail is to be asked.
  if (kind === 'not_sent') return Math.min(againAt, nowMs + UNSENT_AGAIN_MS)
  return kind === 'not_found' && nowMs < receipt.at + NOT_FOUND_FINAL_AFTER_MS ? againAt : null
}

/** The account that the rail names for just this money; or why its answer proves nothing. */
function proofIn(
  { amountMinor, currency }: Receipt,
  found: LookedReceipt,
): { readonly payer: PayerPlace } | { readonly why: string } {
  if (found.kind === 'not_askable') return { why: 'only an event reported it, and its rail cannot be asked about it' }
  if (found.kind !== 'received') return { why: 'an event reported it, and its rail does not know it' }
  const { money } = found
  if (minorIn(money) !== amountMinor || money.currency !== currency)
    return { why: 'an event reported it, and its rail knows another amount of this id' }
  const { payer } = money
  return payer === null ? { why: 'an event reported it, and its rail does not say who paid' } : { payer }
}
