// The transfer contract's moves, as data (design 5). The code, the SQL check, docs/states.md and the tests are made of it.

export const TRANSFER_STATUSES = ['draft', 'issued', 'paid', 'completed', 'cancelled', 'expired', 'returned'] as const
export type TransferStatus = (typeof TRANSFER_STATUSES)[number]

/** What can be asked of a contract: by its caller, the clock, the workers, and the operator. */
export const TRANSFER_VERBS = [
  'update',
  'issue',
  'pay',
  'cancel',
  'retry',
  'expire',
  'submit',
  'inquire',
  'report',
  'resolve',
] as const
export type TransferVerb = (typeof TRANSFER_VERBS)[number]

export const EXECUTION_STATUSES = [
  'none',
  'queued',
  'submitting',
  'accepted',
  'unknown',
  'delivered',
  'failed',
  'voided',
  'returned',
] as const
/** How far the money has got, beside the status (design 5). */
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** An attempt in one of these still waits for something: at most one such attempt for each contract. */
export const LIVE_EXECUTIONS = [
  'queued',
  'submitting',
  'accepted',
  'unknown',
] as const satisfies readonly ExecutionStatus[]

export function isLiveExecution(status: ExecutionStatus): boolean {
  return (LIVE_EXECUTIONS as readonly ExecutionStatus[]).includes(status)
}

export const EVENT_TYPES = [
  'contract.created',
  'contract.updated',
  'contract.issued',
  'contract.paid',
  'contract.completed',
  'contract.cancelled',
  'contract.expired',
  'contract.returned',
  'contract.transfer_failed',
  'contract.payment_failed',
  'contract.payment_suspended',
  'contract.payment_returned',
  'contract.refunded',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export type Move = {
  readonly from: TransferStatus
  readonly verb: TransferVerb
  readonly to: TransferStatus
  readonly when: string
  readonly ledger: string
  readonly activities: string
  readonly event: EventType | null
}

const move = (
  from: TransferStatus,
  verb: TransferVerb,
  to: TransferStatus,
  when: string,
  ledger: string,
  activities: string,
  event: EventType | null,
): Move => ({ from, verb, to, when, ledger, activities, event })

const REFUND = 'held → available: all of it, fee included'

/** Every move there is. A pair of status and verb that is absent is refused, or answered with the contract as it stands. */
export const TRANSFER_MOVES: readonly Move[] = [
  move('draft', 'update', 'draft', 'not expired', '', 'updated', 'contract.updated'),
  move('draft', 'issue', 'issued', 'preview valid; terms frozen', '', 'issued', 'contract.issued'),
  move('draft', 'cancel', 'cancelled', '', '', 'cancelled', 'contract.cancelled'),
  move('issued', 'cancel', 'cancelled', '', '', 'cancelled', 'contract.cancelled'),
  move('draft', 'expire', 'expired', 'expires_at passed', '', 'expired', 'contract.expired'),
  move('issued', 'expire', 'expired', 'expires_at passed', '', 'expired', 'contract.expired'),
  move(
    'issued',
    'pay',
    'paid',
    'not expired; wallet available ≥ debit',
    'available → held: amount and fee',
    'paid',
    'contract.paid',
  ),
  move('paid', 'submit', 'paid', 'undo window over', '', 'transfer_submitted', null),
  move('paid', 'inquire', 'paid', 'attempt submitting (its lease over), accepted or unknown', '', '', null),
  move('paid', 'report', 'paid', 'the rail accepts', 'held → in transit', 'transfer_accepted', null),
  move('paid', 'report', 'paid', 'no definite answer', '', 'transfer_unknown', null),
  move(
    'paid',
    'report',
    'paid',
    'definite failure, refund by hand',
    'in transit → held',
    'transfer_failed',
    'contract.transfer_failed',
  ),
  move(
    'paid',
    'report',
    'paid',
    'a callback says that it was refused or came back: the rail is asked at once, and its own answer decides',
    '',
    'failure_reported',
    null,
  ),
  move(
    'paid',
    'report',
    'paid',
    'the rail answers that it has it, against what a callback said: an operator is told',
    '',
    'failure_disputed',
    null,
  ),
  move(
    'paid',
    'report',
    'completed',
    'delivered',
    'in transit → channel clearing; fee → revenue',
    'completed',
    'contract.completed',
  ),
  move(
    'paid',
    'report',
    'cancelled',
    'definite failure, refund at once or cancellation pending',
    REFUND,
    'transfer_failed, refunded, cancelled',
    'contract.cancelled',
  ),
  move(
    'paid',
    'cancel',
    'cancelled',
    'attempt not sent, or failed',
    REFUND,
    'refunded, cancelled',
    'contract.cancelled',
  ),
  move(
    'paid',
    'cancel',
    'paid',
    'attempt submitting, accepted or unknown: cancellation pending, the rail asked to recall',
    '',
    'cancel_requested',
    null,
  ),
  move(
    'paid',
    'report',
    'paid',
    'definite failure, and the account has it tried again: a new attempt, perhaps on another channel',
    'in transit → held; held → available → held',
    'transfer_failed, transfer_retried',
    null,
  ),
  move(
    'paid',
    'retry',
    'paid',
    'attempt failed: a new attempt with a new hold',
    'held → available → held',
    'transfer_retried',
    null,
  ),
  move(
    'paid',
    'resolve',
    'completed',
    'an operator has evidence: delivered',
    'held or in transit → channel clearing; fee → revenue',
    'resolved, completed',
    'contract.completed',
  ),
  move(
    'paid',
    'resolve',
    'cancelled',
    'an operator has evidence: failed; refund at once or cancellation pending',
    REFUND,
    'resolved, transfer_failed, refunded, cancelled',
    'contract.cancelled',
  ),
  move(
    'paid',
    'resolve',
    'paid',
    'an operator has evidence: failed; refund by hand, or tried again',
    'in transit → held',
    'resolved, transfer_failed',
    'contract.transfer_failed',
  ),
  move(
    'completed',
    'report',
    'completed',
    'a word that contradicts the outcome: kept in the history for an operator',
    '',
    'outcome_disputed',
    null,
  ),
  move(
    'paid',
    'report',
    'paid',
    'an earlier attempt is said to be delivered while a later one is on its way: kept for an operator',
    '',
    'outcome_disputed',
    null,
  ),
  move(
    'completed',
    'report',
    'returned',
    'bounced, refund by hand',
    'clearing → held',
    'returned',
    'contract.returned',
  ),
  move(
    'completed',
    'report',
    'completed',
    'a callback says that it came back: the rail is asked at once, and its own answer decides',
    '',
    'failure_reported',
    null,
  ),
  move('completed', 'inquire', 'completed', 'a callback says that it came back', '', '', null),
  move(
    'completed',
    'report',
    'completed',
    'the rail answers that it arrived, against what a callback said: an operator is told',
    '',
    'failure_disputed',
    null,
  ),
  move('completed', 'cancel', 'completed', 'refused with contract_completed', '', 'cancel_refused', null),
  move(
    'cancelled',
    'report',
    'cancelled',
    'delivered although refunded: kept in the history for an operator',
    '',
    'outcome_disputed',
    null,
  ),
  move(
    'returned',
    'cancel',
    'cancelled',
    'by the caller or at once by the account’s setting',
    'held → available',
    'refunded, cancelled',
    'contract.cancelled',
  ),
]

/** The statuses that a verb may lead to; empty when the table knows no such move. */
export function targetsOf(from: TransferStatus, verb: TransferVerb): readonly TransferStatus[] {
  return TRANSFER_MOVES.filter((each) => each.from === from && each.verb === verb).map((each) => each.to)
}
