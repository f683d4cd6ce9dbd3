// Every move of a payment contract, as data. The code takes the targets of a verb from it, docs/states.md and the proof of
// stored histories are made of it, and the tests compare every row with what is decided.
import { type MoveOf, moves, type PostingName } from '../contract/move.ts'
import { PAYMENT_STATUSES, type PaymentStatus, type PaymentVerb } from './moves.ts'

/** Beside what is asked: it is created, and a transfer that gives its money back comes to its end. */
type Move = MoveOf<PaymentStatus, PaymentVerb | 'create' | 'transfer ended'>

const rows = moves<PaymentStatus, Move['verb']>

const SUSPENDED: readonly PostingName[] = ['clearing → suspense']
const THROUGH_SUSPENSE: readonly PostingName[] = ['clearing → suspense', 'suspense → pending']

/** The account's own money paid it, when a recovery adopted the return. */
const ADOPTED = 'money in suspense went back before a restore'

/** A pair of status and verb that is absent is refused, or answered with the contract as it stands. */
export const PAYMENT_MOVES: readonly Move[] = [
  ...rows(null, 'create', [['issued', 'amount and currency valid', [], ['created', 'issued'], 'contract.issued']]),
  ...rows('issued', 'choose', [['issued', 'no attempt is being processed', [], ['attempt_started'], null]]),
  ...rows('issued', 'report_collection', [
    ['issued', 'the rail refuses the attempt', [], ['attempt_failed'], 'contract.payment_failed'],
    [
      'cancelled',
      'cancellation pending, the last attempt is closed',
      [],
      ['attempt_closed', 'cancelled'],
      'contract.cancelled',
    ],
    [
      'cancelled',
      'cancellation pending, the last attempt fails',
      [],
      ['attempt_failed', 'cancelled'],
      'contract.cancelled',
    ],
    ['expired', 'expires_at passed, the last attempt is closed', [], ['attempt_closed', 'expired'], 'contract.expired'],
    ['expired', 'expires_at passed, the last attempt fails', [], ['attempt_failed', 'expired'], 'contract.expired'],
    ['expired', 'expires_at passed long ago, the rail is asked and says no end', [], ['expired'], 'contract.expired'],
  ]),
  ...rows('issued', 'receive', [
    ['paid', 'the amount, without a fee', ['clearing → pending'], ['paid'], 'contract.paid'],
    ['paid', 'the amount, with a fee', ['clearing → pending', 'clearing → fee_revenue'], ['paid'], 'contract.paid'],
    ['paid', 'the last part, without a fee', THROUGH_SUSPENSE, ['paid'], 'contract.paid'],
    ['paid', 'the last part, with a fee', [...THROUGH_SUSPENSE, 'suspense → fee_revenue'], ['paid'], 'contract.paid'],
    ['paid', 'parts and too much, without a fee', THROUGH_SUSPENSE, ['paid', 'payment_suspended'], 'contract.paid'],
    [
      'paid',
      'parts and too much, with a fee',
      [...THROUGH_SUSPENSE, 'suspense → fee_revenue'],
      ['paid', 'payment_suspended'],
      'contract.paid',
    ],
    ['issued', 'the rail works on it', [], ['attempt_opened'], null],
    ['issued', 'the attempt failed', [], ['attempt_failed'], 'contract.payment_failed'],
    ['issued', 'a part, or another amount or currency', SUSPENDED, ['payment_suspended'], 'contract.payment_suspended'],
    [
      'cancelled',
      'cancellation pending, the last attempt failed',
      [],
      ['attempt_failed', 'cancelled'],
      'contract.cancelled',
    ],
    ['cancelled', 'cancellation pending, right after another amount', [], ['cancelled'], 'contract.cancelled'],
    ['expired', 'expires_at passed, the last attempt failed', [], ['attempt_failed', 'expired'], 'contract.expired'],
    ['expired', 'expires_at passed, right after another amount', [], ['expired'], 'contract.expired'],
  ]),
  ...rows('issued', 'cancel', [
    ['cancelled', 'not expired, no attempt is open', [], ['cancelled'], 'contract.cancelled'],
    ['issued', 'an attempt is open: the rail is asked to close it', [], ['cancel_requested'], null],
  ]),
  ...rows('issued', 'expire', [
    ['expired', 'expires_at passed, no attempt is open', [], ['expired'], 'contract.expired'],
  ]),
  ...rows('issued', 'process_due', [
    ['expired', 'expires_at passed, no attempt is open', [], ['expired'], 'contract.expired'],
  ]),
  ...rows('paid', 'process_due', [
    ['completed', 'settlement is due', ['pending → available'], ['completed'], 'contract.completed'],
    ['completed', 'settlement is due, all of it was refunded before', [], ['completed'], 'contract.completed'],
  ]),
  ...(['paid', 'completed', 'cancelled', 'expired'] as const).flatMap((status) =>
    rows(status, 'receive', [
      [status, 'late money, or more', SUSPENDED, ['payment_suspended'], 'contract.payment_suspended'],
    ]),
  ),
  ...(['paid', 'completed'] as const).flatMap((status) =>
    rows(status, 'receive', [[status, 'failed after it succeeded: for an operator', [], ['outcome_disputed'], null]]),
  ),
  ...(['paid', 'completed', 'expired'] as const).flatMap((status) => [
    ...rows(status, 'receive', [[status, 'an attempt that was still open failed', [], ['attempt_failed'], null]]),
    ...rows(status, 'report_collection', [
      [status, 'an attempt that is not needed any more is closed', [], ['attempt_closed'], null],
      [status, 'an attempt that is not needed any more fails', [], ['attempt_failed'], null],
    ]),
  ]),
  ...(['issued', 'paid', 'completed', 'expired'] as const).flatMap((status) => [
    ...rows(status, 'report_collection', [
      [status, 'the rail waits for the payer, or works on it', [], ['attempt_opened'], null],
      [status, 'no definite answer, or nothing new: asked again later', [], [], null],
    ]),
  ]),
  ...rows('issued', 'report_collection', [
    ['issued', 'an attempt that another has replaced is closed', [], ['attempt_closed'], null],
  ]),
  ...(['paid', 'completed'] as const).flatMap((status) =>
    rows(status, 'name_payer', [[status, 'the payer is another profile than before', [], ['payer_named'], null]]),
  ),
  ...rows('paid', 'refund', [
    ['paid', 'not settled yet', ['pending → held'], ['refund_started'], null],
    ['paid', 'more than is left to settle', ['pending → held', 'available → held'], ['refund_started'], null],
    ['paid', 'elsewhere than back, or nothing left to settle', ['available → held'], ['refund_started'], null],
  ]),
  ...rows('completed', 'refund', [
    ['completed', 'no more than was paid', ['available → held'], ['refund_started'], null],
  ]),
  ...(['paid', 'completed'] as const).flatMap((status) =>
    rows(status, 'transfer ended', [[status, 'a refund arrived', [], ['payment_refunded'], 'contract.refunded']]),
  ),
  ...PAYMENT_STATUSES.flatMap((status) => [
    ...rows(status, 'process_due', [
      [status, 'a rail is asked: about an attempt, or about money that only an event told of', [], [], null],
      [status, 'money in suspense, and a way back', ['suspense → held'], ['return_started'], null],
      [status, 'money in suspense, and no way back: for a person', [], ['refund_failed'], null],
      [status, ADOPTED, ['suspense → available'], ['payment_returned'], 'contract.payment_returned'],
    ]),
    ...rows(status, 'return', [
      [status, 'money in suspense goes back', ['suspense → held'], ['return_started'], null],
      [
        status,
        'money in suspense goes elsewhere, a fee on top',
        ['suspense → held', 'available → held'],
        ['return_started'],
        null,
      ],
      [status, ADOPTED, ['suspense → available'], ['payment_returned'], 'contract.payment_returned'],
    ]),
    ...rows(status, 'receive', [[status, 'nothing to book: what is shown, or dust of an asset', [], [], null]]),
    ...rows(status, 'transfer ended', [
      [status, 'a return arrived', [], ['payment_returned'], 'contract.payment_returned'],
      [status, 'a refund or return failed for good', [], ['refund_failed'], null],
    ]),
  ]),
]

/** The statuses that a verb may lead to; empty when the table knows no such move. */
export function paymentTargetsOf(from: PaymentStatus, verb: PaymentVerb): readonly PaymentStatus[] {
  return PAYMENT_MOVES.filter((each) => each.from === from && each.verb === verb).map((each) => each.to)
}
