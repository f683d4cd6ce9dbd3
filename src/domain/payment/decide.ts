// Decides any command about a payment contract, from its table of moves. Pure: no clock, no database, no network.
import type { CancelTransfer } from '../transfer/commands.ts'
import { activity } from '../contract/decision.ts'
import { decideLooked, dueReceipt } from './refunds/lookups.ts'
import { decideRefund } from './refunds/refunds.ts'
import { decideFoundReturn, decideReturn, decideReturnByHand } from './refunds/returns.ts'
import { isToLookFor, returnableNow } from './refunds/routes.ts'
import { decideCollection, endOf, expiryOf, isOver, nextDue } from './attempts.ts'
import type { NamePayer, PaymentCommand, ProcessDuePayment } from './commands.ts'
import { dueAttempt, jobDue, type PaymentDecision, type PaymentFacts, paymentMoved, unchanged } from './decision.ts'
import { decideChoose } from './draft.ts'
import { paymentTargetsOf } from './move-table.ts'
import type { PaymentVerb } from './moves.ts'
import type { CollectionJob, Payment } from './payment.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'
import { decideSettle } from './settle.ts'

type Decided = Exclude<PaymentCommand, { readonly verb: 'receive' }>

/** The contract after the command with all that is to be written, or why not. Exhaustive over status × command. */
export function decidePayment(payment: Payment, command: Decided, facts: PaymentFacts): PaymentDecision | Refusal {
  if (paymentTargetsOf(payment.status, command.verb).length === 0) return offTable(payment, command.verb)
  switch (command.verb) {
    case 'choose':
      return payment.expiresAt <= facts.nowMs ? refuseExpired() : decideChoose(payment, command, facts)
    case 'process_due':
      return decideProcessDue(payment, command, facts)
    case 'report_collection':
      return decideCollection(payment, command, facts)
    case 'cancel':
      // As it is read: a cancellation that waits for its rail is repeated.
      if (payment.cancellation === null && isOver(payment, facts.nowMs)) return refuseExpired()
      return decideCancel(payment, command, facts)
    case 'expire':
      return decideExpire(payment, facts)
    case 'refund':
      return decideRefund(payment, command, facts)
    case 'return':
      return decideReturnByHand(payment, command, facts)
    case 'name_payer':
      return decideNamePayer(payment, command, facts)
  }
}

/** Whatever is due now, one thing at a time: the job stays due while there is more. */
function decideProcessDue(payment: Payment, command: ProcessDuePayment, facts: PaymentFacts): PaymentDecision {
  const { nowMs } = facts
  if (command.found !== null) return decideFoundReturn(payment, command.found, facts)
  if (command.looked) return decideLooked(payment, command.looked, facts)
  if (!facts.job || facts.job.dueAt === null || facts.job.dueAt > nowMs) return unchanged(payment)
  if (payment.status === 'paid' && payment.settlesAt !== null && payment.settlesAt <= nowMs)
    return decideSettle(payment, facts)
  if (isOver(payment, nowMs)) return expired(payment, facts)
  const job = countedAnew(payment, facts.job, command, nowMs)
  const returnable = returnableNow(payment, facts)
  const sure = returnable.find((each) => !isToLookFor(payment, each, facts))
  if (sure) return decideReturn(payment, sure, { ...facts, job })
  const leased = { ...job, fence: job.fence + 1, tries: job.tries + 1, dueAt: nowMs + command.leaseMs }
  const toLookFor = dueReceipt(payment, job, returnable)
  if (toLookFor) return unchanged(payment, { job: leased, toLookFor })
  const attempt = dueAttempt(payment, nowMs, job.tries)
  return attempt
    ? unchanged(payment, { job: leased })
    : unchanged(payment, { job: jobDue(payment, job, nextDue(payment, facts)) })
}

/**
 * From the first look after its expiry on its attempts are to be closed: how often they were looked at before says nothing about that. A job that is
 * due is as a rule; after a process that died within a look, it is due when the lease ends, and what counts is when that look began.
 */
function countedAnew(
  { status, expiresAt }: Payment,
  job: CollectionJob,
  { leaseMs }: ProcessDuePayment,
  nowMs: number,
): CollectionJob {
  const isFirst = status === 'issued' && expiresAt <= nowMs && (job.dueAt ?? nowMs) - leaseMs <= expiresAt
  return isFirst ? { ...job, tries: 0 } : job
}

