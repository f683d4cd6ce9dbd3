// What became of a transfer that is in the book. Only the canonical chain ends it, by a receipt with its confirmations;
// until then each inquiry makes sure that the node still has it. It never signs for a new nonce.
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainSend, FoundChainSend } from '../../domain/transfer/chain-sends.ts'
import type { Outcome } from '../../domain/channel/outcome.ts'
import { unknown } from '../rail.ts'
import { type ChainSends, newestOf } from './book.ts'
import {
  broadcast,
  hasMovedToken,
  type Head,
  isKnown,
  readHead,
  readNonce,
  readReceipt,
  readTipWei,
  type Receipt,
} from './chain.ts'
import type { Rpc } from './rpc.ts'
import { feesOf, signReplacement } from './transactions.ts'

export type InquiryDeps = {
  readonly chainId: number
  readonly account: PrivateKeyAccount
  readonly book: ChainSends
  /** Blocks on top of a transfer's own, that one included, before it is final. */
  readonly confirmations: number
  /** How long the newest transaction may wait at the head of the sender's queue before its fee is raised. */
  readonly replaceAfterMs: number
  readonly feeCapWei: bigint
}

/** The state of a row, as far as the chain shows it. Throws RpcDoubt where it cannot be read. */
export async function truthOf(
  deps: InquiryDeps,
  rpc: Rpc,
  found: FoundChainSend & { readonly send: ChainSend },
): Promise<Outcome> {
  const { send: row } = found
  if (row.status !== 'open' || row.nonce === null) return finalOutcome(row)
  // First the head and the nonce there, then the receipts: what was mined by that head must then be found.
  const head = await readHead(rpc, deps.chainId)
  const chainNonce = await readNonce(rpc, row.sender, head.number)
  for (const hash of row.hashes.toReversed()) {
    const receipt = await readReceipt(rpc, hash)
    if (receipt !== null) return minedOutcome(deps, row, receipt, head)
  }
  if (row.minedBlock !== null)
    await deps.book.record(row.reference, { status: 'open', minedBlock: null, minedHash: null })
  if (chainNonce > row.nonce)
    return unknown(`nonce ${row.nonce} was used on the chain, and the node shows no receipt of ours`)
  if (chainNonce < row.nonce) await pushQueue(deps, rpc, row, chainNonce, head)
  return push(deps, rpc, found, chainNonce === row.nonce ? 'at the head of the queue' : 'behind others', head)
}

/** The outcome of a row that is final. */
export function finalOutcome(row: Pick<ChainSend, 'status' | 'hashes'>): Outcome {
  const providerId = row.hashes.at(-1) ?? null
  switch (row.status) {
    case 'delivered':
      return { kind: 'delivered', providerId }
    case 'reverted':
      return {
        kind: 'failed',
        code: 'transfer_reverted',
        message: 'The chain executed the transfer and undid it: gas was spent, the money did not move.',
      }
    case 'refused':
      return {
        kind: 'failed',
        code: 'transfer_refused',
        message: 'The chain would undo this transfer, so it was never signed: the asset does not go to this address.',
      }
    case 'open':
      return { kind: 'accepted', providerId }
  }
}

async function minedOutcome(deps: InquiryDeps, row: ChainSend, receipt: Receipt, head: Head): Promise<Outcome> {
  const mined = { minedBlock: receipt.block, minedHash: receipt.blockHash }
  const confirmations = head.number - receipt.block + 1n
  if (confirmations < BigInt(deps.confirmations)) {
    if (row.minedHash !== receipt.blockHash) await deps.book.record(row.reference, { status: 'open', ...mined })
    return { kind: 'accepted', providerId: receipt.hash }
  }
  if (!receipt.hasSucceeded) {
    await deps.book.record(row.reference, { status: 'reverted', ...mined })
    return finalOutcome({ status: 'reverted', hashes: [receipt.hash] })
  }
  const { token, sender, recipient, amount } = row
  // A token that keeps a fee, or does nothing without an error: only an operator can find out what the money did.
  if (token !== null && !hasMovedToken(receipt, token, sender, recipient, amount))
    return unknown(`${receipt.hash} was mined, but the token tells of another transfer than was ordered`)
  await deps.book.record(row.reference, { status: 'delivered', ...mined })
  return finalOutcome({ status: 'delivered', hashes: [receipt.hash] })
}

/** All later transactions wait for this one, and possibly no other process is pushing it: do so here. */
async function pushQueue(deps: InquiryDeps, rpc: Rpc, row: ChainSend, chainNonce: number, head: Head): Promise<void> {
  const first = await deps.book.holding(row.network, row.sender, chainNonce)
  if (isSigned(first)) await push(deps, rpc, first, 'at the head of the queue', head)
}

function isSigned(found: FoundChainSend): found is FoundChainSend & { readonly send: ChainSend } {
  return found.send !== null && found.send.nonce !== null
}

/** Makes sure that the node has a transfer, with a higher fee where it waited too long. */
async function push(
  deps: InquiryDeps,
  rpc: Rpc,
  { send: row, readAt }: FoundChainSend & { readonly send: ChainSend },
  place: 'at the head of the queue' | 'behind others',
  head: Head,
): Promise<Outcome> {
  const isStuck = place === 'at the head of the queue' && readAt - row.signedAt >= deps.replaceAfterMs
  const replacement = isStuck ? await replaced(deps, rpc, row, head) : null
  if (replacement !== null) return broadcastOutcome(rpc, replacement)
  const { hash } = newestOf(row)
  if (await isKnown(rpc, hash)) return { kind: 'accepted', providerId: hash }
  return broadcastOutcome(rpc, row)
}

/** The row with one more transaction, in the book already; null where the fee is not raised. */
async function replaced(deps: InquiryDeps, rpc: Rpc, row: ChainSend, head: Head): Promise<ChainSend | null> {
  // After a change of keys the old sender's transfers still go out as they are.
  if (row.sender !== deps.account.address) return null
  const newest = newestOf(row)
  const fees = feesOf(head.baseFeeWei, await readTipWei(rpc))
  const signed = await signReplacement(deps.account, newest.raw, fees, deps.feeCapWei)
  if (signed === null || !(await deps.book.addReplacement(row.reference, newest.hash, signed))) return null
  return { ...row, raws: [...row.raws, signed.raw], hashes: [...row.hashes, signed.hash] }
}

/**
 * Broadcasts the newest transaction. A node's refusal is judged by what it knows, not by its text: "already known" and
 * "nonce too low" are written in as many ways as there are nodes.
 */
export async function broadcastOutcome(rpc: Rpc, row: Pick<ChainSend, 'raws' | 'hashes'>): Promise<Outcome> {
  const { raw, hash } = newestOf(row)
  const reply = await broadcast(rpc, raw, hash)
  if (reply === 'taken') return { kind: 'accepted', providerId: hash }
  if (reply.kind === 'no_answer') return unknown(reply.reason)
  for (const each of row.hashes.toReversed()) {
    if (await isKnown(rpc, each)) return { kind: 'accepted', providerId: each }
  }
  return unknown(`the node refused the transaction: ${reply.code} ${reply.message}`)
}
