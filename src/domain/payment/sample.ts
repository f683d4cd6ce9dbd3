// A fictitious payment contract, for the events that only payment contracts have.
import type { ActivityType } from '../contract/activities.ts'
import type { EventType } from '../transfer/moves.ts'
import type { PaymentStatus } from './moves.ts'
import type { Payment } from './payment.ts'

type Stage = {
  readonly status: PaymentStatus
  readonly activities: readonly ActivityType[]
  readonly received: 'all' | 'more' | 'nothing'
}

const STAGES = {
  'contract.payment_failed': {
    status: 'issued',
    activities: ['attempt_started', 'attempt_failed'],
    received: 'nothing',
  },
  'contract.payment_suspended': { status: 'paid', activities: ['paid', 'payment_suspended'], received: 'more' },
  'contract.payment_returned': {
    status: 'completed',
    activities: ['paid', 'completed', 'payment_returned'],
    received: 'more',
  },
  'contract.refunded': { status: 'completed', activities: ['paid', 'completed', 'payment_refunded'], received: 'all' },
} as const satisfies Partial<Record<EventType, Stage>>

export type PaymentEvent = keyof typeof STAGES

export function isPaymentEvent(type: EventType): type is PaymentEvent {
  return type in STAGES
}

const AMOUNT_MINOR = 150_000n

export function samplePayment(
  type: PaymentEvent,
  owner: Pick<Payment, 'id' | 'lane' | 'accountId' | 'livemode'>,
  nowMs: number,
): Payment {
  const { status, activities, received }: Stage = STAGES[type]
  const isPaid = received !== 'nothing'
  const suspenseMinor = type === 'contract.payment_suspended' ? 100n : 0n
  return {
    ...owner,
    kind: 'payment',
    status,
    version: 1 + activities.length,
    sequence: 1,
    terms: {
      amountMinor: AMOUNT_MINOR,
      currency: 'PHP',
      issuedTo: 'Ana Cruz',
      description: 'A sample. No such contract exists, and no money moves.',
      deliverable: { type: 'order', referenceId: 'sample-1', description: null, details: null },
      recipient: null,
      channelId: null,
    },
    channelFixed: false,
    channelVersion: null,
    feeMinor: 0n,
    debitMinor: AMOUNT_MINOR,
    returnUrl: null,
    warnings: [],
    createdAt: nowMs,
    updatedAt: nowMs,
    expiresAt: nowMs + 1_800_000,
    issuedAt: nowMs,
    paidAt: isPaid ? nowMs : null,
    completedAt: status === 'completed' ? nowMs : null,
    settlesAt: isPaid ? nowMs : null,
    walletId: null,
    paidAttempt: null,
    paidBy: null,
    receivedMinor: isPaid ? AMOUNT_MINOR + (received === 'more' ? 100n : 0n) : 0n,
    paidMinor: isPaid ? AMOUNT_MINOR : 0n,
    pendingMinor: 0n,
    refundedMinor: type === 'contract.refunded' ? AMOUNT_MINOR : 0n,
    suspenseMinor,
    unallocatedCount: suspenseMinor > 0n ? 1 : 0,
    returnsHeld: false,
    heldMinor: 0n,
    attempts: [],
    refunds: [],
    cancellation: null,
    activities: (['created', 'issued', ...activities] as const).map((each) => ({
      type: each,
      at: nowMs,
      actor: 'account',
      data: null,
    })),
  }
}
