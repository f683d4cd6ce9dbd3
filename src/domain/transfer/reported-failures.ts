// A callback whose report would send money back: kept, and trusted only when the rail itself confirms it. A secret may
// leak, and money that is held by mistake can still be sent on; money that is refunded by mistake is gone. Pure.
import { inquiryDelayMs, unansweredDelayMs } from '../webhook/backoff.ts'
import type { ReportTransfer } from './commands.ts'
import { activity, asItStands, type Decision, moved } from '../contract/decision.ts'
import { type ExecutionStatus, isLiveExecution } from './moves.ts'
import type { Attempt, ReportedFailure, Transfer } from './transfer.ts'

/** How often a rail that denies a return is asked about it: for three days, as long as for any doubt. */
const DENIALS_MAX = 77

/** Whether a report would send money back on the evidence of a callback alone. */
export function needsProof(contract: Transfer, { status }: Attempt, { basis, outcome }: ReportTransfer): boolean {
  if (basis !== 'callback') return false
  if (contract.status === 'completed') return outcome.kind === 'returned'
  const isFailure = outcome.kind === 'failed' || outcome.kind === 'returned'
  return contract.status === 'paid' && isLiveExecution(status) && isFailure
}

/**
 * Keeps what the callback reported, once for each attempt, and inquires at the rail at once. An attempt that is not
 * sent yet gets the rail's own report when it is; a call under way has its own answer. Where the rail takes no inquiry
 * it waits for an operator.
 */
export function failureReported(
  contract: Transfer,
  attempt: Attempt,
  { outcome, connector }: ReportTransfer,
  nowMs: number,
): Decision {
  if (outcome.kind !== 'failed' && outcome.kind !== 'returned') return asItStands(contract)
  const { execution } = contract
  // A repeat changes nothing. That it came back is a stronger report than that it was refused.
  if (execution.reported && (execution.reported.as === 'returned' || outcome.kind === 'failed'))
    return asItStands(contract)
  const { code, message } = outcome
  const reported: ReportedFailure = { as: outcome.kind, code, message }
  const line = activity('failure_reported', nowMs, 'gateway', { as: outcome.kind, code, attempt: attempt.number })
  const isAskable = connector.inquiry && attempt.status !== 'queued' && attempt.status !== 'submitting'
  const written = isAskable ? { attempt: { ...attempt, tries: 0, dueAt: nowMs } } : {}
  return moved(contract, nowMs, { execution: { ...execution, reported } }, [line], null, written)
}

/** Whether to inquire about a delivered attempt, because a callback reported that its money came back. */
export function awaitsReturn({ status, execution }: Transfer, attempt: Attempt): boolean {
  return status === 'completed' && attempt.status === 'delivered' && execution.reported?.as === 'returned'
}

/**
 * When to inquire about a delivered attempt again, and how often it was: only where a callback reported that it came
 * back.
 */
export function afterDelivery({ execution }: Transfer, nowMs: number): Pick<Attempt, 'dueAt'> {
  return { dueAt: execution.reported?.as === 'returned' ? nowMs + inquiryDelayMs(0) : null }
}

/** The rail was asked about money that a callback reported as come back, and denies it: it is asked again, rarely. */
export function returnDenied(
  contract: Transfer,
  attempt: Attempt,
  outcome: ReportTransfer['outcome'],
  nowMs: number,
): Decision {
  const isAnswer = outcome.kind === 'delivered' || outcome.kind === 'failed'
  const delayMs = isAnswer ? inquiryDelayMs(attempt.tries) : unansweredDelayMs(attempt.tries)
  const dueAt = isAnswer && attempt.tries >= DENIALS_MAX ? null : nowMs + delayMs
  // Only its answers count against how often it is asked: a rail that was away has denied nothing.
  const tries = isAnswer ? attempt.tries : Math.max(0, attempt.tries - 1)
  const decision: Decision = { ...asItStands(contract), attempt: { ...attempt, tries, dueAt } }
  return isAnswer ? disputedOnce(decision, contract, attempt, outcome.kind, nowMs) : decision
}

/** Adds to the rail's report of an open attempt that it contradicts a callback, once for each attempt. */
export function withDispute(
  decision: Decision,
  contract: Transfer,
  attempt: Attempt,
  command: ReportTransfer,
  nowMs: number,
): Decision {
  if (!isContradiction(contract, attempt.status, command)) return decision
  return disputedOnce(decision, contract, attempt, command.outcome.kind, nowMs)
}

/**
 * Whether a report about an attempt of the status contradicts what a callback reported. That a call under way was
 * accepted does not: the callback may have overtaken the answer; nor does what the rail has listed, which may be older.
 */
export function isContradiction(
  { execution }: Transfer,
  status: ExecutionStatus,
  { outcome, fence, basis }: Pick<ReportTransfer, 'outcome' | 'fence' | 'basis'>,
): boolean {
  if (!execution.reported || basis === 'return') return false
  if (outcome.kind === 'accepted') return fence !== null && status !== 'submitting'
  return outcome.kind === 'delivered' && (status === 'delivered' || execution.reported.as === 'failed')
}

function disputedOnce(
  decision: Decision,
  before: Transfer,
  { number }: Attempt,
  answer: string,
  nowMs: number,
): Decision {
  if (before.activities.some(({ type, data }) => type === 'failure_disputed' && data?.['attempt'] === number))
    return decision
  const line = activity('failure_disputed', nowMs, 'gateway', { answer, attempt: number })
  if (!decision.changed) return moved(before, nowMs, {}, [line], null, { attempt: decision.attempt })
  const activities = [...before.activities, line, ...decision.after.activities.slice(before.activities.length)]
  return { ...decision, after: { ...decision.after, activities } }
}
