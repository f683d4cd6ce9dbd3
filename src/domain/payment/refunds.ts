// Money that goes back to a payer: a refund of what was paid, or a return of what fits no contract. Each is a transfer of its
// own, so that it leaves by the same saga as any payout; it carries no fee, but where it goes elsewhere than back. Pure.
import { activity, type Decision, moved } from '../contract/decision.ts'
import { nextAttempt, queuedExecution } from '../transfer/attempt.ts'
import { invariant } from '../invariant.ts'
import { amountFaultWords, displayText, fixedText, parseAmount } from '../money/money.ts'
import { nextDue } from './attempts.ts'
import type { RefundPayment, ReturnPayment } from './commands.ts'
import { jobDue, outOfSuspense, type PaymentDecision, type PaymentFacts, paymentMoved, unchanged } from './decision.ts'
import { decideReturnedBefore, hasReturned, refuseUnresolved } from '../recovery/returns.ts'
import { type PaymentRefund, type Payment, type PaymentAttempt, type Receipt } from './payment.ts'
import { holdPostings } from '../money/postings.ts'
import { attemptOf, NOWHERE_ELSE, quoteFor, type Route, wayFor, wayOfReturn } from './refund-routes.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import type { Origin, Transfer } from '../transfer/transfer.ts'

/** Refunds what was paid, or a part; refused above what is left. */
export function decideRefund(payment: Payment, command: RefundPayment, facts: PaymentFacts): PaymentDecision | Refusal {
  const { currency } = payment.terms
  const leftMinor = payment.paidMinor - payment.refundedMinor
  const amountMinor = refundAmount(command, leftMinor, currency)
  if (isRefusal(amountMinor)) return amountMinor
  const many = refuseMany(payment, amountMinor < leftMinor ? displayText(leftMinor, currency) : null, facts.nowMs)
  if (many) return many
  const wordy = refuseReason(payment, command.reason)
  if (wordy) return wordy
  const paid = payment.paidBy
  invariant(paid !== null && payment.walletId !== null, 'a paid contract knows what paid it, and its wallet')
  const attempt = payment.paidAttempt === null ? null : (payment.attempts[payment.paidAttempt - 1] ?? null)
  const { channelId } = payment.terms
  const came = { payment, attempt, currency }
  const route = wayFor(came, { ...paid, channelId }, amountMinor, command, facts)
  if (isRefusal(route)) return route
  // What goes elsewhere than back is settled money, whatever of the payment is still pending.
  const isPending = route.price === null && payment.pendingMinor > 0n
  const pendingMinor = !isPending ? 0n : payment.pendingMinor < amountMinor ? payment.pendingMinor : amountMinor
  const wallet = facts.wallet(payment.walletId, currency)
  const lackingMinor = (route.price?.debitMinor ?? amountMinor) - pendingMinor - (wallet?.availableMinor ?? 0n)
  if (lackingMinor > 0n) return refuseLacking(lackingMinor, currency, 'refund')
  const origin: Origin = { paymentId: payment.id, from: 'payment', refundOf: route.refundOf, pendingMinor }
  const changes: Partial<Payment> = {
    refundedMinor: payment.refundedMinor + amountMinor,
    pendingMinor: payment.pendingMinor - pendingMinor,
  }
  const data = { amount: fixedText(amountMinor, currency), transfer: command.transferId }
  const line = activity(
    'refund_started',
    facts.nowMs,
    'account',
    command.reason === null ? data : { ...data, reason: command.reason },
  )
  return refunds(
    payment,
    { id: command.transferId, amountMinor, currency, walletId: payment.walletId, origin, route, attempt },
    changes,
    line,
    facts,
  )
}

function refuseLacking(lackingMinor: bigint, currency: string, what: 'refund' | 'return'): Refusal {
  const lacking = displayText(lackingMinor, currency)
  return refuse('insufficient_funds', 'amount', `The wallet lacks ${lacking} of settled money for this ${what}.`)
}

function refundAmount({ amount }: RefundPayment, leftMinor: bigint, currency: string): bigint | Refusal {
  if (leftMinor <= 0n) return refuse('refund_exceeds_payment', 'amount', 'Everything that was paid has been refunded.')
  if (amount === null) return leftMinor
  const parsed = parseAmount(amount, currency)
  if ('fault' in parsed) return refuseAll([invalid('amount', amountFaultWords(parsed.fault, currency))])
  if (parsed.amountMinor <= leftMinor) return parsed.amountMinor
  return refuse('refund_exceeds_payment', 'amount', `Only ${displayText(leftMinor, currency)} is left to refund.`)
}

/** Each version repeats all refunds, those that failed too. Beyond so many only all that is left goes back, so that nothing has to stay. */
const REFUNDS_MAX = 100
const AGAIN_AFTER_MS = 3_600_000
/** Three weeks: then what fails for ever adds less in a year than the parts did. */
const DOUBLINGS_MAX = 9

