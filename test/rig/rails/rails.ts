// A gateway with all rails on one database: its own parts and workers in this process, the provider in one of its own.
// Knows how to start, script and prove it; what is tortured is in the files beside it.
import { openFreezes } from '../../../src/app/jobs/freezes.ts'
import { dirname } from 'node:path'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createAccount, createApiKey } from '../../../src/app/accounts/accounts.ts'
import { verifyBooks } from '../../../src/app/operator/verify.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { pollsEvents, type Connector, type ConnectorCapabilities } from '../../../src/connectors/connector.ts'
import { DEFAULT_CURRENCIES } from '../../../src/domain/money/currencies.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { readConfig } from '../../../src/main/config/config.ts'
import { openAuditSession, ownedDatabase } from '../../../src/main/database/database.ts'
import type { OwnedDatabase } from '../../../src/main/database/opened.ts'
import { openFunds } from '../../../src/main/operator/funding.ts'
import { buildGateway, type Gateway } from '../../../src/main/assemble.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openExpiry } from '../../../src/workers/sweeps/expire.ts'
import { startLoop } from '../../../src/workers/loop.ts'
import { openRailEvents } from '../../../src/workers/read-rail-events.ts'
import { openScheduler, type Scheduler } from '../../../src/workers/scheduler.ts'
import { compileProvider, newFolder, spawnProvider, TOKEN } from '../../connectors/provider.ts'
import { unsoundness } from '../books.ts'
import { type Caller, openCaller } from '../caller.ts'

export const RAILS = ['sandbox', 'instapay', 'pesonet', 'gcash', 'maya'] as const
export type RailName = (typeof RAILS)[number]

export type RailsOptions = {
  /** An empty database of ours, migrated. */
  readonly owner: pg.ClientConfig
  readonly undoSeconds?: number
  readonly callTimeoutMs?: number
  /** In place of what the connectors promise: shorter delays, for a shorter run. */
  readonly promises?: Partial<ConnectorCapabilities>
  /** Whether the provider calls back beside the list of its news; not where nothing is said. */
  readonly callbacks?: 'posted'
}

export type Account = {
  readonly caller: Caller
  /** By currency. */
  readonly wallets: ReadonlyMap<string, string>
}

export type Rails = {
  readonly scheduler: Scheduler
  /** An account with much money of every currency. */
  readonly payer: Account
  readonly receiver: Account
  /** Calls in flight to one channel at most. */
  readonly cap: number
  /** Posts a scenario; the function ends it. */
  readonly script: (scenario: object) => Promise<() => Promise<void>>
  /** The provider's clock forwards. */
  readonly advance: (seconds: number) => Promise<void>
  readonly booksOf: (rail: RailName) => Promise<RailBooks>
  /** A statement of the database's owner. */
  readonly sql: <T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<T[]>
  /** What does not hold in the books, by the tests' proofs and by the gateway's own. */
  readonly unsound: () => Promise<string[]>
  readonly stop: () => Promise<void>
}

export type RailBooks = {
  readonly orders: readonly {
    readonly reference: string
    readonly amount: string
    readonly currency: string
    readonly status: string
    readonly executions: number
    readonly returns: number
  }[]
  readonly totals: Readonly<Record<string, { executions: number; executed_minor: string; returned_minor: string }>>
}

/** As in main/workers.ts. */
const CAP = 128
export const FUNDS_MINOR = 100_000_000_000_000n
const SECRET = 'a secret that the provider signs with'
const CONNECTIONS = 64
/** What the provider's control wants to see. */
const CONTROL = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

/** Starts everything; `stop()` ends it. */
export async function openRails(options: RailsOptions): Promise<Rails> {
  const { owner, callTimeoutMs = 800 } = options
  const folder = newFolder()
  const program = compileProvider()
  const provider = await spawnProvider(program, folder)
  const config = {
    ...readConfig({}),
    dataDir: folder,
    rateLimit: 0,
    channels: channelsOf(options.undoSeconds ?? 0),
    callTimeoutMs,
    leaseMs: 3 * callTimeoutMs,
    callbackSecrets: new Map(RAILS.map((rail) => [rail, [SECRET]])),
  }
  const database = ownedDatabase(owner)
  const gateway = await buildGateway(config, database, { url: provider.url, token: null }, openLog('fatal'))
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const workers = startWorkers(gateway, config.leaseMs, options.promises ?? {})
  const post = poster(provider.url)
  if (options.callbacks === 'posted')
    for (const rail of RAILS)
      await post('/callbacks', { url: `${url}/channels/${rail}/callbacks`, secret: SECRET, rails: [rail] })
  const pool = new pg.Pool({ ...owner, max: 4 })
  const [payer, receiver] = [
    await openAccount(gateway, database, url, FUNDS_MINOR),
    await openAccount(gateway, database, url, 0n),
  ]
  return {
    scheduler: workers.scheduler,
    payer,
    receiver,
    cap: CAP,
    script: async (scenario) => {
      const { id } = await post('/scenarios', scenario)
      return async () =>
        void (await fetch(`${provider.url}/scenarios/${String(id)}`, { method: 'DELETE', headers: CONTROL }))
    },
    advance: async (seconds) => void (await post('/clock', { advance_seconds: seconds })),
    booksOf: (rail) => bookOf(provider.url, rail),
    sql: async (text, values = []) => (await pool.query(text, [...values])).rows,
    unsound: () => unsoundOf(owner),
    stop: async () => {
      await workers.stop()
      await Promise.all([payer.caller.close(), receiver.caller.close()])
      await gateway.stop()
      await pool.end()
      await provider.end('SIGTERM')
      for (const each of [folder, dirname(program)]) rmSync(each, { recursive: true, force: true })
    },
  }
}

