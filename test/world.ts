// Everything a test of the product needs: an own database, a real sandbox provider, the gateway as main/wire.ts builds
// it, and two accounts with money. Nothing of it is a stand-in.
import { randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, inject } from 'vitest'
import { startSandbox } from '../sandbox/server.ts'
import { createAccount, createApiKey, type NewAccount, type NewKey } from '../src/app/accounts/accounts.ts'
import { verifyBooksBy } from '../src/app/operator/verify.ts'
import { SHIPPED_CHANNELS } from '../src/connectors/catalogue.ts'
import { LANE_COUNT, laneOf } from '../src/domain/contract/ids.ts'
import { isRefusal } from '../src/domain/contract/refusals.ts'
import { SCOPES } from '../src/domain/account/scopes.ts'
import { type Config, readConfig } from '../src/main/config/config.ts'
import { asOperatorOf, openAuditSession, ownedDatabase } from '../src/main/database/database.ts'
import type { OwnedDatabase } from '../src/main/database/opened.ts'
import { seePlacement } from '../src/main/database/servers.ts'
import type { RailName } from '../src/main/config/rails.ts'
import { type Funds, fundsBy } from '../src/main/operator/funding.ts'
import { buildGateway, type Gateway } from '../src/main/assemble.ts'
import { openLog } from '../src/platform/log.ts'
import { connectedTo, joinOther, lanesElsewhere, OTHER_SERVER, sqlOf } from './rig/servers/other-server.ts'
import { type Caller, callerOf } from './world-caller.ts'
import { type Client, openClient } from './world-client.ts'

export type { Caller, ContractBody, WalletBody } from './world-caller.ts'
export { READY } from './world-caller.ts'
export type { Method, Reply, Sent } from './world-client.ts'

export type WorldOptions = {
  /** In place of the test's own settings; no rate limits, one writer. */
  readonly config?: Partial<Config>
  /** The sandbox channel's undo window; 0 by default, so that money leaves at once. */
  readonly undoSeconds?: number
  /** Rails with an address of their own, which makes them live: the sandbox provider is the real one here. */
  readonly liveRails?: readonly RailName[]
  /** Resting workers send nothing: a paid contract stays where it is. */
  readonly workers?: 'running' | 'resting'
  /** These lanes are on a second server. */
  readonly lanesElsewhere?: readonly number[]
  /** In place of fresh databases of the run's own server: these, by their owners, which are migrated. */
  readonly servers?: { readonly home: pg.ClientConfig; readonly other: pg.ClientConfig }
  /** In place of a fresh database: one that was filled before, and the books that its sandbox provider goes on with. */
  readonly found?: { readonly database: pg.ClientConfig; readonly providerBooks: string }
}

export type World = Client & {
  readonly gateway: Gateway
  readonly config: Config
  readonly database: OwnedDatabase
  /** The same, for who works with the operators' login. */
  readonly operators: OwnedDatabase
  /** The sandbox provider itself. */
  readonly sandboxUrl: string
  /** An account with 1,000,000 PHP, and 100,000 USD. */
  readonly caller: Caller
  /** Another one, with the same, on the same lane: only its account keeps it apart. */
  readonly other: Caller
  readonly newCaller: (wanted?: NewCaller) => Promise<Caller>
  /** The same account with another key. */
  readonly withKey: (caller: Caller, wanted: Partial<NewKey>) => Promise<Caller>
  /** Another gateway on the same database, with these settings in place of its neighbour's. Its workers rest. */
  readonly beside: (
    config?: Partial<Config>,
  ) => Promise<Client & { readonly listen: (port: number) => Promise<string>; readonly stop: () => Promise<void> }>
  /** Waits until the contract has come to its end, and says to which. */
  readonly settle: (id: string) => Promise<string>
  /** A statement of the database's owner. */
  readonly sql: <T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<T[]>
  /** The owner's connection to where all lanes are: the second server, in a run on two. */
  readonly lanesOwner: pg.ClientConfig
  /** The gateway's own, there. */
  readonly lanesLogin: pg.ClientConfig
  /** The same on the second server, of a world that has one. */
  readonly sqlElsewhere: World['sql']
  /** Proves the books. */
  readonly ledgerHolds: () => Promise<void>
  /** Opens a port; the address. */
  readonly listen: () => Promise<string>
  readonly stop: () => Promise<void>
}

export type NewCaller = {
  readonly funds?: Readonly<Record<string, bigint>>
  readonly lane?: number
  readonly livemode?: boolean
}

