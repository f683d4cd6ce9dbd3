// What single blocks of the chain hold, read strictly. A block is requested by its hash, so that an answer can be about
// no other, and a node that does not have it cannot report it as empty. It must not know orders or the book.
import type { BlockName, ChainAsset } from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { fieldsOf } from '../rail.ts'
import { numberToHex } from 'viem'
import { readLatest, receiptFrom, TRANSFER_TOPIC } from './chain.ts'
import { ask, count, hash, quantity, type Rpc, word } from './rpc.ts'

/** `timeMs`: when it was made, as it says itself, in milliseconds since the epoch; no block is older than its parent. */
export type Block = BlockName & { readonly parent: Hex; readonly timeMs: number }

/** Something of the asset that went to an address in a block. */
export type Arrival = {
  readonly to: Hex
  readonly units: bigint
  readonly transaction: Hex
  /** Index of the token transfer within its transaction, from 0; null for a coin. */
  readonly place: number | null
}

const TRIES_MAX = 3

/** Reads may be repeated at once, so that a call that fails now and then does not hide the chain. */
export function patient(rpc: Rpc): Rpc {
  return async (method, params) => {
    let reply = await rpc(method, params)
    for (let tries = 1; tries < TRIES_MAX && reply.kind !== 'result'; tries++) reply = await rpc(method, params)
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

/** All transfers in the block: the node need not know which addresses are ours. */
export function readArrivals(rpc: Rpc, asset: ChainAsset['asset'], block: BlockName): Promise<readonly Arrival[]> {
  return asset === 'coin' ? coinArrivals(rpc, block) : tokenArrivals(rpc, asset, block)
}

async function tokenArrivals(rpc: Rpc, token: Hex, block: BlockName): Promise<readonly Arrival[]> {
  const filter = { blockHash: block.hash, address: token, topics: [TRANSFER_TOPIC] }
  const moves = await ask(rpc, 'eth_getLogs', [filter], (result) => all(result, (log) => moveFrom(log, token, block)))
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

async function coinArrivals(rpc: Rpc, block: BlockName): Promise<readonly Arrival[]> {
  return ask(rpc, 'eth_getBlockByHash', [block.hash, true], (result) => {
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

/** Every item read, or nothing at all: one that makes no sense spoils the answer. */
function all<T>(values: unknown, read: (value: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(values)) return undefined
  const items = values.map(read)
  return items.every((item): item is NonNullable<typeof item> => item !== undefined) ? items : undefined
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
