// The transfer contract as the gateway thinks of it: money in minor units, times in milliseconds, nothing about the wire.
import type { ActivityType } from '../contract/activities.ts'
import type { ExecutionStatus, TransferStatus } from './moves.ts'
import type { Quote } from '../money/quotes.ts'
import type { FeePrice } from '../policy/fees.ts'
import type { NotedVerification, Requirements } from '../policy/requirements.ts'
import type { Metadata } from '../text/metadata.ts'

export type Deliverable = {
  readonly type: string | null
  readonly referenceId: string | null
  readonly description: string | null
  readonly details: string | null
}

export type Recipient = {
  readonly name: string | null
  readonly email: string | null
  readonly mobile: string | null
  readonly wallet: string | null
  readonly tag: string | null
  readonly address: string | null
  readonly country: string | null
}

export const NO_RECIPIENT: Recipient = {
  name: null,
  email: null,
  mobile: null,
  wallet: null,
  tag: null,
  address: null,
  country: null,
}

/** A profile that something was taken from, in the version that was used. */
export type NamedProfile = { readonly profile: string; readonly profileVersion: number }

/** The profile that a recipient was taken from, and its saved way to be paid; null where none was used. */
export type UsedProfile = NamedProfile & {
  readonly destination: string | null
  readonly destinationVersion: number | null
}

/** What the caller writes and may change while the contract is a draft (spec 2.1, 2.8). */
export type Terms = {
  readonly amountMinor: bigint
  readonly currency: string
  readonly issuedTo: string | null
  readonly description: string | null
  readonly deliverable: Deliverable | null
  readonly recipient: Recipient | null
  /** Absent where the recipient was written by hand. */
  readonly recipientProfile?: UsedProfile
  /** Absent where `issuedTo` is no profile. */
  readonly issuedToProfile?: NamedProfile
  readonly channelId: string | null
  /** Absent where there is none. */
  readonly metadata?: Metadata
}

export type MessageType = 'error' | 'warning' | 'info'
/** One line of the preview (spec 2.7). `error` blocks issue. */
export type Message = { readonly code: string; readonly type: MessageType; readonly message: string }

/** Who did it: the account's own profile, the payer, or the gateway itself (a worker, the clock, a rail's report). */
export type Actor = 'account' | 'payer' | 'gateway'

export type ChangedValue = string | number | null
type ChangedValues = Readonly<Record<string, ChangedValue>>

/** `changed` names the fields of a draft, dotted; `before` and `after` hold them, and are left out where they are long. */
export type Changes = {
  readonly changed: readonly string[]
  readonly before?: ChangedValues
  readonly after?: ChangedValues
}

/** One activity of the contract; its id is derived from the contract's, its place and its epoch (ids.activityId). */
export type Activity = {
  readonly type: ActivityType
  readonly at: number
  readonly actor: Actor
  readonly data: Readonly<Record<string, string | number>> | null
  /** What an update changed. */
  readonly changes?: Changes
  /** The id of the API key that the account acted by; set once by the write path, null where nobody's did. */
  proxy?: string | null
  /** The epoch of the books that it was written in, set once by the write path; absent in the first. */
  epoch?: number
}

export type Failure = { readonly code: string; readonly message: string }

/** What a callback reported of an attempt, kept until the rail itself confirms it: refused for good, or come back. */
export type ReportedFailure = Failure & { readonly as: 'failed' | 'returned' }

/** The newest attempt, as the contract shows it. */
export type Execution = {
  readonly status: ExecutionStatus
  readonly number: number
  readonly reference: string | null
  readonly submittedAt: number | null
  readonly failure: Failure | null
  /** Absent where no callback reported that this attempt failed. */
  readonly reported?: ReportedFailure
}

export type Cancellation = {
  readonly status: 'pending' | 'refused' | 'done'
  readonly reason: string | null
  readonly requestedAt: number
}

