// The money on its way: what a worker may take up, and what a rail's report does to a paid contract. Pure. Only a
// definite report moves money; anything else is "unknown" and waits for evidence. No clock ends unknown.
import { inquiryDelayMs, triesUnanswered, unansweredDelayMs } from '../webhook/backoff.ts'
import type { CancelTransfer, InquireTransfer, ReportTransfer, SubmitTransfer } from './commands.ts'
import { isOnUnknownTerms } from '../recovery/adoption.ts'
import { activity, asItStands, type Decision, type Facts, moved } from '../contract/decision.ts'
import { attemptReference } from '../contract/ids.ts'
import { invariant } from '../invariant.ts'
import {
  afterDelivery,
  awaitsReturn,
  failureReported,
  needsProof,
  returnDenied,
  withDispute,
} from './reported-failures.ts'
import { isLiveExecution as isLive } from './moves.ts'
import { absentSinceAt, automaticRetry, channelOfAttempt, isRemembered, queuedExecution } from './attempt.ts'
import {
  bouncePostings,
  deliveryPostings,
  holdPostings,
  type Posting,
  refundPostings,
  transitPostings,
  untransitPostings,
} from '../money/postings.ts'
import type { Activity, Actor, Attempt, Execution, Failure, Transfer } from './transfer.ts'

/**
 * Takes a queued attempt whose undo window is over; committed before a byte is sent to the rail. One that was sent before, and has
 * waited until its rail may have forgotten the reference, is not sent again: it is asked about.
 */
export function decideSubmit(contract: Transfer, command: SubmitTransfer, facts: Facts): Decision {
  const { attempt, nowMs } = facts
  if (attempt?.status !== 'queued' || attempt.dueAt === null || attempt.dueAt > nowMs) return asItStands(contract)
  const untilMs = nowMs + command.leaseMs
  const leased: Attempt = {
    ...attempt,
    status: 'submitting',
    fence: attempt.fence + 1,
    dueAt: untilMs,
    submittedAt: attempt.submittedAt ?? nowMs,
    absentSince: null,
  }
  if (!isRemembered(attempt, command.connector, untilMs)) {
    const dueAt = command.connector.inquiry ? untilMs : null
    return doubted(contract, { ...leased, status: 'unknown', dueAt }, 'the channel may have forgotten it', nowMs)
  }
  const again = contract.activities.findLast(({ type }) => type !== 'verified')?.type === 'transfer_submitted'
  const activities = again
    ? []
    : [activity('transfer_submitted', nowMs, 'gateway', { reference: attempt.reference, attempt: attempt.number })]
  const execution: Execution = { ...contract.execution, status: 'submitting', submittedAt: nowMs }
  return moved(contract, nowMs, { execution }, activities, null, { attempt: leased })
}

/** Takes an attempt whose outcome is open. One whose worker vanished in mid-call becomes unknown here, never "not sent". */
export function decideInquire(contract: Transfer, command: InquireTransfer, facts: Facts): Decision {
  const { attempt, nowMs } = facts
  if (!attempt || attempt.dueAt === null || attempt.dueAt > nowMs) return asItStands(contract)
  const isOpen = attempt.status !== 'queued' && isLive(attempt.status)
  if (!isOpen && !awaitsReturn(contract, attempt)) return asItStands(contract)
  if (!command.connector.inquiry && attempt.status !== 'submitting')
    return { ...asItStands(contract), attempt: { ...attempt, dueAt: null } }
  const leased: Attempt = {
    ...attempt,
    fence: attempt.fence + 1,
    tries: attempt.tries + 1,
    dueAt: nowMs + command.leaseMs,
    absentSince: absentSinceAt(attempt, nowMs),
  }
  if (attempt.status !== 'submitting') return { ...asItStands(contract), attempt: leased }
  // Where the rail takes no inquiry, the doubt waits for an operator: the attempt is due no more.
  const dueAt = command.connector.inquiry ? leased.dueAt : null
  return doubted(contract, { ...leased, status: 'unknown', dueAt }, 'the worker was lost during the call', nowMs)
}

/**
 * Applies a rail's report about an attempt. Of another channel it changes nothing, and from a lease that is over only what proves that
 * money went: whoever was frozen in its call may have had it moved after others gave it up.
 */
