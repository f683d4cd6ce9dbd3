// What the tests of the crypto channel share: a real chain, the real book in a database of its own, payers with a fresh
// key each, and orders with a fresh recipient each, so that a balance tells how often an order was paid.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { inject } from 'vitest'
import { openChainSends } from '../../../src/app/crypto/chain-sends.ts'
import { passOn } from '../../../src/engine/crash-points.ts'
import type { Connector } from '../../../src/connectors/connector.ts'
import type { ChainSends } from '../../../src/connectors/crypto/book.ts'
import { type CryptoDeps, sendingConnector, networkOf } from '../../../src/connectors/crypto/connector.ts'
import { assetAmount, type Quote } from '../../../src/domain/money/quotes.ts'
import type { SendOrder } from '../../../src/domain/channel/outcome.ts'
import { openPlannedSession, ownedDatabase } from '../../../src/main/database/database.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { type Chain, startChain } from '../../rig/chain.ts'

export const CONFIRMATIONS = 3
export const COIN = 10n ** 18n

export type Payer = {
  readonly address: Hex
  readonly connector: Connector
  /** The same key on the same book over another connection: another process, as far as the connector can tell. */
  readonly beside: (changes?: Partial<CryptoDeps>) => Connector
}

export type Order = SendOrder & { readonly to: Hex; readonly units: bigint }

export type Payers = {
  readonly chain: Chain
  readonly book: ChainSends
  readonly newPayer: (changes?: Partial<CryptoDeps>, funds?: { wei?: bigint; units?: bigint }) => Promise<Payer>
  /** A new order: in the token unless the asset is the coin. */
  readonly order: (wanted?: { asset?: 'token' | 'coin'; amountMinor?: bigint; to?: string }) => Order
  /** How much of its asset the order's recipient has, by the chain. */
  readonly received: (order: Order) => Promise<bigint>
  /** Mines until everything in the pool is final. */
  readonly finalise: () => Promise<void>
  readonly sql: <T>(text: string, values?: readonly unknown[]) => Promise<T[]>
  /** The same as the owner of the tables, who may do what the gateway never does. */
  readonly asOwner: (text: string, values: readonly unknown[]) => Promise<void>
  readonly close: () => Promise<void>
}

export async function openPayers(): Promise<Payers> {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const database = ownedDatabase(owner)
  const [session, other] = [openPlannedSession(database), openPlannedSession(database)]
  const [chain, outbound] = [await startChain(), openOutbound()]
  const [book, bookBeside] = [openChainSends(session, passOn), openChainSends(other, passOn)]
  const quoteOf = (order: SendOrder): Quote => quoteFor(chain, order)
  return {
    chain,
    book,
    newPayer: async (changes = {}, { wei = 100n * COIN, units = 1_000_000_000_000n } = {}) => {
      const key = generatePrivateKey()
      const address = privateKeyToAddress(key)
      await chain.fund(address, wei, units)
      const deps: CryptoDeps = {
        outbound,
        url: chain.url,
        chainId: chain.chainId,
        key,
        book,
        isOwn: async () => false,
        quoteOf,
        confirmations: CONFIRMATIONS,
        replaceAfterMs: 3_600_000,
        feeCapWei: 500_000_000_000n,
        timeoutMs: 5_000,
        ...changes,
      }
      return {
        address,
        connector: sendingConnector(deps),
        beside: (other = {}) => sendingConnector({ ...deps, book: bookBeside, ...other }),
      }
    },
    order: (wanted) => newOrder(chain, wanted),
    received: (order) => (order.channelId === 'coin' ? chain.balance(order.to) : chain.units(order.to)),
    finalise: () => chain.mine(CONFIRMATIONS),
    sql: async <T>(text: string, values: readonly unknown[] = []) => {
      const [result] = await session.send([{ name: '', text, values }])
      return (result?.rows ?? []) as T[]
    },
    asOwner: async (text, values) => {
      const client = new pg.Client(owner)
      await client.connect()
      try {
        await client.query(text, [...values])
      } finally {
        await client.end()
      }
    },
    close: async () => {
      await Promise.all([chain.close(), outbound.close(), session.close(), other.close()])
    },
  }
}

/** A dollar a token; two thousand a coin. */
function quoteFor({ chainId, token }: Chain, { channelId, currency }: SendOrder): Quote {
  const common = { network: networkOf(chainId), currency, expiresAt: 0, source: 'fixed' }
  return channelId === 'coin'
    ? { ...common, asset: 'ETH', token: null, decimals: 18, rate: '2000.00' }
    : { ...common, asset: 'TUSD', token, decimals: 6, rate: '1' }
}

function newOrder(
  chain: Chain,
  {
    asset = 'token' as 'token' | 'coin',
    amountMinor = 12_50n,
    to = privateKeyToAddress(generatePrivateKey()) as string,
  } = {},
): Order {
  const order = {
    reference: `${randomUUID().replaceAll('-', '')}001`,
    amountMinor,
    amountDecimal: `${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, '0')}`,
    currency: 'USD',
    channelId: asset,
    recipient: { name: 'Ana', wallet: to },
    description: null,
    quote: null,
    refundOf: null,
    pays: null,
    notAfter: null,
  }
  const amount = assetAmount(amountMinor, 'USD', quoteFor(chain, order))
  if ('fault' in amount) throw new Error(`the test's amount is ${amount.fault}`)
  return { ...order, to: to as Hex, units: amount.units }
}