/** `left`: what is left, in words, where only a part of it is asked for. */
function refuseMany({ refunds: all }: Payment, left: string | null, nowMs: number): Refusal | null {
  const made = all.filter(({ from }) => from === 'payment')
  if (made.length < REFUNDS_MAX) return null
  const many = `The payment has had ${made.length} refunds`
  const mend = `Leave amount out: all that is left, ${left}, can still be refunded at once.`
  if (left !== null) return refuse('refunds_exhausted', 'amount', `${many}: ${REFUNDS_MAX} may be of a part. ${mend}`)
  return refuseTooSoon(made, nowMs, 'amount', `${many}, and the last ones failed`)
}

/** Of all refunds of a payment together: each version repeats those, too. */
const REASONS_CHARS_MAX = 20_000

function refuseReason({ activities }: Payment, reason: string | null): Refusal | null {
  const given = activities.map(({ type, data }) =>
    type === 'refund_started' ? String(data?.['reason'] ?? '').length : 0,
  )
  const left = REASONS_CHARS_MAX - given.reduce((sum, each) => sum + each, 0)
  if (reason === null || reason.length <= left) return null
  const bound = `The reasons of all refunds of a payment have ${REASONS_CHARS_MAX} characters at most`
  return refuse(
    'refunds_exhausted',
    'reason',
    `${bound}, and ${Math.max(0, left)} are left: shorten it, or leave it out.`,
  )
}

