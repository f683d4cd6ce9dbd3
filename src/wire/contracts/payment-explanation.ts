// Where the money of a payment contract is and what it waits for, on the wire.
import Type from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import { explainPayment } from '../../domain/contract/explain-payment.ts'
import type { CollectionJob, Payment } from '../../domain/payment/payment.ts'
import { envelope, nullable, type Wire } from '../shapes.ts'
import { isoOrNull } from '../times.ts'

const Place = Type.Object({
  account: Type.String({
    description:
      'suspense, pending and available are of the account’s wallet; fee_revenue is the gateway’s; payer is outside: what was refunded, or is on its way there.',
  }),
  amount: Type.Number(),
  currency: Type.String(),
})

export const PaymentExplanation = Type.Object(
  {
    summary: Type.String({ description: 'For people; the words may change.' }),
    places: Type.Array(Place, {
      description: 'Where each part of what came in the contract’s currency is; empty while nothing has come.',
    }),
    waits_for: Type.Enum(['payer', 'caller', 'gateway', 'channel', 'nobody'], {
      description: 'Who must act.',
    }),
    by: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the next thing happens by itself at the latest; null when nothing does.',
      }),
    ),
    cancel_now: Type.String({ description: 'What a cancel would do at this moment, for people.' }),
  },
  { $id: 'PaymentExplanation' },
)

export const PaymentExplanationReply = envelope('number', Type.Object({ explanation: PaymentExplanation }))

export function presentPaymentExplanation(
  payment: Payment,
  job: CollectionJob | null,
): Wire<typeof PaymentExplanation> {
  const { currency } = payment.terms
  const { summary, places, waitsFor, byMs, cancelNow } = explainPayment(payment, job)
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
  }
}