export function decideReport(contract: Transfer, command: ReportTransfer, facts: Facts): Decision {
  const { attempt, nowMs } = facts
  const { outcome } = command
  if (!attempt) return asItStands(contract)
  if (attempt.number !== command.number) return reportedEarlier(contract, attempt, command, facts)
  // Only the channel that has the attempt knows what became of it.
  if (command.channelId !== attempt.channelId) return asItStands(contract)
  const isLate = command.fence !== null && command.fence !== attempt.fence
  if (isLate && !provesGone(contract, attempt, command)) return asItStands(contract)
  if (needsProof(contract, attempt, command)) return failureReported(contract, attempt, command, facts.nowMs)
  if (contract.status === 'completed') return reportedWhenCompleted(contract, attempt, command, facts)
  // That it had arrived changes nothing where it came back.
  if (contract.status === 'cancelled')
    return (outcome.kind === 'delivered' && attempt.status !== 'returned') || isSentAfterAll(contract, attempt, outcome)
      ? disputed(contract, attempt, nowMs)
      : asItStands(contract)
  // The rail revokes a definite failure while the money still waits here: it went, so it counts as gone.
  if (attempt.status === 'failed' && outcome.kind === 'delivered') return delivered(contract, attempt, nowMs)
  if (!isLive(attempt.status)) return asItStands(contract)
  return withDispute(reportedWhileOpen(contract, attempt, command, facts), contract, attempt, command, nowMs)
}

/** Of what came back, that it had gone proves nothing without the rest. */
function provesGone(contract: Transfer, attempt: Attempt, { outcome, basis }: ReportTransfer): boolean {
  return (outcome.kind === 'delivered' && basis !== 'return') || isSentAfterAll(contract, attempt, outcome)
}

/** It was refunded as never sent, and the rail has it. */
const isSentAfterAll = (contract: Transfer, attempt: Attempt, { kind }: ReportTransfer['outcome']): boolean =>
  contract.status === 'cancelled' && attempt.status === 'voided' && kind === 'accepted'

function reportedWhileOpen(contract: Transfer, attempt: Attempt, command: ReportTransfer, facts: Facts): Decision {
  const { nowMs } = facts
  const { outcome } = command
  switch (outcome.kind) {
    case 'not_sent':
      return unsent(contract, attempt, command, facts)
    case 'accepted':
      return accepted(contract, attempt, command, nowMs)
    case 'delivered':
      return delivered(contract, attempt, nowMs)
    case 'failed':
    case 'returned':
      return failed(contract, attempt, { code: outcome.code, message: outcome.message }, facts)
    case 'unknown':
      return attempt.status === 'submitting'
        ? doubted(
            contract,
            { ...attempt, status: 'unknown', dueAt: askAt(contract, command, nowMs) },
            outcome.reason,
            nowMs,
          )
        : unanswered(contract, attempt, nowMs)
    case 'not_found':
      return absent(contract, attempt, command, facts)
  }
}

/** What arrived may come back. A report that it never went is kept for an operator: the earlier report was relied on. */
function reportedWhenCompleted(contract: Transfer, attempt: Attempt, command: ReportTransfer, facts: Facts): Decision {
  const { outcome } = command
  if (outcome.kind === 'returned') return bounced(contract, attempt, outcome, facts)
  const { nowMs } = facts
  const wasAsked = command.fence !== null && command.basis !== 'return'
  if (wasAsked && awaitsReturn(contract, attempt)) return returnDenied(contract, attempt, outcome, nowMs)
  return outcome.kind === 'failed' ? disputed(contract, attempt, nowMs) : asItStands(contract)
}

/**
 * When to inquire at a rail for the first time: at once where a callback reported how it ended, never where it takes no
 * inquiry.
 */
function askAt({ execution }: Transfer, { connector }: ReportTransfer, nowMs: number): number | null {
  if (!connector.inquiry) return null
  return execution.reported ? nowMs : nowMs + inquiryDelayMs(0)
}

/**
 * A report about an attempt that another one has followed. Only "delivered" matters, for that attempt had failed for
 * good: if its successor has not left, it never will; else the money may go twice, and an operator must know.
 */
