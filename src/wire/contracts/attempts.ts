// The attempts at a contract on the wire, with what is kept of calls to the channel that ended in no definite success.
import Type from 'typebox'
import {
  CALLS_KEPT,
  EXCHANGES_KEPT,
  TEXT_KEPT,
  type KeptExchange,
  type ShownCall,
} from '../../domain/channel/exchange.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { PAYMENT_KINDS } from '../../domain/payment/kinds.ts'
import { type Payment, PAYMENT_ATTEMPT_STATUSES, type PaymentAttempt } from '../../domain/payment/payment.ts'
import type { MadeAttempt } from '../../domain/transfer/attempts-made.ts'
import { EXECUTION_STATUSES } from '../../domain/transfer/moves.ts'
import { envelope, nullable, nullableText, nullableTime, time, type Wire } from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'

const CUT = `Its first ${TEXT_KEPT} characters, without secrets, and with account numbers as their last four digits.`

const ChannelExchange = Type.Object(
  {
    at: time('When the request was sent.'),
    method: Type.String(),
    path: Type.String({ description: 'Without the host of the channel.' }),
    request_body: nullable(Type.String({ description: CUT })),
    status_code: nullable(Type.Integer({ description: 'Null where no whole reply came.' })),
    response_body: nullable(Type.String({ description: CUT })),
    fault: nullable(Type.String({ description: 'Why no whole reply came.' })),
    duration_ms: Type.Integer(),
  },
  { $id: 'ChannelExchange', description: 'One request to a channel. Its headers are never kept.' },
)

const ChannelCall = Type.Object(
  {
    at: time('When its report was recorded.'),
    outcome: Type.String({
      description: 'What the gateway made of it: failed, unknown, not_sent, not_found, returned.',
    }),
    exchanges: Type.Array(ChannelExchange, { description: `The newest ${EXCHANGES_KEPT}.` }),
  },
  { $id: 'ChannelCall' },
)

const calls = Type.Array(ChannelCall, {
  description: `Calls that ended in no definite success, oldest first: the newest ${CALLS_KEPT}, for 30 days. Orders that left in a file with others have none.`,
})
const failure = nullable(Type.Object({ code: Type.String(), message: Type.String() }))

export const MadeTransferAttempt = Type.Object(
  {
    number: Type.Integer(),
    channel: nullableText,
    reference: Type.String({ description: 'What the channel knows it by.' }),
    status: Type.Enum([...EXECUTION_STATUSES]),
    tries: nullable(
      Type.Integer({
        description:
          'How often the channel was asked without an outcome; of looks that it did not answer the first few count. Null of an attempt that another one has followed.',
      }),
    ),
    created_at: time('When.'),
    submitted_at: nullableTime,
    ended_at: nullableTime,
    next_at: nullableTime,
    failure,
    calls,
  },
  { $id: 'MadeTransferAttempt' },
)

export const MadePaymentAttempt = Type.Object(
  {
    number: Type.Integer(),
    type: Type.Enum([...PAYMENT_KINDS]),
    channel: Type.String(),
    reference: Type.String({ description: 'What the channel knows it by.' }),
    status: Type.Enum([...PAYMENT_ATTEMPT_STATUSES]),
    amount: Type.Number({ description: 'What the payer is to pay.' }),
    fee: Type.Number(),
    provider_id: nullableText,
    created_at: time('When.'),
    failure,
    calls,
  },
  { $id: 'MadePaymentAttempt' },
)

export const TransferAttemptsReply = envelope(
  'number',
  Type.Object({ attempts: Type.Array(MadeTransferAttempt), next: nullableText }),
)
export const PaymentAttemptsReply = envelope(
  'number',
  Type.Object({ attempts: Type.Array(MadePaymentAttempt), next: nullableText }),
)

export function presentTransferAttempt(
  attempt: MadeAttempt,
  kept: readonly ShownCall[],
): Wire<typeof MadeTransferAttempt> {
  return {
    number: attempt.number,
    channel: attempt.channelId,
    reference: attempt.reference,
    status: attempt.status,
    tries: attempt.tries,
    created_at: iso(attempt.createdAt),
    submitted_at: isoOrNull(attempt.submittedAt),
    ended_at: isoOrNull(attempt.endedAt),
    next_at: isoOrNull(attempt.nextAt),
    failure: attempt.failure,
    calls: callsOf(attempt.number, kept),
  }
}

export function presentPaymentAttempt(
  { terms: { currency } }: Payment,
  attempt: PaymentAttempt,
  kept: readonly ShownCall[],
): Wire<typeof MadePaymentAttempt> {
  return {
    number: attempt.number,
    type: attempt.kind,
    channel: attempt.channelId,
    reference: attempt.reference,
    status: attempt.status,
    amount: majorNumber(attempt.debitMinor, currency),
    fee: majorNumber(attempt.feeMinor, currency),
    provider_id: attempt.providerId,
    created_at: iso(attempt.createdAt),
    failure: attempt.failure,
    calls: callsOf(attempt.number, kept),
  }
}

function callsOf(number: number, kept: readonly ShownCall[]): Wire<typeof ChannelCall>[] {
  return kept
    .filter(({ attempt }) => attempt === number)
    .map(({ at, outcome, exchanges }) => ({ at: iso(at), outcome, exchanges: exchanges.map(presentExchange) }))
}

function presentExchange(exchange: KeptExchange): Wire<typeof ChannelExchange> {
  return {
    at: iso(exchange.at),
    method: exchange.method,
    path: exchange.path,
    request_body: exchange.request,
    status_code: exchange.status,
    response_body: exchange.response,
    fault: exchange.fault,
    duration_ms: exchange.durationMs,
  }
}
