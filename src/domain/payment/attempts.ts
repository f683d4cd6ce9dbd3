// What a rail's result does to an attempt at a payment, and when the rail is asked again. Money itself is reported
// apart (receive.ts): no result here moves any. Pure.
import { inquiryDelayMs, unansweredDelayMs } from '../webhook/backoff.ts'
import { activity } from '../contract/decision.ts'
import type { EventType } from '../transfer/moves.ts'
import { type ChainReach, isLiveAttempt, type Payment, type PaymentAttempt } from './payment.ts'
import type { ReportCollection, SeenAt } from './commands.ts'
import {
  dueAttempt,
  jobDue,
  mustClose,
  type PaymentDecision,
  type PaymentFacts,
  paymentMoved,
  unchanged,
  withAttempt,
} from './decision.ts'
import { returnsAt } from './refunds/routes.ts'
import type { Activity, Failure } from '../transfer/transfer.ts'

const ASK_LADDER_MS = [10_000, 20_000, 40_000, 80_000, 160_000, 300_000] as const
const ASK_MAX_MS = 600_000

/**
 * The wait before an open attempt is inquired about again: its rail reports by itself as a rule, and this is the safety
 * net.
 */
function askDelayMs(tries: number): number {
  return ASK_LADDER_MS[tries] ?? ASK_MAX_MS
}

/** Applies what a rail reported to the lease holder. A late report, or one about an attempt that ended, changes nothing. */
export function decideCollection(payment: Payment, command: ReportCollection, facts: PaymentFacts): PaymentDecision {
  const { job, nowMs } = facts
  const attempt = payment.attempts[command.number - 1]
  if (!job || !attempt || (command.fence !== null && command.fence !== job.fence)) return unchanged(payment)
  if (!isLiveAttempt(attempt)) return unchanged(payment, { job: jobDue(payment, job, nextDue(payment, facts)) })
  const { result, seen } = command
  // It is asked again: an end from before the payer paid would leave money on the way to an attempt that is over.
  if (endsUnpaid(result) && isPaidSince(attempt, seen)) return doubted(payment, attempt, attempt.status, facts)
  switch (result.kind) {
    case 'open':
      return isOlderLook(attempt, seen) ? unchanged(payment) : opened(payment, attempt, result, seen, facts)
    case 'failed':
      return attemptFailed(payment, attempt, { code: result.code, message: result.message }, facts)
    case 'voided':
      return attemptClosed(payment, attempt, 'cancelled', facts)
    case 'not_found':
      // The rail never received it. Where it is to be closed, nothing is left to close.
      return mustClose(payment, attempt, nowMs)
        ? attemptClosed(payment, attempt, 'cancelled', facts)
        : doubted(payment, attempt, 'starting', facts)
    case 'unknown':
      return doubted(payment, attempt, attempt.status === 'starting' ? 'unknown' : attempt.status, facts)
    case 'succeeded':
      return attemptClosed(payment, attempt, 'succeeded', facts)
    case 'not_sent':
      return doubted(payment, attempt, attempt.status, facts, 'not asked')
    case 'still_open':
      return doubted(payment, attempt, leftOpen(payment, attempt, result, nowMs), facts)
  }
}

/**
 * The standing of an attempt that its rail does not close. Where its price alone is over it goes on waiting: an attempt that the rail works on
 * would be asked about and not closed any more.
 */
function leftOpen(
  payment: Payment,
  attempt: PaymentAttempt,
  { status }: Extract<ReportCollection['result'], { kind: 'still_open' }>,
  nowMs: number,
): PaymentAttempt['status'] {
  return status === 'processing' && mustClose(payment, { ...attempt, status }, nowMs) ? status : attempt.status
}

type Opened = Extract<ReportCollection['result'], { kind: 'open' }>

/**
 * Whether a later look at the chain is known, or what was seen is booked by now. Two watchers report whenever they come to it; that a
 * block was undone is told once, and always counts.
 */
function isOlderLook({ chain }: PaymentAttempt, seen: SeenAt): boolean {
  if (seen.by === 'inquiry' || seen.block === null || !chain) return false
  return seen.top < chain.looked || seen.block <= chain.booked
}

/** Whether the rail says that nothing came, and that nothing will: some only look, and close nothing. */
const endsUnpaid = ({ kind }: ReportCollection['result']) => kind === 'voided' || kind === 'not_found'