function reportedEarlier(contract: Transfer, attempt: Attempt, command: ReportTransfer, facts: Facts): Decision {
  const isEarlier = command.number > 0 && command.number < attempt.number
  const isTheirs = channelOfAttempt(contract, command.number) === command.channelId
  if (!isEarlier || !isTheirs || command.outcome.kind !== 'delivered') return asItStands(contract)
  const { nowMs } = facts
  if (contract.status === 'paid' && (attempt.status === 'queued' || attempt.status === 'failed')) {
    const { number, channelId } = command
    const earlier = { ...attempt, number, channelId, reference: attemptReference(contract.id, number) }
    const execution = { ...contract.execution, number, reference: earlier.reference }
    return delivered({ ...contract, execution }, { ...earlier, status: 'failed' }, nowMs)
  }
  return disputed(contract, attempt, nowMs)
}

/** Cancel of a paid contract: refunded where nothing was sent, else pending until the rail's truth is known. */
export function cancelPaid(contract: Transfer, command: CancelTransfer, facts: Facts): Decision {
  const { attempt, nowMs } = facts
  invariant(attempt !== null, 'a paid contract has an attempt')
  if (attempt.status === 'queued' || attempt.status === 'failed') {
    const closed = attempt.status === 'queued' ? ('voided' as const) : attempt.status
    return refunded(contract, command, { ...facts, attempt: { ...attempt, status: closed, dueAt: null } }, [])
  }
  if (contract.cancellation?.status === 'pending') return asItStands(contract)
  const cancellation = { status: 'pending', reason: command.reason, requestedAt: nowMs } as const
  const activities = [
    activity('cancel_requested', nowMs, command.actor, command.reason === null ? null : { reason: command.reason }),
  ]
  // A call in flight keeps its lease; everything else is due now, so that the recall is requested at once.
  const dueAt = attempt.status === 'submitting' ? attempt.dueAt : nowMs
  return moved(contract, nowMs, { cancellation }, activities, null, { attempt: { ...attempt, dueAt } })
}

/** Refunds all that the contract still holds, and closes it. `before` are ledger rows that come first. */
export function refunded(
  contract: Transfer,
  by: Pick<CancelTransfer, 'reason' | 'actor'>,
  facts: Facts,
  before: readonly Posting[],
  activities: readonly Activity[] = [],
  failure: Failure | null = contract.execution.failure,
): Decision {
  const { nowMs, attempt } = facts
  const data = by.reason === null ? null : { reason: by.reason }
  const execution: Execution = { ...contract.execution, failure, status: attempt?.status ?? contract.execution.status }
  const changes: Partial<Transfer> = {
    status: 'cancelled',
    heldMinor: 0n,
    execution,
    refund: { amountMinor: contract.heldMinor, at: nowMs },
    cancellation: { status: 'done', reason: by.reason, requestedAt: contract.cancellation?.requestedAt ?? nowMs },
  }
  const history = [...activities, activity('refunded', nowMs, by.actor), activity('cancelled', nowMs, by.actor, data)]
  const written = {
    postings: [...before, ...refundPostings(contract, facts.parent)],
    attempt: attempt && { ...attempt, dueAt: null },
  }
  return moved(contract, nowMs, changes, history, 'contract.cancelled', written)
}

function unsent(contract: Transfer, attempt: Attempt, command: ReportTransfer, facts: Facts): Decision {
  const { nowMs } = facts
  if (attempt.status !== 'submitting') return notAsked(contract, attempt, nowMs)
  const voided: Attempt = { ...attempt, status: 'voided' }
  if (contract.cancellation?.status === 'pending')
    return refunded(contract, pendingCancel(contract), { ...facts, attempt: voided }, [])
  // Where this was not the first call, an earlier one may have sent it.
  const submittedAt = attempt.submittedAt === contract.execution.submittedAt ? null : attempt.submittedAt
  const queued: Attempt = {
    ...attempt,
    status: 'queued',
    tries: attempt.tries + 1,
    dueAt: nowMs + unansweredDelayMs(attempt.tries),
    submittedAt,
  }
  const execution: Execution = { ...contract.execution, status: 'queued', submittedAt }
  return moved(contract, nowMs, { execution }, [], null, { attempt: queued })
}

