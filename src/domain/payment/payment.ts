// The payment contract as the gateway thinks of it: money that is to come in, the attempts at it, and what became of it.
// Minor units and milliseconds, nothing about the wire.
import type { NextAction, PayerPlace } from '../channel/collection.ts'
import type { PaymentKind } from './kinds.ts'
import type { PaymentStatus } from './moves.ts'
import type { Quote } from '../money/quotes.ts'
import {
  type Activity,
  type Cancellation,
  type Failure,
  type Message,
  type NamedProfile,
  NO_RECIPIENT,
  type Recipient,
  type Terms,
} from '../transfer/transfer.ts'

export const PAYMENT_ATTEMPT_STATUSES = [
  'starting',
  'pending',
  'processing',
  'unknown',
  'succeeded',
  'failed',
  'cancelled',
] as const
/** `starting`: the rail is being called. `pending`: the payer has to act. `processing`: the payer did, the rail works on it. */
export type PaymentAttemptStatus = (typeof PAYMENT_ATTEMPT_STATUSES)[number]

/** Numbers of blocks: the newest one of the last look at the chain, and the one up to which what came is in the books. */
export type ChainReach = { readonly looked: number; readonly booked: number }

/** One try of a payer by one method. Its price is its own: another method may cost another fee. */
export type PaymentAttempt = {
  readonly number: number
  readonly kind: PaymentKind
  readonly channelId: string
  readonly channelVersion: number
  readonly reference: string
  readonly status: PaymentAttemptStatus
  readonly feeMinor: bigint
  /** What the payer is to pay. */
  readonly debitMinor: bigint
  readonly quote: Quote | null
  /** What the payer sent of the method (collection.ts). */
  readonly details: Readonly<Record<string, string>>
  /** What may be shown of the means of payment: brand, last4, expiry, confirmations. */
  readonly shown: Readonly<Record<string, string>>
  readonly providerId: string | null
  readonly nextAction: NextAction | null
  /** What came of its asset so far, in the smallest unit: parts count together. */
  readonly receivedUnits: bigint
  /** How far its chain was looked at and booked; absent where no chain brings its money, or before it did. */
  readonly chain?: ChainReach
  readonly failure: Failure | null
  /** Another attempt took its place; the rail is asked to close it. */
  readonly superseded: boolean
  readonly createdAt: number
}

/** Money that goes back, out of what was paid or out of suspense: a transfer contract of its own. */
export type PaymentRefund = {
  readonly transferId: string
  readonly from: 'payment' | 'suspense'
  readonly amountMinor: bigint
  readonly currency: string
  readonly status: 'open' | 'done' | 'failed'
  readonly at: number
}

/** One version of a payment contract. */
export type Payment = {
  readonly kind: 'payment'
  readonly id: string
  readonly lane: number
  readonly accountId: string
  readonly livemode: boolean
  readonly status: PaymentStatus
  readonly version: number
  readonly sequence: number
  /** `channelId` is that of the newest attempt, or the one that the caller fixed. */
  readonly terms: Terms
  /** The caller fixed the channel: the payer cannot choose another. */
  readonly channelFixed: boolean
  readonly channelVersion: number | null
  readonly feeMinor: bigint
  /** What the payer is to pay. */
  readonly debitMinor: bigint
  readonly returnUrl: string | null
  readonly warnings: readonly Message[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
  readonly issuedAt: number
  readonly paidAt: number | null
  readonly completedAt: number | null
  /** When what was paid becomes available, or null before that is known. */
  readonly settlesAt: number | null
  /** Where the money comes into; null in contracts of before, until they are paid. */
  readonly walletId: string | null
  /** The number of the attempt that paid, null where none of ours did. */
  readonly paidAttempt: number | null
  /** The rail's id of the money that paid, and where it can be sent back to without the rail. */
  readonly paidBy: { readonly objectId: string; readonly payer: PayerPlace | null } | null
  /** Everything that ever arrived for the contract in its currency, suspense included. */
  readonly receivedMinor: bigint
  readonly paidMinor: bigint
  readonly pendingMinor: bigint
  readonly refundedMinor: bigint
  /** What arrived in the contract's currency and waits in suspense. */
  readonly suspenseMinor: bigint
  /** How many amounts in suspense, of any currency, can never make the contract paid. */
  readonly unallocatedCount: number
  /** A return went wrong or has no way: what is in suspense waits for an operator. */
  readonly returnsHeld: boolean
  /** The profile that the payer was saved as; absent for none. */
  readonly payerProfile?: NamedProfile
  readonly heldMinor: bigint
  readonly attempts: readonly PaymentAttempt[]
  readonly refunds: readonly PaymentRefund[]
  readonly cancellation: Cancellation | null
  readonly activities: readonly Activity[]
}

/** When a payment contract is due next. `fence` rises with every lease, so that a late report is recognised by it. */
export type CollectionJob = {
  readonly kind: 'collection'
  readonly lane: number
  readonly accountId: string
  readonly contractId: string
  /** The channel whose rail is to be called; null where there are several, or the clock alone decides. */
  readonly channelId: string | null
  /** `queued` while no attempt has been sent to that rail. */
  readonly status: 'queued' | 'open'
  readonly dueAt: number | null
  readonly fence: number
  readonly tries: number
}

/** Money that does not fit: why it went to suspense. */
export type SuspenseReason = 'partial' | 'excess' | 'late' | 'wrong_amount' | 'wrong_currency' | 'return_failed'

/** An amount that arrived, as it was booked: once for each object of its rail. */
export type Receipt = {
  readonly eventId: string
  readonly objectId: string
  readonly contractId: string
  readonly attempt: number | null
  readonly channelId: string
  /** Which wallet it is in; null in receipts of before, when an account had one a currency. */
  readonly walletId: string | null
  readonly currency: string
  readonly amountMinor: bigint
  /** What of it is still in suspense. */
  readonly suspenseMinor: bigint
  readonly reason: SuspenseReason | null
  readonly payer: PayerPlace | null
  /** A provider's event proves that its sender holds a secret, and no more; the gateway itself asked the rail, or saw the money. */
  readonly reportedBy: 'event' | 'gateway'
  /** When it was booked, in milliseconds since the epoch. */
  readonly at: number
}

export const isLiveAttempt = ({ status }: PaymentAttempt) =>
  status === 'starting' || status === 'pending' || status === 'processing' || status === 'unknown'

/** A place as the recipient of a transfer; of nobody where the rail itself knows where money goes back to. */
export function recipientOf(place: PayerPlace | null): Recipient {
  return place ? { ...NO_RECIPIENT, ...place.recipient } : NO_RECIPIENT
}

/** The refund address that a payer by crypto gave, or the wallet that paid. */
export function placeOf(attempt: PaymentAttempt | null): PayerPlace | null {
  const wallet = attempt?.details['refund_address'] ?? attempt?.details['wallet_id']
  return attempt && wallet !== undefined ? { channelId: attempt.channelId, recipient: { wallet } } : null
}

/** The account that paid the contract: as the rail reported it, or as its payer did before paying. */
export function placePaidFrom({ paidBy, paidAttempt, attempts, terms }: Payment): PayerPlace | null {
  const attempt = attempts.find(({ number }) => number === paidAttempt) ?? null
  return paidBy?.payer ?? (attempt?.channelId === terms.channelId ? placeOf(attempt) : null)
}

/** The attempt that the payer is at, or null. */
export function currentAttempt({ attempts }: Payment): PaymentAttempt | null {
  return attempts.at(-1) ?? null
}
