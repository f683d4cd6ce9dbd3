// What an account used in a day, and what of it one version of a contract counts. Pure.
import type { Contract } from '../contract/contract.ts'

/** Contracts of one currency in a day. Amounts in minor units. */
export type ContractUsage = {
  readonly transfersCreated: number
  readonly transfersCompleted: number
  /** Paid, and not delivered, or come back: failures, not what its owner cancelled. */
  readonly transfersFailed: number
  readonly paymentsCreated: number
  readonly paymentsPaid: number
  /** Of the transfers that were completed, whatever became of them after. */
  readonly outMinor: bigint
  /** Of the payments that were paid, without what was refunded. */
  readonly inMinor: bigint
}

/** What was counted of a day, YYYY-MM-DD in UTC. */
export type StoredUsage = ContractUsage & { readonly day: string; readonly currency: string }

export type DeliveryUsage = { readonly day: string; readonly delivered: number; readonly failed: number }

const NOTHING: ContractUsage = {
  transfersCreated: 0,
  transfersCompleted: 0,
  transfersFailed: 0,
  paymentsCreated: 0,
  paymentsPaid: 0,
  outMinor: 0n,
  inMinor: 0n,
}

/** What a contract counts that comes from one version to the next; null where it is nothing. */
export function usageOf(before: Contract | null, after: Contract): ContractUsage | null {
  if (before !== null && before.status === after.status) return null
  return after.kind === 'transfer' ? usageOfTransfer(before, after) : usageOfPayment(before, after)
}

function usageOfTransfer(
  before: Contract | null,
  { status, terms, execution }: Extract<Contract, { kind: 'transfer' }>,
): ContractUsage | null {
  if (before === null) return { ...NOTHING, transfersCreated: 1 }
  if (status === 'completed') return { ...NOTHING, transfersCompleted: 1, outMinor: terms.amountMinor }
  const hasFailed = execution.status === 'failed' || execution.status === 'returned'
  const wasPaid = before.status === 'paid' || before.status === 'completed'
  if (status === 'returned' || (status === 'cancelled' && wasPaid && hasFailed))
    return { ...NOTHING, transfersFailed: 1 }
  return null
}

function usageOfPayment(
  before: Contract | null,
  { status, terms }: Extract<Contract, { kind: 'payment' }>,
): ContractUsage | null {
  const isPaid = (each: string | undefined) => each === 'paid' || each === 'completed'
  const created = before === null ? 1 : 0
  if (!isPaid(status) || isPaid(before?.status)) return created === 0 ? null : { ...NOTHING, paymentsCreated: created }
  return { ...NOTHING, paymentsCreated: created, paymentsPaid: 1, inMinor: terms.amountMinor }
}

export function addedUsage(one: ContractUsage, other: ContractUsage): ContractUsage {
  return {
    transfersCreated: one.transfersCreated + other.transfersCreated,
    transfersCompleted: one.transfersCompleted + other.transfersCompleted,
    transfersFailed: one.transfersFailed + other.transfersFailed,
    paymentsCreated: one.paymentsCreated + other.paymentsCreated,
    paymentsPaid: one.paymentsPaid + other.paymentsPaid,
    outMinor: one.outMinor + other.outMinor,
    inMinor: one.inMinor + other.inMinor,
  }
}