function accepted(contract: Transfer, attempt: Attempt, command: ReportTransfer, nowMs: number): Decision {
  if (attempt.status === 'accepted') return askedAgainLater(contract, attempt, command, nowMs)
  const waiting: Attempt = {
    ...attempt,
    status: 'accepted',
    tries: 0,
    absentSince: null,
    dueAt: nowMs + patienceMs(command, 0),
  }
  // A cancellation that came during the call requests the recall now; a callback that did, the outcome.
  const isWaitedFor = contract.cancellation?.status === 'pending' || contract.execution.reported !== undefined
  const dueAt = isWaitedFor ? nowMs : waiting.dueAt
  const execution: Execution = { ...contract.execution, status: 'accepted' }
  const activities = [activity('transfer_accepted', nowMs, 'gateway')]
  const written = { postings: transitPostings(contract), attempt: { ...waiting, dueAt } }
  return moved(contract, nowMs, { execution }, activities, null, written)
}

export function delivered(contract: Transfer, attempt: Attempt, nowMs: number): Decision {
  const from = attempt.status === 'accepted' ? 'in_transit' : 'held'
  const changes: Partial<Transfer> = {
    status: 'completed',
    completedAt: nowMs,
    heldMinor: 0n,
    execution: { ...contract.execution, status: 'delivered' },
    cancellation: contract.cancellation && { ...contract.cancellation, status: 'refused' },
  }
  const closed: Attempt = { ...attempt, status: 'delivered', ...afterDelivery(contract, nowMs) }
  const written = { postings: deliveryPostings(contract, from, attempt.channelId), attempt: closed }
  return moved(contract, nowMs, changes, [activity('completed', nowMs, 'gateway')], 'contract.completed', written)
}

export function failed(contract: Transfer, attempt: Attempt, failure: Failure, facts: Facts): Decision {
  const { nowMs } = facts
  const before = attempt.status === 'accepted' ? untransitPostings(contract) : []
  const activities = [activity('transfer_failed', nowMs, 'gateway', { code: failure.code, message: failure.message })]
  const closed: Attempt = { ...attempt, status: 'failed', dueAt: null }
  // Of what was adopted nobody knows to whom it was to go: it is not sent again.
  const isOver = contract.cancellation?.status === 'pending' || isOnUnknownTerms(contract)
  const next = isOver ? null : automaticRetry(contract, attempt, facts)
  if (next) return retried(contract, attempt, next, facts, before, activities)
  if (facts.refundsAtOnce || isOver) {
    const by = contract.cancellation ? pendingCancel(contract) : { reason: failure.message, actor: 'gateway' as const }
    return refunded(contract, by, { ...facts, attempt: closed }, before, activities, failure)
  }
  const execution: Execution = { ...contract.execution, status: 'failed', failure }
  return moved(contract, nowMs, { execution }, activities, 'contract.transfer_failed', {
    postings: before,
    attempt: closed,
  })
}

/**
 * Puts another attempt in the place of one that failed for good. Its hold is its own: the old one is refunded and taken
 * again in the ledger, so that no debit serves two attempts (docs/design/channels.md).
 */
export function retried(
  contract: Transfer,
  old: Attempt,
  next: Attempt,
  facts: Facts,
  before: readonly Posting[],
  activities: readonly Activity[],
  actor: Actor = 'gateway',
): Decision {
  const data = { attempt: next.number, channel: next.channelId, failed_channel: old.channelId }
  const history = [...activities, activity('transfer_retried', facts.nowMs, actor, data)]
  const postings = [...before, ...refundPostings(contract, facts.parent), ...holdPostings(contract, facts.parent)]
  return moved(contract, facts.nowMs, { execution: queuedExecution(next) }, history, null, { postings, attempt: next })
}

function bounced(contract: Transfer, attempt: Attempt, failure: Failure, facts: Facts): Decision {
  const { nowMs } = facts
  const changes: Partial<Transfer> = {
    status: 'returned',
    heldMinor: contract.debitMinor - contract.feeMinor,
    execution: { ...contract.execution, status: 'returned', failure: { code: failure.code, message: failure.message } },
  }
  const activities = [activity('returned', nowMs, 'gateway', { code: failure.code, message: failure.message })]
  // Where the account refunds at once, the attempt is due again and a worker cancels: the row is the job.
  const due: Attempt = { ...attempt, status: 'returned', dueAt: facts.refundsAtOnce ? nowMs : null }
  const written = { postings: bouncePostings(contract, attempt.channelId), attempt: due }
  return moved(contract, nowMs, changes, activities, 'contract.returned', written)
}

