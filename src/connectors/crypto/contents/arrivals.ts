// What came to addresses in blocks of the chain, read strictly, and for an asset. A block that is larger than one answer is read
// by its transactions instead, and brings the same. It must not know orders or the book.
import type { BlockName, ChainAsset } from '../../../domain/payment/chain-payments.ts'
import type { Hex } from '../../../domain/transfer/chain-sends.ts'
import { fieldsOf } from '../../rail.ts'
import { type Log, receiptFrom, TRANSFER_TOPIC } from '../chain.ts'
import { all, ask, askUnlessTooLarge, count, hash, quantity, type Rpc, RpcDoubt, word } from '../rpc.ts'
import { type LargeBlocks, noteLarge, readInParts, readTransaction, readTransactions } from './large-blocks.ts'

/** Something of the asset that went to an address in a block. */
export type Arrival = {
  readonly to: Hex
  readonly units: bigint
  readonly transaction: Hex
  /** Index of the token transfer within its transaction, from 0; null for a coin. */
  readonly place: number | null
}

type Asset = ChainAsset['asset']
type Arrivals = readonly Arrival[]

/** All transfers in each of the blocks: the node need not know which addresses are ours. */
export async function readArrivals(
  rpc: Rpc,
  asset: Asset,
  blocks: readonly BlockName[],
  large: LargeBlocks<Arrivals>,
): Promise<readonly Arrivals[]> {
  const found = await Promise.all(blocks.map((block) => inOneAnswer(rpc, asset, block, large)))
  const arrivals: Arrivals[] = []
  // One large block after another: so many calls at once are for all of them together.
  for (const [place, block] of blocks.entries())
    arrivals.push(found[place] ?? (await oneByOne(rpc, asset, block, large)))
  return arrivals
}

/** Null for a block that is too large. */
async function inOneAnswer(
  rpc: Rpc,
  asset: Asset,
  block: BlockName,
  large: LargeBlocks<Arrivals>,
): Promise<Arrivals | null> {
  if (large.has(block.hash)) return null
  const found = await (asset === 'coin' ? coinArrivals(rpc, block) : tokenArrivals(rpc, asset, block))
  if (found !== 'too large') return found
  noteLarge(large, block)
  return null
}

async function oneByOne(rpc: Rpc, asset: Asset, block: BlockName, large: LargeBlocks<Arrivals>): Promise<Arrivals> {
  const held = large.get(block.hash)
  if (held === undefined) throw new Error(`block ${block.number} is not noted as large`)
  held.transactions ??= await readTransactions(rpc, block)
  const parts = await readInParts(held, held.transactions, (transaction, place) =>
    asset === 'coin' ? coinOf(rpc, block, transaction, place) : tokensOf(rpc, asset, block, transaction),
  )
  return parts.flat()
}

async function coinOf(rpc: Rpc, block: BlockName, transaction: Hex, place: number): Promise<Arrivals> {
  const arrival = coinFrom(await readTransaction(rpc, block, transaction, place))
  if (arrival === undefined) throw new RpcDoubt(`transaction ${transaction} makes no sense`)
  return arrival === null ? [] : [arrival]
}

function tokensOf(rpc: Rpc, token: Hex, block: BlockName, transaction: Hex): Promise<Arrivals> {
  return ask(rpc, 'eth_getTransactionReceipt', [transaction], (result) => {
    const receipt = receiptFrom(result, transaction)
    const logs = fieldsOf(result)?.['logs']
    if (receipt?.blockHash !== block.hash || !Array.isArray(logs)) return undefined
    // By the filter that a node applies to the logs of a whole block.
    const isAsked = ({ address, topics }: Log) => address === token && hash(topics[0]) === TRANSFER_TOPIC
    const asked = logs.filter((_, place) => receipt.logs[place] !== undefined && isAsked(receipt.logs[place]))
    const moves = all(asked, (log) => moveFrom(log, token, block))
    return moves?.every((move) => move.transaction === transaction) ? placed(moves) : undefined
  })
}

async function tokenArrivals(rpc: Rpc, token: Hex, block: BlockName): Promise<Arrivals | 'too large'> {
  const filter = { blockHash: block.hash, address: token, topics: [TRANSFER_TOPIC] }
  return askUnlessTooLarge(rpc, 'eth_getLogs', [filter], (result) => {
    const moves = all(result, (log) => moveFrom(log, token, block))
    return moves === undefined ? undefined : placed(moves)
  })
}

function placed(moves: readonly Move[]): Arrivals {
  const places = new Map<Hex, number>()
  return moves
    .toSorted((one, other) => one.logIndex - other.logIndex)
    .flatMap(({ to, units, transaction }) => {
      // Counted within the transaction, for its place in the block is another one after a re-org.
      const place = places.get(transaction) ?? 0
      places.set(transaction, place + 1)
      return to === null || units === null ? [] : [{ to, units, transaction, place }]
    })
}

type Move = {
  readonly transaction: Hex
  readonly logIndex: number
  /** Null where the event has another form than ERC-20's. */
  readonly to: Hex | null
  readonly units: bigint | null
}

const ERC20_TOPICS = 3

function moveFrom(value: unknown, token: Hex, block: BlockName): Move | undefined {
  const fields = fieldsOf(value)
  const transaction = hash(fields?.['transactionHash'])
  const logIndex = count(fields?.['logIndex'])
  const topics = fields?.['topics']
  const address = fields?.['address']
  if (transaction === undefined || logIndex === undefined || !Array.isArray(topics)) return undefined
  // A log of another block or contract: the node answered another question than ours.
  if (typeof address !== 'string' || address.toLowerCase() !== token || fields?.['removed'] === true) return undefined
  if (hash(fields?.['blockHash']) !== block.hash || hash(topics[0]) !== TRANSFER_TOPIC) return undefined
  if (topics.length !== ERC20_TOPICS) return { transaction, logIndex, to: null, units: null }
  const to = addressIn(topics[2])
  const units = word(fields?.['data'])
  return to === undefined || units === undefined ? undefined : { transaction, logIndex, to, units }
}

/** An address in the last 20 bytes of a word. */
function addressIn(topic: unknown): Hex | undefined {
  const digits = /^0x0{24}([0-9a-f]{40})$/.exec(hash(topic) ?? '')?.[1]
  return digits === undefined ? undefined : `0x${digits}`
}

async function coinArrivals(rpc: Rpc, block: BlockName): Promise<Arrivals | 'too large'> {
  return askUnlessTooLarge(rpc, 'eth_getBlockByHash', [block.hash, true], (result) => {
    const fields = fieldsOf(result)
    if (hash(fields?.['hash']) !== block.hash) return undefined
    return all(fields?.['transactions'], coinFrom)?.filter((arrival) => arrival !== null)
  })
}

/** Null for a transaction that pays no coins, such as one that creates a contract. */
function coinFrom(value: unknown): Arrival | null | undefined {
  const fields = fieldsOf(value)
  const transaction = hash(fields?.['hash'])
  const units = quantity(fields?.['value'])
  const to = fields?.['to']
  if (transaction === undefined || units === undefined) return undefined
  if (to === null || to === undefined) return null
  if (typeof to !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(to)) return undefined
  return { to: to.toLowerCase() as Hex, units, transaction, place: null }
}