/** The rail was asked before it got what it has reported by itself since. */
const isPaidSince = ({ status }: PaymentAttempt, seen: SeenAt): boolean =>
  status === 'processing' && seen.by === 'inquiry' && seen.status !== 'processing'

/**
 * The book of the chain was asked after the payment was shown, and has nothing on its way: it is booked, or its block was undone, and whoever
 * told that died or was overtaken.
 */
const isBelied = (attempt: PaymentAttempt, result: Opened, seen: SeenAt): boolean =>
  attempt.chain !== undefined && seen.by === 'inquiry' && seen.status === 'processing' && result.status === 'pending'

/** What the payer did is not undone by an answer that was on its way before; a chain may take its block back. */
function openedStatus(payment: Payment, attempt: PaymentAttempt, result: Opened, seen: SeenAt) {
  const isUndone = (seen.by === 'chain' && seen.block === null) || isBelied(attempt, result, seen)
  if (attempt.status === 'processing' && !isUndone) return 'processing'
  // Money was booked since the rail was asked: what it had on its way then may be that money. It is asked again.
  const isBooked =
    seen.by === 'inquiry' &&
    (seen.receivedMinor !== payment.receivedMinor || seen.receivedUnits !== attempt.receivedUnits)
  return isBooked ? 'pending' : result.status
}

function reachOf({ chain }: PaymentAttempt, seen: SeenAt): { readonly chain?: ChainReach } {
  return seen.by === 'chain' ? { chain: { looked: seen.top, booked: chain?.booked ?? 0 } } : {}
}

function opened(
  payment: Payment,
  attempt: PaymentAttempt,
  result: Opened,
  seen: SeenAt,
  facts: PaymentFacts,
): PaymentDecision {
  const { nowMs } = facts
  const status = openedStatus(payment, attempt, result, seen)
  const next: PaymentAttempt = {
    ...attempt,
    ...reachOf(attempt, seen),
    status,
    providerId: result.providerId ?? attempt.providerId,
    nextAction: result.nextAction ?? attempt.nextAction,
    shown: { ...attempt.shown, ...result.shown },
  }
  const changed = { ...payment, attempts: withAttempt(payment, attempt.number, next) }
  const isChanged = JSON.stringify(plain(next)) !== JSON.stringify(plain(attempt))
  const isAgain = seen.by === 'inquiry' && !isChanged
  const closesAt = isAgain && isOutOfTurn(payment, next, facts) ? soonAt(changed, facts) : nowMs
  const job = jobDue(payment, facts.job, nextDue(changed, facts, closesAt))
  if (!isChanged) return unchanged(payment, { job })
  const activities = status === attempt.status ? [] : [attemptOpened(attempt, status, nowMs)]
  const isNamed = next.providerId !== null && next.providerId !== attempt.providerId
  const intent = isNamed && next.providerId !== null ? { providerId: next.providerId, attempt: attempt.number } : null
  return paymentMoved(payment, nowMs, { attempts: changed.attempts }, activities, null, { job, intent })
}

/**
 * Whether it was asked in the turn of another that is to be closed, as where that one's channel takes no calls: at once again, the two would take
 * turns without an end.
 */
function isOutOfTurn(payment: Payment, asked: PaymentAttempt, { job, nowMs }: PaymentFacts): boolean {
  const due = dueAttempt(payment, nowMs, job?.tries ?? 0)
  const isAnothers = due !== undefined && due.number !== asked.number && mustClose(payment, due, nowMs)
  return isAnothers && !mustClose(payment, asked, nowMs)
}

const plain = ({ status, providerId, nextAction, shown, chain }: PaymentAttempt) => ({
  status,
  providerId,
  nextAction,
  shown,
  chain,
})

function attemptOpened({ number }: PaymentAttempt, status: string, nowMs: number): Activity {
  return activity('attempt_opened', nowMs, 'gateway', { attempt: number, status })
}

/** The payer did what was asked, and the rail works on it. */
export function processing(
  payment: Payment,
  attempt: PaymentAttempt,
  shown: PaymentAttempt['shown'],
  facts: PaymentFacts,
): PaymentDecision {
  const next: PaymentAttempt = { ...attempt, status: 'processing', shown: { ...attempt.shown, ...shown } }
  if (JSON.stringify(plain(next)) === JSON.stringify(plain(attempt))) return unchanged(payment)
  const attempts = withAttempt(payment, attempt.number, next)
  const activities = attempt.status === 'processing' ? [] : [attemptOpened(attempt, 'processing', facts.nowMs)]
  return paymentMoved(payment, facts.nowMs, { attempts }, activities, null)
}