/** Cheap: what a real gateway stores is in test/cli/operate.long.test.ts. */
const PASSWORD_COST = { logN: 4, r: 8, p: 1 }
const FUNDS = { PHP: 1_000_000_00n, USD: 100_000_00n }
const ENDS = ['completed', 'cancelled', 'expired']
const SETTLED_WITHIN_MS = 60_000
const POLL_MS = 15

/** Opens a world; `stop()` ends all of it. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-story-'))
  chmodSync(folder, 0o755)
  const { found } = options
  const owner = found?.database ?? options.servers?.home ?? (await newDatabase())
  if (found) copyFileSync(found.providerBooks, join(folder, 'sandbox.jsonl'))
  const lanes = options.lanesElsewhere ?? lanesElsewhere()
  const elsewhere =
    lanes.length === 0
      ? null
      : await joinOther(ownedDatabase(owner), options.servers?.other ?? (await newDatabase()), lanes)
  const database = elsewhere?.database ?? ownedDatabase(owner)
  const operators = (await asOperatorOf(database)) as OwnedDatabase
  const sandbox = await startSandbox({ port: 0, dataDir: folder })
  // It asks for none: tests control it beside the gateway.
  const provider = { url: sandbox.url, token: 'none' }
  const config = { ...configOf(options, folder, sandbox.url), laneServers: elsewhere?.configured ?? [] }
  const log = openLog('fatal')
  const gateway = await buildGateway(config, database, provider, log)
  await gateway.app.ready()
  if (options.workers !== 'resting') gateway.startWorkers()
  const client = openClient(gateway.app)
  const funds = fundsBy(operators)
  const newCaller = (wanted: NewCaller = {}) => fundedCaller(gateway, funds, client, wanted)
  const caller = await newCaller()
  const operator = await connectedTo(owner)
  const other = elsewhere && (await connectedTo(elsewhere.owner))
  const isAllElsewhere = lanes.length === LANE_COUNT
  const lanesOwner = isAllElsewhere ? (elsewhere?.owner ?? owner) : owner
  // Lanes may have moved since: where the gateway says.
  const placeOf = (lane: number) => (database.others?.placement.serverOf(lane) === OTHER_SERVER ? sqlElsewhere : sql)
  const sql: World['sql'] = async (text, values = []) => {
    const asked = sqlOf(operator, isAllElsewhere ? other : null, text)
    const answers = await Promise.all(asked.map((client) => client.query(text, [...values])))
    return answers.flatMap(({ rows }) => rows)
  }
  const sqlElsewhere: World['sql'] = async (text, values = []) =>
    (await (other ?? operator).query(text, [...values])).rows
  return {
    ...client,
    gateway,
    config,
    database,
    operators,
    sandboxUrl: sandbox.url,
    caller,
    other: await newCaller({ lane: caller.account.lane }),
    newCaller,
    withKey: async (caller, wanted) => callerOf(client, caller.account, await keyFor(gateway, caller.account, wanted)),
    beside: async (changed) => {
      const neighbour = await buildGateway({ ...config, ...changed }, database, provider, log)
      await neighbour.app.ready()
      const listen = (port: number) => neighbour.app.listen({ host: '127.0.0.1', port })
      return { ...openClient(neighbour.app), listen, stop: neighbour.stop }
    },
    settle: (id) => settled(placeOf(laneOf(id)), id),
    sql,
    lanesOwner,
    lanesLogin: ownedDatabase(lanesOwner).login,
    sqlElsewhere,
    ledgerHolds: () => provenBooks(operators, sql),
    listen: () => gateway.app.listen({ host: '127.0.0.1', port: 0 }),
    stop: async () => {
      await gateway.stop()
      await sandbox.close()
      await Promise.all([funds.close(), operator.end(), other?.end()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A fresh database of the run's own server. */
