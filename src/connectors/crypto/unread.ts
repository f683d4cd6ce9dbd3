// What the chain has for an attempt that nobody has read yet: a watcher is as far behind as its node, or the gateway, was away.
import type { ChainStandingOfAddress } from '../../domain/payment/chain-payments.ts'
import { type Block, newestBy, readCoins, readTip } from './blocks.ts'
import { readTokenBalance } from './chain.ts'
import type { Rpc } from './rpc.ts'

/**
 * Whether the address holds what is in no payment yet. Of coins what came in the payer's time, for what a contract pays is counted and never
 * read; of a token anything, for it is read, and its block says when it came. `time runs`: nothing, and by the newest block the payer's time is not
 * over yet.
 */
export async function unreadOf(
  rpc: Rpc,
  chainId: number,
  standing: ChainStandingOfAddress,
): Promise<'some' | 'none' | 'time runs'> {
  const tip = await readTip(rpc, chainId)
  if (await holdsMore(rpc, standing, tip)) return 'some'
  return tip.timeMs < standing.address.expiresAt ? 'time runs' : 'none'
}

async function holdsMore(
  rpc: Rpc,
  { address: { address, asset, expiresAt }, knownUnits, countedBlock }: ChainStandingOfAddress,
  tip: Block,
): Promise<boolean> {
  if (asset !== 'coin') return (await readTokenBalance(rpc, asset, address, tip.number)) > knownUnits
  if (countedBlock === null) return false
  const isMore = async (block: Block) => {
    const { wei, sent } = await readCoins(rpc, address, block)
    return sent === 0 && wei > knownUnits
  }
  // Most hold nothing at all, and are asked about no further.
  if (!(await isMore(tip))) return false
  const inTime = await newestBy(rpc, expiresAt, countedBlock, tip)
  return inTime !== null && (inTime.number === tip.number || (await isMore(inTime)))
}