/** Where the money of a refund comes from: what was paid on a payment contract, or what is unallocated. */
export type Origin = {
  readonly paymentId: string
  readonly from: 'payment' | 'suspense'
  /** The rail's own id of the payment that is refunded, where the rail does it; null for an ordinary payout. */
  readonly refundOf: string | null
  /** The numbers of the attempts that may have brought it: the rail is asked about each. Absent of what older releases made. */
  readonly refundOfAttempts?: readonly number[]
  /** How much of it was not settled yet. */
  readonly pendingMinor: bigint
  /** Set where a caller sent it elsewhere than back: policies judge and count it. Absent of ways back, and of what older releases made. */
  readonly goes?: 'elsewhere'
}

export type Refund = { readonly amountMinor: bigint; readonly at: number }

/** One version of a transfer contract. Moves make a new one; nothing is changed in place. */
export type Transfer = {
  readonly kind: 'transfer'
  readonly id: string
  readonly lane: number
  readonly accountId: string
  readonly livemode: boolean
  readonly status: TransferStatus
  /** Rises by one with every stored change. */
  readonly version: number
  /** Events so far: gapless for each contract (docs/design/webhooks.md). */
  readonly sequence: number
  readonly terms: Terms
  /** The version of the channel that priced the contract, or null without a channel. */
  readonly channelVersion: number | null
  /** The price of the crypto asset that leaves, frozen at issue; null where money itself leaves. */
  readonly quote: Quote | null
  readonly feeMinor: bigint
  /** What the payer is debited. */
  readonly debitMinor: bigint
  /** What a policy of fees asked when the draft was written last; absent where none did, and the channel's own price stands. */
  readonly feePrice?: FeePrice
  /** Warnings about the last write, shown until the next one. */
  readonly warnings: readonly Message[]
  /** What is wrong with the wallet of this gateway that the draft is to pay, as of its last write; absent where nothing is. */
  readonly payeeFaults?: readonly Message[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
  readonly issuedAt: number | null
  readonly paidAt: number | null
  readonly completedAt: number | null
  readonly walletId: string | null
  /** What the contract itself holds of the payer's money, in flight included. Never below zero. */
  readonly heldMinor: bigint
  readonly execution: Execution
  readonly cancellation: Cancellation | null
  readonly refund: Refund | null
  /** Set where this refunds money that came in by a payment contract. */
  readonly origin: Origin | null
  /** The payment contract of this gateway that this pays from a wallet. */
  readonly pays: string | null
  /** What policies asked for before it may be paid, and who approved it; absent where nothing was asked. */
  readonly requirements?: Requirements
  /** Verifications that were asked for it, the newest last; absent for none. */
  readonly verifications?: readonly NotedVerification[]
  /** The newest activities, after the first: of many updates the older ones stand in the versions that they made. */
  readonly activities: readonly Activity[]
  /** How many activities stand between the first and the second of `activities`; absent for none. */
  readonly folded?: number
  /**
   * Its makers whom `activities` do not name: by whom the folded ones were, and who wrote the row of a command, or the schedule, by which
   * somebody else made or issued it. API keys and members.
   */
  readonly foldedBy?: readonly string[]
}

/** One attempt to pay a transfer out through a channel, which is also the job that works on it: the row is the job. */
export type Attempt = {
  readonly kind: 'payout'
  readonly lane: number
  readonly accountId: string
  readonly contractId: string
  readonly number: number
  readonly channelId: string
  readonly reference: string
  readonly status: ExecutionStatus
  /** When it is due next, the end of the lease while a worker has it, or null when nothing is left to do. */
  readonly dueAt: number | null
  /** Rises with every lease: a late report of an earlier holder is recognised by it. */
  readonly fence: number
  /** Inquiries so far. */
  readonly tries: number
  /** When the order was first sent to the rail, or null. */
  readonly submittedAt: number | null
  /** Since when inquiries find nothing, or null. */
  readonly absentSince: number | null
}
