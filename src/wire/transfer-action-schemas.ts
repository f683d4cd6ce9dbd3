// The wire shapes of what is done about a transfer that is stuck: tried again, and explained.
import Type, { type Static } from 'typebox'
import { EXECUTION_STATUSES } from '../domain/transfer/moves.ts'
import { closed, envelope, nullable, nullableTime } from './shapes.ts'

export const RetryBody = closed(
  {
    channel: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The channel to try; by default that of the attempt that failed. The price stays.',
        }),
      ),
    ),
  },
  { $id: 'RetryRequest' },
)
export type RetryBody = Static<typeof RetryBody>

const Place = Type.Object({
  account: Type.String({
    description:
      'available, held and in_transit are of the payer’s wallet; fee_revenue is the gateway’s; recipient is outside.',
  }),
  amount: Type.Number(),
  currency: Type.String(),
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