/** Those that are shipped; the batch rail takes files at any moment, or a run would wait for banking hours. */
function channelsOf(undoSeconds: number) {
  return SHIPPED_CHANNELS.map(({ windows: _, ...channel }) => ({
    ...channel,
    undo_seconds: channel.id === 'wallet' ? 0 : undoSeconds,
  }))
}

/** The gateway's workers, begun here: what they are doing can be looked at, and what connectors promise be shortened. */
function startWorkers({ deps }: Gateway, leaseMs: number, promises: Partial<ConnectorCapabilities>) {
  const log = openLog('fatal')
  const { execute, reader, channels } = deps
  const connectors = new Map([...deps.callbacks.connectors].map(([id, each]) => [id, promising(each, promises)]))
  const freezes = openFreezes(reader, () => performance.now())
  const outcomes = { execute, channels, connectors, freezes, leaseMs, crashPoint: () => undefined }
  const { payments } = deps
  const scheduler = openScheduler({
    ...outcomes,
    reader,
    inFlightPerChannel: CAP,
    log,
    payments,
  })
  const expiry = openExpiry({ execute, reader, onClockBack: () => undefined })
  const loops = [
    startLoop({ name: 'jobs', round: () => scheduler.round(ALL_LANES), idleMs: 50, log }),
    startLoop({ name: 'expire', round: () => expiry(ALL_LANES), idleMs: 300, log }),
    ...[...outcomes.connectors].flatMap(([id, connector]) =>
      pollsEvents(connector)
        ? [
            startLoop({
              name: 'news',
              round: openRailEvents({ ...outcomes, reader }, id, connector),
              idleMs: 300,
              log,
            }),
          ]
        : [],
    ),
  ]
  return {
    scheduler,
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await scheduler.settled()
    },
  }
}

function promising(connector: Connector, promises: Partial<ConnectorCapabilities>): Connector {
  return { ...connector, describe: () => ({ ...connector.describe(), ...promises }) }
}

function poster(providerUrl: string): (path: string, body: object) => Promise<Record<string, unknown>> {
  return async (path, body) => {
    const answer = await fetch(providerUrl + path, { method: 'POST', headers: CONTROL, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
}

type Transfers = { readonly transfers: readonly Omit<RailBooks['orders'][number], 'returns'>[] }

/** The generic rail has a list of its own, which counts no returns. */
async function bookOf(providerUrl: string, rail: RailName): Promise<RailBooks> {
  const path = rail === 'sandbox' ? '/books' : `/${rail}/books`
  const answer = await fetch(providerUrl + path, { headers: CONTROL })
  const books = (await answer.json()) as RailBooks & Partial<Transfers>
  const { transfers } = books
  if (!transfers) return books
  const orders = transfers.map((each) => ({ ...each, returns: each.status === 'returned' ? 1 : 0 }))
  return { orders, totals: books.totals }
}

async function openAccount(
  { deps }: Gateway,
  database: OwnedDatabase,
  url: string,
  fundsMinor: bigint,
): Promise<Account> {
  const ids = { nowMs: deps.nowMs, randomHex: deps.randomHex }
  const wanted = { name: 'Torture', livemode: false, currencies: DEFAULT_CURRENCIES }
  const account = await createAccount(deps.reader, ids, wanted)
  const wallets = new Map(account.wallets.map(({ currency, id }) => [currency, id]))
  const funds = await openFunds(database)
  if (!funds) throw new Error('the operators have no login here')
  for (const [currency, walletId] of fundsMinor === 0n ? [] : wallets) {
    const credit = { walletId, amountMinor: fundsMinor, currency, reference: `opening ${walletId}` }
    const answer = await funds.credit({ ...credit, source: 'external' })
    if (answer === null || isRefusal(answer)) throw new Error(`the ${currency} wallet could not be funded`)
  }
  await funds.close()
  const key = { name: 'Torture', livemode: false, scopes: SCOPES, expiresInSeconds: null }
  const { text } = await createApiKey(deps.reader, account, key)
  return { caller: openCaller(url, text, CONNECTIONS), wallets }
}

async function unsoundOf(owner: pg.ClientConfig): Promise<string[]> {
  const database = ownedDatabase(owner)
  const auditor = openAuditSession({ ...database, login: database.operator })
  try {
    const { findings } = await verifyBooks(auditor, () => undefined)
    return [
      ...(await unsoundness(owner)),
      ...findings.map((finding) => `the gateway's proofs: ${JSON.stringify(finding)}`),
    ]
  } finally {
    await auditor.close()
  }
}

const POLL_MS = 150

/** Waits until nothing is left; what is left after that long. */
export async function untilNone(left: () => Promise<readonly string[]>, withinMs: number): Promise<readonly string[]> {
  for (const until = performance.now() + withinMs; ; await sleep(POLL_MS)) {
    const still = await left()
    if (still.length === 0 || performance.now() > until) return still
  }
}

/** Runs the same for each, so many at a time. */
export async function forAll<T>(all: readonly T[], atOnce: number, run: (each: T) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let each = all[next++]; each !== undefined; each = all[next++]) await run(each)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
