// The connectors of channels that move crypto assets, out, in or both, and the watchers of what comes in. Its libraries take
// half a second to load: everything of a chain is imported where a channel needs it.
import { isOwnAddress } from '../../app/crypto/own-addresses.ts'
import { openChainSends } from '../../app/crypto/chain-sends.ts'
import type { ReachCrashPoint } from '../../engine/crash-points.ts'
import {
  bookChainPayment,
  type ChainDepth,
  type ChainReportDeps,
  showChainProgress,
} from '../../app/crypto/chain-payments.ts'
import type { Connector } from '../../connectors/connector.ts'
import type { ChannelConfig } from '../../domain/channel/config.ts'
import type { Absence, Outcome } from '../../domain/channel/outcome.ts'
import type { Log } from '../../platform/log.ts'
import type { Outbound } from '../../platform/outbound.ts'
import type { Session } from '../../platform/db.ts'
import { modeWord } from '../../domain/channel/modes.ts'
import { findChainMode, insertChainMode } from '../../store/crypto/chain-modes.ts'
import { type Config, Misconfigured } from '../config/config.ts'
import { needChainLibrary } from './chain-library.ts'

const GWEI = 10n ** 9n

/** What a channel on a chain is made of. */
export type ChainParts = {
  readonly config: Config
  readonly outbound: Outbound
  /** Where its books are kept. */
  readonly session: Session
  readonly crashPoint: ReachCrashPoint
  readonly log: Log
}
type AssetChannel = ChannelConfig & { readonly asset: NonNullable<ChannelConfig['asset']> }

/** A channel sends where it has currencies of its own, and collects where configured; each needs its own key. */
export async function cryptoConnector(parts: ChainParts, channel: ChannelConfig): Promise<Connector> {
  const { id, asset } = channel
  if (!asset) throw new Misconfigured(`channel ${id}: a crypto channel needs "asset", see docs/crypto.md`)
  await needChainLibrary(id)
  const whole: AssetChannel = { ...channel, asset }
  const rpc = rpcOf(parts, whole)
  await checkNetwork(parts, whole)
  const { chainFaults } = await import('../../connectors/crypto/connector.ts')
  const tokens = asset.token ? [{ token: asset.token, decimals: asset.decimals }] : []
  // A node that is away may come back; each call checks the chain again.
  for (const doubt of await chainFaults(rpc, tokens))
    parts.log.error({ channel: id, doubt }, 'the chain is not as it is configured, or does not answer')
  const sends = Object.keys(channel.currencies).length > 0
  const sending = sends ? logsWaits(await sendingPart(parts, whole), id, parts.log) : null
  if (!channel.collect) {
    if (!sending) throw new Misconfigured(`channel ${id}: it has no currencies and no "collect", so it moves nothing`)
    return sending
  }
  const { cryptoCollecting, receivingConnector } = await import('../../connectors/crypto/collecting.ts')
  const { openReceivingBook } = await import('../../app/crypto/chain-addresses.ts')
  const key = await receivingKeyOf(parts, whole)
  const { confirmations } = parts.config.crypto
  const into = { ...rpc, key, book: openReceivingBook(parts.session), confirmations }
  return sending ? { ...sending, ...cryptoCollecting(into) } : receivingConnector(into)
}

/** A chain is of one mode in a database, and so is each key that the gateway uses on one. */
async function checkNetwork(parts: ChainParts, { id, asset }: AssetChannel): Promise<void> {
  const { networkFault } = await import('../../connectors/crypto/networks.ts')
  const fault = networkFault(chainIdOf(asset), parts.config.crypto.mode)
  if (fault !== null) throw new Misconfigured(`channel ${id}: ${fault}`)
  await bind(parts, `network ${asset.network}`, `channel ${id}: ${asset.network}`)
}

async function bind({ session, config }: ChainParts, name: string, words: string): Promise<void> {
  const livemode = config.crypto.mode === 'live'
  const [, found] = await session.send([insertChainMode(name, livemode), findChainMode(name)])
  if (found?.rows[0]?.['livemode'] === livemode) return
  throw new Misconfigured(
    `${words} is for ${modeWord(!livemode)} contracts in this database, and is given for ${modeWord(livemode)} ones now. Give it to one of them alone, or production a database of its own`,
  )
}

const chainIdOf = ({ network }: AssetChannel['asset']) => Number(network.replace('eip155:', ''))

