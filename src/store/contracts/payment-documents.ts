// What only the document of a payment contract has.
import type { PaymentRefund, Payment, PaymentAttempt } from '../../domain/payment/payment.ts'
import { documentsOf } from './documents.ts'
import {
  absent,
  amount,
  count,
  type Fields,
  fixed,
  flag,
  kept,
  list,
  minor,
  optional,
  records,
  words,
} from './fields.ts'

const ATTEMPT: Fields<PaymentAttempt> = {
  number: kept('number'),
  kind: kept('kind'),
  channelId: kept('channelId'),
  channelVersion: kept('channelVersion'),
  reference: kept('reference'),
  status: kept('status'),
  feeMinor: minor('fee'),
  debitMinor: amount('debit'),
  quote: optional('quote'),
  details: words('details'),
  shown: words('shown'),
  providerId: optional('providerId'),
  nextAction: optional('nextAction'),
  receivedUnits: minor('units'),
  chain: absent('chain'),
  failure: optional('failure'),
  superseded: flag('superseded'),
  createdAt: kept('createdAt'),
}

const REFUND: Fields<PaymentRefund> = {
  transferId: kept('transferId'),
  from: kept('from'),
  amountMinor: amount('amountMinor'),
  currency: kept('currency'),
  status: kept('status'),
  at: kept('at'),
}

export const { text: paymentText, from: paymentFrom } = documentsOf<Payment>(kept('kind'), {
  channelFixed: flag('channel_fixed'),
  feeMinor: minor('fee_minor'),
  debitMinor: amount('debit_minor'),
  returnUrl: optional('return_url'),
  warnings: list('warnings'),
  createdAt: kept('created_at'),
  updatedAt: kept('updated_at'),
  expiresAt: kept('expires_at'),
  issuedAt: kept('issued_at'),
  paidAt: optional('paid_at'),
  completedAt: optional('completed_at'),
  settlesAt: optional('settles_at'),
  walletId: optional('wallet_id'),
  paidAttempt: optional('paid_attempt'),
  paidBy: optional('paid_by'),
  payerProfile: absent('payer_profile'),
  receivedMinor: minor('received_minor'),
  paidMinor: minor('paid_minor'),
  pendingMinor: minor('pending_minor'),
  refundedMinor: minor('refunded_minor'),
  suspenseMinor: minor('suspense_minor'),
  unallocatedCount: count('unallocated_count'),
  returnsHeld: flag('returns_held'),
  attempts: records('attempts', ATTEMPT),
  refunds: records('refunds', REFUND),
  cancellation: optional('cancellation'),
  // A payment contract holds nothing itself.
  heldMinor: fixed('held_minor', 0n),
})
