// The chain as far as it is read: blocks that follow each other by their hashes, from the last final one
// up to the newest. It knows no money.
import type { BlockName } from '../../domain/payment/chain-payments.ts'
import { type Block, readBlock } from './blocks.ts'
import { type Rpc, RpcDoubt } from './rpc.ts'

/** Blocks above `cursor`, each the parent of the next. */
export type ChainSegment<B extends Block> = readonly B[]

/** The part of a segment that still holds with the cursor where it is; another process may have moved it. */
export function segmentFrom<B extends Block>(segment: ChainSegment<B>, cursor: BlockName): ChainSegment<B> {
  const above = segment.filter(({ number }) => number > cursor.number)
  return above[0]?.number === cursor.number + 1n && above[0].parent === cursor.hash ? above : []
}

/**
 * The segment up to the tip: blocks that are not on the chain any more are left out, and at most `blocksMax` new ones
 * are read. A tip below what was seen already is from a node that is behind, and changes nothing. Throws RpcDoubt, also
 * where the chain does not go on from the cursor.
 */
export async function grown<B extends Block>(
  rpc: Rpc,
  segment: ChainSegment<B>,
  cursor: BlockName,
  tip: Block,
  blocksMax: number,
): Promise<{ readonly kept: ChainSegment<B>; readonly fresh: readonly Block[] }> {
  const kept = [...segment]
  const fresh: Block[] = []
  const top = (): BlockName => fresh.at(-1) ?? kept.at(-1) ?? cursor
  const undo = () => {
    if ((fresh.pop() ?? kept.pop()) === undefined) throw new RpcDoubt(rewritten(cursor))
  }
  if (tip.number < top().number) return { kept, fresh }
  if (tip.number === top().number) {
    if (tip.hash === top().hash) return { kept, fresh }
    undo()
  }
  while (top().number < tip.number && fresh.length < blocksMax) {
    const next = await readBlock(rpc, top().number + 1n)
    if (next.parent === top().hash) fresh.push(next)
    else undo()
  }
  return { kept, fresh }
}

function rewritten({ number }: BlockName): string {
  return `the chain does not go on from block ${number}, which was final: it was rewritten deeper than the confirmations, or the node follows another`
}
