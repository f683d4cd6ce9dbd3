// Where the money of a transfer is and what it waits for, on the wire.
import Type from 'typebox'
import { majorNumber } from '../domain/money/money.ts'
import { explain, type Payouts } from '../domain/contract/explain-transfer.ts'
import { EXECUTION_STATUSES } from '../domain/transfer/moves.ts'
import type { Attempt, Transfer } from '../domain/transfer/transfer.ts'
import { envelope, nullable, nullableTime, type Wire, Currency } from './shapes.ts'
import { isoOrNull } from './times.ts'

const Place = Type.Object({
  account: Type.String({
    description:
      'available, held and in_transit are of the payer’s wallet; fee_revenue is the gateway’s; recipient is outside.',
  }),
  amount: Type.Number(),
  currency: Currency,
})

export const Explanation = Type.Object(
  {
    summary: Type.String({ description: 'For people; the words may change.' }),
    places: Type.Array(Place, { description: 'Where each part of the debit is; empty while nothing is bound.' }),
    waits_for: Type.Enum(['caller', 'gateway', 'channel', 'operator', 'nobody'], { description: 'Who must act.' }),
    by: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the next thing happens by itself at the latest; null when nothing does.',
      }),
    ),
    cancel_now: Type.String({ description: 'What a cancel would do at this moment, for people.' }),
    attempt: nullable(
      Type.Object(
        {
          number: Type.Integer(),
          channel: Type.String(),
          reference: Type.String({ description: 'What the channel knows it by.' }),
          status: Type.Enum([...EXECUTION_STATUSES]),
          tries: Type.Integer({ description: 'How often the channel was asked without an outcome.' }),
          submitted_at: nullableTime,
          next_at: nullableTime,
        },
        { description: 'The newest attempt.' },
      ),
    ),
  },
  { $id: 'TransferExplanation' },
)

export const ExplanationReply = envelope('number', Type.Object({ explanation: Explanation }))

/** Where the money of a transfer is, and what it waits for. */
export function presentExplanation(
  contract: Transfer,
  attempt: Attempt | null,
  payouts: Payouts,
): Wire<typeof Explanation> {
  const { currency } = contract.terms
  const { summary, places, waitsFor, byMs, cancelNow } = explain(contract, attempt, payouts)
  return {
    summary,
    places: places.map(({ account, amountMinor }) => ({
      account,
      amount: majorNumber(amountMinor, currency),
      currency,
    })),
    waits_for: waitsFor,
    by: isoOrNull(byMs),
    cancel_now: cancelNow,
    attempt: attempt && presentAttempt(attempt),
  }
}

function presentAttempt(attempt: Attempt): Wire<typeof Explanation>['attempt'] {
  return {
    number: attempt.number,
    channel: attempt.channelId,
    reference: attempt.reference,
    status: attempt.status,
    tries: attempt.tries,
    submitted_at: isoOrNull(attempt.submittedAt),
    next_at: isoOrNull(attempt.dueAt),
  }
}
