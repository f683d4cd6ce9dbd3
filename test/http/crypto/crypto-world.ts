// A gateway that pays in crypto assets, with a chain of its own beside it and a node that can be made to fail between them.
// Blocks come when a test asks for them, and so do the looks of the workers: nobody waits for a clock.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { AssetConfig, ChannelConfig } from '../../../src/domain/channel/config.ts'
import type { CryptoConfig } from '../../../src/main/config/rails.ts'
import { type Chain, startChain } from '../../rig/chain.ts'
import { type FaultyNode, startFaultyNode } from '../../rig/faulty-node.ts'
import { type ContractBody, openWorld, type World } from '../../world.ts'

export const CONFIRMATIONS = 3
const COIN = 10n ** 18n
const UNITS = 1_000_000n

export type CryptoWorld = {
  readonly world: World
  readonly chain: Chain
  readonly node: FaultyNode
  /** Whom the gateway pays from. */
  readonly sender: Hex
  readonly crypto: CryptoConfig
  readonly channels: readonly ChannelConfig[]
  /** What a draft on one of the channels needs, to a recipient that nobody paid before. */
  readonly order: (channel: string) => { channel: string; amount: number; recipient: { name: string; wallet: Hex } }
  /** Everything that waits is due at once. */
  readonly hurry: () => Promise<void>
  /** Waits until the transfer stands like this, while the workers look without a pause. */
  readonly stands: (id: string, status: ContractBody['transfer']['status']) => Promise<void>
  /** Lets blocks come until the contract has come to its end, and says to which. */
  readonly ends: (id: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** The gateway with the channels of {@link channelsOn}, paid from a fresh key. */
export async function openCryptoWorld(): Promise<CryptoWorld> {
  const chain = await startChain()
  const node = await startFaultyNode(chain.url)
  const key = generatePrivateKey()
  const sender = privateKeyToAddress(key)
  await chain.fund(sender, 100n * COIN, 1_000_000n * UNITS)
  const crypto = {
    rpcUrl: node.url,
    mode: 'test' as const,
    key,
    xpub: null,
    confirmations: CONFIRMATIONS,
    replaceAfterSeconds: 3600,
    feeCapGwei: 500,
  }
  const channels = channelsOn(chain)
  // A lease that no wait of a report is as long as: so a test sees which of the two it looks at.
  const world = await openWorld({ config: { channels, crypto, leaseMs: 60_000 } })
  const hurry = async () => {
    const waiting = `due_at > now() and status in ('queued', 'unknown', 'accepted')`
    await world.sql(`update jobs set due_at = now() where ${waiting}`)
  }
  return {
    world,
    chain,
    node,
    sender,
    crypto,
    channels,
    order: (channel) => ({ channel, amount: 100, recipient: { name: 'Ana Reyes', wallet: newAddress() } }),
    hurry,
    stands: (id, status) =>
      lookUntil(world, id, hurry, ({ transfer }) => transfer.status === status).then(() => undefined),
    ends: async (id) => {
      const blocks = async () => {
        await chain.mine(CONFIRMATIONS)
        await hurry()
      }
      const over = await lookUntil(world, id, blocks, ({ status }) => ['completed', 'cancelled'].includes(status))
      return over.status
    },
    close: async () => {
      await world.stop()
      await node.close()
      await chain.close()
    },
  }
}

export const newAddress = () => privateKeyToAddress(generatePrivateKey())

const LOOKS_WITHIN_MS = 60_000
const PAUSE_MS = 120

async function lookUntil(
  { caller }: World,
  id: string,
  meanwhile: () => Promise<void>,
  isSo: (contract: ContractBody) => boolean,
): Promise<ContractBody> {
  const until = Date.now() + LOOKS_WITHIN_MS
  for (;;) {
    const contract = await caller.get(id)
    if (isSo(contract)) return contract
    if (Date.now() > until)
      throw new Error(`the contract is ${contract.status}, its transfer ${contract.transfer.status}`)
    await meanwhile()
    await sleep(PAUSE_MS)
  }
}

/** A channel for the chain's own coin and one for a token, one whose quote is over in a moment, and one for live money. */
function channelsOn({ chainId, token }: Chain): ChannelConfig[] {
  const network = `eip155:${chainId}`
  const ether = { network, asset: 'ETH', decimals: 18, rates: { PHP: '112800.50' }, quote_seconds: 600 }
  const dollars = { network, asset: 'TUSD', token, decimals: 6, rates: { PHP: '56.40' }, quote_seconds: 600 }
  return [channelOf('coin', ether), channelOf('token', dollars), channelOf('brief', { ...dollars, quote_seconds: 1 })]
}

function channelOf(id: string, asset: AssetConfig): ChannelConfig {
  return {
    id,
    service: 'crypto',
    name: id,
    description: `To an address, in ${asset.asset}.`,
    connector: 'crypto',
    mode: 'test',
    covered: true,
    undo_seconds: 0,
    asset,
    currencies: { PHP: { fees: { fixed: 10 } } },
    recipient: [
      { field: 'name', mend: 'Say whom you pay.' },
      {
        field: 'wallet',
        check: 'evm_address',
        mend: 'Give the address of the recipient: 0x and 40 hexadecimal digits.',
      },
    ],
  }
}
