// What the gateway signed for a chain, as its book keeps it. Types only: how it is stored or sent is not known here.

export type Hex = `0x${string}`

/**
 * `open` may still be mined, now or again after a re-org. The others are for ever: `delivered` and `reverted` have their
 * confirmations, `refused` was never signed.
 */
export type ChainSendStatus = 'open' | 'delivered' | 'reverted' | 'refused'

/** One payout on a chain. All its transactions share one nonce, so that at most one of them can ever be mined. */
export type ChainSend = {
  readonly reference: string
  /** CAIP-2: "eip155:1". */
  readonly network: string
  readonly sender: Hex
  /** Null where the transfer was refused before anything was signed. */
  readonly nonce: number | null
  readonly recipient: Hex
  /** The token's contract; null for the chain's own coin. */
  readonly token: Hex | null
  /** In the smallest unit of the asset. */
  readonly amount: bigint
  /** The most that the newest transaction may cost in gas, in wei. */
  readonly gasMax: bigint
  /** Signed transactions as they were or will be broadcast: the first, then each with a higher fee. */
  readonly raws: readonly Hex[]
  readonly hashes: readonly Hex[]
  readonly status: ChainSendStatus
  readonly minedBlock: bigint | null
  /** The block's hash, not the transaction's. */
  readonly minedHash: Hex | null
  /** When the newest transaction was signed, by the book's clock. */
  readonly signedAt: number
}

/** A payout as it is claimed. */
export type NewChainSend = Omit<ChainSend, 'minedBlock' | 'minedHash' | 'signedAt'>

/** What the book has, and when by its own clock, in milliseconds. */
export type FoundChainSend = { readonly send: ChainSend | null; readonly readAt: number }

/** Where the sender stands in the book: its next nonce (null before the first), and what is promised but not yet mined. */
export type ChainStanding = {
  readonly nextNonce: number | null
  /** The chain's own coin, gas included, in wei. */
  readonly promisedWei: bigint
  /** Units of the token in question. */
  readonly promisedUnits: bigint
}

/** Up to where a sender's rows go, and since when the oldest is open; null for none. In milliseconds of the book's clock. */
export type UnfinishedSends = {
  readonly nextNonce: number | null
  readonly openSince: number | null
  readonly readAt: number
}

/** Where a payout stands on the chain. */
export type ChainProgress = Pick<ChainSend, 'status' | 'minedBlock' | 'minedHash'>