export function attemptFailed(
  payment: Payment,
  attempt: PaymentAttempt,
  failure: Failure,
  facts: PaymentFacts,
): PaymentDecision {
  const line = activity('attempt_failed', facts.nowMs, 'gateway', { attempt: attempt.number, ...failure })
  return ended(payment, attempt, { status: 'failed', failure }, line, 'contract.payment_failed', facts)
}

/** `succeeded`: its money is reported apart, was booked before, or waits for an operator. */
function attemptClosed(
  payment: Payment,
  attempt: PaymentAttempt,
  status: 'cancelled' | 'succeeded',
  facts: PaymentFacts,
): PaymentDecision {
  const line = activity('attempt_closed', facts.nowMs, 'gateway', { attempt: attempt.number })
  return ended(payment, attempt, { status }, line, null, facts)
}

/** An attempt came to nothing. With the last one a contract ends that waited for it to be cancelled or to expire. */
function ended(
  payment: Payment,
  attempt: PaymentAttempt,
  changes: Partial<PaymentAttempt>,
  line: Activity,
  event: EventType | null,
  facts: PaymentFacts,
): PaymentDecision {
  const { nowMs } = facts
  const attempts = withAttempt(payment, attempt.number, { ...changes, nextAction: null })
  const after: Payment = { ...payment, attempts }
  const end = endOf(after, nowMs)
  const whole: Payment = { ...after, ...end?.changes }
  const job = jobDue(payment, facts.job, nextDue(whole, { ...facts, job: null }))
  const activities = end ? [line, end.line] : [line]
  const sent = end?.event ?? (payment.status === 'issued' ? event : null)
  return paymentMoved(payment, nowMs, { attempts, ...end?.changes }, activities, sent, { job })
}

type End = { readonly changes: Partial<Payment>; readonly line: Activity; readonly event: EventType }

/** How an issued contract ends that no attempt keeps open any more; null where it stays. */
export function endOf(payment: Payment, nowMs: number): End | null {
  if (payment.status !== 'issued' || payment.attempts.some(isLiveAttempt)) return null
  const { cancellation } = payment
  if (cancellation?.status === 'pending') {
    const data = cancellation.reason === null ? null : { reason: cancellation.reason }
    const changes = { status: 'cancelled', cancellation: { ...cancellation, status: 'done' } } as const
    return { changes, line: activity('cancelled', nowMs, 'account', data), event: 'contract.cancelled' }
  }
  return payment.expiresAt > nowMs ? null : expiryOf(payment, nowMs)
}

/** Its time is over. A cancellation that waited for its rail waits no longer: what it asked for, that the contract is not paid, is so. */
export function expiryOf({ cancellation }: Payment, nowMs: number): End {
  const isPending = cancellation?.status === 'pending'
  const changes = {
    status: 'expired',
    cancellation: isPending ? { ...cancellation, status: 'done' as const } : cancellation,
  } as const
  return { changes, line: activity('expired', nowMs, 'gateway'), event: 'contract.expired' }
}

/** Its time has passed, and no attempt keeps it open. */
export function isOver(payment: Payment, nowMs: number): boolean {
  return payment.expiresAt <= nowMs && endOf(payment, nowMs) !== null
}

function doubted(
  payment: Payment,
  attempt: PaymentAttempt,
  status: PaymentAttempt['status'],
  facts: PaymentFacts,
  rail: Rail = 'asked',
): PaymentDecision {
  const { job, nowMs } = facts
  const attempts = withAttempt(payment, attempt.number, { status })
  const end = isWaitedForEnough({ ...payment, attempts }, facts, rail) ? expiryOf(payment, nowMs) : null
  const after: Payment = { ...payment, attempts, ...end?.changes }
  const settles = payment.status === 'paid' ? payment.settlesAt : null
  // What arrived during the call, and fits nothing, goes back whatever the rail answers about the attempt.
  const moments = [settles, returnsAt(after, facts), askAgainAt(after, facts, rail)].filter((moment) => moment !== null)
  const due = jobDue(payment, job, moments.length === 0 ? null : Math.min(...moments))
  if (!end && status === attempt.status) return unchanged(payment, { job: due })
  const changes = { attempts, ...end?.changes }
  return paymentMoved(payment, nowMs, changes, end ? [end.line] : [], end?.event ?? null, { job: due })
}

/** Whether the rail was called at all about an attempt that it said nothing new of. */
type Rail = 'asked' | 'not asked'

