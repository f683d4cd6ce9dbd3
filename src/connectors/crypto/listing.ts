// The chain as a list of the orders that the gateway's address paid: each transaction says in its memo which one it is. What the
// book has forgotten is written into it again, so that its nonce is not given twice and its end can be inquired. Nothing is sent.
import { decodeFunctionData, formatUnits, getAddress, parseAbi, parseTransaction, size, toFunctionSelector } from 'viem'
import { fixedText } from '../../domain/money/money.ts'
import type { ChainProgress, Hex, NewChainSend } from '../../domain/transfer/chain-sends.ts'
import type { TakenOrder } from '../connector.ts'
import { patient, readTip } from './blocks.ts'
import { type ChainSends, newestOf } from './book.ts'
import { hasMovedToken, readReceipt } from './chain.ts'
import { type Departure, departuresFrom, firstBlockSince, timeMsOf, waitingAt } from './departures.ts'
import { type Memo, MEMO_BYTES, type Memos } from './memos.ts'
import { openRpc, type Rpc, RpcDoubt, type RpcSettings } from './rpc.ts'
import type { Payout } from './transactions.ts'

export type ListingDeps = RpcSettings & {
  readonly chainId: number
  readonly network: string
  readonly sender: Hex
  readonly book: ChainSends
  readonly memos: Memos
  readonly confirmations: number
}

/** A transaction as its bytes say it. */
type Signed = ReturnType<typeof parseTransaction>

// Blocks are stamped by whoever makes them, and a row of the book by the database.
const CLOCKS_MS = 3_600_000
// A node that lags does not show what left last. Chains make a block within seconds.
const HEAD_AGE_MS_MAX = 300_000

/** The orders of a channel that left since then, or may still leave. Throws RpcDoubt where they cannot be read whole. */
export async function listSent(deps: ListingDeps, channelId: string, sinceMs: number): Promise<readonly TakenOrder[]> {
  const { network, sender, book } = deps
  // Each call has the time of one: a list is long, and nobody waits for it.
  const rpc = patient((method, params) => openRpc(deps)(method, params))
  const head = await readTip(rpc, deps.chainId)
  const { nextNonce, openSince, readAt } = await book.unfinished(network, sender)
  if ((await timeMsOf(rpc, head.number)) < readAt - HEAD_AGE_MS_MAX)
    throw new RpcDoubt(
      `the node's newest block, ${head.number}, is older than five minutes: wait until it has them all`,
    )
  const first = await firstBlockSince(rpc, head.number, Math.min(sinceMs, openSince ?? sinceMs) - CLOCKS_MS)
  const { departures, fromNonce, chainNonce } = await departuresFrom(rpc, sender, first, head)
  if (nextNonce !== null && fromNonce > nextNonce)
    throw new RpcDoubt(`the book ends before nonce ${nextNonce}, the list begins at ${fromNonce}: compare from earlier`)
  const waiting = await allWaiting(deps, rpc, chainNonce, nextNonce ?? chainNonce)
  const orders = new Map<string, TakenOrder>()
  for (const departure of [...departures, ...waiting]) {
    const order = await orderOf(deps, rpc, departure, head.number, channelId)
    if (order === null) continue
    const listed = orders.has(order.reference) ? secondOf(order, departure) : order
    orders.set(listed.reference, listed)
  }
  return [...orders.values()]
}

/** Two transactions of one order are two payments: the second has no other name than its own. */
const secondOf = (order: TakenOrder, { hash }: Departure): TakenOrder => ({
  ...order,
  reference: hash,
  note: `It is a second transaction of the order ${order.reference}.`,
})

/** What waits, by the book and by the node. What only the node knows must be readable: it may be mined at any moment. */
async function allWaiting(
  { book, network, sender }: ListingDeps,
  rpc: Rpc,
  chainNonce: number,
  nextNonce: number,
): Promise<readonly Departure[]> {
  const atNode = await waitingAt(rpc, sender, chainNonce)
  const shown = new Map(atNode.shown.map((departure) => [departure.nonce, departure]))
  const until = Math.max(nextNonce, atNode.nextNonce)
  const waiting: Departure[] = []
  for (let nonce = chainNonce; nonce < until; nonce++) {
    const { send } = await book.holding(network, sender, nonce)
    const own = send ? { ...newestOf(send), nonce, block: null } : undefined
    const departure = shown.get(nonce) ?? own
    if (departure === undefined)
      throw new RpcDoubt(`the node has a transaction of nonce ${nonce} that it does not show: wait until it is mined`)
    waiting.push(departure)
  }
  return waiting
}

