// The transfer contract's moves, as data (design 5). The code, the SQL check, docs/states.md and the tests are made of it.
export const TRANSFER_STATUSES = ['draft', 'issued', 'paid', 'completed', 'cancelled', 'expired', 'returned'];
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
];
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
];
/** An attempt in one of these still waits for something: at most one such attempt for each contract. */
export const LIVE_EXECUTIONS = [
    'queued',
    'submitting',
    'accepted',
    'unknown',
];
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
];
const move = (from, verb, to, when, ledger, activities, event) => ({ from, verb, to, when, ledger, activities, event });
const REFUND = 'held → available: all of it, fee included';
/** Every move there is. A pair of status and verb that is absent is refused, or answered with the contract as it stands. */
export const TRANSFER_MOVES = [
    move('draft', 'update', 'draft', 'not expired', '', 'updated', 'contract.updated'),
    move('draft', 'issue', 'issued', 'preview valid; terms frozen', '', 'issued', 'contract.issued'),
    move('draft', 'cancel', 'cancelled', '', '', 'cancelled', 'contract.cancelled'),
    move('issued', 'cancel', 'cancelled', '', '', 'cancelled', 'contract.cancelled'),
    move('draft', 'expire', 'expired', 'expires_at passed', '', 'expired', 'contract.expired'),
    move('issued', 'expire', 'expired', 'expires_at passed', '', 'expired', 'contract.expired'),
    move('issued', 'pay', 'paid', 'not expired; wallet available ≥ debit', 'available → held: amount and fee', 'paid', 'contract.paid'),
    move('paid', 'submit', 'paid', 'undo window over', '', 'transfer_submitted', null),
    move('paid', 'inquire', 'paid', 'attempt submitting (its lease over), accepted or unknown', '', '', null),
    move('paid', 'report', 'paid', 'the rail accepts', 'held → in transit', 'transfer_accepted', null),
    move('paid', 'report', 'paid', 'no definite answer', '', 'transfer_unknown', null),
    move('paid', 'report', 'paid', 'definite failure, refund by hand', 'in transit → held', 'transfer_failed', 'contract.transfer_failed'),
    move('paid', 'report', 'completed', 'delivered', 'in transit → channel clearing; fee → revenue', 'completed', 'contract.completed'),
    move('paid', 'report', 'cancelled', 'definite failure, refund at once or cancellation pending', REFUND, 'transfer_failed, refunded, cancelled', 'contract.cancelled'),
    move('paid', 'cancel', 'cancelled', 'attempt not sent, or failed', REFUND, 'refunded, cancelled', 'contract.cancelled'),
    move('paid', 'cancel', 'paid', 'attempt submitting, accepted or unknown: cancellation pending, the rail asked to recall', '', 'cancel_requested', null),
    move('paid', 'report', 'paid', 'definite failure, and the account has it tried again: a new attempt, perhaps on another channel', 'in transit → held; held → available → held', 'transfer_failed, transfer_retried', null),
    move('paid', 'retry', 'paid', 'attempt failed: a new attempt with a new hold', 'held → available → held', 'transfer_retried', null),
    move('paid', 'resolve', 'completed', 'an operator has evidence: delivered', 'held or in transit → channel clearing; fee → revenue', 'resolved, completed', 'contract.completed'),
    move('paid', 'resolve', 'cancelled', 'an operator has evidence: failed; refund at once or cancellation pending', REFUND, 'resolved, transfer_failed, refunded, cancelled', 'contract.cancelled'),
    move('paid', 'resolve', 'paid', 'an operator has evidence: failed; refund by hand, or tried again', 'in transit → held', 'resolved, transfer_failed', 'contract.transfer_failed'),
    move('completed', 'report', 'completed', 'a word that contradicts the outcome: kept in the history for an operator', '', 'outcome_disputed', null),
    move('paid', 'report', 'paid', 'an earlier attempt is said to be delivered while a later one is on its way: kept for an operator', '', 'outcome_disputed', null),
    move('completed', 'report', 'returned', 'bounced, refund by hand', 'clearing → held', 'returned', 'contract.returned'),
    move('completed', 'cancel', 'completed', 'refused with contract_completed', '', 'cancel_refused', null),
    move('cancelled', 'report', 'cancelled', 'delivered although refunded: kept in the history for an operator', '', 'outcome_disputed', null),
    move('returned', 'cancel', 'cancelled', 'by the caller or at once by the account’s setting', 'held → available', 'refunded, cancelled', 'contract.cancelled'),
];
/** The statuses that a verb may lead to; empty when the table knows no such move. */
export function targetsOf(from, verb) {
    return TRANSFER_MOVES.filter((each) => each.from === from && each.verb === verb).map((each) => each.to);
}
