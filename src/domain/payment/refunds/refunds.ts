// A refund of what was paid, and what becomes of a payment contract when money on its way back has arrived, or has not. Pure.
import { activity } from '../../contract/decision.ts'
import { amountFaultWords, displayText, fixedText, parseAmount } from '../../money/money.ts'
import { invariant } from '../../invariant.ts'
import type { RefundPayment } from '../commands.ts'
import { type PaymentDecision, type PaymentFacts, paymentMoved, unchanged } from '../decision.ts'
import type { PayerPlace } from '../../channel/collection.ts'
import type { PaymentRefund, Payment, Receipt } from '../payment.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../contract/refusals.ts'
import type { Origin, Transfer } from '../../transfer/transfer.ts'
import { attemptsBy, wayFor } from './routes.ts'
import { goingBack, letGo, originBy, refuseLacking, REFUNDS_MAX, refuseTooSoon } from './transfers.ts'

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
  const by = { refundOf: route.refundOf, refundOfAttempts: attemptsBy(payment, payment.paidAttempt, channelId) }
  const origin = originBy({ paymentId: payment.id, from: 'payment', ...by, pendingMinor }, route)
  const going = { id: command.transferId, amountMinor, currency, walletId: payment.walletId, origin, route, attempt }
  const made = letGo(payment, going, facts)
  if (isRefusal(made)) return made
  const wallet = facts.wallet(payment.walletId, currency)
  const lackingMinor = (route.price?.debitMinor ?? amountMinor) - pendingMinor - (wallet?.availableMinor ?? 0n)
  if (lackingMinor > 0n) return refuseLacking(lackingMinor, currency, 'refund')
  const changes: Partial<Payment> = {
    refundedMinor: payment.refundedMinor + amountMinor,
    pendingMinor: payment.pendingMinor - pendingMinor,
  }
  const data = { amount: fixedText(amountMinor, currency), transfer: command.transferId }
  const said = command.reason === null ? data : { ...data, reason: command.reason }
  const line = activity('refund_started', facts.nowMs, 'account', said)
  return goingBack(payment, made, changes, line, facts)
}

function refundAmount({ amount }: RefundPayment, leftMinor: bigint, currency: string): bigint | Refusal {
  if (leftMinor <= 0n) return refuse('refund_exceeds_payment', 'amount', 'Everything that was paid has been refunded.')
  if (amount === null) return leftMinor
  const parsed = parseAmount(amount, currency)
  if ('fault' in parsed) return refuseAll([invalid('amount', amountFaultWords(parsed.fault, currency))])
  if (parsed.amountMinor <= leftMinor) return parsed.amountMinor
  return refuse('refund_exceeds_payment', 'amount', `Only ${displayText(leftMinor, currency)} is left to refund.`)
}

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

/**
 * Who was to get what went back, and is still known as its payer: by hand the same account may be named again. Nobody where it went elsewhere,
 * or by the rail, which knows itself whom it refunds.
 */
function wentBackTo({ terms: { channelId, recipient } }: Transfer, { goes, refundOf }: Origin): PayerPlace | null {
  if (channelId === null || recipient === null || goes === 'elsewhere' || refundOf !== null) return null
  const named = Object.entries(recipient).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { channelId, recipient: Object.fromEntries(named) }
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
    payer: wentBackTo(transfer, origin),
    reportedBy: 'gateway',
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
