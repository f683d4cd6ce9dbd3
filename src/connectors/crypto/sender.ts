// The first send of a reference: everything is checked before a nonce is claimed, and the claim is the signed bytes.
// A claimed transfer is as good as broadcast: it keeps its nonce, and every later inquiry broadcasts it again.
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainSend, ChainStanding, Hex, NewChainSend } from '../../domain/transfer/chain-sends.ts'
import {
  type Call,
  type Head,
  readBalance,
  readHead,
  readNonce,
  readTipWei,
  readTokenBalance,
  tryOut,
} from './chain.ts'
import type { ChainSends } from './book.ts'
import type { SendOrder } from '../../domain/channel/outcome.ts'
import { DEAREST_MEMO, type Memos } from './memos.ts'
import { type Rpc, RpcDoubt } from './rpc.ts'
import { callOf, carrying, type Fees, feesOf, gasLimitOf, type Payout, signTransfer } from './transactions.ts'

export type SenderDeps = {
  readonly chainId: number
  readonly network: string
  readonly account: PrivateKeyAccount
  readonly book: ChainSends
  /** The most that a unit of gas may cost, in wei, whatever a node reports: fees above wait. */
  readonly feeCapWei: bigint
  /** How long after the first read of the book a claim may still be made, in milliseconds of the book's clock. */
  readonly claimWithinMs: number
  /** Serialises the claims of this process, so that only other processes compete for nonces. */
  readonly inLine: <T>(work: () => Promise<T>) => Promise<T>
  readonly memos: Memos
}

/** The result of a claim: the row in the book, whichever process wrote it, or why there is none. */
export type Claimed =
  | { readonly row: ChainSend | NewChainSend; readonly by: 'us' | 'another' }
  | { readonly notSent: string }

type Prospect = {
  readonly chainNonce: number
  readonly balanceWei: bigint
  readonly balanceUnits: bigint
  readonly gas: bigint
  readonly fees: Fees
  /** Whether the recipient, or the token, takes a call with more behind it than it asks for. */
  readonly takesMemo: boolean
}

// Other processes with the same key may take this many nonces in a row before us.
const CLAIM_TRIES_MAX = 32
// No plain transfer comes near; a node that reports that is not trusted.
const GAS_MAX = 1_000_000n

/** Claims a nonce for the reference and signs. Throws RpcDoubt where the chain cannot be read: nothing is claimed then. */
export async function claimTransfer(
  deps: SenderDeps,
  rpc: Rpc,
  order: SendOrder,
  payout: Payout,
  readAt: number,
): Promise<Claimed> {
  const sender = deps.account.address
  const { reference } = order
  const call = callOf(sender, payout)
  const head = await readHead(rpc, deps.chainId)
  const prospect = await prospectOf(deps, rpc, payout, call, head)
  const notAfter = Math.min(readAt + deps.claimWithinMs, order.notAfter ?? Number.POSITIVE_INFINITY)
  if (prospect === 'reverts') return claimRefusal(deps, { reference, ...payout }, notAfter)
  if ('notSent' in prospect) return prospect
  return deps.inLine(() => claimNonce(deps, order, payout, call, prospect, notAfter))
}

/** All at one block, so that what the book promises beyond it can be compared with the balances there. */
async function prospectOf(
  { account: { address }, feeCapWei }: SenderDeps,
  rpc: Rpc,
  { token, amount }: Payout,
  call: Call,
  { number, baseFeeWei }: Head,
): Promise<Prospect | 'reverts' | { readonly notSent: string }> {
  const [chainNonce, balanceWei, balanceUnits, tipWei] = await Promise.all([
    readNonce(rpc, address, number),
    readBalance(rpc, address, number),
    token === null ? 0n : readTokenBalance(rpc, token, address, number),
    readTipWei(rpc),
  ])
  if (amount > (token === null ? balanceWei : balanceUnits)) return SHORT_OF_ASSET
  const withMemo = await tryOut(rpc, carrying(call, DEAREST_MEMO), number)
  // A contract that wants no more data than its own says so by a revert, or by burning all gas, which nodes tell in words of
  // their own: only the call without a memo tells whether the transfer goes.
  const takesMemo = withMemo !== 'reverts' && 'gas' in withMemo
  const tried = takesMemo ? withMemo : await tryOut(rpc, call, number)
  if (tried === 'reverts') return 'reverts'
  if ('refused' in tried) throw new RpcDoubt(tried.refused)
  const gas = gasLimitOf(tried.gas)
  if (gas > GAS_MAX) return { notSent: `the transfer would take ${gas} gas` }
  const fees = feesOf(baseFeeWei, tipWei)
  if (fees.maxFeeWei > feeCapWei) return { notSent: `gas costs ${fees.maxFeeWei} wei, over the cap of ${feeCapWei}` }
  return { chainNonce, balanceWei, balanceUnits, gas, fees, takesMemo }
}

