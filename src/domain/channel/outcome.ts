// The orders that a rail gets, and the outcomes that it can report. Types only: connectors live elsewhere.
import type { Quote } from '../money/quotes.ts'

/** The rail's answer. Whatever is not plainly one of the others is `unknown`, and `unknown` never moves money. */
export type Outcome =
  /** No byte of the request was written: it is safe to send again. `isAnswered`: the rail answered what it was asked before. */
  | { readonly kind: 'not_sent'; readonly reason: string; readonly isAnswered?: true }
  /** The rail has the order and will report later how it ended. */
  | { readonly kind: 'accepted'; readonly providerId: string | null }
  | { readonly kind: 'delivered'; readonly providerId: string | null }
  /** A definite refusal: the money did not move and never will under this reference. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  /** Bounced after delivery: the money went and came back. */
  | { readonly kind: 'returned'; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** An inquiry found nothing. It proves nothing before the rail's finality delay has passed twice. */
export type Absence = { readonly kind: 'not_found' }

/** One order to move money out. The reference is the same at every try, and the rail sees it. */
export type SendOrder = {
  readonly reference: string
  readonly amountMinor: bigint
  /** The same amount in major units, with all decimals of its currency: "100.00", "1000" for yen. */
  readonly amountDecimal: string
  readonly currency: string
  readonly channelId: string
  readonly recipient: Readonly<Record<string, string | null>>
  readonly description: string | null
  /** The price of the crypto asset that is to leave, frozen with the contract; null where money itself leaves. */
  readonly quote: Quote | null
  /** The rail's own id of the payment that this refunds; null for a payout. */
  readonly refundOf: string | null
  /** The references of which one is to be that payment's; absent of refunds that older releases began. */
  readonly refundOfReferences?: readonly string[]
  /** The payment contract whose money goes back by this, to an account; absent for a payout. */
  readonly returnOf?: string
  /** The payment contract of this gateway that this pays, by a payer's wallet; null for any other transfer. */
  readonly pays: string | null
  /** The end of the lease by the database's clock: after it the gateway's own books move nothing for the order. Null without a lease. */
  readonly notAfter: number | null
  /**
   * Whether the lease still holds a call, by the clocks of the process that has it: asked in the moment in which the gateway's own books
   * decide, for the clock of the server that has them may be behind the one that `notAfter` is of. Absent without a lease.
   */
  readonly isInTime?: () => boolean
}
