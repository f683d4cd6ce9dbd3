// The commands about a payment contract. Parsed at the edge (http) or made by a worker; decided in decide.ts.
import type { Collection, FoundReceipt, PayerPlace, PaymentMethod } from '../channel/collection.ts'
import type { CancelTransfer, ExpireTransfer } from '../transfer/commands.ts'
import type { Absence } from '../channel/outcome.ts'
import type { ExpectedPreview } from '../contract/preview.ts'
import type { PaymentAttemptStatus } from './payment.ts'
import type { Actor, Failure, Message, NamedProfile, Terms } from '../transfer/transfer.ts'

/** A payment contract as the caller sends it; it opens issued. */
export type CreatePayment = {
  readonly verb: 'create_payment'
  readonly id: string
  readonly livemode: boolean
  readonly terms: Terms
  /** Where the money is to go; null for the account's default wallet. */
  readonly walletId: string | null
  readonly expiresInSeconds: number | null
  readonly returnUrl: string | null
  /** Chosen with it: the attempt begins at once. */
  readonly method: PaymentMethod | null
  readonly preview: ExpectedPreview | null
  readonly warnings: readonly Message[]
  readonly leaseMs: number
}

/** The payer's choice: an attempt begins, leased to the caller. */
export type ChoosePayment = {
  readonly verb: 'choose'
  readonly id: string
  readonly method: PaymentMethod
  readonly actor: Actor
  readonly leaseMs: number
}

/** A worker processes what is due: settles, refunds, and takes an attempt that is to be inquired about or closed. */
export type ProcessDuePayment = {
  readonly verb: 'process_due'
  readonly id: string
  readonly leaseMs: number
  /** A return that a recovery found at its provider: it alone is begun, due or not. Null for a look at what is due. */
  readonly found: string | null
  /** What became of the look for an amount, for which the job was leased; absent where none was looked for. */
  readonly looked?: { readonly objectId: string; readonly fence: number; readonly found: LookedReceipt }
}

/** An amount that an event reported, looked for at the rail that brought it. */
export type LookedReceipt =
  | FoundReceipt
  /** There is nobody to ask about it. */
  | { readonly kind: 'not_askable' }
  | { readonly kind: 'not_sent'; readonly reason: string }

export type CollectionResult =
  | Collection
  | Absence
  | { readonly kind: 'voided' }
  /** The rail does not close it. `processing` where it says that it was paid, or is about to be. */
  | { readonly kind: 'still_open'; readonly status: 'pending' | 'processing' }

/**
 * How old a result is, so that it never takes back what the books know better: how the attempt stood when its rail was asked; or the newest
 * block that was looked at, and that of the youngest payment which is on its way, null where its block was undone.
 */
export type SeenAt =
  | {
      readonly by: 'inquiry'
      readonly status: PaymentAttemptStatus
      readonly receivedMinor: bigint
      readonly receivedUnits: bigint
    }
  | { readonly by: 'chain'; readonly top: number; readonly block: number | null }

/** What a rail reported to the lease holder. Money is reported apart, as a payment report. */
export type ReportCollection = {
  readonly verb: 'report_collection'
  readonly id: string
  readonly number: number
  /** Null for the rail's own events: the chain that is watched. */
  readonly fence: number | null
  readonly result: CollectionResult
  readonly seen: SeenAt
}

/** What an authorised source reports of a payment: a provider's event, an inquiry, the chain, a payer's wallet. */
export type PaymentReport = {
  readonly outcome: 'succeeded' | 'processing' | 'failed'
  /** The rail's id of the payment. */
  readonly objectId: string
  /** The attempt that it names, or null. */
  readonly attempt: number | null
  readonly channelId: string | null
  /** Of a success; null where it gives none that can be read. */
  readonly amountMinor: bigint | null
  readonly currency: string | null
  /** What came of a crypto asset, in its smallest unit: worth what the attempt's quote says. Null where money itself came. */
  readonly assetUnits: bigint | null
  /** The number of the block that it came in by: all that came up to there is final. */
  readonly block?: number
  /** When the asset was seen first, in milliseconds since the epoch: a price holds for what comes before its end. */
  readonly seenAt?: number
  readonly failure: Failure | null
  readonly payer: PayerPlace | null
  /** What may be shown of it: brand, last4, confirmations. */
  readonly shown: Readonly<Record<string, string>>
}

export type NamedAttempt = { readonly contractId: string; readonly number: number }

/** By what an event may be matched, the strongest first. */
export type EventNames = {
  readonly contractId: string | null
  /** The provider's id of the payment. */
  readonly providerId: string | null
  /** The attempt of ours that the reference names. */
  readonly attempt: NamedAttempt | null
  /** The reference as it is: it may be the caller's own. */
  readonly reference: string | null
}

/** An event, or money that was seen, is taken in: once for each event id, and once for each object. */
export type ReceivePayment = {
  readonly verb: 'receive'
  /** The contract that it was matched to, or null. */
  readonly id: string | null
  /** Where it was matched by these alone: a contract that they do not fit is left as it is, and nothing is kept. */
  readonly names?: EventNames
  readonly event: {
    readonly id: string
    readonly type: string
    /** The bytes as they came and 128 bits of their hash; null where the gateway itself saw the money. */
    readonly body: string | null
    readonly bodyHash: string | null
  }
  /** Null for an event of a type that is only kept. */
  readonly report: PaymentReport | null
  /** `refuse` where money that does not fit must not be taken at all: it has not left its payer yet. */
  readonly unallocated: 'suspense' | 'refuse'
  /** The channels that the reporting key may report on; absent or null for all. */
  readonly allowedChannels?: readonly string[] | null
  /** An operator has an event matched again that needed review. */
  readonly retakes?: 'needs_review'
}

/** Refunds what was paid, or a part of it. */
export type RefundPayment = {
  readonly verb: 'refund'
  readonly id: string
  readonly transferId: string
  /** Null for all that is left. */
  readonly amount: number | null
  readonly reason: string | null
  /** Where to send it, where the rail does not refund and the payer's account is not known, or elsewhere than back. */
  readonly route: PayerPlace | null
  /** Whether the caller has the right to pay others: elsewhere than back it is a transfer. */
  readonly allowed: 'may pay' | 'may not pay'
}

/** An operator returns what is in suspense, the oldest amount first. */
export type ReturnPayment = {
  readonly verb: 'return'
  readonly id: string
  readonly transferId: string
  readonly route: PayerPlace | null
  /** As of a refund. */
  readonly allowed: 'may pay' | 'may not pay'
}

/** The payer of a paid contract is a profile from now on. */
export type NamePayer = { readonly verb: 'name_payer'; readonly id: string; readonly profile: NamedProfile }

export type PaymentCommand =
  | ChoosePayment
  | ProcessDuePayment
  | ReportCollection
  | (ReceivePayment & { readonly id: string })
  | RefundPayment
  | ReturnPayment
  | NamePayer
  | CancelTransfer
  | ExpireTransfer
