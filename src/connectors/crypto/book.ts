// The book that the connector needs, as a port: the connector knows no database.
import type {
  ChainProgress,
  ChainSend,
  ChainStanding,
  FoundChainSend,
  Hex,
  NewChainSend,
  UnfinishedSends,
} from '../../domain/transfer/chain-sends.ts'

/** Every answer is of what is committed, and every writing is committed before it resolves. */
export type ChainSends = {
  readonly find: (reference: string) => Promise<FoundChainSend>
  /** The row that holds a nonce of the sender. */
  readonly holding: (network: string, sender: Hex, nonce: number) => Promise<FoundChainSend>
  /** The next nonce, and what the rows from `fromNonce` on promise. */
  readonly standing: (ask: {
    readonly network: string
    readonly sender: Hex
    readonly fromNonce: number
    readonly token: Hex | null
  }) => Promise<ChainStanding>
  /** The next nonce, null before the first; and since when, in milliseconds, the oldest row is open, null where none is. */
  readonly unfinished: (network: string, sender: Hex) => Promise<UnfinishedSends>
  /** Writes the row; false where its reference or its nonce is taken, or the book's clock is past `notAfter`. */
  readonly claim: (send: NewChainSend, notAfter: number) => Promise<boolean>
  /** Adds a transaction that replaces `replaced`; false where that is not the newest, or the row is no longer open. */
  readonly addReplacement: (reference: string, replaced: Hex, by: Replacement) => Promise<boolean>
  /** Writes where an open row stands on the chain. */
  readonly record: (reference: string, progress: ChainProgress) => Promise<void>
}

export type Replacement = { readonly raw: Hex; readonly hash: Hex; readonly gasMax: bigint }

/** The newest transaction of a row that was signed. */
export function newestOf(row: Pick<ChainSend, 'raws' | 'hashes'>): { readonly raw: Hex; readonly hash: Hex } {
  const [raw, hash] = [row.raws.at(-1), row.hashes.at(-1)]
  if (raw === undefined || hash === undefined) throw new Error('a row of the book without a transaction')
  return { raw, hash }
}
