// Every move of a transfer contract, as data. The code takes the targets of a verb from it, docs/states.md and the proof of
// stored histories are made of it, and the tests compare every row with what is decided.
import type { TransferVerb } from './commands.ts'
import { type MoveOf, moves, type PostingName } from '../contract/move.ts'
import type { TransferStatus } from './moves.ts'

/**
 * Beside what is asked: it is created, or a payment contract opens it to give money back; and what its account's policies ask
 * for is requested, with its issue or in place of its payment; and in a recovery what a rail executed is adopted.
 */
type Move = MoveOf<TransferStatus, TransferVerb | 'create' | 'refund' | 'request' | 'adopt'>

const rows = moves<TransferStatus, Move['verb']>

/** How a delivery is booked: the amount, and the fee where there is one. */
const DELIVERIES: readonly (readonly [when: string, postings: readonly PostingName[]])[] = [
  ['with a fee', ['held → clearing', 'held → fee_revenue']],
  ['without a fee', ['held → clearing']],
  ['accepted before, with a fee', ['in_transit → clearing', 'in_transit → fee_revenue']],
  ['accepted before, without a fee', ['in_transit → clearing']],
]

/** What a definite failure undoes first. */
const FAILURES: readonly (readonly [when: string, postings: readonly PostingName[]])[] = [
  ['', []],
  [', accepted before', ['in_transit → held']],
]

