// What the chain has for an attempt that nobody has read yet: a watcher is as far behind as its node, or the gateway, was away.
import type { ChainStandingOfAddress } from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { type Block, newestBy, readCoins, readTip } from './blocks.ts'
import { readBalance, readNonce, readTokenBalance, REVERTED_CODE } from './chain.ts'
import { type Rpc, RpcDoubt } from './rpc.ts'

/**
 * Whether the address holds what is in no payment yet. Of coins what came in the payer's time, for what a contract pays is counted and never
 * read; of a token anything, for it is read, and its block says when it came. `time runs`: nothing, and by the newest block the payer's time is not
 * over yet, or a token that does not tell, which no later question makes it do.
 */
export async function unreadOf(
  rpc: Rpc,
  chainId: number,
  standing: ChainStandingOfAddress,
): Promise<'some' | 'none' | 'time runs'> {
  const tip = await readTip(rpc, chainId)
  const more = await holdsMore(rpc, standing, tip)
  if (more === true) return 'some'
  return more === 'not told' || tip.timeMs < standing.address.expiresAt ? 'time runs' : 'none'
}

async function holdsMore(
  rpc: Rpc,
  { address: { address, asset, expiresAt }, knownUnits, countedBlock }: ChainStandingOfAddress,
  tip: Block,
): Promise<boolean | 'not told'> {
  if (asset !== 'coin') {
    const units = await unlessRefused(readTokenBalance(rpc, asset, address, tip.number))
    if (units instanceof RpcDoubt && units.refusedWith !== REVERTED_CODE) throw units
    return units instanceof RpcDoubt ? 'not told' : units > knownUnits
  }
  if (countedBlock === null) return false
  const isMore = async (block: Block) => {
    const { wei, sent } = await coinsAt(rpc, address, block)
    return sent === 0 && wei > knownUnits
  }
  // Most hold nothing at all, and are asked about no further.
  if (!(await isMore(tip))) return false
  const inTime = await newestBy(rpc, expiresAt, countedBlock, tip)
  return inTime !== null && (inTime.number === tip.number || (await isMore(inTime)))
}

/**
 * By the block's hash, so that the answer is about no other. A node that does not take one (EIP-1898) counts no coins; it says by the block's number
 * whether there are any, and where there are none, nothing is waited for.
 */
async function coinsAt(rpc: Rpc, address: Hex, block: Block): ReturnType<typeof readCoins> {
  const coins = await unlessRefused(readCoins(rpc, address, block))
  if (!(coins instanceof RpcDoubt)) return coins
  const { number } = block
  const [wei, sent] = await Promise.all([readBalance(rpc, address, number), readNonce(rpc, address, number)])
  return { wei, sent }
}

async function unlessRefused<T>(work: Promise<T>): Promise<T | RpcDoubt> {
  try {
    return await work
  } catch (fault) {
    if (fault instanceof RpcDoubt && fault.refusedWith !== null) return fault
    throw fault
  }
}
