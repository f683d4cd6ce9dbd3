// What comes in on a chain, as the gateway's book keeps it. Types only: how it is stored or seen is not known here.
import type { Hex } from '../transfer/chain-sends.ts'

/** An asset of a chain: the token's contract in lower case, or the chain's own coin. */
export type ChainAsset = {
  /** CAIP-2: "eip155:1". */
  readonly network: string
  readonly asset: Hex | 'coin'
}

/** The address of one attempt, and of no other ever. */
export type ChainAddress = ChainAsset & {
  readonly reference: string
  /** In lower case. */
  readonly address: Hex
  /** Which extended public key it comes from. */
  readonly fingerprint: string
  readonly keyIndex: number
  /** When the payer's time is over, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/** `seen`: a payment is on the chain that the books of money do not have yet. */
export type ChainStandingOfAddress = {
  readonly address: ChainAddress
  readonly paid: 'none' | 'seen'
  /** The final payments, in the smallest unit. */
  readonly knownUnits: bigint
  /** Null for a token, and where coins are counted no more. */
  readonly countedBlock: bigint | null
}

/** What is known of the coins of an address. */
type CountedCoins = {
  /** The block at which they were counted last: there was no more than what is known. */
  readonly countedBlock: bigint
  /** The final payments, in wei. */
  readonly knownUnits: bigint
}

/** An address whose coins are to be counted, for a contract may have paid some. */
export type AddressToCount = Pick<ChainAddress, 'reference' | 'address' | 'expiresAt'> & CountedCoins

export type BlockName = { readonly number: bigint; readonly hash: Hex }

/** One payment to an address of ours, in a block. The id names it once and for all. */
export type ChainPayment = {
  /** `eip155:<chain>/<transaction>/<token>/<n>`: the token's n-th transfer in it; `…/coin`; or `eip155:<chain>/<block>/<address>`. */
  readonly id: string
  readonly reference: string
  /** In the smallest unit of the asset. */
  readonly units: bigint
  /** Null where a contract paid in coins, which no transaction shows. */
  readonly transaction: Hex | null
  readonly block: BlockName
}

/** A payment as it is read in its block. */
export type ReadChainPayment = ChainPayment & {
  /** When its block was made, as it says itself, in milliseconds since the epoch. */
  readonly timeMs: number
}

/** A payment with its confirmations, ready to be booked. */
export type FinalChainPayment = ChainPayment &
  ChainAsset & {
    /** When it was there: by its block's own time, and no later than it was read; in milliseconds since the epoch. */
    readonly seenAt: number
  }