/** The rail revoked its report after the refund: no money moves by itself, but an activity records it, once. */
function disputed(contract: Transfer, attempt: Attempt, nowMs: number): Decision {
  if (contract.activities.some((line) => line.type === 'outcome_disputed')) return asItStands(contract)
  const line = activity('outcome_disputed', nowMs, 'gateway', { reference: attempt.reference })
  return moved(contract, nowMs, {}, [line], null)
}

function doubted(contract: Transfer, attempt: Attempt, reason: string, nowMs: number): Decision {
  const execution: Execution = { ...contract.execution, status: 'unknown' }
  return moved(contract, nowMs, { execution }, [activity('transfer_unknown', nowMs, 'gateway', { reason })], null, {
    attempt,
  })
}

/** At least so many looks must find nothing, one after another, before that proves something. */
const LOOKS_UNTIL_FINAL = 4

/**
 * An inquiry found nothing. That proves something only after the rail's finality delay has passed twice; then the same
 * reference goes again while the rail still remembers references, or a pending cancellation gets its refund. Each look counts as
 * much of that time as it was planned for, so that no jump of the clock stands for more than one of them.
 */
function absent(contract: Transfer, attempt: Attempt, command: ReportTransfer, facts: Facts): Decision {
  const { nowMs } = facts
  const { notFoundFinalAfterMs } = command.connector
  if (attempt.status !== 'unknown') return askedAgainLater(contract, attempt, command, nowMs)
  const since = absentSinceAt(attempt, nowMs) ?? nowMs
  const windowMs = 2 * notFoundFinalAfterMs
  const finalAt = since + windowMs
  if (attempt.absentSince === null || nowMs < finalAt) {
    const delayMs = Math.min(inquiryDelayMs(attempt.tries), Math.ceil(windowMs / LOOKS_UNTIL_FINAL))
    const dueAt = Math.max(nowMs + 1, Math.min(nowMs + delayMs, finalAt))
    return { ...asItStands(contract), attempt: { ...attempt, absentSince: since, dueAt } }
  }
  if (contract.cancellation?.status === 'pending')
    return refunded(contract, pendingCancel(contract), { ...facts, attempt: { ...attempt, status: 'voided' } }, [])
  if (!isRemembered(attempt, command.connector, nowMs))
    return askedAgainLater(contract, { ...attempt, absentSince: since }, command, nowMs)
  const execution: Execution = { ...contract.execution, status: 'queued' }
  const queued: Attempt = { ...attempt, status: 'queued', absentSince: null, dueAt: nowMs }
  return moved(contract, nowMs, { execution }, [], null, { attempt: queued })
}

function askedAgainLater(contract: Transfer, attempt: Attempt, command: ReportTransfer, nowMs: number): Decision {
  return { ...asItStands(contract), attempt: { ...attempt, dueAt: nowMs + patienceMs(command, attempt.tries) } }
}

/** How long an order is left alone: as the ladder says, but no longer than its rail permits. */
function patienceMs({ connector }: ReportTransfer, tries: number): number {
  return Math.min(inquiryDelayMs(tries), connector.inquiryDelayMs ?? Number.POSITIVE_INFINITY)
}

function unanswered(contract: Transfer, attempt: Attempt, nowMs: number): Decision {
  const dueAt = nowMs + unansweredDelayMs(attempt.tries)
  return {
    ...asItStands(contract),
    attempt: { ...attempt, tries: triesUnanswered(attempt.tries), absentSince: null, dueAt },
  }
}

/** Whoever was to ask stood still until it was too late for a call: it shows nothing of the rail, and is no try. */
function notAsked(contract: Transfer, attempt: Attempt, nowMs: number): Decision {
  const tries = Math.max(0, attempt.tries - 1)
  return {
    ...asItStands(contract),
    attempt: { ...attempt, tries, absentSince: null, dueAt: nowMs + unansweredDelayMs(0) },
  }
}

function pendingCancel(contract: Transfer): Pick<CancelTransfer, 'reason' | 'actor'> {
  return { reason: contract.cancellation?.reason ?? null, actor: 'account' }
}
