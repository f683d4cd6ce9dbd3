// What left an address on the chain, read strictly: every transaction that it signed since a moment, as the very bytes that it
// signed. A node that leaves one out is found out by the nonces, which have no gaps. It must not know orders or the book.
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { keccak256, numberToHex, recoverTransactionAddress, serializeTransaction } from 'viem'
import { fieldsOf } from '../rail.ts'
import { type Block, readBlock } from './blocks.ts'
import { all, ask, askUnlessTooLarge, count, hash, quantity, type Rpc, RpcDoubt } from './rpc.ts'
import { readNonce } from './chain.ts'
import { largeBlock, readInParts, readTransaction, readTransactions } from './contents/large-blocks.ts'

/** A transaction as its key signed it. `raw` is null for one of a form that the gateway never signs. */
export type Departure = {
  readonly hash: Hex
  readonly nonce: number
  readonly raw: Hex | null
  /** Null while it waits at the node. */
  readonly block: bigint | null
}

/**
 * The first block that may hold something of that time; the chain's first where it begins later. It is looked for from the head
 * back, in steps that double: many nodes have dropped the blocks of long ago.
 */
export async function firstBlockSince(rpc: Rpc, head: bigint, sinceMs: number): Promise<bigint> {
  let [low, high] = [0n, head]
  for (let back = 1n; back <= head; back *= 2n) {
    if ((await timeMsOf(rpc, head - back)) < sinceMs) {
      low = head - back + 1n
      break
    }
    high = head - back
  }
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await timeMsOf(rpc, middle)) < sinceMs) low = middle + 1n
    else high = middle
  }
  return low
}

/** When a block was made, by its own stamp. */
export async function timeMsOf(rpc: Rpc, block: bigint): Promise<number> {
  const name = numberToHex(block)
  const seconds = await ask(rpc, 'eth_getBlockByNumber', [name, false], (result) =>
    count(fieldsOf(result)?.['timestamp']),
  )
  return seconds * 1000
}

/** What the sender signed in the blocks from the first on, without a gap from one nonce to the chain's next. */
export async function departuresFrom(
  rpc: Rpc,
  sender: Hex,
  first: bigint,
  head: Block,
): Promise<{ readonly departures: readonly Departure[]; readonly fromNonce: number; readonly chainNonce: number }> {
  const chainNonce = await readNonce(rpc, sender, head.number)
  const before = first === 0n ? 0 : await nonceAt(rpc, sender, first - 1n)
  const end = { block: head.number, nonce: chainNonce }
  const blocks = await blocksWith(rpc, sender, { block: first - 1n, nonce: before }, end)
  const departures: Departure[] = []
  for (const block of blocks) departures.push(...(await signedIn(rpc, sender, block)))
  departures.sort((one, other) => one.nonce - other.nonce)
  const fromNonce = before ?? departures[0]?.nonce ?? chainNonce
  const isWhole = departures.every(({ nonce }, place) => nonce === fromNonce + place)
  if (!isWhole || fromNonce + departures.length !== chainNonce) {
    const nonces = `from nonce ${fromNonce} to ${chainNonce - 1}`
    throw new RpcDoubt(`the node does not show every transaction of ${sender} ${nonces}`)
  }
  // The head that all was read under is still the chain's, or some of it may be from another branch.
  if ((await readBlock(rpc, head.number)).hash !== head.hash) throw new RpcDoubt('the chain turned while it was read')
  return { departures, fromNonce, chainNonce }
}

/** Null where the node does not keep the state of a block that old. */
async function nonceAt(rpc: Rpc, sender: Hex, block: bigint): Promise<number | null> {
  const reply = await rpc('eth_getTransactionCount', [sender, numberToHex(block)])
  return reply.kind === 'refused' ? null : ask(async () => reply, 'eth_getTransactionCount', [], count)
}

type Edge = { readonly block: bigint; readonly nonce: number | null }

/** The blocks above `low` up to `high` in which the nonce grew. Without old states, every one that may be such. */
async function blocksWith(rpc: Rpc, sender: Hex, low: Edge, high: Edge): Promise<bigint[]> {
  if (low.block >= high.block || (low.nonce !== null && low.nonce === high.nonce)) return []
  if (low.block + 1n === high.block) return [high.block]
  const block = (low.block + high.block) / 2n
  const middle = { block, nonce: await nonceAt(rpc, sender, block) }
  return [...(await blocksWith(rpc, sender, low, middle)), ...(await blocksWith(rpc, sender, middle, high))]
}

/** What of the sender waits at the node: up to which nonce, and what of it stands in the block that the node would make. */
export async function waitingAt(
  rpc: Rpc,
  sender: Hex,
  chainNonce: number,
): Promise<{ readonly nextNonce: number; readonly shown: readonly Departure[] }> {
  const nextNonce = await ask(rpc, 'eth_getTransactionCount', [sender, 'pending'], count)
  const shown = nextNonce <= chainNonce ? [] : await signedIn(rpc, sender, null)
  return { nextNonce, shown: shown.filter(({ nonce }) => nonce >= chainNonce) }
}

