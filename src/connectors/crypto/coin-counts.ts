// Coins that a contract pays leave no transaction to the address: they show in nothing but what it holds at a block.
import type { AddressToCount, BlockName } from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { type Block, newestBy, readBlock, readCoins } from './blocks.ts'
import type { ReceivingBook } from './receiving-book.ts'
import { orDoubt, type Rpc, RpcDoubt } from './rpc.ts'

// A node that is no archive keeps what addresses held for 128 blocks.
const HELD_BLOCKS = 100n

/**
 * Counts some addresses at the final block. What the node could not answer, as text; null where it answered all. One address that it
 * does not answer for keeps no other from being counted.
 */
export async function countCoins(
  book: ReceivingBook,
  rpc: Rpc,
  network: string,
  cursor: BlockName,
): Promise<string | null> {
  let doubt: string | null = null
  for (const each of await book.toCount(network, cursor.number))
    doubt = (await orDoubt(countOne(book, rpc, network, cursor, each))) ?? doubt
  return doubt
}

/** What is new in two parts where the payer's time ended since the last count: what was there by then came in time. */
async function countOne(
  book: ReceivingBook,
  rpc: Rpc,
  network: string,
  cursor: BlockName,
  each: AddressToCount,
): Promise<null> {
  const { reference, address } = each
  const counted = (block: BlockName, units: bigint | null, seenAt: number | null) =>
    book.counted({ network, reference, id: `${network}/${block.hash}/${address}`, cursor, block, units, seenAt })
  const { wei, sent } = await readCoins(rpc, address, cursor)
  if (sent > 0 || wei <= each.knownUnits) {
    await counted(cursor, sent > 0 ? null : wei, null)
    return null
  }
  const last = await readBlock(rpc, cursor.number)
  if (last.hash !== cursor.hash) throw new RpcDoubt(`the node has another block ${cursor.number} than the final one`)
  const inTime = await newestBy(rpc, each.expiresAt, each.countedBlock, last)
  if (inTime !== null && inTime.number < last.number) {
    const units = await heldAt(rpc, address, inTime, last)
    if (units !== null) await counted(inTime, units, inTime.timeMs)
  }
  await counted(cursor, wei, last.timeMs)
  return null
}

/** Null where the block is so old that the node need not know it any more. */
async function heldAt(rpc: Rpc, address: Hex, block: Block, last: Block): Promise<bigint | null> {
  const found = await orDoubt(readCoins(rpc, address, block))
  if (typeof found !== 'string') return found.wei
  if (last.number - block.number < HELD_BLOCKS) throw new RpcDoubt(found)
  return null
}
