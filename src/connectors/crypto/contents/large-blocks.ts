// Blocks that are larger than one answer that is read: anybody can fill one for the price of its gas. Their transactions are read
// one by one, a few at a time, and what was read is kept, so that a block that takes longer than a look is read over several.
import type { BlockName } from '../../../domain/payment/chain-payments.ts'
import type { Hex } from '../../../domain/transfer/chain-sends.ts'
import { fieldsOf } from '../../rail.ts'
import { numberToHex } from 'viem'
import { all, ask, hash, type Rpc, RpcDoubt } from '../rpc.ts'

/** What of one was read so far. */
export type LargeBlock<T> = {
  /** For whoever reads the log. */
  readonly what: string
  /** By a transaction's place in the block. */
  readonly parts: Map<number, T>
  atOnce: number
}

const AT_ONCE_MAX = 8

export const largeBlock = <T>(what: string): LargeBlock<T> => ({ what, parts: new Map(), atOnce: AT_ONCE_MAX })

/**
 * Every transaction's part, in order. Where some could not be read it throws RpcDoubt, and the next call begins with those. A line
 * that brings none of so many in time is asked for fewer at once.
 */
export async function readInParts<T>(
  held: LargeBlock<T>,
  transactions: readonly Hex[],
  read: (transaction: Hex, place: number) => Promise<T>,
): Promise<readonly T[]> {
  const { what, parts, atOnce } = held
  const readBefore = parts.size
  const left = [...transactions.entries()].filter(([place]) => !parts.has(place)).toReversed()
  const readOn = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) parts.set(next[0], await read(next[1], next[0]))
  }
  // All have ended before anything is thrown: none of them writes into a later look.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, readOn))
  held.atOnce = parts.size > readBefore ? Math.min(2 * atOnce, AT_ONCE_MAX) : Math.ceil(atOnce / 2)
  const faults = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason as unknown)
  if (faults.length === 0) return transactions.map((_, place) => parts.get(place) as T)
  const [doubt] = faults
  const other = faults.find((fault) => !(fault instanceof RpcDoubt))
  if (other !== undefined || !(doubt instanceof RpcDoubt)) throw other
  const progress = `${parts.size} of its ${transactions.length} transactions are read`
  throw new RpcDoubt(`${what} is larger than one answer: ${progress}, ${doubt.message}`)
}

/** What is known of large blocks, by their hashes; the same ones are asked for again until they are read whole. */
export type LargeBlocks<T> = Map<Hex, LargeBlock<T> & BlockName & { transactions: readonly Hex[] | null }>

// As many as are asked for at once: those above are met again before others are.
const KEPT_MAX = 16

/** Forgets what was read for good, or is not on the chain any more; what is above those asked for now may come later. */
export function forgetOthers<T>(large: LargeBlocks<T>, blocks: readonly BlockName[]): void {
  const last = blocks.at(-1)
  const asked = new Set(blocks.map((block) => block.hash))
  for (const [own, { number }] of large)
    if (!asked.has(own) && (last === undefined || number <= last.number || large.size > KEPT_MAX)) large.delete(own)
}

export function noteLarge<T>(large: LargeBlocks<T>, { number, hash: own }: BlockName): void {
  large.set(own, { ...largeBlock<T>(`block ${number}`), number, hash: own, transactions: null })
}

/** The hashes of a block's transactions: some tens of bytes each, whatever they hold. */
export function readTransactions(rpc: Rpc, block: BlockName): Promise<readonly Hex[]> {
  return ask(rpc, 'eth_getBlockByHash', [block.hash, false], (result) => {
    const fields = fieldsOf(result)
    return hash(fields?.['hash']) === block.hash ? all(fields?.['transactions'], hash) : undefined
  })
}

type Fields = Readonly<Record<string, unknown>>

/** The transaction at a place in the block, which must be the one that the block lists there. */
export function readTransaction(rpc: Rpc, block: BlockName, transaction: Hex, place: number): Promise<Fields> {
  return ask(rpc, 'eth_getTransactionByBlockHashAndIndex', [block.hash, numberToHex(place)], (result) => {
    const fields = fieldsOf(result)
    const isListed = hash(fields?.['hash']) === transaction && hash(fields?.['blockHash']) === block.hash
    return fields !== null && isListed ? fields : undefined
  })
}
