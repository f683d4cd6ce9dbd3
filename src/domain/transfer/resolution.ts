// What an operator decides about a transfer: to retry what failed for good, and how an attempt ended whose outcome no
// rail reports. Pure.
import { ATTEMPTS_MAX, attemptOn, rulesOn, whyNotOn } from './attempt.ts'
import type { ResolveTransfer, RetryTransfer } from './commands.ts'
import { activity, type Decision, type Facts } from '../contract/decision.ts'
import { delivered, failed, retried } from './execution.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'
import type { Activity, Attempt, Transfer } from './transfer.ts'

/** A new attempt with a new hold. Refused while the one before may still move money. */
export function decideRetry(contract: Transfer, command: RetryTransfer, facts: Facts): Decision | Refusal {
  const { attempt } = facts
  if (attempt?.status !== 'failed') return refuseNotFailed(contract)
  if (attempt.number >= ATTEMPTS_MAX)
    return refuse(
      'transfer_not_failed',
      'id',
      `There were ${ATTEMPTS_MAX} attempts, and no more fit. Cancel the contract.`,
    )
  const channelId = command.channelId ?? attempt.channelId
  const why = whyNotOn(contract, channelId, facts)
  if (why) return why
  const ruled = rulesOn(contract, channelId, facts, 'ask')
  if (ruled.why) return ruled.why
  const next = attemptOn(contract, channelId, ruled.delayMs, facts)
  return next ? retried(contract, attempt, next, facts, [], [], 'account') : refuseNotFailed(contract)
}

/** Only an attempt that is somewhere outside can be resolved; one that waits here is cancelled, one that ended has ended. */
export function decideResolve(contract: Transfer, command: ResolveTransfer, facts: Facts): Decision | Refusal {
  const { attempt, nowMs } = facts
  if (!attempt || !canBeResolved(attempt, command.as, nowMs)) return refuseNotOpen(contract)
  const { as, evidence, operator, approvedBy } = command
  const by = approvedBy === undefined ? { operator } : { operator, approved_by: approvedBy }
  const line = activity('resolved', nowMs, 'gateway', { as, evidence, ...by })
  const decision =
    as === 'delivered'
      ? delivered(contract, attempt, nowMs)
      : failed(contract, attempt, { code: 'resolved_as_failed', message: evidence }, facts)
  return { ...decision, after: { ...decision.after, activities: withActivity(contract, decision.after, line) } }
}

/** Whether an operator may say how the attempt ended: an open outcome, or a failure that was taken back. */
export function canBeResolved(attempt: Attempt, as: ResolveTransfer['as'], nowMs: number): boolean {
  const isOpen = attempt.status === 'unknown' || attempt.status === 'accepted' || isAbandoned(attempt, nowMs)
  return isOpen || (attempt.status === 'failed' && as === 'delivered')
}

/** The operator's activity comes before those that follow from it. */
function withActivity(before: Transfer, after: Transfer, line: Activity): readonly Activity[] {
  return [...before.activities, line, ...after.activities.slice(before.activities.length)]
}

/** A call whose lease is over: no worker is on it any more. */
function isAbandoned(attempt: Attempt, nowMs: number): boolean {
  return attempt.status === 'submitting' && (attempt.dueAt === null || attempt.dueAt <= nowMs)
}

export function refuseNotFailed(contract: Transfer): Refusal {
  const fix = 'Only a paid contract whose transfer failed for good can be tried again.'
  return refuse(
    'transfer_not_failed',
    'id',
    `The contract is ${contract.status}, its transfer ${contract.execution.status}. ${fix}`,
  )
}

export function refuseNotOpen(contract: Transfer): Refusal {
  const fix = 'Only a transfer whose outcome is open can be resolved. See: gateway transfers explain.'
  return refuse(
    'transfer_not_open',
    'id',
    `The contract is ${contract.status}, its transfer ${contract.execution.status}. ${fix}`,
  )
}
