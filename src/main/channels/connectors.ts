// The connectors of the configured channels: the gateway's own, and those of rails.
import { creditFromChannel, isCredited } from '../../app/accounts/credits.ts'
import type { NotedConnectors } from '../../app/jobs/kept-calls.ts'
import { isPaidFromWallet, payFromWallet, type WalletPaymentDeps } from '../../app/payments/wallet-payments.ts'
import { arrivedSince, lostAmong } from '../../app/recoveries/between-wallets.ts'
import type { Connector, FindsLost, ListsOrders } from '../../connectors/connector.ts'
import { sandboxConnector } from '../../connectors/sandbox/sandbox.ts'
import { walletConnector } from '../../connectors/wallet/wallet.ts'
import type { ChannelConfig } from '../../domain/channel/config.ts'
import { notedOutbound } from '../../platform/exchanges.ts'
import { Misconfigured } from '../config/config.ts'
import { type ChainParts, cryptoConnector } from './crypto-channels.ts'
import { type ConnectorKind, connectorKind, isRail } from './offered-channels.ts'
import { RAIL_CONNECTORS } from './rail-connectors.ts'

export type ConnectorParts = ChainParts & {
  /** Null where there is no sandbox provider. */
  readonly provider: { readonly url: string } | null
  readonly credits: WalletPaymentDeps
}

/** A connector for each configured channel. Throws {@link Misconfigured} for one that nothing can move money for. */
export async function buildConnectors(parts: ConnectorParts): Promise<ReadonlyMap<string, Connector>> {
  const connectors = new Map<string, Connector>()
  for (const channel of parts.config.channels) connectors.set(channel.id, await connectorOf(parts, channel))
  return connectors
}

/**
 * Connectors for one call each, whose exchanges are noted. They cost a few closures, for the connectors of rails keep nothing between
 * calls; wallets and chains, which do, are none of them.
 */
export function openNotedConnectors(parts: Pick<ConnectorParts, 'config' | 'provider' | 'outbound'>): NotedConnectors {
  const kinds = new Map(parts.config.channels.map((channel) => [channel.id, connectorKind(channel)]))
  return (channelId, exchanges) => {
    const kind = kinds.get(channelId)
    return kind && overHttp({ ...parts, outbound: notedOutbound(parts.outbound, exchanges) }, kind)
  }
}

/** The connector of an outside rail; nothing for the gateway's own. */
function overHttp(
  { config, outbound, provider }: Pick<ConnectorParts, 'config' | 'provider' | 'outbound'>,
  kind: ConnectorKind,
): Connector | undefined {
  const { rails } = config
  // Where there is none, no channel is offered that it would play.
  const sandboxUrl = provider?.url ?? ''
  const wire = { outbound, timeoutMs: config.callTimeoutMs, nowMs: Date.now }
  if (isRail(kind)) return RAIL_CONNECTORS[kind].open({ ...wire, baseUrl: rails[kind].url ?? sandboxUrl }, rails)
  return kind === 'sandbox' ? sandboxConnector({ ...wire, baseUrl: sandboxUrl }) : undefined
}

async function connectorOf(parts: ConnectorParts, channel: ChannelConfig): Promise<Connector> {
  const kind = connectorKind(channel)
  if (channel.asset && kind !== 'crypto')
    throw new Misconfigured(`channel ${channel.id}: it pays an asset, so "connector" must be "crypto"`)
  const outside = overHttp(parts, kind)
  if (outside) return outside
  return kind === 'wallet' ? internalWallet(parts) : cryptoConnector(parts, channel)
}

function internalWallet({ credits, crashPoint }: ConnectorParts): Connector & ListsOrders & FindsLost {
  const connector = walletConnector({
    credit: async (walletId, order) => {
      crashPoint('before a wallet is credited', order.reference)
      const credited = await creditFromChannel(credits, walletId, order)
      crashPoint('after a wallet was credited', order.reference)
      return credited
    },
    isCredited: (walletId, reference) => isCredited(credits, walletId, reference),
    pay: async (paymentId, order) => {
      crashPoint('before a wallet pays a contract', order.reference)
      const paid = await payFromWallet(credits, paymentId, order)
      crashPoint('after a wallet paid a contract', order.reference)
      return paid
    },
    isPaid: (paymentId, reference) => isPaidFromWallet(credits, paymentId, reference),
  })
  return {
    ...connector,
    listOrders: (_, sinceMs) => arrivedSince(credits.reader, sinceMs),
    findLost: (orders) => lostAmong(credits.reader, orders),
  }
}
