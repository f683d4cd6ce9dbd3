// The commands about a transfer contract. Parsed at the edge (http) or made by a worker; decided in decide.ts.
import type { AuditActor } from '../account/audit.ts'
import type { Verification } from '../verifier/verification.ts'
import type { Payee } from './payees.ts'
import type { ExpectedPreview } from '../contract/preview.ts'
import type { Absence, Outcome } from '../channel/outcome.ts'
import type { Refusal } from '../contract/refusals.ts'
import type { Actor, Message, Terms } from './transfer.ts'

/** A draft as the caller sends it: the terms, the relative expiry in seconds, and warnings about what was ignored. */
export type CreateTransfer = {
  readonly verb: 'create_transfer'
  readonly id: string
  readonly livemode: boolean
  readonly terms: Terms
  readonly expiresInSeconds: number | null
  readonly preview: ExpectedPreview | null
  readonly warnings: readonly Message[]
  /** The payment contract that this is to pay from a wallet, or null. */
  readonly pays: string | null
  /** The wallet that the terms name, where it was looked up. */
  readonly payee?: Payee
  /** Who wrote it, members and keys, beside whoever asks for it; absent for nobody. */
  readonly writers?: readonly string[]
}

/** A merge patch (RFC 7396): made into terms only when the draft it changes is known. */
export type UpdateTransfer = {
  readonly verb: 'update'
  readonly id: string
  readonly patch: TermsPatch
  /** The wallet that the changed terms name, where it was looked up. */
  readonly payee?: Payee
}

/** Makes the changed draft, or says what is wrong. Pure; `http` parses with the same rules as create. */
export type TermsPatch = (terms: Terms) => PatchedDraft | Refusal

export type PatchedDraft = {
  readonly terms: Terms
  /** Whether the patch names the channel, although it may be the same: it is priced anew then. */
  readonly namesChannel?: boolean
  readonly expiresInSeconds: number | null
  readonly preview: ExpectedPreview | null
  readonly warnings: readonly Message[]
}

export type IssueTransfer = {
  readonly verb: 'issue'
  readonly id: string
  readonly preview: ExpectedPreview | null
  /** Who wrote that it be issued, beside whoever asks for it; absent for nobody. */
  readonly writers?: readonly string[]
}
export type PayTransfer = {
  readonly verb: 'pay'
  readonly id: string
  readonly preview: ExpectedPreview | null
  readonly walletId: string | null
}
export type CancelTransfer = {
  readonly verb: 'cancel'
  readonly id: string
  readonly reason: string | null
  readonly actor: Actor
}
export type ExpireTransfer = { readonly verb: 'expire'; readonly id: string }
/** A worker takes a queued attempt and is about to call the rail. */
export type SubmitTransfer = {
  readonly verb: 'submit'
  readonly id: string
  readonly leaseMs: number
  readonly connector: ConnectorFacts
}
/** A worker takes an attempt whose outcome is open and is about to inquire at the rail. */
export type InquireTransfer = {
  readonly verb: 'inquire'
  readonly id: string
  readonly leaseMs: number
  readonly connector: ConnectorFacts
}
/** A new attempt after a definite failure, on the same channel or another one. */
export type RetryTransfer = {
  readonly verb: 'retry'
  readonly id: string
  /** Null for the channel of the attempt that failed. */
  readonly channelId: string | null
}
/** An operator states how an attempt ended, with what proves it. */
export type ResolveTransfer = {
  readonly verb: 'resolve'
  readonly id: string
  readonly as: 'delivered' | 'failed'
  readonly evidence: string
  readonly operator: string
  /** The second person, where one was needed. */
  readonly approvedBy?: string
}
/** What the rail's connector declares about itself; milliseconds. */
export type ConnectorFacts = {
  /** How long an inquiry's "not found" proves nothing. */
  readonly notFoundFinalAfterMs: number
  /** How long the rail recognises a reference; null for ever, 0 for a rail that does not. */
  readonly dedupeLifetimeMs: number | null
  /** Whether the rail takes inquiries about an order; where it does not, doubt waits for an operator. */
  readonly inquiry: boolean
  /** The longest wait between inquiries about an accepted order; without it they grow rare. */
  readonly inquiryDelayMs?: number
}
/** What the rail reported. `fence` tells a late report from the newest; null for the rail's own signed or listed events. */
export type ReportTransfer = {
  readonly verb: 'report'
  readonly id: string
  readonly number: number
  /** Which channel reported it: it must be that of the attempt. */
  readonly channelId: string
  readonly fence: number | null
  readonly outcome: Outcome | Absence
  readonly connector: ConnectorFacts
  /**
   * `callback`: it came with the channel's secret alone, so that no money goes back before the rail itself confirms it.
   * `return`: that money arrived, known only because it has come back since. Absent where the gateway inquired, or read
   * a list.
   */
  readonly basis?: 'callback' | 'return'
}
/** Fictitious money of a trial, another wallet of this gateway, or a clearing account that the operator names. */
type CreditSource = 'external' | `clearing:${string}`
/** The two people who vouch for money that no contract brought, with what proves that it is there. */
export type Approval = {
  readonly id: string
  readonly operator: string
  readonly approvedBy: string
  readonly evidence: string
}
/** A member approves the terms as they were frozen. Who they are is known by their session, never by what was sent. */
export type ApproveTransfer = {
  readonly verb: 'approve'
  readonly id: string
  /** SHA-256 of what they looked at, in hexadecimal. */
  readonly termsHash: string
  readonly memberId: string
}
/** A member will not have it: it is cancelled. */
export type RejectTransfer = {
  readonly verb: 'reject'
  readonly id: string
  readonly termsHash: string
  readonly memberId: string
  readonly reason: string | null
}
/** A verification that was asked for the contract is answered, or ended by a member's word. */
export type VerifyTransfer = {
  readonly verb: 'verify'
  readonly id: string
  readonly verificationId: string
  /** The verification after it; the same one where it comes late. */
  readonly next: (before: Verification, nowMs: number) => Verification | Refusal
  /** The member whose word it is; null for an answer. */
  readonly by: AuditActor | null
}
/** A rail executed an order that the books have forgotten: its money is held, and nothing is sent. */
export type AdoptTransfer = {
  readonly verb: 'adopt'
  readonly id: string
  /** The mode of the account, for a contract that is not known. */
  readonly livemode: boolean
  /** Which attempt the reference names. */
  readonly number: number
  readonly channelId: string
  /** What the provider's line says that it moved. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Whether the books had its terms as they were frozen, so that the line alone says how it ended. */
  readonly isKnown: boolean
  readonly operator: string
  readonly epoch: number
}
/** Money comes into a wallet from outside it, once for each reference. */
export type CreditWallet = {
  readonly verb: 'credit'
  readonly walletId: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly reference: string
  readonly source: CreditSource
  /** Of money from a clearing account of the operator's; null for any other. */
  readonly approval: Approval | null
}

export type TransferCommand =
  | UpdateTransfer
  | IssueTransfer
  | PayTransfer
  | CancelTransfer
  | ExpireTransfer
  | SubmitTransfer
  | InquireTransfer
  | ReportTransfer
  | RetryTransfer
  | ResolveTransfer
  | ApproveTransfer
  | RejectTransfer
  | VerifyTransfer

/** What is decided by the contract as it stands: all but an update, which may name a wallet that has to be looked up first. */
export type PlainCommand = Exclude<TransferCommand, UpdateTransfer>

/** What a transfer contract can be asked: by its caller, the clock, the workers, and an operator. */
export type TransferVerb = TransferCommand['verb']
