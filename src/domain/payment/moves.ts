// The payment contract's moves, as data (design 5). The code, the SQL check, docs/states.md and the tests are made of it.
import type { EventType } from '../transfer/moves.ts'

export const PAYMENT_STATUSES = ['issued', 'paid', 'completed', 'cancelled', 'expired'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** What can be asked of a payment contract: by its caller, its payer, the clock, the rails and the workers. */
export const PAYMENT_VERBS = [
  'choose',
  'process_due',
  'report_collection',
  'receive',
  'cancel',
  'expire',
  'refund',
  'return',
] as const
export type PaymentVerb = (typeof PAYMENT_VERBS)[number]

export type PaymentMove = {
  readonly from: PaymentStatus | null
  /** Beside what is asked: it opens, and a transfer that gives its money back comes to its end. */
  readonly verb: PaymentVerb | 'create' | 'transfer ended'
  readonly to: PaymentStatus
  readonly when: string
  readonly ledger: string
  readonly activities: string
  readonly event: EventType | null
}

const move = (
  from: PaymentMove['from'],
  verb: PaymentMove['verb'],
  to: PaymentStatus,
  when: string,
  ledger: string,
  activities: string,
  event: EventType | null,
): PaymentMove => ({ from, verb, to, when, ledger, activities, event })

const ACCEPT = 'clearing → pending; fee → revenue'
const SUSPEND = 'clearing → suspense'

/** Every move there is. A pair of status and verb that is absent is refused, or answered with the contract as it stands. */
export const PAYMENT_MOVES: readonly PaymentMove[] = [
  move(null, 'create', 'issued', 'amount, currency valid', '', 'created, issued', 'contract.issued'),
  move('issued', 'choose', 'issued', 'not expired; no attempt processing', '', 'attempt_started', null),
  move(
    'issued',
    'report_collection',
    'issued',
    'the rail waits for the payer, or works on it',
    '',
    'attempt_opened',
    null,
  ),
  move(
    'issued',
    'report_collection',
    'issued',
    'the rail refuses the attempt',
    '',
    'attempt_failed',
    'contract.payment_failed',
  ),
  move(
    'issued',
    'report_collection',
    'cancelled',
    'cancellation pending, the last attempt is closed or fails',
    '',
    'attempt_closed or attempt_failed, cancelled',
    'contract.cancelled',
  ),
  move(
    'issued',
    'report_collection',
    'expired',
    'expires_at passed, the last attempt is closed or fails',
    '',
    'attempt_closed or attempt_failed, expired',
    'contract.expired',
  ),
  move(
    'issued',
    'report_collection',
    'issued',
    'an attempt that another has replaced is closed',
    '',
    'attempt_closed',
    null,
  ),
  move('issued', 'receive', 'paid', 'amount and currency equal', ACCEPT, 'paid', 'contract.paid'),
  move('issued', 'receive', 'issued', 'processing', '', 'attempt_opened', null),
  move('issued', 'receive', 'issued', 'failed', '', 'attempt_failed', 'contract.payment_failed'),
  move(
    'issued',
    'receive',
    'cancelled',
    'the last attempt failed or brought another amount, cancellation pending',
    '',
    'attempt_failed (or payment_suspended before it), cancelled',
    'contract.cancelled',
  ),
  move(
    'issued',
    'receive',
    'expired',
    'the last attempt failed or brought another amount, expires_at passed',
    '',
    'attempt_failed (or payment_suspended before it), expired',
    'contract.expired',
  ),
  move(
    'issued',
    'receive',
    'issued',
    'partial, or another amount or currency',
    SUSPEND,
    'payment_suspended',
    'contract.payment_suspended',
  ),
  move('issued', 'cancel', 'cancelled', 'no attempt is open', '', 'cancelled', 'contract.cancelled'),
  move(
    'issued',
    'cancel',
    'issued',
    'an attempt is open: cancellation pending, the rail asked to close it',
    '',
    'cancel_requested',
    null,
  ),
  move('issued', 'expire', 'expired', 'expires_at passed, no attempt is open', '', 'expired', 'contract.expired'),
  move(
    'issued',
    'process_due',
    'expired',
    'expires_at passed long ago, and the rail does not answer',
    '',
    'expired',
    'contract.expired',
  ),
  move(
    'paid',
    'process_due',
    'completed',
    'settlement is due',
    'pending → available',
    'completed',
    'contract.completed',
  ),
  move('paid', 'receive', 'paid', 'more money', SUSPEND, 'payment_suspended', 'contract.payment_suspended'),
  move('completed', 'receive', 'completed', 'more money', SUSPEND, 'payment_suspended', 'contract.payment_suspended'),
  move('cancelled', 'receive', 'cancelled', 'late money', SUSPEND, 'payment_suspended', 'contract.payment_suspended'),
  move('expired', 'receive', 'expired', 'late money', SUSPEND, 'payment_suspended', 'contract.payment_suspended'),
  move('expired', 'receive', 'expired', 'an attempt that was open till then failed', '', 'attempt_failed', null),
  move(
    'paid',
    'receive',
    'paid',
    'failed after it succeeded: kept in the history for an operator',
    '',
    'outcome_disputed',
    null,
  ),
  move(
    'completed',
    'receive',
    'completed',
    'failed after it succeeded: kept in the history for an operator',
    '',
    'outcome_disputed',
    null,
  ),
  move(
    'paid',
    'refund',
    'paid',
    'no more than was paid',
    'pending, available → held, of a transfer of its own',
    'refund_started',
    null,
  ),
  move(
    'completed',
    'refund',
    'completed',
    'no more than was paid',
    'available → held, of a transfer of its own',
    'refund_started',
    null,
  ),
  ...(['issued', 'paid', 'completed', 'cancelled', 'expired'] as const).flatMap((status) => [
    move(
      status,
      'process_due',
      status,
      'money in suspense, and a way back',
      'suspense → held, of a transfer of its own',
      'return_started',
      null,
    ),
    move(
      status,
      'return',
      status,
      'money in suspense, and a person says where it goes',
      'suspense → held, of a transfer of its own',
      'return_started',
      null,
    ),
    move(status, 'receive', status, 'so little of an asset that it is worth nothing by itself', '', '', null),
    move(
      status,
      'process_due',
      status,
      'money in suspense, and no way back: it waits for a person',
      '',
      'refund_failed',
      null,
    ),
    move(status, 'transfer ended', status, 'a return has arrived', '', 'payment_returned', 'contract.payment_returned'),
    move(
      status,
      'transfer ended',
      status,
      'a refund or return failed for good',
      'held → where it came from',
      'refund_failed',
      null,
    ),
  ]),
  ...(['paid', 'completed'] as const).map((status) =>
    move(status, 'transfer ended', status, 'a refund has arrived', '', 'payment_refunded', 'contract.refunded'),
  ),
  ...(['paid', 'completed', 'expired'] as const).map((status) =>
    move(
      status,
      'report_collection',
      status,
      'an attempt that is not needed any more is closed',
      '',
      'attempt_closed',
      null,
    ),
  ),
]

/** The statuses that a verb may lead to; empty when the table knows no such move. */
export function paymentTargetsOf(from: PaymentStatus, verb: PaymentVerb): readonly PaymentStatus[] {
  return PAYMENT_MOVES.filter((each) => each.from === from && each.verb === verb).map((each) => each.to)
}