/** In a block, or (null) in the one that the node would make. */
async function signedIn(rpc: Rpc, sender: Hex, block: bigint | null): Promise<Departure[]> {
  const name = block === null ? 'pending' : numberToHex(block)
  const listed = await askUnlessTooLarge(rpc, 'eth_getBlockByNumber', [name, true], (result) => {
    const fields = fieldsOf(result)
    if (block !== null && quantity(fields?.['number']) !== block) return undefined
    return all(fields?.['transactions'], (each) => fieldsOf(each) ?? undefined)
  })
  const isOwn = ({ from }: Fields) => typeof from === 'string' && from.toLowerCase() === sender.toLowerCase()
  const own = listed === 'too large' ? await ofLargeBlock(rpc, block, isOwn) : listed.filter(isOwn)
  return Promise.all(own.map((fields) => departureFrom(fields, sender, block)))
}

/** Those of a block that is larger than one answer. */
async function ofLargeBlock(
  rpc: Rpc,
  number: bigint | null,
  isOwn: (fields: Fields) => boolean,
): Promise<readonly Fields[]> {
  if (number === null) return ofLargePending(rpc, isOwn)
  const block = await readBlock(rpc, number)
  const transactions = await readTransactions(rpc, block)
  const parts = await readInParts(largeBlock<Fields[]>(`block ${number}`), transactions, async (transaction, place) =>
    [await readTransaction(rpc, block, transaction, place)].filter(isOwn),
  )
  return parts.flat()
}

/**
 * What the node does not have any more, or is itself too large, is left out: whoever asks for what waits asks for each nonce of it,
 * and an own one that is missing is not taken for none.
 */
async function ofLargePending(rpc: Rpc, isOwn: (fields: Fields) => boolean): Promise<readonly Fields[]> {
  const transactions = await ask(rpc, 'eth_getBlockByNumber', ['pending', false], (result) =>
    all(fieldsOf(result)?.['transactions'], hash),
  )
  const held = largeBlock<readonly Fields[]>('the block that the node would make')
  const parts = await readInParts(held, transactions, async (transaction) => {
    const found = await askUnlessTooLarge(rpc, 'eth_getTransactionByHash', [transaction], (result) => {
      const fields = fieldsOf(result)
      return result === null || (fields !== null && hash(fields['hash']) === transaction) ? fields : undefined
    })
    return found === null || found === 'too large' ? [] : [found].filter(isOwn)
  })
  return parts.flat()
}

/** Some nodes write it with its leading zeros, and some without. */
const scalar = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : undefined

type Fields = Readonly<Record<string, unknown>>

async function departureFrom(fields: Fields, sender: Hex, block: bigint | null): Promise<Departure> {
  const own = hash(fields['hash'])
  const nonce = count(fields['nonce'])
  if (own === undefined || nonce === undefined) throw new RpcDoubt('a transaction without a hash or nonce')
  const raw = rawOf(fields, nonce)
  if (raw === null || keccak256(raw) !== own) return { hash: own, nonce, raw: null, block }
  const signer = await recoverTransactionAddress({ serializedTransaction: raw })
  if (signer.toLowerCase() !== sender.toLowerCase()) throw new RpcDoubt(`${own} is not signed by ${sender}`)
  return { hash: own, nonce, raw, block }
}

const EIP_1559 = 2n

/** The bytes that were signed, of a transaction in the form that the gateway signs. */
function rawOf(fields: Fields, nonce: number): `0x02${string}` | null {
  const chainId = count(fields['chainId'])
  const [value, gas] = [quantity(fields['value']), quantity(fields['gas'])]
  const [fee, tip] = [quantity(fields['maxFeePerGas']), quantity(fields['maxPriorityFeePerGas'])]
  const [r, s] = [scalar(fields['r']), scalar(fields['s'])]
  const yParity = quantity(fields['yParity'] ?? fields['v'])
  const { to, input, accessList } = fields
  if (quantity(fields['type']) !== EIP_1559 || typeof to !== 'string' || typeof input !== 'string') return null
  if (!/^0x[0-9a-fA-F]{40}$/.test(to) || !/^0x([0-9a-fA-F]{2})*$/.test(input)) return null
  if (Array.isArray(accessList) && accessList.length > 0) return null
  if (chainId === undefined || value === undefined || gas === undefined) return null
  if (fee === undefined || tip === undefined || r === undefined || s === undefined) return null
  if (yParity !== 0n && yParity !== 1n) return null
  const unsigned = {
    type: 'eip1559',
    chainId,
    nonce,
    to: to as Hex,
    value,
    data: input as Hex,
    gas,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: tip,
  } as const
  const signature = { r: numberToHex(r, { size: 32 }), s: numberToHex(s, { size: 32 }), yParity: Number(yParity) }
  return serializeTransaction(unsigned, signature)
}
