// What a payer is shown of money that does not fit its payment contract, or is refunded. Pure.
import type { PaymentRefund, Payment } from '../../domain/payment/payment.ts'

export type MoneyNotice = {
  readonly kind: 'part' | 'unfit' | 'excess' | 'late' | 'held' | 'returning' | 'returned' | 'refunding' | 'refunded'
  readonly amountMinor: bigint
  readonly currency: string
  /** What is still missing after a part. */
  readonly restMinor: bigint
}

/** A part that came, and the rest; null where nothing came, or something that never makes the contract paid. */
export function partOf(payment: Payment): { readonly cameMinor: bigint; readonly restMinor: bigint } | null {
  const { status, suspenseMinor, unallocatedCount, debitMinor } = payment
  if (status !== 'issued' || suspenseMinor === 0n || unallocatedCount > 0 || suspenseMinor >= debitMinor) return null
  return { cameMinor: suspenseMinor, restMinor: debitMinor - suspenseMinor }
}

/** The notices about money, the most urgent first. */
export function moneyNotices(payment: Payment): MoneyNotice[] {
  return [...suspended(payment), ...payment.refunds.flatMap(refundNotice)]
}

function suspended(payment: Payment): MoneyNotice[] {
  const { suspenseMinor, returnsHeld, terms } = payment
  if (suspenseMinor === 0n) return []
  const part = partOf(payment)
  const notice = { amountMinor: suspenseMinor, currency: terms.currency, restMinor: part?.restMinor ?? 0n }
  if (part) return [{ ...notice, kind: 'part' }]
  return [{ ...notice, kind: returnsHeld ? 'held' : reasonOf(payment) }]
}

function reasonOf({ status }: Payment): 'unfit' | 'excess' | 'late' {
  if (status === 'issued') return 'unfit'
  return status === 'paid' || status === 'completed' ? 'excess' : 'late'
}

const KIND_OF = {
  payment: { open: 'refunding', done: 'refunded' },
  suspense: { open: 'returning', done: 'returned' },
} as const

/** A refund that failed is in suspense again, and is shown as that. */
function refundNotice({ from, status, amountMinor, currency }: PaymentRefund): MoneyNotice[] {
  return status === 'failed' ? [] : [{ kind: KIND_OF[from][status], amountMinor, currency, restMinor: 0n }]
}
