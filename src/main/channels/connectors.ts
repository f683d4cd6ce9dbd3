// The connectors of the configured channels. The only file that knows every rail and what it is told to begin with.
import { creditFromChannel, isCredited } from '../../app/accounts/credits.ts'
import { isPaidFromWallet, payFromWallet, type WalletPaymentDeps } from '../../app/payments/wallet-payments.ts'
import type { Channel } from '../../connectors/connector.ts'
import { cardChannel } from '../../connectors/card/card.ts'
import { gcashChannel } from '../../connectors/gcash/gcash.ts'
import { instapayChannel } from '../../connectors/instapay/instapay.ts'
import { mayaChannel } from '../../connectors/maya/maya.ts'
import { pesonetChannel } from '../../connectors/pesonet/pesonet.ts'
import { qrphChannel } from '../../connectors/qrph/qrph.ts'
import { sandboxChannel } from '../../connectors/sandbox/sandbox.ts'
import { walletChannel } from '../../connectors/wallet/wallet.ts'
import type { ChannelConfig } from '../../domain/channel/config.ts'
import { Misconfigured } from '../config/config.ts'
import { type ChainParts, cryptoConnector } from './crypto-channels.ts'
import { connectorKind } from './offered-channels.ts'

export type ConnectorParts = ChainParts & {
  /** Null where there is no sandbox provider. */
  readonly sandboxUrl: string | null
  readonly credits: WalletPaymentDeps
}

/** A connector for each configured channel. Throws {@link Misconfigured} for one that nothing can move money for. */
export async function buildConnectors(parts: ConnectorParts): Promise<ReadonlyMap<string, Channel>> {
  const connectors = new Map<string, Channel>()
  for (const channel of parts.config.channels) connectors.set(channel.id, await connectorOf(parts, channel))
  return connectors
}

async function connectorOf(parts: ConnectorParts, channel: ChannelConfig): Promise<Channel> {
  const { config, outbound } = parts
  // Where there is none, no channel is offered that it would play.
  const sandboxUrl = parts.sandboxUrl ?? ''
  const { rails } = config
  const kind = connectorKind(channel)
  if (channel.asset && kind !== 'crypto')
    throw new Misconfigured(`channel ${channel.id}: it pays an asset, so "connector" must be "crypto"`)
  const rail = { outbound, timeoutMs: config.callTimeoutMs, nowMs: Date.now }
  const bank = { debtorName: rails.debtorName, debtorBank: rails.debtorBank }
  switch (kind) {
    case 'sandbox':
      return sandboxChannel({ ...rail, baseUrl: sandboxUrl })
    case 'wallet':
      return internalWallet(parts)
    case 'instapay':
      return instapayChannel({
        ...rail,
        ...bank,
        apiKey: rails.instapayApiKey,
        baseUrl: rails.instapay.url ?? sandboxUrl,
      })
    case 'pesonet': {
      const { debtorAccount, pesonetApiKey: apiKey } = rails
      return pesonetChannel({ ...rail, ...bank, debtorAccount, apiKey, baseUrl: rails.pesonet.url ?? sandboxUrl })
    }
    case 'gcash': {
      const { gcashClientId: clientId, gcashSecret: secret } = rails
      return gcashChannel({ ...rail, clientId, secret, baseUrl: rails.gcash.url ?? sandboxUrl })
    }
    case 'maya':
      return mayaChannel({ ...rail, apiKey: rails.mayaApiKey, baseUrl: rails.maya.url ?? sandboxUrl })
    case 'card':
      return cardChannel({ ...rail, apiKey: rails.cardApiKey, baseUrl: rails.card.url ?? sandboxUrl })
    case 'qrph': {
      const { qrphMerchant, qrphApiKey: apiKey } = rails
      return qrphChannel({ ...rail, ...qrphMerchant, apiKey, baseUrl: rails.qrph.url ?? sandboxUrl })
    }
    case 'crypto':
      return cryptoConnector(parts, channel)
  }
}

function internalWallet({ credits, crashPoint }: ConnectorParts): Channel {
  return walletChannel({
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