const SHORT_OF_ASSET = { notSent: 'the sender holds too little of the asset' }

async function claimNonce(
  deps: SenderDeps,
  order: SendOrder,
  payout: Payout,
  call: Call,
  prospect: Prospect,
  notAfter: number,
): Promise<Claimed> {
  const { network, book, chainId, account } = deps
  const { reference } = order
  const wanted = { reference, ...payout }
  const { token } = payout
  const { chainNonce, gas, fees, takesMemo } = prospect
  for (let tries = 0; tries < CLAIM_TRIES_MAX; tries++) {
    // Read after the chain: a transaction is in the book before it is on the chain, so the book is never behind.
    const standing = await book.standing({ network, sender: account.address, fromNonce: chainNonce, token })
    const fault = faultOf(standing, prospect, wanted, gas * fees.maxFeeWei)
    if (fault !== null) return { notSent: fault }
    const nonce = standing.nextNonce ?? chainNonce
    const named = takesMemo ? carrying(call, deps.memos.write(order, nonce)) : call
    const { raw, hash, gasMax } = await signTransfer(account, chainId, nonce, named, gas, fees)
    const sender = account.address as Hex
    const row: NewChainSend = { ...wanted, network, sender, nonce, gasMax, raws: [raw], hashes: [hash], status: 'open' }
    if (await book.claim(row, notAfter)) return { row, by: 'us' }
    const found = await book.find(reference)
    if (found.send !== null) return { row: found.send, by: 'another' }
    if (found.readAt >= notAfter) break
  }
  return { notSent: 'no nonce could be claimed in time' }
}

/** Why a claim must not be made, or null. What is promised and not yet mined is as good as spent. */
function faultOf(standing: ChainStanding, prospect: Prospect, payout: Payout, gasMax: bigint): string | null {
  const { nextNonce, promisedWei, promisedUnits } = standing
  // Spent from outside, or the book was restored to an earlier day: either way it does not know what has been paid.
  if (nextNonce !== null && prospect.chainNonce > nextNonce)
    return 'the chain knows transactions of the sender that the book does not: give the gateway a key of its own'
  if (payout.token !== null && payout.amount + promisedUnits > prospect.balanceUnits) return SHORT_OF_ASSET.notSent
  const wei = (payout.token === null ? payout.amount : 0n) + gasMax + promisedWei
  if (wei > prospect.balanceWei)
    return payout.token === null ? SHORT_OF_ASSET.notSent : 'the sender holds too little coin for gas'
  return null
}

/** A transfer that would revert is refused for good: the reference is taken, and no nonce is. */
async function claimRefusal(
  { network, book, account }: SenderDeps,
  wanted: Payout & { readonly reference: string },
  notAfter: number,
): Promise<Claimed> {
  const sender = account.address
  const row: NewChainSend = {
    ...wanted,
    network,
    sender,
    nonce: null,
    gasMax: 0n,
    raws: [],
    hashes: [],
    status: 'refused',
  }
  if (await book.claim(row, notAfter)) return { row, by: 'us' }
  const found = await book.find(wanted.reference)
  return found.send === null ? { notSent: 'no time left to write the refusal' } : { row: found.send, by: 'another' }
}
