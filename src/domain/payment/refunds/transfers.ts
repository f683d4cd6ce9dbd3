// The transfer by which money goes back: of a refund, or out of suspense. It is one of its own, so that it leaves by the same saga as
// any payout; it carries no fee, but where it goes elsewhere than back. Pure.
import { activity, type Decision, moved } from '../../contract/decision.ts'
import { nextAttempt, queuedExecution } from '../../transfer/attempt.ts'
import { displayText } from '../../money/money.ts'
import { nextDue } from '../attempts.ts'
import { jobDue, type PaymentDecision, type PaymentFacts, paymentMoved } from '../decision.ts'
import { type PaymentRefund, type Payment, type PaymentAttempt } from '../payment.ts'
import { holdPostings } from '../../money/postings.ts'
import { quoteFor, type Route } from './routes.ts'
import { type Refusal, refuse } from '../../contract/refusals.ts'
import type { Origin, Transfer } from '../../transfer/transfer.ts'

export function refuseLacking(lackingMinor: bigint, currency: string, what: 'refund' | 'return'): Refusal {
  const lacking = displayText(lackingMinor, currency)
  return refuse('insufficient_funds', 'amount', `The wallet lacks ${lacking} of settled money for this ${what}.`)
}

/** Each version repeats all refunds, those that failed too. Beyond so many only all that is left goes back, so that nothing has to stay. */
export const REFUNDS_MAX = 100
const AGAIN_AFTER_MS = 3_600_000
/** Three weeks: then what fails for ever adds less in a year than the parts did. */
const DOUBLINGS_MAX = 9

/** Beyond so many, each one that failed keeps the next one away twice as long. */
export function refuseTooSoon(
  made: readonly PaymentRefund[],
  nowMs: number,
  param: 'amount' | 'id',
  why: string,
): Refusal | null {
  const beyond = made.slice(REFUNDS_MAX)
  const failed = beyond.length - 1 - beyond.findLastIndex(({ status }) => status !== 'failed')
  const last = beyond.at(-1)
  if (!last || failed === 0) return null
  const againAtMs = last.at + AGAIN_AFTER_MS * 2 ** Math.min(failed - 1, DOUBLINGS_MAX)
  if (againAtMs <= nowMs) return null
  return refuse('refunds_exhausted', param, `${why}: send it again after ${new Date(againAtMs).toISOString()}.`)
}

type Made = {
  readonly id: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly walletId: string
  readonly origin: Origin
  readonly route: Route
  /** By which the money came, where one is known. */
  readonly attempt: PaymentAttempt | null
}

/** The contract with money on its way back, and the transfer that takes it there. */
export function goingBack(
  payment: Payment,
  made: Made,
  changes: Partial<Payment>,
  line: PaymentDecision['after']['activities'][number],
  facts: PaymentFacts,
): PaymentDecision {
  const { id: transferId, amountMinor, currency, origin } = made
  const entry: PaymentRefund = { transferId, from: origin.from, amountMinor, currency, status: 'open', at: facts.nowMs }
  const after: Payment = { ...payment, ...changes, refunds: [...payment.refunds, entry] }
  return paymentMoved(payment, facts.nowMs, after, [line], null, {
    spawned: transferOf(payment, made, facts),
    job: jobDue(payment, facts.job, nextDue(after, facts)),
  })
}

/** The transfer of a refund: it opens paid, for its money is held with the same decision. */
function transferOf(payment: Payment, made: Made, facts: PaymentFacts): Decision {
  const { nowMs } = facts
  const { channel, recipient } = made.route
  const { currency, amountMinor, origin, walletId } = made
  const price = made.route.price ?? { feeMinor: 0n, debitMinor: amountMinor }
  const refunded = origin.from === 'payment' ? 'Refund of' : 'Return of money that fits no contract, of'
  const contract: Transfer = {
    ...OPENED,
    id: made.id,
    lane: payment.lane,
    accountId: payment.accountId,
    livemode: payment.livemode,
    terms: {
      amountMinor,
      currency,
      issuedTo: payment.terms.issuedTo,
      ...(payment.terms.issuedToProfile && { issuedToProfile: payment.terms.issuedToProfile }),
      description: `${refunded} payment ${payment.id}`,
      deliverable: { type: 'refund', referenceId: payment.id, description: null, details: null },
      recipient,
      channelId: channel.id,
    },
    channelVersion: channel.version,
    quote: quoteFor(channel, { payment, attempt: made.attempt, currency }, nowMs),
    ...price,
    createdAt: nowMs,
    updatedAt: nowMs,
    expiresAt: nowMs + OPEN_MS,
    issuedAt: nowMs,
    paidAt: nowMs,
    walletId,
    heldMinor: price.debitMinor,
    origin,
  }
  const attempt = nextAttempt(contract, channel.id, nowMs)
  const activities = (['created', 'issued', 'paid'] as const).map((type) => activity(type, nowMs, 'gateway'))
  const written = { postings: holdPostings(contract, payment), attempt }
  return moved(contract, nowMs, { execution: queuedExecution(attempt) }, activities, 'contract.paid', written)
}

const OPEN_MS = 14 * 86_400_000

const OPENED = {
  kind: 'transfer',
  status: 'paid',
  version: 0,
  sequence: 0,
  warnings: [],
  completedAt: null,
  execution: { status: 'none', number: 0, reference: null, submittedAt: null, failure: null },
  cancellation: null,
  refund: null,
  pays: null,
  activities: [],
} as const
