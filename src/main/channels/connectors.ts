// The connectors of the configured channels: the gateway's own, and those of rails.
import { creditFromChannel, isCredited } from '../../app/accounts/credits.ts'
import { isPaidFromWallet, payFromWallet, type WalletPaymentDeps } from '../../app/payments/wallet-payments.ts'
import type { Connector } from '../../connectors/connector.ts'
import { sandboxConnector } from '../../connectors/sandbox/sandbox.ts'
import { walletConnector } from '../../connectors/wallet/wallet.ts'
import type { ChannelConfig } from '../../domain/channel/config.ts'
import { Misconfigured } from '../config/config.ts'
import { type ChainParts, cryptoConnector } from './crypto-channels.ts'
import { connectorKind, isRail } from './offered-channels.ts'
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

async function connectorOf(parts: ConnectorParts, channel: ChannelConfig): Promise<Connector> {
  const { config, outbound } = parts
  // Where there is none, no channel is offered that it would play.
  const sandboxUrl = parts.provider?.url ?? ''
  const { rails } = config
  const kind = connectorKind(channel)
  if (channel.asset && kind !== 'crypto')
    throw new Misconfigured(`channel ${channel.id}: it pays an asset, so "connector" must be "crypto"`)
  const wire = { outbound, timeoutMs: config.callTimeoutMs, nowMs: Date.now }
  if (isRail(kind)) return RAIL_CONNECTORS[kind].open({ ...wire, baseUrl: rails[kind].url ?? sandboxUrl }, rails)
  switch (kind) {
    case 'sandbox':
      return sandboxConnector({ ...wire, baseUrl: sandboxUrl })
    case 'wallet':
      return internalWallet(parts)
    case 'crypto':
      return cryptoConnector(parts, channel)
  }
}

function internalWallet({ credits, crashPoint }: ConnectorParts): Connector {
  return walletConnector({
    credit: async (walletId, amountMinor, currency, reference) => {
      crashPoint('before a wallet is credited', reference)
      const credited = await creditFromChannel(credits, walletId, amountMinor, currency, reference)
      crashPoint('after a wallet was credited', reference)
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
}
