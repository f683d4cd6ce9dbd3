// A payment contract's version as the JSON of its history row, and back. Short: what is null is left out, money is text.
import type { PaymentRefund, Payment, PaymentAttempt } from '../../domain/payment/payment.ts'
import type { Cancellation, Message } from '../../domain/transfer/transfer.ts'
import {
  activitiesOf,
  type ActivityLine,
  type ContractKey,
  linesOf,
  type StoredTerms,
  termsFrom,
  withoutNulls,
} from './documents.ts'

/** The stored form. It may gain members; those it has keep their meaning, for history is never rewritten. */
type Document = StoredTerms & {
  kind: 'payment'
  status: Payment['status']
  version: number
  sequence: number
  livemode?: true
  channel_fixed?: true
  fee_minor?: string
  debit_minor: string
  return_url?: string
  warnings?: readonly Message[]
  created_at: number
  updated_at: number
  expires_at: number
  issued_at: number
  paid_at?: number
  completed_at?: number
  settles_at?: number
  wallet_id?: string
  paid_attempt?: number
  paid_by?: NonNullable<Payment['paidBy']>
  received_minor?: string
  paid_minor?: string
  pending_minor?: string
  refunded_minor?: string
  suspense_minor?: string
  unallocatedCount?: number
  returns_held?: true
  attempts?: StoredAttempt[]
  refunds?: StoredGivenBack[]
  cancellation?: Cancellation
  by?: string[]
  activities: ActivityLine[]
}
type StoredAttempt = Partial<Omit<PaymentAttempt, 'feeMinor' | 'debitMinor' | 'receivedUnits'>> &
  Pick<PaymentAttempt, 'number' | 'kind' | 'channelId' | 'channelVersion' | 'reference' | 'status' | 'createdAt'> & {
    readonly fee?: string
    readonly units?: string
    readonly debit: string
  }
type StoredGivenBack = Omit<PaymentRefund, 'amountMinor'> & { readonly amountMinor: string }

const textOf = (minor: bigint) => (minor === 0n ? undefined : minor.toString())

export function paymentText(payment: Payment): string {
  const { terms } = payment
  const by: string[] = []
  const activities = linesOf(payment.activities, by)
  const document: { [member in keyof Document]: Document[member] | undefined } = {
    kind: 'payment',
    status: payment.status,
    version: payment.version,
    sequence: payment.sequence,
    livemode: payment.livemode || undefined,
    amount_minor: terms.amountMinor.toString(),
    currency: terms.currency,
    issued_to: terms.issuedTo ?? undefined,
    description: terms.description ?? undefined,
    deliverable: terms.deliverable ? withoutNulls(terms.deliverable) : undefined,
    recipient: terms.recipient ? withoutNulls(terms.recipient) : undefined,
    channel: terms.channelId === null ? undefined : [terms.channelId, payment.channelVersion],
    channel_fixed: payment.channelFixed || undefined,
    fee_minor: textOf(payment.feeMinor),
    debit_minor: payment.debitMinor.toString(),
    return_url: payment.returnUrl ?? undefined,
    warnings: payment.warnings.length > 0 ? payment.warnings : undefined,
    created_at: payment.createdAt,
    updated_at: payment.updatedAt,
    expires_at: payment.expiresAt,
    issued_at: payment.issuedAt,
    paid_at: payment.paidAt ?? undefined,
    completed_at: payment.completedAt ?? undefined,
    settles_at: payment.settlesAt ?? undefined,
    wallet_id: payment.walletId ?? undefined,
    paid_attempt: payment.paidAttempt ?? undefined,
    paid_by: payment.paidBy ?? undefined,
    received_minor: textOf(payment.receivedMinor),
    paid_minor: textOf(payment.paidMinor),
    pending_minor: textOf(payment.pendingMinor),
    refunded_minor: textOf(payment.refundedMinor),
    suspense_minor: textOf(payment.suspenseMinor),
    unallocatedCount: payment.unallocatedCount || undefined,
    returns_held: payment.returnsHeld || undefined,
    attempts: payment.attempts.length > 0 ? payment.attempts.map(storedAttempt) : undefined,
    refunds:
      payment.refunds.length > 0
        ? payment.refunds.map((each) => ({ ...each, amountMinor: each.amountMinor.toString() }))
        : undefined,
    cancellation: payment.cancellation ?? undefined,
    metadata: terms.metadata,
    by: by.length > 0 ? by : undefined,
    activities,
  }
  return JSON.stringify(document)
}