/** Beyond so many, each one that failed keeps the next one away twice as long. */
function refuseTooSoon(
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

/** Returns one amount out of suspense; where there is no way back, all of it waits for an operator. */
export function decideReturn(payment: Payment, receipt: Receipt, facts: PaymentFacts): PaymentDecision {
  const adopted = facts.adoptedReturn(receipt)
  if (adopted)
    return hasReturned(receipt, adopted)
      ? decideReturnedBefore(payment, receipt, adopted, facts)
      : heldBack(payment, receipt, { reason: 'a recovery adopted this return', transfer: adopted.id }, facts)
  const route = wayOfReturn(payment, receipt, NOWHERE_ELSE, facts)
  return isRefusal(route)
    ? heldBack(payment, receipt, { reason: 'no way back is known' }, facts)
    : returned(payment, receipt, facts.returnId(receipt), route, facts)
}

/** A return that its provider has is begun again as it was, so that its money is that in suspense; nothing where it is of none. */
export function decideFoundReturn(payment: Payment, transferId: string, facts: PaymentFacts): PaymentDecision {
  const receipt = facts.waiting().find((each) => facts.returnId(each) === transferId)
  if (!receipt || facts.adoptedReturn(receipt)) return unchanged(payment)
  const route = wayOfReturn(payment, receipt, NOWHERE_ELSE, facts)
  return isRefusal(route) ? unchanged(payment) : returned(payment, receipt, transferId, route, facts)
}

function heldBack(
  payment: Payment,
  receipt: Receipt,
  why: Readonly<Record<string, string>>,
  facts: PaymentFacts,
): PaymentDecision {
  const held: Payment = { ...payment, returnsHeld: true }
  const data = { ...why, reference: receipt.objectId }
  const line = activity('refund_failed', facts.nowMs, 'gateway', data)
  return paymentMoved(payment, facts.nowMs, { returnsHeld: true }, [line], null, {
    job: jobDue(payment, facts.job, nextDue(held, facts)),
  })
}

/**
 * The amount in suspense that is returned by hand: the oldest that goes back to whoever paid it as the command says, so that a payer who
 * is named gets no other payer's money; else the oldest.
 */
function meantByHand(payment: Payment, command: ReturnPayment, facts: PaymentFacts): Receipt | undefined {
  const waiting = facts.waiting()
  const goesBack = (each: Receipt) => {
    const route = wayOfReturn(payment, each, command, facts)
    return !isRefusal(route) && route.price === null
  }
  return waiting.find((each) => facts.adoptedReturn(each) !== undefined || goesBack(each)) ?? waiting[0]
}

/** An operator returns an amount in suspense, and names the recipient where none is known. */
export function decideReturnByHand(
  payment: Payment,
  command: ReturnPayment,
  facts: PaymentFacts,
): PaymentDecision | Refusal {
  const receipt = meantByHand(payment, command, facts)
  if (!receipt) return refuse('nothing_in_suspense', 'id', 'Nothing of this contract is in suspense.')
  const adopted = facts.adoptedReturn(receipt)
  if (adopted?.status === 'paid') return refuseUnresolved(adopted)
  if (adopted?.status === 'completed')
    return decideReturnedBefore({ ...payment, returnsHeld: false }, receipt, adopted, facts)
  const tooSoon = refuseReturnTooSoon(payment, facts.nowMs)
  if (tooSoon) return tooSoon
  const route = wayOfReturn(payment, receipt, command, facts)
  if (isRefusal(route)) return route
  const { currency } = receipt
  const wallet = facts.wallet(receipt.walletId, currency)
  const onTopMinor = route.price ? route.price.debitMinor - receipt.suspenseMinor : 0n
  const lackingMinor = onTopMinor - (wallet?.availableMinor ?? 0n)
  if (lackingMinor > 0n) return refuseLacking(lackingMinor, currency, 'return')
  return returned({ ...payment, returnsHeld: false }, receipt, command.transferId, route, facts)
}

function refuseReturnTooSoon({ refunds: all }: Payment, nowMs: number): Refusal | null {
  const made = all.filter(({ from }) => from === 'suspense')
  return refuseTooSoon(made, nowMs, 'id', `Money was returned ${made.length} times, and the last ones failed`)
}

function returned(
  payment: Payment,
  receipt: Receipt,
  transferId: string,
  route: Route,
  facts: PaymentFacts,
): PaymentDecision {
  const { currency, suspenseMinor: amountMinor } = receipt
  const { walletId, changes, receipts } = outOfSuspense(payment, receipt, facts)
  const origin: Origin = { paymentId: payment.id, from: 'suspense', refundOf: route.refundOf, pendingMinor: 0n }
  const data = { amount: fixedText(amountMinor, currency), currency, transfer: transferId, reference: receipt.objectId }
  const line = activity('return_started', facts.nowMs, 'gateway', data)
  const made = { id: transferId, amountMinor, currency, walletId, origin, route, attempt: attemptOf(payment, receipt) }
  return { ...refunds(payment, made, changes, line, facts), receipts }
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

function refunds(
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

/** What becomes of the payment contract when a transfer that refunds its money has ended; as it stands otherwise. */
export function decideEnded(payment: Payment, before: Transfer, after: Transfer, facts: PaymentFacts): PaymentDecision {
  const { origin } = after
  if (!origin || after.status === before.status) return unchanged(payment)
  if (after.status === 'completed') return arrived(payment, after, origin, facts)
  return after.status === 'cancelled' ? cameBack(payment, before, after, origin, facts) : unchanged(payment)
}

function arrived(payment: Payment, transfer: Transfer, origin: Origin, facts: PaymentFacts): PaymentDecision {
  const { nowMs } = facts
  const type = origin.from === 'payment' ? 'payment_refunded' : 'payment_returned'
  const event = origin.from === 'payment' ? 'contract.refunded' : 'contract.payment_returned'
  const line = activity(type, nowMs, 'gateway', amountOf(transfer))
  return paymentMoved(payment, nowMs, { refunds: withStatus(payment, transfer.id, 'done') }, [line], event)
}

/** It failed for good: the money is back where it came from, and what was returned once waits for an operator. */
function cameBack(
  payment: Payment,
  before: Transfer,
  transfer: Transfer,
  origin: Origin,
  facts: PaymentFacts,
): PaymentDecision {
  const { nowMs } = facts
  // A fee on top was the account's own money; one that was taken out of the amount is spent where it had arrived.
  const { amountMinor: askedMinor } = transfer.terms
  const line = activity('refund_failed', nowMs, 'gateway', amountOf(transfer))
  const refunds = withStatus(payment, transfer.id, 'failed')
  if (origin.from === 'payment') {
    const pendingMinor = payment.status === 'paid' ? origin.pendingMinor : 0n
    const changes = {
      refunds,
      refundedMinor: payment.refundedMinor - askedMinor,
      pendingMinor: payment.pendingMinor + pendingMinor,
    }
    return paymentMoved(payment, nowMs, changes, [line], null)
  }
  const { currency } = transfer.terms
  const isOwn = currency === payment.terms.currency
  const amountMinor = before.heldMinor < askedMinor ? before.heldMinor : askedMinor
  const changes = {
    refunds,
    suspenseMinor: payment.suspenseMinor + (isOwn ? amountMinor : 0n),
    unallocatedCount: payment.unallocatedCount + 1,
    returnsHeld: true,
  }
  const name = `return:${transfer.id}:${transfer.version}`
  const receipt: Receipt = {
    eventId: name,
    objectId: name,
    contractId: payment.id,
    attempt: null,
    channelId: transfer.terms.channelId ?? 'other',
    walletId: transfer.walletId,
    currency,
    amountMinor,
    suspenseMinor: amountMinor,
    reason: 'return_failed',
    payer: null,
    at: nowMs,
  }
  return paymentMoved(payment, nowMs, changes, [line], null, { receipts: [receipt] })
}

const amountOf = ({ id, terms }: Transfer) => ({
  amount: fixedText(terms.amountMinor, terms.currency),
  currency: terms.currency,
  transfer: id,
})

function withStatus(
  { refunds: all }: Payment,
  transferId: string,
  status: PaymentRefund['status'],
): readonly PaymentRefund[] {
  return all.map((each) => (each.transferId === transferId ? { ...each, status } : each))
}