function rpcOf({ config, outbound }: Pick<ChainParts, 'config' | 'outbound'>, { id, asset }: AssetChannel) {
  const { rpcUrl } = config.crypto
  if (rpcUrl === null) throw new Misconfigured(`channel ${id}: a crypto channel needs GATEWAY_CRYPTO_RPC_URL`)
  return {
    outbound,
    url: rpcUrl,
    timeoutMs: config.callTimeoutMs,
    chainId: chainIdOf(asset),
  }
}

async function receivingKeyOf(parts: ChainParts, { id }: AssetChannel) {
  const { xpub, mode } = parts.config.crypto
  if (xpub === null) throw new Misconfigured(`channel ${id}: it brings money in, so it needs GATEWAY_CRYPTO_XPUB`)
  const { receivingKey } = await import('../../connectors/crypto/addresses.ts')
  const key = receivingKey(xpub, mode)
  if ('fault' in key) throw new Misconfigured(`channel ${id}: GATEWAY_CRYPTO_XPUB ${key.fault}`)
  await bind(parts, `receiver ${key.fingerprint}`, 'the key of GATEWAY_CRYPTO_XPUB')
  return key
}

async function sendingPart(parts: ChainParts, channel: AssetChannel): Promise<Connector> {
  const { config, session, crashPoint } = parts
  const { crypto } = config
  const { id } = channel
  if (crypto.key === null) throw new Misconfigured(`channel ${id}: it pays out, so it needs GATEWAY_CRYPTO_KEY`)
  const { sendingConnector } = await import('../../connectors/crypto/connector.ts')
  const { senderOf, signingKeyFault } = await import('../../connectors/crypto/keys.ts')
  const fault = signingKeyFault(crypto.key, crypto.mode)
  if (fault !== null) throw new Misconfigured(`channel ${id}: GATEWAY_CRYPTO_KEY ${fault}`)
  await bind(parts, `sender ${senderOf(crypto.key as `0x${string}`).toLowerCase()}`, 'the key of GATEWAY_CRYPTO_KEY')
  return sendingConnector({
    ...rpcOf(parts, channel),
    key: crypto.key as `0x${string}`,
    book: openChainSends(session, crashPoint),
    isOwn: (address) => isOwnAddress(session, channel.asset.network, address),
    quoteOf: ({ quote }) => quote,
    confirmations: crypto.confirmations,
    replaceAfterMs: crypto.replaceAfterSeconds * 1000,
    feeCapWei: BigInt(crypto.feeCapGwei) * GWEI,
  })
}

/** Says why a payout waits: that the paying address is empty or gas is dear can be fixed by the operator alone. */
function logsWaits(connector: Connector, id: string, log: Log): Connector {
  const logged = <T extends Outcome | Absence>(reference: string, outcome: T): T => {
    if (outcome.kind === 'not_sent' || outcome.kind === 'unknown')
      log.warn({ channel: id, reference, reason: outcome.reason }, 'a payout waits')
    return outcome
  }
  return {
    ...connector,
    describe: () => connector.describe(),
    send: async (order) => logged(order.reference, await connector.send(order)),
    check: async (reference, order) => logged(reference, await connector.check(reference, order)),
  }
}

type WatchParts = Omit<ChainReportDeps, 'livemode'> & {
  readonly config: Config
  readonly outbound: Outbound
  readonly session: Session
  readonly log: Log
}

/** A round of watching for each asset that comes in: two channels of one asset are watched once. */
export async function chainWatches(parts: WatchParts): Promise<readonly (() => Promise<number>)[]> {
  const channels = parts.config.channels.filter((channel): channel is AssetChannel =>
    Boolean(channel.asset && channel.collect),
  )
  if (channels.length === 0) return []
  const { openWatcher } = await import('../../connectors/crypto/watcher.ts')
  const { openReceivingBook } = await import('../../app/crypto/chain-addresses.ts')
  const { assetOf } = await import('../../connectors/crypto/collecting.ts')
  const { watchRound } = await import('../../workers/watch-chain.ts')
  const { session, log, config } = parts
  const rounds = new Map<string, () => Promise<number>>()
  for (const channel of channels) {
    const asset = assetOf(channel.asset.token ?? null)
    const { confirmations } = config.crypto
    const watcher = openWatcher({ ...rpcOf(parts, channel), asset, book: openReceivingBook(session), confirmations })
    const telling = { ...parts, livemode: config.crypto.mode === 'live' }
    const deps = {
      session,
      log,
      book: (payment: Parameters<typeof bookChainPayment>[1]) => bookChainPayment(telling, payment),
      progress: (reference: string, depth: ChainDepth) => showChainProgress(telling, reference, depth),
    }
    rounds.set(`${channel.asset.network} ${asset}`, () => watchRound(deps, watcher))
  }
  return [...rounds.values()]
}
