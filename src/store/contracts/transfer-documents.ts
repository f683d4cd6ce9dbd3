// What only the document of a transfer contract has.
import type { FeeSchedule } from '../../domain/money/fees.ts'
import type { FeePrice } from '../../domain/policy/fees.ts'
import type { Execution, Origin, Refund, Transfer } from '../../domain/transfer/transfer.ts'
import { documentsOf, withoutNulls } from './documents.ts'
import {
  absent,
  absentPart,
  amount,
  type Field,
  type Fields,
  fixed,
  kept,
  list,
  minor,
  optional,
  part,
  record,
} from './fields.ts'

const NO_EXECUTION: Execution = { status: 'none', number: 0, reference: null, submittedAt: null, failure: null }

const execution: Field<Execution> = {
  name: 'execution',
  write: (value) => (value.status === 'none' ? undefined : withoutNulls(value)),
  read: (stored) => ({ ...NO_EXECUTION, ...(stored as Partial<Execution> | undefined) }),
}

type StoredRefund = readonly [amountMinor: string, at: number]

const refund: Field<Refund | null> = {
  name: 'refund',
  write: (value) => (value ? [value.amountMinor.toString(), value.at] : undefined),
  read: (stored) => {
    if (stored === undefined) return null
    const [amountMinor, at] = stored as StoredRefund
    return { amountMinor: BigInt(amountMinor), at }
  },
}

const ORIGIN: Fields<Origin> = {
  paymentId: kept('paymentId'),
  from: kept('from'),
  refundOf: kept('refundOf'),
  refundOfAttempts: absent('refundOfAttempts'),
  pendingMinor: amount('pendingMinor'),
  goes: absent('goes'),
}

const FEES: Fields<FeeSchedule> = {
  pctPpm: minor('pct_ppm'),
  addMinor: minor('add_minor'),
  minMinor: minor('min_minor'),
  maxMinor: minor('max_minor'),
  fixedMinor: minor('fixed_minor'),
}

const FEE_PRICE: Fields<FeePrice> = {
  policyId: kept('policy_id'),
  version: kept('version'),
  name: kept('name'),
  by: kept('by'),
  tier: kept('tier'),
  measuredMinor: minor('measured_minor'),
  fees: part('fees', FEES),
}

export const { text: transferText, from: transferFrom } = documentsOf<Transfer>(fixed('kind', 'transfer'), {
  quote: optional('quote'),
  feeMinor: minor('fee_minor'),
  debitMinor: amount('debit_minor'),
  feePrice: absentPart('fee_price', FEE_PRICE),
  warnings: list('warnings'),
  payeeFaults: absent('payee_faults'),
  createdAt: kept('created_at'),
  updatedAt: kept('updated_at'),
  expiresAt: kept('expires_at'),
  issuedAt: optional('issued_at'),
  paidAt: optional('paid_at'),
  completedAt: optional('completed_at'),
  walletId: optional('wallet_id'),
  heldMinor: minor('held_minor'),
  execution,
  cancellation: optional('cancellation'),
  refund,
  origin: record('origin', ORIGIN),
  pays: optional('pays'),
  requirements: absent('requirements'),
  verifications: absent('verifications'),
  foldedBy: absent('folded_by'),
})
