// The transfer by which money goes back: of a refund, or out of suspense. It is one of its own, so that it leaves by the same saga as
// any payout; it carries no fee, and no policy is asked about it, but where it goes elsewhere than back. Pure.
import { activity, type Decision, moved } from '../../contract/decision.ts'
import { nextAttempt, queuedExecution } from '../../transfer/attempt.ts'
import { judgedOpening } from '../../transfer/requirements.ts'
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

/** Money that is to go, by its route. */
export type Going = {
  readonly id: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly walletId: string
  readonly origin: Origin
  readonly route: Route
  /** By which the money came, where one is known. */
  readonly attempt: PaymentAttempt | null
}

/** With how long it waits before it leaves. */
export type Made = Going & { readonly delayMs: number }

/** Where the money of a refund comes from, with where it goes. */
export const originBy = (origin: Omit<Origin, 'goes'>, { price }: Route): Origin =>
  price === null ? origin : { ...origin, goes: 'elsewhere' }

/** The money as policies let it go, or why not: what goes elsewhere is judged as any transfer that is to be paid. Of a way back they say nothing. */
export function letGo(payment: Payment, going: Going, facts: PaymentFacts): Made | Refusal {
  const rules = going.route.price === null ? null : facts.rulesElsewhere()
  if (!rules) return { ...going, delayMs: 0 }
  const { contract, activities } = openedFor(payment, going, facts)
  const { why, delayMs } = judgedOpening({ ...contract, status: 'issued', paidAt: null, activities }, rules)
  return why ?? { ...going, delayMs }
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
  const { contract, activities } = openedFor(payment, made, facts)
  const attempt = nextAttempt(contract, made.route.channel.id, nowMs + made.delayMs)
  const written = { postings: holdPostings(contract, payment), attempt }
  return moved(contract, nowMs, { execution: queuedExecution(attempt) }, activities, 'contract.paid', written)
}

/** The transfer before its first version, and the lines of that. What goes elsewhere is paid by whoever asks for it. */
function openedFor(payment: Payment, going: Going, facts: PaymentFacts) {
  const { nowMs } = facts
  const { channel, recipient } = going.route
  const { currency, amountMinor, origin, walletId } = going
  const price = going.route.price ?? { feeMinor: 0n, debitMinor: amountMinor }
  const refunded = origin.from === 'payment' ? 'Refund of' : 'Return of money that fits no contract, of'
  const contract: Transfer = {
    ...OPENED,
    id: going.id,
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
    quote: quoteFor(channel, { payment, attempt: going.attempt, currency }, nowMs),
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
  const actor = going.route.price === null ? 'gateway' : 'account'
  const activities = (['created', 'issued', 'paid'] as const).map((type) => activity(type, nowMs, actor))
  return { contract, activities }
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
