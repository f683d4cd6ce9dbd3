// What was paid becomes available: at once, or after the days that the channel's settlement takes. Pure.
import { activity } from '../contract/decision.ts'
import { invariant } from '../invariant.ts'
import { nextDue } from './attempts.ts'
import { jobDue, type PaymentDecision, type PaymentFacts, paymentMoved } from './decision.ts'
import type { Payment } from './payment.ts'

/** Settles a paid contract. What was refunded before stays away. */
export function decideSettle(payment: Payment, facts: PaymentFacts): PaymentDecision {
  const { nowMs } = facts
  const { walletId, pendingMinor } = payment
  invariant(walletId !== null, 'a paid contract knows its wallet')
  const after: Payment = { ...payment, status: 'completed', completedAt: nowMs, pendingMinor: 0n }
  const job = jobDue(payment, facts.job, nextDue(after, facts))
  const placed =
    pendingMinor > 0n ? [{ walletId, debit: 'pending', credit: 'available', amountMinor: pendingMinor } as const] : []
  return paymentMoved(payment, nowMs, after, [activity('completed', nowMs, 'gateway')], 'contract.completed', {
    placed,
    job,
  })
}