/** How long after its expiry a contract waits for a rail that does not answer: the payer may have paid. */
const EXPIRY_GRACE_MS = 15 * 60_000

/** How long after the expiry of a contract a rail is asked about what was open then. */
const CLOSING_FOR_MS = 72 * 3_600_000

/** So many looks after the expiry come before the clock ends a contract, and two for each open attempt, for they take turns. */
const LOOKS_MIN = 4

/**
 * Whether the clock ends a contract of which its rail says no end. It does so after a question alone: time in which nobody asked, for the
 * gateway was away, is no wait. Where money is known to be on its way the result is worth waiting for, and a rail that was not called has said
 * nothing at all; both for three days, so that none stays open for ever.
 */
function isWaitedForEnough({ status, attempts, expiresAt }: Payment, facts: PaymentFacts, rail: Rail): boolean {
  const { job, nowMs } = facts
  const live = attempts.filter(isLiveAttempt)
  const isLong = rail === 'not asked' || live.some((attempt) => attempt.status === 'processing')
  // A machine may have stood still during the call: it was asked while its lease held, whenever the answer is written.
  const askedMs = Math.min(nowMs, job?.dueAt ?? nowMs)
  const isLate = expiresAt + (isLong ? CLOSING_FOR_MS : EXPIRY_GRACE_MS) <= askedMs
  return status === 'issued' && isLate && (job?.tries ?? 0) >= Math.max(LOOKS_MIN, 2 * live.length)
}

/**
 * A rail that reports nothing on what is over is asked ever more rarely, and after three days no more: late money is
 * reported by the rail. Where nothing was sent to it, it has not been asked: that is soon made up for, and ends nothing.
 */
function askAgainAt(payment: Payment, facts: PaymentFacts, rail: Rail): number | null {
  const { nowMs } = facts
  const isLate = nowMs > payment.expiresAt + CLOSING_FOR_MS
  if (payment.status === 'issued' || (rail === 'not asked' && !isLate)) return soonAt(payment, facts)
  return rail === 'asked' && isLate ? null : nowMs + inquiryDelayMs(triesBefore(facts))
}

/** Within a minute: nothing was heard of what is waited for. */
function soonAt(payment: Payment, facts: PaymentFacts): number {
  const { nowMs } = facts
  // At its end the attempts are to be closed, and the looks are counted anew.
  const endsAt = payment.status === 'issued' && payment.expiresAt > nowMs ? payment.expiresAt : Number.POSITIVE_INFINITY
  return Math.min(nowMs + unansweredDelayMs(triesBefore(facts)), endsAt)
}

const triesBefore = ({ job }: PaymentFacts) => Math.max(0, (job?.tries ?? 1) - 1)

/** When a payment contract is due next, in milliseconds since the epoch; null for never. What is to be closed is so at `closesAt`. */
export function nextDue(
  payment: Payment,
  { nowMs, job, returnsAtOnce }: Pick<PaymentFacts, 'nowMs' | 'job' | 'returnsAtOnce'>,
  closesAt = nowMs,
): number | null {
  const moments: number[] = []
  if (payment.status === 'paid' && payment.settlesAt !== null) moments.push(payment.settlesAt)
  if (returnsAtOnce && hasReturnable(payment)) moments.push(nowMs)
  // The sweep leaves a contract to its job while that is due, and may have passed it by: then the job is not to let go of it.
  if (isOver(payment, nowMs)) moments.push(nowMs)
  const live = payment.attempts.filter(isLiveAttempt)
  if (live.some((attempt) => mustClose(payment, attempt, nowMs))) moments.push(closesAt)
  else if (live.length > 0) {
    const ends = live.map(({ quote }) => Math.min(payment.expiresAt, quote?.expiresAt ?? payment.expiresAt))
    // A quote that is over while its payment is being confirmed has nothing to be closed for.
    const ahead = ends.filter((end) => end > nowMs)
    moments.push(Math.min(nowMs + askDelayMs(job?.tries ?? 0), ...ahead))
  }
  return moments.length === 0 ? null : Math.min(...moments)
}

/**
 * Whether something in suspense may be returned: partial amounts that may still be made up stay until the contract has
 * ended.
 */
function hasReturnable({ status, suspenseMinor, unallocatedCount, returnsHeld }: Payment): boolean {
  return !returnsHeld && (unallocatedCount > 0 || (status !== 'issued' && suspenseMinor > 0n))
}