// Member by member, both ways: to copy the rest of an object costs ten times as much, and slows all that reads the copy.
function storedAttempt(attempt: PaymentAttempt): StoredAttempt {
  const { details, shown } = attempt
  const stored: { [member in keyof StoredAttempt]: StoredAttempt[member] | undefined } = {
    number: attempt.number,
    kind: attempt.kind,
    channelId: attempt.channelId,
    channelVersion: attempt.channelVersion,
    reference: attempt.reference,
    status: attempt.status,
    fee: textOf(attempt.feeMinor),
    debit: attempt.debitMinor.toString(),
    quote: attempt.quote ?? undefined,
    details: Object.keys(details).length > 0 ? details : undefined,
    shown: Object.keys(shown).length > 0 ? shown : undefined,
    providerId: attempt.providerId ?? undefined,
    nextAction: attempt.nextAction ?? undefined,
    units: textOf(attempt.receivedUnits),
    failure: attempt.failure ?? undefined,
    superseded: attempt.superseded || undefined,
    createdAt: attempt.createdAt,
  }
  return stored as StoredAttempt
}

function attemptOf(stored: StoredAttempt): PaymentAttempt {
  return {
    number: stored.number,
    kind: stored.kind,
    channelId: stored.channelId,
    channelVersion: stored.channelVersion,
    reference: stored.reference,
    status: stored.status,
    feeMinor: minorOf(stored.fee),
    debitMinor: BigInt(stored.debit),
    quote: stored.quote ?? null,
    details: stored.details ?? {},
    shown: stored.shown ?? {},
    providerId: stored.providerId ?? null,
    nextAction: stored.nextAction ?? null,
    receivedUnits: minorOf(stored.units),
    failure: stored.failure ?? null,
    superseded: stored.superseded ?? false,
    createdAt: stored.createdAt,
  }
}

const minorOf = (text: string | undefined) => BigInt(text ?? '0')

export function paymentFrom(key: ContractKey, stored: unknown): Payment {
  const document = stored as Document
  const { channel } = document
  return {
    kind: 'payment',
    id: key.id,
    lane: key.lane,
    accountId: key.accountId,
    livemode: document.livemode ?? false,
    status: document.status,
    version: document.version,
    sequence: document.sequence,
    terms: termsFrom(document),
    channelFixed: document.channel_fixed ?? false,
    channelVersion: channel?.[1] ?? null,
    feeMinor: minorOf(document.fee_minor),
    debitMinor: BigInt(document.debit_minor),
    returnUrl: document.return_url ?? null,
    warnings: document.warnings ?? [],
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    expiresAt: document.expires_at,
    issuedAt: document.issued_at,
    paidAt: document.paid_at ?? null,
    completedAt: document.completed_at ?? null,
    settlesAt: document.settles_at ?? null,
    walletId: document.wallet_id ?? null,
    paidAttempt: document.paid_attempt ?? null,
    paidBy: document.paid_by ?? null,
    receivedMinor: minorOf(document.received_minor),
    paidMinor: minorOf(document.paid_minor),
    pendingMinor: minorOf(document.pending_minor),
    refundedMinor: minorOf(document.refunded_minor),
    suspenseMinor: minorOf(document.suspense_minor),
    unallocatedCount: document.unallocatedCount ?? 0,
    returnsHeld: document.returns_held ?? false,
    heldMinor: 0n,
    attempts: (document.attempts ?? []).map(attemptOf),
    refunds: (document.refunds ?? []).map((each) => ({ ...each, amountMinor: BigInt(each.amountMinor) })),
    cancellation: document.cancellation ?? null,
    activities: activitiesOf(document.activities, document.by),
  }
}