/** Null for an order of another channel, for one that moved no money, and for what the book asks about by itself. */
async function orderOf(
  deps: ListingDeps,
  rpc: Rpc,
  departure: Departure,
  head: bigint,
  channelId: string,
): Promise<TakenOrder | null> {
  const { raw, hash, nonce } = departure
  const signed = raw === null ? null : parseTransaction(raw)
  const memo = signed && deps.memos.read(signed.data ?? '0x', nonce)
  const { send } = await deps.book.holding(deps.network, deps.sender, nonce)
  // Of before there were memos, or to a recipient that takes none.
  if (memo === null && send?.hashes.includes(hash)) return null
  if (memo === null || signed === null || raw === null) return strangerOf(departure, signed)
  const payout = payoutOf(signed, memo)
  // Whatever its channel: a nonce is the address's, and a channel may be left out of a recovery.
  const place = await placeInBook(deps, memo, { ...departure, raw }, signed, payout)
  const end = await endOf(deps, rpc, departure, payout, head)
  if (place === 'nonce_taken' && end === null)
    throw new RpcDoubt(`${hash} has the nonce of another payout in the book: wait until one of the two is final`)
  if (place === 'own' && end !== null) await deps.book.record(memo.reference, end)
  if (end?.status === 'reverted' || !memo.isOf(channelId)) return null
  const { reference, amountMinor, currency } = memo
  const kind = end === null ? 'accepted' : 'sent'
  const order: TakenOrder = { reference, kind, amountDecimal: fixedText(amountMinor, currency), currency }
  return place === 'second' ? secondOf(order, departure) : order
}

/** ISO 4217: no currency. */
const NO_CURRENCY = 'XXX'

/** Signed with the gateway's key, and nothing in it says for which order. */
function strangerOf({ hash, block }: Departure, signed: Signed | null): TakenOrder {
  const where = block === null ? 'It waits to be mined' : `It is in block ${block}`
  const what = signed === null ? 'in a form that the gateway never signs' : wordsOf(payoutOf(signed, null))
  const note = `${where}, ${what}.`
  return { reference: hash, kind: 'sent', amountDecimal: '', currency: NO_CURRENCY, note }
}

const wordsOf = ({ token, recipient, amount }: Payout) =>
  token === null
    ? `and moves ${formatUnits(amount, 18)} coins to ${recipient}`
    : `and moves ${amount} units of the token ${token} to ${recipient}`

/** What a transaction moves, as far as it is a transfer: else its coins. `memo`: what stands behind its call. */
function payoutOf({ to, value = 0n, data = '0x' }: Signed, memo: Memo | null): Payout {
  if (!to) throw new RpcDoubt('a transaction of the address without a recipient')
  const call = memo === null ? data : (data.slice(0, data.length - 2 * MEMO_BYTES) as Hex)
  if (!call.startsWith(TRANSFER_SELECTOR) || size(call) < TRANSFER_BYTES)
    return { recipient: getAddress(to), token: null, amount: value }
  const { args } = decodeFunctionData({ abi: TRANSFER_ABI, data: call })
  const [recipient, amount] = args
  return { recipient: getAddress(recipient), token: getAddress(to), amount }
}

const TRANSFER_ABI = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])
const TRANSFER_SELECTOR = toFunctionSelector('transfer(address,uint256)')
const TRANSFER_BYTES = 4 + 2 * 32

const CLAIM_MS = 60_000

/**
 * Where the book has the transaction, which is written where it has forgotten it: under its own order, or not, for another order has
 * its nonce, or its order has another nonce.
 */
async function placeInBook(
  { book, network, sender }: ListingDeps,
  { reference }: Memo,
  { raw, hash, nonce }: Departure & { readonly raw: Hex },
  { gas = 0n, maxFeePerGas = 0n }: Signed,
  payout: Payout,
): Promise<'own' | 'nonce_taken' | 'second'> {
  const gasMax = gas * maxFeePerGas
  const { send, readAt } = await book.find(reference)
  if (send === null) {
    const row: NewChainSend = {
      reference,
      network,
      sender,
      nonce,
      ...payout,
      gasMax,
      raws: [raw],
      hashes: [hash],
      status: 'open',
    }
    return (await book.claim(row, readAt + CLAIM_MS)) ? 'own' : 'nonce_taken'
  }
  if (send.nonce !== nonce) return 'second'
  // A final row takes no more of them, and needs none.
  if (!send.hashes.includes(hash)) await book.addReplacement(reference, newestOf(send).hash, { raw, hash, gasMax })
  return 'own'
}

/** How it ended; null while it can still be undone, and where only an operator can find out what the token did. */
async function endOf(
  deps: ListingDeps,
  rpc: Rpc,
  { hash, block }: Departure,
  { token, recipient, amount }: Payout,
  head: bigint,
): Promise<ChainProgress | null> {
  if (block === null || head - block + 1n < BigInt(deps.confirmations)) return null
  const receipt = await readReceipt(rpc, hash)
  if (receipt === null) throw new RpcDoubt(`the node shows no receipt of ${hash}`)
  const mined = { minedBlock: receipt.block, minedHash: receipt.blockHash }
  if (!receipt.hasSucceeded) return { status: 'reverted', ...mined }
  const hasMoved = token === null || hasMovedToken(receipt, token, deps.sender, recipient, amount)
  return hasMoved ? { status: 'delivered', ...mined } : null
}