/** With an attempt open only its rail knows whether money is on the way: the contract ends when it has answered. */
function decideCancel(payment: Payment, command: CancelTransfer, facts: PaymentFacts): PaymentDecision {
  const { nowMs } = facts
  const { reason, actor } = command
  if (payment.cancellation?.status === 'pending') return unchanged(payment)
  const data = reason === null ? null : { reason }
  const cancellation = { status: 'pending', reason, requestedAt: nowMs } as const
  const requested: Payment = { ...payment, cancellation }
  const end = endOf(requested, nowMs)
  if (end)
    return paymentMoved(payment, nowMs, { ...end.changes }, [{ ...end.line, actor }], end.event, {
      job: jobDue(payment, facts.job, nextDue({ ...requested, ...end.changes }, facts)),
    })
  const line = activity('cancel_requested', nowMs, actor, data)
  const job = jobDue(payment, facts.job, nowMs)
  // A call under way keeps its lease: its result comes first.
  const isStarting = payment.attempts.at(-1)?.status === 'starting'
  const dueAt = isStarting ? (facts.job?.dueAt ?? nowMs) : nowMs
  return paymentMoved(payment, nowMs, { cancellation }, [line], null, { job: { ...job, dueAt, tries: 0 } })
}

function decideExpire(payment: Payment, facts: PaymentFacts): PaymentDecision {
  const { nowMs, job } = facts
  if (payment.expiresAt > nowMs) return unchanged(payment)
  if (isOver(payment, nowMs)) return expired(payment, facts)
  // With an attempt open its job ends it: when the rail has answered, or was waited for long enough.
  const isDue = job !== null && job.dueAt !== null
  return isDue ? unchanged(payment) : unchanged(payment, { job: { ...jobDue(payment, job, nowMs), tries: 0 } })
}

function expired(payment: Payment, facts: PaymentFacts): PaymentDecision {
  const { changes, line, event } = expiryOf(payment, facts.nowMs)
  const job = jobDue(payment, facts.job, nextDue({ ...payment, ...changes }, facts))
  return paymentMoved(payment, facts.nowMs, changes, [line], event, { job })
}

/** Each version repeats by which profiles its payer was named. */
const PAYER_NAMES_MAX = 20

/** A payer may turn out to be another profile than was thought; the contract says which it is now. */
function decideNamePayer(payment: Payment, { profile }: NamePayer, { nowMs }: PaymentFacts): PaymentDecision | Refusal {
  if (payment.payerProfile?.profile === profile.profile) return unchanged(payment)
  if (payment.activities.filter(({ type }) => type === 'payer_named').length >= PAYER_NAMES_MAX)
    return refuse(
      'payer_names_exhausted',
      'profile',
      `The payer was named ${PAYER_NAMES_MAX} times, which is as often as may be. Change the profile that the contract names.`,
    )
  const line = activity('payer_named', nowMs, 'account', { profile: profile.profile })
  return paymentMoved(payment, nowMs, { payerProfile: profile }, [line], null)
}

function refuseExpired(): Refusal {
  return refuse('contract_expired', 'id', 'The contract expired. Create a new one.')
}

/** The answer to a command that the table does not know in this status: a repeat changes nothing; the rest is refused. */
function offTable(payment: Payment, verb: PaymentVerb): PaymentDecision | Refusal {
  const { status } = payment
  if (verb === 'expire' || verb === 'process_due' || verb === 'report_collection') return unchanged(payment)
  if (verb === 'cancel' && status === 'cancelled') return unchanged(payment)
  if (verb === 'choose' && (status === 'paid' || status === 'completed')) return unchanged(payment)
  if (verb === 'name_payer') return refuse('payment_not_paid', 'id', 'Only a contract that is paid has a payer.')
  if (status === 'expired') return refuseExpired()
  if (status === 'cancelled') return refuse('contract_cancelled', 'id', 'The contract was cancelled.')
  if (verb === 'refund') return refuse('payment_not_paid', 'id', 'Only a paid contract can be refunded.')
  return refuse('contract_already_paid', 'id', 'The contract is paid. What was paid can be refunded: POST …/refunds.')
}
