// Money in suspense whose return a recovery found at its provider, and adopted as a transfer of the account's own money, for the books
// did not know yet what it was of. It went once: no second transfer is made for it. Pure.
import { activity } from '../contract/decision.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'
import { fixedText } from '../money/money.ts'
import { nextDue } from '../payment/attempts.ts'
import {
  type AdoptedReturn,
  jobDue,
  outOfSuspense,
  type PaymentDecision,
  type PaymentFacts,
  paymentMoved,
} from '../payment/decision.ts'
import type { Payment, PaymentRefund, Receipt } from '../payment/payment.ts'

/** Whether the adopted transfer is known to have returned just this. */
export const hasReturned = ({ currency, suspenseMinor }: Receipt, { status, terms }: AdoptedReturn): boolean =>
  status === 'completed' && terms.currency === currency && terms.amountMinor === suspenseMinor

/** What the account paid back out of its own money is made good to it out of suspense. */
export function decideReturnedBefore(
  payment: Payment,
  receipt: Receipt,
  adopted: AdoptedReturn,
  facts: PaymentFacts,
): PaymentDecision {
  const { nowMs } = facts
  const { currency, suspenseMinor: amountMinor } = receipt
  const { walletId, changes, receipts } = outOfSuspense(payment, receipt, facts)
  const { id: transferId } = adopted
  const entry: PaymentRefund = { transferId, from: 'suspense', amountMinor, currency, status: 'done', at: nowMs }
  const after: Payment = { ...payment, ...changes, refunds: [...payment.refunds, entry] }
  const data = { amount: fixedText(amountMinor, currency), currency, transfer: transferId }
  const line = activity('payment_returned', nowMs, 'gateway', data)
  return paymentMoved(payment, nowMs, after, [line], 'contract.payment_returned', {
    placed: [{ walletId, debit: 'suspense', credit: 'available', amountMinor }],
    receipts,
    job: jobDue(payment, facts.job, nextDue(after, facts)),
  })
}

export function refuseUnresolved({ id }: AdoptedReturn): Refusal {
  const what = `A recovery found this return at its provider and adopted it as contract ${id}, which waits for an operator.`
  const words = `${what} Once that is resolved, send this again.`
  return { ...refuse('restored_request', 'id', words), contractId: id }
}
