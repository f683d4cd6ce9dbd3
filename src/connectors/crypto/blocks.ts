// Single blocks of the chain and what held at them, read strictly. A block is requested by its hash, so that an answer can be about
// no other, and a node that does not have it cannot report it as empty. It must not know orders or the book.
import type { BlockName } from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { fieldsOf } from '../rail.ts'
import { numberToHex } from 'viem'
import { readLatest, receiptFrom } from './chain.ts'
import { ask, count, hash, isTooLarge, quantity, type Rpc } from './rpc.ts'

/** `timeMs`: when it was made, as it says itself, in milliseconds since the epoch; no block is older than its parent. */
export type Block = BlockName & { readonly parent: Hex; readonly timeMs: number }

const TRIES_MAX = 3

/**
 * Reads may be repeated at once, so that a call that fails now and then does not hide the chain. An answer that is larger than is
 * read would be as large again.
 */
export function patient(rpc: Rpc): Rpc {
  return async (method, params) => {
    let reply = await rpc(method, params)
    for (let tries = 1; tries < TRIES_MAX && reply.kind !== 'result' && !isTooLarge(reply); tries++)
      reply = await rpc(method, params)
    return reply
  }
}

/** The newest block of the right chain. */
export function readTip(rpc: Rpc, chainId: number): Promise<Block> {
  return readLatest(rpc, chainId, blockFrom)
}

/** The block of this number on the canonical chain. */
export function readBlock(rpc: Rpc, number: bigint): Promise<Block> {
  return ask(rpc, 'eth_getBlockByNumber', [numberToHex(number), false], (result) => {
    const block = blockFrom(result)
    return block?.number === number ? block : undefined
  })
}

function blockFrom(result: unknown): Block | undefined {
  const fields = fieldsOf(result)
  const number = quantity(fields?.['number'])
  const own = hash(fields?.['hash'])
  const parent = hash(fields?.['parentHash'])
  const seconds = count(fields?.['timestamp'])
  if (number === undefined || own === undefined || parent === undefined || seconds === undefined) return undefined
  return { number, hash: own, parent, timeMs: seconds * 1000 }
}

/** The newest block after `after` and up to `last` that was made by then; null where there is none. */
export async function newestBy(rpc: Rpc, timeMs: number, after: bigint, last: Block): Promise<Block | null> {
  if (last.number <= after) return null
  if (last.timeMs <= timeMs) return last
  let found: Block | null = null
  let [early, late] = [after, last.number]
  while (late - early > 1n) {
    const middle = await readBlock(rpc, (early + late) / 2n)
    if (middle.timeMs > timeMs) late = middle.number
    else [found, early] = [middle, middle.number]
  }
  return found
}

/** Whether a transaction of the block did what it says. One that failed is in its block, and moved nothing. */
export function hasSucceeded(rpc: Rpc, transaction: Hex, block: BlockName): Promise<boolean> {
  return ask(rpc, 'eth_getTransactionReceipt', [transaction], (result) => {
    const receipt = receiptFrom(result, transaction)
    return receipt?.blockHash === block.hash ? receipt.hasSucceeded : undefined
  })
}

/** The coins of an address in wei at the very block, and how much it ever sent. */
export async function readCoins(
  rpc: Rpc,
  address: Hex,
  block: BlockName,
): Promise<{ readonly wei: bigint; readonly sent: number }> {
  const at = { blockHash: block.hash }
  const [wei, sent] = await Promise.all([
    ask(rpc, 'eth_getBalance', [address, at], quantity),
    ask(rpc, 'eth_getTransactionCount', [address, at], count),
  ])
  return { wei, sent }
}