export const newDatabase = async () => (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig

/** The same connection as a URL, as operators give it. */
export function urlOf({ user, password, host, port, database }: pg.ClientConfig): string {
  const login = `${user}:${encodeURIComponent(String(password))}`
  return `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
}

function configOf({ config, undoSeconds = 0, liveRails = [] }: WorldOptions, dataDir: string, url: string): Config {
  const channels = SHIPPED_CHANNELS.map((channel) =>
    channel.id === 'sandbox' ? { ...channel, undo_seconds: undoSeconds } : channel,
  )
  const read = readConfig({ GATEWAY_CITUS_WORKERS: process.env['TEST_CITUS_WORKERS'] })
  const live = Object.fromEntries(liveRails.map((name) => [name, { url, mode: 'live' as const }]))
  const own = { rails: { ...read.rails, ...live }, doors: { ...read.doors, authFailuresPerMinute: 0 } }
  const settings = {
    dataDir,
    publicUrl: 'http://gateway.test',
    rateLimit: 0,
    refundAbsentForMs: 0,
    channels,
    passwordCost: PASSWORD_COST,
  }
  return { ...read, ...own, ...settings, ...config }
}

async function fundedCaller(
  gateway: Gateway,
  book: Funds,
  client: Client,
  { funds = FUNDS, lane, livemode = false }: NewCaller,
): Promise<Caller> {
  const { deps } = gateway
  // The lane of a new account is in the first digits of chance.
  const digits = lane?.toString(16).padStart(4, '0') ?? ''
  const ids = { nowMs: deps.nowMs, randomHex: () => digits + deps.randomHex() }
  const wanted = { name: livemode ? 'Live' : 'Test', livemode, currencies: ['JPY', 'KWD', 'PHP', 'USD'] }
  const account = await createAccount(deps.reader, ids, wanted)
  await fundWallets(book, account, funds)
  return callerOf(client, account, await keyFor(gateway, account, {}))
}

/** Money from outside is the operators' business; live money needs two of them. */
async function fundWallets(book: Funds, account: NewAccount, amounts: Readonly<Record<string, bigint>>) {
  const approval = { operator: 'Ana Cruz', approvedBy: 'Ben Reyes', evidence: 'a line of the statement' }
  for (const [currency, amountMinor] of Object.entries(amounts)) {
    const { id } = account.wallets.find((each) => each.currency === currency) ?? { id: '' }
    const credit = { walletId: id, amountMinor, currency, reference: `opening ${id}` }
    const answer = await book.credit(
      account.livemode
        ? { ...credit, source: 'clearing:bdo-settlement', approval: { id: randomUUID(), ...approval } }
        : { ...credit, source: 'external' },
    )
    if (answer === null || isRefusal(answer)) throw new Error(`the ${currency} wallet could not be funded`)
  }
}

function keyFor(
  { deps }: Gateway,
  account: NewAccount,
  wanted: Partial<NewKey>,
): Promise<{ keyId: string; text: string }> {
  const { livemode } = account
  return createApiKey(deps.reader, account, {
    name: 'Test',
    livemode,
    scopes: SCOPES,
    expiresInSeconds: null,
    ...wanted,
  })
}

async function settled(sql: World['sql'], id: string): Promise<string> {
  let status = 'absent'
  for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; await sleep(POLL_MS)) {
    const [row] = await sql<{ status: string }>('select status from contracts where id = $1', [id])
    status = row?.status ?? 'absent'
    if (ENDS.includes(status)) return status
  }
  throw new Error(`contract ${id} did not come to its end; it is ${status}`)
}

async function provenBooks(database: OwnedDatabase, sql: World['sql']): Promise<void> {
  const auditor = openAuditSession(database)
  const seePlaces = () => seePlacement(database)
  const verdict = verifyBooksBy([auditor], { onLane: () => undefined, seePlaces })
  await Promise.allSettled([verdict]).then(() => auditor.close())
  const { findings } = await verdict
  expect(findings, JSON.stringify(findings)).toEqual([])
  // And in other words than those of the proofs: what came in from outside is in the wallets or has left through a channel.
  const sums = await sql<{ currency: string; came: string; is: string }>(
    `with flows as (
       select w.currency,
              sum(case when g.debit = 'external' then g.amount_minor when g.credit = 'external' then -g.amount_minor else 0 end) as came,
              sum(case when g.credit in ('available', 'held', 'in_transit', 'pending', 'suspense') then 0 else g.amount_minor end
                - case when g.debit in ('available', 'held', 'in_transit', 'pending', 'suspense', 'external') then 0 else g.amount_minor end) as gone
         from ledger g join wallets w on w.lane = g.lane and w.account_id = g.account_id and w.id = g.wallet_id
        group by w.currency
     ), balances as (
       select a.currency, sum(a.available_minor + a.held_minor + a.in_transit_minor + a.pending_minor + a.suspense_minor) as there
         from wallets a group by a.currency
     )
     select currency, came, gone + there as is from flows join balances using (currency)`,
  )
  for (const { currency, came, is } of sums) expect(is, currency).toBe(came)
}
