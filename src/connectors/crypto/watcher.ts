// Follows a chain for one asset, and writes into the book what comes to addresses of ours. It reads every block, and
// passes none before it has its confirmations; whatever the node reports, it never goes back behind that.
import type { BlockName, ChainAsset, ReadChainPayment } from '../../domain/payment/chain-payments.ts'
import { type Block, hasSucceeded, patient, readBlock, readTip } from './blocks.ts'
import { countCoins } from './coin-counts.ts'
import { networkOf } from './connector.ts'
import { type Arrival, readArrivals } from './contents/arrivals.ts'
import { forgetOthers, type LargeBlocks } from './contents/large-blocks.ts'
import type { ReceivingBook } from './receiving-book.ts'
import { openRpc, orDoubt, type Rpc, type RpcSettings } from './rpc.ts'
import { grown, type ChainSegment, segmentFrom } from './segment.ts'

/** `timeoutMs` covers all calls of one round to the node, and those that count coins once more. */
export type WatcherDeps = RpcSettings & {
  readonly chainId: number
  readonly asset: ChainAsset['asset']
  readonly book: ReceivingBook
  /** Blocks from a payment's own on before it is final. */
  readonly confirmations: number
}

export type Look =
  /** `blocks`: how many were read. `doubt`: why coins that contracts pay could not be counted; null where they were. */
  | {
      readonly kind: 'looked'
      readonly blocks: number
      readonly progress: readonly Progress[]
      readonly doubt: string | null
    }
  /** The node is away or makes no sense. Nothing is lost: the same blocks are read in the next round. */
  | { readonly kind: 'waits'; readonly reason: string }

/** How deep the youngest payment of an attempt lies that is not final, below `top`, the newest block that was looked at; 0 where its block was undone. */
export type Progress = { readonly reference: string; readonly confirmations: number; readonly top: number }

export type Watcher = ChainAsset & {
  readonly confirmations: number
  /** One round of reading the chain, from where the book stands; one after another. */
  readonly look: () => Promise<Look>
}

type ReadBlock = Block & { readonly payments: readonly ReadChainPayment[] }

// The most blocks read in a round. A chain that was away for long is caught up with over many rounds, and a slow node
// is asked for less after each round that it did not keep up with.
const BLOCKS_PER_LOOK = 16

export function openWatcher(deps: WatcherDeps): Watcher {
  const asset: ChainAsset = { network: networkOf(deps.chainId), asset: deps.asset }
  let segment: ChainSegment<ReadBlock> = []
  let blocksMax = BLOCKS_PER_LOOK
  const large: LargeBlocks<readonly Arrival[]> = new Map()
  const look = async (): Promise<Look> => {
    const rpc = patient(openRpc(deps))
    const tip = await readTip(rpc, deps.chainId)
    const cursor = await deps.book.cursor(asset)
    if (cursor === null) return begin(deps, rpc, asset, tip)
    const { kept, fresh } = await grown(rpc, segmentFrom(segment, cursor), cursor, tip, blocksMax)
    const whole = [...kept, ...(await withPayments(deps, rpc, asset, fresh, large))]
    const top = whole.at(-1)
    const isChanged = fresh.length > 0 || kept.length < segment.length
    if (top === undefined || !isChanged) return NOTHING_NEW
    const to = finalOf(whole, cursor, deps.confirmations)
    const payments = whole.flatMap((block) => block.payments)
    const recorded = await deps.book.record({ ...asset, from: cursor, to, top: top.number, payments })
    // Another process was faster: the next round begins after what it read.
    segment = recorded === null ? [] : segmentFrom(whole, to)
    if (recorded === null) return NOTHING_NEW
    const isAtTip = deps.asset === 'coin' && top.number === tip.number
    const doubt = isAtTip ? await countCoins(deps.book, patient(openRpc(deps)), asset.network, to) : null
    return { kind: 'looked', blocks: fresh.length, progress: progressOf(segment, top, recorded.dropped), doubt }
  }
  return {
    ...asset,
    confirmations: deps.confirmations,
    look: async () => {
      const looked = await orDoubt(look())
      const hasFailed = typeof looked === 'string'
      blocksMax = hasFailed ? Math.ceil(blocksMax / 2) : Math.min(2 * blocksMax, BLOCKS_PER_LOOK)
      return hasFailed ? { kind: 'waits', reason: looked } : looked
    },
  }
}

const NOTHING_NEW: Look = { kind: 'looked', blocks: 0, progress: [], doubt: null }

/** No address of the asset is assigned before this is written, so that nothing can have come before. */
async function begin({ book, confirmations }: WatcherDeps, rpc: Rpc, asset: ChainAsset, tip: Block): Promise<Look> {
  const depth = BigInt(confirmations)
  await book.begin(asset, await readBlock(rpc, tip.number > depth ? tip.number - depth : 0n))
  return NOTHING_NEW
}

/** The newest block with its confirmations; never one before the cursor. */
function finalOf(segment: ChainSegment<Block>, cursor: BlockName, confirmations: number): BlockName {
  const { number, hash } = segment.at(-confirmations) ?? cursor
  return { number, hash }
}

/**
 * Addresses are looked up after the blocks were read: one that is paid in a block was given to its payer before that block
 * was made.
 */
async function withPayments(
  { book }: WatcherDeps,
  rpc: Rpc,
  asset: ChainAsset,
  blocks: readonly Block[],
  large: LargeBlocks<readonly Arrival[]>,
): Promise<ReadBlock[]> {
  forgetOthers(large, blocks)
  const read = await readArrivals(rpc, asset.asset, blocks, large)
  const addresses = new Set(read.flatMap((arrivals) => arrivals.map(({ to }) => to)))
  const owners = await book.owners(asset, [...addresses])
  return Promise.all(
    blocks.map(async (block, place) => {
      const ours = (read[place] ?? []).filter(({ to, units }) => units > 0n && owners.has(to))
      const payments = await Promise.all(ours.map((arrival) => paymentOf(rpc, asset, block, arrival, owners)))
      return { ...block, payments: payments.filter((payment) => payment !== null) }
    }),
  )
}

/** Null for a transaction that failed: it moved nothing. A token logs only what was done. */
async function paymentOf(
  rpc: Rpc,
  { network, asset }: ChainAsset,
  block: Block,
  { to, units, transaction, place }: Arrival,
  owners: ReadonlyMap<string, string>,
): Promise<ReadChainPayment | null> {
  const reference = owners.get(to)
  if (reference === undefined) return null
  if (place === null && !(await hasSucceeded(rpc, transaction, block))) return null
  // One transaction may move several tokens, and each counts its transfers from 0.
  const id = `${network}/${transaction}/${place === null ? asset : `${asset}/${place}`}`
  const { number, hash, timeMs } = block
  return { id, reference, units, transaction, block: { number, hash }, timeMs }
}

function progressOf(segment: ChainSegment<ReadBlock>, top: Block, dropped: readonly string[]): readonly Progress[] {
  const depths = new Map(dropped.map((reference) => [reference, 0]))
  // The youngest comes last, and is what still has to be waited for.
  for (const { number, payments } of segment)
    for (const { reference } of payments) depths.set(reference, Number(top.number - number) + 1)
  return [...depths].map(([reference, confirmations]) => ({ reference, confirmations, top: Number(top.number) }))
}
