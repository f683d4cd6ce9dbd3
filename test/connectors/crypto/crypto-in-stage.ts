// What the tests of money that comes in on a chain share: a real chain, the real book, an extended public key of a fresh
// seed, payers that know nothing of the gateway, and what the watcher told.
import { randomBytes, randomUUID } from 'node:crypto'
import { HDKey } from 'viem/accounts'
import type pg from 'pg'
import type { Hex } from 'viem'
import { inject } from 'vitest'
import { openReceivingBook } from '../../../src/app/crypto/chain-addresses.ts'
import { receivingKey, type ReceivingKey } from '../../../src/connectors/crypto/addresses.ts'
import { assetOf, type CollectingDeps, cryptoCollecting } from '../../../src/connectors/crypto/collecting.ts'
import { networkOf } from '../../../src/connectors/crypto/connector.ts'
import type { ReceivingBook } from '../../../src/connectors/crypto/receiving-book.ts'
import { openWatcher, type Watcher, type WatcherDeps } from '../../../src/connectors/crypto/watcher.ts'
import type { Collects } from '../../../src/connectors/connector.ts'
import type { FinalChainPayment } from '../../../src/domain/payment/chain-payments.ts'
import type { CollectOrder } from '../../../src/domain/channel/collection.ts'
import type { Quote } from '../../../src/domain/money/quotes.ts'
import { openPlannedSession, ownedDatabase } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { type WatchDeps, watchRound } from '../../../src/workers/watch-chain.ts'
import { type Chain, startChain } from '../../rig/chain.ts'

export const CONFIRMATIONS = 3
const AN_HOUR_MS = 3_600_000

export type AssetName = 'coin' | 'token'

/** A payer's side of an attempt: where to pay, and the least that pays it. */
export type Shown = { readonly order: CollectOrder; readonly address: Hex; readonly units: bigint }

export type Receivers = {
  readonly chain: Chain
  /** The owner's, for a connection of one's own. */
  readonly login: pg.ClientConfig
  readonly session: Session
  readonly book: ReceivingBook
  readonly key: ReceivingKey
  /** The account that the extended public key is of, with what only its owner has. */
  readonly owner: HDKey
  readonly collecting: (changes?: Partial<CollectingDeps>) => Collects
  readonly order: (asset: AssetName, changes?: Partial<CollectOrder>) => CollectOrder
  /** An attempt with its address. */
  readonly attempt: (asset: AssetName, changes?: Partial<CollectOrder>) => Promise<Shown>
  readonly watcher: (asset: AssetName, changes?: Partial<WatcherDeps>) => Watcher
  /** One round; what the watcher tells is kept. */
  readonly round: (watcher: Watcher, changes?: Partial<WatchDeps>) => Promise<number>
  /** Rounds until there is nothing to do. */
  readonly follow: (watcher: Watcher) => Promise<void>
  /** What was told of an attempt, in order. */
  readonly told: (order: CollectOrder) => readonly FinalChainPayment[]
  /** The depths that an attempt heard of, in order. */
  readonly depths: (order: CollectOrder) => readonly number[]
  readonly statuses: (order: CollectOrder) => Promise<readonly string[]>
  readonly sql: <T>(text: string, values?: readonly unknown[]) => Promise<T[]>
  readonly close: () => Promise<void>
}

/** Both assets are followed from the start. */
export async function openReceivers(): Promise<Receivers> {
  const login = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const session = openPlannedSession(ownedDatabase(login))
  const [chain, outbound] = [await startChain(), openOutbound()]
  const book = openReceivingBook(session)
  const owner = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'")
  const key = keyOf(owner)
  const node = { outbound, url: chain.url, timeoutMs: 5_000, chainId: chain.chainId, confirmations: CONFIRMATIONS }
  const told: FinalChainPayment[] = []
  const progress: { reference: string; confirmations: number }[] = []
  const watching: WatchDeps = {
    session,
    log: openLog('fatal'),
    book: async (payment) => {
      told.push(payment)
      return 'booked'
    },
    progress: async (reference, { confirmations }) => {
      progress.push({ reference, confirmations })
    },
  }
  const collecting = (changes = {}) => cryptoCollecting({ ...node, key, book, ...changes })
  const order = (asset: AssetName, changes = {}) => ({ ...newOrder(quoteFor(chain, asset)), ...changes })
  const watcher = (asset: AssetName, changes = {}) =>
    openWatcher({ ...node, asset: assetOf(asset === 'coin' ? null : chain.token), book, ...changes })
  const round = (each: Watcher, changes = {}) => watchRound({ ...watching, ...changes }, each)
  const follow = async (each: Watcher) => {
    while ((await round(each)) > 0);
  }
  const sql = async <T>(text: string, values: readonly unknown[] = []) => {
    const [result] = await session.send([{ name: '', text, values }])
    return (result?.rows ?? []) as T[]
  }
  await chain.mine(CONFIRMATIONS)
  for (const asset of ['coin', 'token'] as const) await follow(watcher(asset))
  return {
    chain,
    login,
    session,
    book,
    key,
    owner,
    collecting,
    order,
    attempt: async (asset, changes = {}) => shownOf(order(asset, changes), collecting()),
    watcher,
    round,
    follow,
    told: ({ reference }) => told.filter((payment) => payment.reference === reference),
    depths: ({ reference }) =>
      progress.filter((each) => each.reference === reference).map(({ confirmations }) => confirmations),
    statuses: async ({ reference }) => {
      const rows = await sql<{ status: string }>(
        'select status from chain_payments where reference = $1 order by block, id',
        [reference],
      )
      return rows.map(({ status }) => status)
    },
    sql,
    close: async () => {
      await Promise.all([chain.close(), outbound.close(), session.close()])
    },
  }
}

export function keyOf(account: HDKey): ReceivingKey {
  const key = receivingKey(account.publicExtendedKey, 'live')
  if ('fault' in key) throw new Error(`the test's key ${key.fault}`)
  return key
}

async function shownOf(order: CollectOrder, collecting: Collects): Promise<Shown> {
  const said = await collecting.collect(order)
  const action = said.kind === 'open' ? said.nextAction : null
  if (action?.type !== 'display_address') throw new Error(`no address was shown: ${JSON.stringify(said)}`)
  const digits = order.quote?.decimals ?? 0
  const [whole = '', fraction = ''] = action.amount.split('.')
  return { order, address: action.address as Hex, units: BigInt(whole + fraction.padEnd(digits, '0')) }
}

/** A dollar a token; two thousand a coin. */
function quoteFor({ chainId, token }: Chain, asset: AssetName): Quote {
  const common = { network: networkOf(chainId), currency: 'USD', expiresAt: Date.now() + AN_HOUR_MS, source: 'fixed' }
  return asset === 'coin'
    ? { ...common, asset: 'ETH', token: null, decimals: 18, rate: '2000.00' }
    : { ...common, asset: 'TUSD', token, decimals: 6, rate: '1' }
}

function newOrder(quote: Quote): CollectOrder {
  const contractId = randomUUID()
  const url = 'https://shop.example/'
  return {
    reference: `${contractId.replaceAll('-', '')}001`,
    contractId,
    accountId: randomUUID(),
    channelId: quote.asset,
    livemode: false,
    amountMinor: 12_50n,
    amountDecimal: '12.50',
    currency: 'USD',
    description: null,
    method: { kind: 'crypto', details: {}, secret: null },
    returnTo: { success: url, failure: url, cancel: url },
    expiresAt: Date.now() + AN_HOUR_MS,
    quote,
  }
}