/** A pair of status and verb that is absent is refused, or answered with the contract as it stands. */
export const TRANSFER_MOVES: readonly Move[] = [
  ...rows(null, 'create', [['draft', 'amount and currency valid', [], ['created'], 'contract.created']]),
  ...rows(null, 'refund', [
    ['paid', 'a payment contract gives money back', ['source → held'], ['created', 'issued', 'paid'], 'contract.paid'],
  ]),
  ...rows('draft', 'update', [['draft', 'not expired', [], ['updated'], 'contract.updated']]),
  ...rows('draft', 'issue', [['issued', 'preview valid; terms frozen', [], ['issued'], 'contract.issued']]),
  ...(['draft', 'issued'] as const).flatMap((open) => [
    ...rows(open, 'cancel', [['cancelled', 'not expired', [], ['cancelled'], 'contract.cancelled']]),
    ...rows(open, 'expire', [['expired', 'expires_at passed', [], ['expired'], 'contract.expired']]),
  ]),
  ...rows('issued', 'approve', [
    ['issued', 'by a member who did not make it; more are asked for, or it had enough', [], ['approved'], null],
    ['issued', 'the last approval that was asked for', [], ['approved'], 'contract.approved'],
  ]),
  ...rows('issued', 'reject', [
    ['issued', 'by a member; the cancellation follows at once', [], ['rejected'], 'contract.rejected'],
  ]),
  ...(['draft', 'issued', 'paid'] as const).flatMap((status) =>
    rows(status, 'verify', [
      [
        status,
        'a verification came to a result, by its verifier or by a member',
        [],
        ['verified'],
        'contract.verification_completed',
      ],
    ]),
  ),
  ...rows('issued', 'pay', [
    ['paid', 'not expired; wallet available ≥ debit', ['available → held'], ['paid'], 'contract.paid'],
  ]),
  ...rows('issued', 'request', [
    [
      'issued',
      'policies ask for approvals, at issue or when it is to be paid',
      [],
      ['approval_requested'],
      'contract.approval_requested',
    ],
    ['issued', 'policies ask for verifications', [], ['verification_requested'], null],
    [
      'issued',
      'policies ask for both',
      [],
      ['approval_requested', 'verification_requested'],
      'contract.approval_requested',
    ],
  ]),
  ...rows('paid', 'submit', [
    ['paid', 'undo window over', [], ['transfer_submitted'], null],
    ['paid', 'submitted before, and not one byte was sent', [], [], null],
    ['paid', 'sent so long ago that its channel may have forgotten it: asked about', [], ['transfer_unknown'], null],
  ]),
  ...rows('paid', 'inquire', [
    ['paid', 'attempt accepted or unknown: the rail is asked', [], [], null],
    ['paid', 'the worker was lost during the call', [], ['transfer_unknown'], null],
  ]),
  ...rows('paid', 'report', [
    ['paid', 'accepted', ['held → in_transit'], ['transfer_accepted'], null],
    ['paid', 'accepted, against a callback', ['held → in_transit'], ['failure_disputed', 'transfer_accepted'], null],
    ['paid', 'no definite answer', [], ['transfer_unknown'], null],
    ['paid', 'not sent or not found, or nothing new: sent or asked again later', [], [], null],
    ['paid', 'a callback says it failed or came back: the rail is asked at once', [], ['failure_reported'], null],
    ['paid', 'the rail still has it, against a callback: an operator is told', [], ['failure_disputed'], null],
    ['paid', 'an earlier attempt is delivered, a later one sent: for an operator', [], ['outcome_disputed'], null],
  ]),
  ...DELIVERIES.flatMap(([how, postings]) =>
    rows('paid', 'report', [
      ['completed', `delivered, ${how}`, postings, ['completed'], 'contract.completed'],
      [
        'completed',
        `delivered, against a callback, ${how}`,
        postings,
        ['failure_disputed', 'completed'],
        'contract.completed',
      ],
    ]),
  ),
  ...FAILURES.flatMap(([how, before]) =>
    rows('paid', 'report', [
      ['paid', `definite failure${how}, refund by hand`, before, ['transfer_failed'], 'contract.transfer_failed'],
      [
        'paid',
        `definite failure${how}, tried again: a new attempt with a new hold`,
        [...before, 'held → source', 'source → held'],
        ['transfer_failed', 'transfer_retried'],
        null,
      ],
      [
        'cancelled',
        `definite failure${how}, refund at once or cancellation pending`,
        [...before, 'held → source'],
        ['transfer_failed', 'refunded', 'cancelled'],
        'contract.cancelled',
      ],
    ]),
  ),
  ...rows('paid', 'report', [
    [
      'cancelled',
      'not sent or not found, cancellation pending',
      ['held → source'],
      ['refunded', 'cancelled'],
      'contract.cancelled',
    ],
  ]),
  ...rows('paid', 'cancel', [
    ['cancelled', 'attempt not sent, or failed', ['held → source'], ['refunded', 'cancelled'], 'contract.cancelled'],
    ['paid', 'attempt submitting, accepted or unknown: the rail is asked to recall', [], ['cancel_requested'], null],
  ]),
  ...rows('paid', 'retry', [
    ['paid', 'attempt failed', ['held → source', 'source → held'], ['transfer_retried'], null],
  ]),
  ...DELIVERIES.flatMap(([how, postings]) =>
    rows('paid', 'resolve', [
      ['completed', `evidence of delivery, ${how}`, postings, ['resolved', 'completed'], 'contract.completed'],
    ]),
  ),
  ...FAILURES.flatMap(([how, before]) =>
    rows('paid', 'resolve', [
      [
        'paid',
        `evidence of failure${how}, refund by hand`,
        before,
        ['resolved', 'transfer_failed'],
        'contract.transfer_failed',
      ],
      [
        'paid',
        `evidence of failure${how}, tried again`,
        [...before, 'held → source', 'source → held'],
        ['resolved', 'transfer_failed', 'transfer_retried'],
        null,
      ],
      [
        'cancelled',
        `evidence of failure${how}, refund at once or cancellation pending`,
        [...before, 'held → source'],
        ['resolved', 'transfer_failed', 'refunded', 'cancelled'],
        'contract.cancelled',
      ],
    ]),
  ),
  ...rows('completed', 'report', [
    ['returned', 'bounced', ['clearing → held'], ['returned'], 'contract.returned'],
    ['completed', 'a callback says it came back: the rail is asked at once', [], ['failure_reported'], null],
    ['completed', 'the rail says it arrived, against a callback: an operator is told', [], ['failure_disputed'], null],
    ['completed', 'nothing new: asked again later', [], [], null],
    ['completed', 'a result that contradicts the outcome: for an operator', [], ['outcome_disputed'], null],
  ]),
  ...rows('completed', 'inquire', [['completed', 'a callback says it came back: the rail is asked', [], [], null]]),
  ...rows('completed', 'cancel', [['completed', 'refused with contract_completed', [], ['cancel_refused'], null]]),
  ...rows('cancelled', 'report', [
    [
      'cancelled',
      'delivered although refunded, or taken although given up as never sent: for an operator',
      [],
      ['outcome_disputed'],
      null,
    ],
  ]),
  ...rows('returned', 'cancel', [
    [
      'cancelled',
      'by the caller, or by a worker where the account refunds at once',
      ['held → source'],
      ['refunded', 'cancelled'],
      'contract.cancelled',
    ],
  ]),
  ...([null, 'draft', 'issued', 'expired'] as const).flatMap((from) =>
    rows(from, 'adopt', [
      [
        'paid',
        'in recovery: a rail executed it, and the books had forgotten',
        ['available → held'],
        ['adopted', 'paid'],
        'contract.paid',
      ],
    ]),
  ),
  ...rows('cancelled', 'adopt', [
    ['paid', 'in recovery: never paid by the books', ['available → held'], ['adopted', 'paid'], 'contract.paid'],
    [
      'paid',
      'in recovery: refunded, and executed all the same',
      ['available → held'],
      ['transfer_retried', 'adopted', 'paid'],
      'contract.paid',
    ],
  ]),
  ...rows('paid', 'adopt', [
    [
      'paid',
      'in recovery: a later attempt than the one that failed',
      ['held → source', 'source → held'],
      ['transfer_retried', 'adopted'],
      null,
    ],
    ...FAILURES.map(
      ([how, before]) =>
        [
          'paid',
          `in recovery: a later attempt than the one that was open${how}`,
          [...before, 'held → source', 'source → held'],
          ['transfer_failed', 'transfer_retried', 'adopted'],
          null,
        ] as const,
    ),
  ]),
]

/** The statuses that a verb may lead to; empty when the table knows no such move. */
export function targetsOf(from: TransferStatus, verb: TransferVerb): readonly TransferStatus[] {
  return TRANSFER_MOVES.filter((each) => each.from === from && each.verb === verb).map((each) => each.to)
}

/** The moves of which people and programs think ahead: what a recovery finds out of the past is no way on. */
export const MOVES_AHEAD: readonly Move[] = TRANSFER_MOVES.filter(({ verb }) => verb !== 'adopt')
