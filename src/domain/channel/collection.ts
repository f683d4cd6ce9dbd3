// The orders that a rail gets to bring money in, and the results that it can report. Types only: connectors live
// elsewhere.
import type { Quote } from '../money/quotes.ts'
import type { PaymentKind } from '../payment/kinds.ts'
import type { Absence } from './outcome.ts'

/**
 * The payer's choice, parsed: which kind, and what that kind needs (docs/payments.md). `details` holds the members of the
 * payload that were sent, under their names on the wire, such as `mobile`, `token`, `refund_address`; `hosted` where the payer
 * gives the card to the rail itself.
 */
export type PaymentMethod = {
  readonly kind: PaymentKind
  readonly details: Readonly<Record<string, string>>
  /** What the rail needs and is never stored: the provider's token of a card. It goes along with the first call alone. */
  readonly secret: string | null
  /** The channel that the payer chose, where a page showed several of the kind, each with its price. */
  readonly channelId?: string
}

/** What the payer does next to pay. Times in milliseconds since the epoch. */
export type NextAction =
  | { readonly type: 'redirect'; readonly url: string; readonly expiresAt: number | null }
  /** `data` is the whole text of the code. */
  | { readonly type: 'display_qr'; readonly data: string; readonly expiresAt: number }
  | {
      readonly type: 'display_address'
      readonly address: string
      /** Whole units of the asset as decimal text: 18 decimals fit no JSON number. */
      readonly amount: string
      readonly asset: string
      readonly network: string
      /** EIP-681. */
      readonly uri: string
      /** Confirmations needed before it counts; the payment's own block is the first. */
      readonly confirmations: number
      readonly expiresAt: number
    }

/** One attempt to have a payer pay, as its rail gets it. The reference is the same at every try. */
export type CollectOrder = {
  readonly reference: string
  readonly contractId: string
  readonly accountId: string
  readonly channelId: string
  readonly livemode: boolean
  /** What the payer pays, fee on top included where the payer bears it. */
  readonly amountMinor: bigint
  /** The same in major units, with all decimals of its currency. */
  readonly amountDecimal: string
  readonly currency: string
  readonly description: string | null
  readonly method: PaymentMethod
  /** Where the rail sends the payer afterwards; absolute. */
  readonly returnTo: { readonly success: string; readonly failure: string; readonly cancel: string }
  /** When the contract expires: nothing may be paid on it afterwards. */
  readonly expiresAt: number
  /** The price of the crypto asset that is to come in, frozen with the attempt; null where money itself comes. */
  readonly quote: Quote | null
}

/** Where money can be sent back to when the rail has no refund: an account on a channel of ours. */
export type PayerPlace = {
  readonly channelId: string
  readonly recipient: Readonly<Record<string, string>>
}

/** Money that arrived. The id is the rail's own and names it once and for all: money of an id is booked once. */
export type ReceivedMoney = {
  readonly id: string
  /** Major units, as the rail wrote it: "100.00". */
  readonly amountDecimal: string
  readonly currency: string
  /** Who paid, where the rail reports it and money can be sent there. */
  readonly payer: PayerPlace | null
}

/** The rail's result for an attempt. Whatever is not plainly one of the others is `unknown`. */
export type Collection =
  /** No byte of the request was written: it is safe to send again. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The rail waits: `pending` for the payer, `processing` after the payer has agreed and before money is certain. */
  | {
      readonly kind: 'open'
      readonly status: 'pending' | 'processing'
      readonly providerId: string | null
      readonly nextAction: NextAction | null
      /** What may be shown of the means of payment: `brand`, `last4`, `expiry`. */
      readonly shown: Readonly<Record<string, string>>
    }
  | { readonly kind: 'succeeded'; readonly money: ReceivedMoney; readonly shown: Readonly<Record<string, string>> }
  /** Definite: nothing was paid under this reference, and nothing will be. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** What a rail that is asked about one payment knows of it. Whatever is not plainly one of the others is `unknown`. */
export type FoundReceipt =
  | { readonly kind: 'received'; readonly money: ReceivedMoney }
  | Absence
  | { readonly kind: 'unknown'; readonly reason: string }
