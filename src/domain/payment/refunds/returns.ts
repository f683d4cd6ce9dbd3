// Money that fits no contract and goes back out of suspense: by itself, or by an operator's hand. Pure.
import { activity } from '../../contract/decision.ts'
import { decideReturnedBefore, hasReturned, refuseUnresolved } from '../../recovery/returns.ts'
import { isRefusal, type Refusal, refuse } from '../../contract/refusals.ts'
import { fixedText } from '../../money/money.ts'
import { nextDue } from '../attempts.ts'
import type { ReturnPayment } from '../commands.ts'
import { jobDue, outOfSuspense, type PaymentDecision, type PaymentFacts, paymentMoved, unchanged } from '../decision.ts'
import type { Payment, Receipt } from '../payment.ts'
import { attemptOf, attemptsBy, NOWHERE_ELSE, type Route, wayOfReturn } from './routes.ts'
import { type Going, goingBack, letGo, type Made, originBy, refuseLacking, refuseTooSoon } from './transfers.ts'

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
    : returnedBy(payment, receipt, facts.returnId(receipt), route, facts)
}

/** A return that its provider has is begun again as it was, so that its money is that in suspense; nothing where it is of none. */
export function decideFoundReturn(payment: Payment, transferId: string, facts: PaymentFacts): PaymentDecision {
  const receipt = facts.waiting().find((each) => facts.returnId(each) === transferId)
  if (!receipt || facts.adoptedReturn(receipt)) return unchanged(payment)
  const route = wayOfReturn(payment, receipt, NOWHERE_ELSE, facts)
  return isRefusal(route) ? unchanged(payment) : returnedBy(payment, receipt, transferId, route, facts)
}

/** All that is in suspense waits for an operator. */
export function heldBack(
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
  const made = letGo(payment, goingOf(payment, receipt, command.transferId, route, facts), facts)
  if (isRefusal(made)) return made
  const { currency } = receipt
  const wallet = facts.wallet(receipt.walletId, currency)
  const onTopMinor = route.price ? route.price.debitMinor - receipt.suspenseMinor : 0n
  const lackingMinor = onTopMinor - (wallet?.availableMinor ?? 0n)
  if (lackingMinor > 0n) return refuseLacking(lackingMinor, currency, 'return')
  return returned({ ...payment, returnsHeld: false }, receipt, made, facts)
}

function refuseReturnTooSoon({ refunds: all }: Payment, nowMs: number): Refusal | null {
  const made = all.filter(({ from }) => from === 'suspense')
  return refuseTooSoon(made, nowMs, 'id', `Money was returned ${made.length} times, and the last ones failed`)
}

/** What an amount in suspense goes out as. */
function goingOf(payment: Payment, receipt: Receipt, id: string, route: Route, facts: PaymentFacts): Going {
  const { currency, suspenseMinor: amountMinor } = receipt
  const { walletId } = outOfSuspense(payment, receipt, facts)
  const by = { refundOf: route.refundOf, refundOfAttempts: attemptsBy(payment, receipt.attempt, receipt.channelId) }
  const origin = originBy({ paymentId: payment.id, from: 'suspense', ...by, pendingMinor: 0n }, route)
  return { id, amountMinor, currency, walletId, origin, route, attempt: attemptOf(payment, receipt) }
}

/** Back to whoever paid it, at once. */
const returnedBy = (payment: Payment, receipt: Receipt, id: string, route: Route, facts: PaymentFacts) =>
  returned(payment, receipt, { ...goingOf(payment, receipt, id, route, facts), delayMs: 0 }, facts)

function returned(payment: Payment, receipt: Receipt, made: Made, facts: PaymentFacts): PaymentDecision {
  const { id: transfer, amountMinor, currency } = made
  const { changes, receipts } = outOfSuspense(payment, receipt, facts)
  const data = { amount: fixedText(amountMinor, currency), currency, transfer, reference: receipt.objectId }
  const line = activity('return_started', facts.nowMs, 'gateway', data)
  return { ...goingBack(payment, made, changes, line, facts), receipts }
}
