// A lane is copied from one PostgreSQL to another while it is written, by logical replication between two real servers on the
// loopback: what is copied and what is not, what is refused, what stops a copy, and that nothing of it is left.
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../src/platform/migrate.ts'
import { beginCopy, caughtUp, connInfoOf, copyProgress, endCopy } from '../../../src/platform/postgres/lane-copy.ts'
import { differences, missingParents, removeLane } from '../../../src/platform/postgres/lane-rows.ts'
import { laneTables, refuseWithoutLogical } from '../../../src/platform/postgres/lane-tables.ts'
import { type EmbeddedPostgres, startPostgres } from '../../../src/platform/postgres/postgres.ts'
import { freePort } from '../../rig/gateway-child.ts'
import { addAccount, atWork, clientConfigOf } from '../../rig/lanes/lane-rows.ts'

const PATIENCE = { timeoutMs: 90_000 }
const anchor = 'lanes'
// What a connection string has to quote.
const SECRET = `it's \\ a "secret" = ${randomBytes(6).toString('hex')}`
const HISTORY = 3000

let folder: string
const servers: EmbeddedPostgres[] = []
const clients: pg.Client[] = []
let source: pg.Client
let target: pg.Client
let sourceConnInfo: string
let lastLane = 16

beforeAll(async () => {
  folder = mkdtempSync('/tmp/gateway-lanes-')
  chmodSync(folder, 0o755)
  // The target hears all it is told, and follows others only: it needs no logical log.
  const from = await started('source', { wal_level: 'logical', max_replication_slots: '20' })
  const to = await started('target', { wal_level: 'replica', log_statement: 'all', log_min_duration_statement: '0' })
  source = await opened(from)
  target = await opened(to)
  await source.query(`create role copier superuser login password ${pg.escapeLiteral(SECRET)}`)
  sourceConnInfo = connInfoOf({ ...from, user: 'copier', password: SECRET })
})
afterAll(async () => {
  for (const client of clients) await client.end()
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function started(name: string, settings: Record<string, string>): Promise<pg.ClientConfig> {
  const port = await freePort()
  const own = { listen_addresses: '127.0.0.1', port: String(port), fsync: 'off', shared_buffers: '64MB', ...settings }
  const server = await startPostgres({ dataDir: join(folder, name), log: () => undefined, settings: own })
  servers.push(server)
  await migrate({ connection: server.connection, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
  return { ...server.connection, host: '127.0.0.1', port }
}

async function opened(connection: pg.ClientConfig): Promise<pg.Client> {
  // What hangs is to fail by itself.
  const client = new pg.Client({ ...connection, statement_timeout: 60_000 })
  client.on('error', () => undefined)
  await client.connect()
  clients.push(client)
  return client
}

/** A lane of its own for each test, with an account and some history. */
async function newLane(history = 20): Promise<{ lane: number; account: string }> {
  lastLane += 1
  return { lane: lastLane, account: await addAccount(source, lastLane, history) }
}

const copyOf = (lane: number) => ({ source, target, sourceConnInfo, lane, anchor })

const countOf = async (on: pg.Client, table: string, lane: number) =>
  Number((await on.query(`select count(*) from ${table} where lane = $1`, [lane])).rows[0].count)

/** What copies leave on a server. */
async function leftOn(on: pg.Client): Promise<unknown[]> {
  const { rows } = await on.query(
    `select subname as name from pg_subscription union all select pubname from pg_publication
      union all select slot_name from pg_replication_slots union all select roname from pg_replication_origin`,
  )
  return rows
}

async function expectNothingLeft(): Promise<void> {
  expect(await leftOn(source)).toEqual([])
  expect(await leftOn(target)).toEqual([])
}

test('a lane that is written is copied, and no other', async () => {
  const moved = await newLane(HISTORY)
  const other = await newLane()
  const copy = copyOf(moved.lane)
  const load = atWork(await opened(clientConfigOf(source)), [moved, other])
  await beginCopy(copy)
  await caughtUp(copy, PATIENCE)
  const written = await countOf(source, 'contract_versions', moved.lane)
  await expect.poll(() => countOf(source, 'contract_versions', moved.lane)).toBeGreaterThan(written + 20)
  expect(await load.finish()).toBeGreaterThan(20)
  await caughtUp(copy, PATIENCE)

  expect(await differences(copy)).toEqual([])
  const tables = (await laneTables(source, anchor)).length
  expect(await copyProgress(copy)).toMatchObject({ tables, ready: tables })
  expect(await countOf(target, 'contract_versions', moved.lane)).toBeGreaterThan(HISTORY)
  expect(await countOf(target, 'contract_versions', other.lane)).toBe(0)
  expect(await differences({ ...copy, lane: other.lane })).toContain('public.accounts')

  await expect(removeLane({ on: source, lane: moved.lane, anchor })).rejects.toThrow('End that copy first')
  await endCopy(copy)
  await endCopy(copy)
  await expectNothingLeft()
  expect(await removeLane({ on: source, lane: moved.lane, anchor })).toBeGreaterThan(HISTORY)
  expect(await countOf(source, 'accounts', moved.lane)).toBe(0)
  expect(await countOf(source, 'lanes', moved.lane)).toBe(1)
  expect(await countOf(source, 'accounts', other.lane)).toBe(1)
  expect(await countOf(target, 'accounts', moved.lane)).toBe(1)
  // Foreign keys hold where the rows came to be without them.
  await target.query('update accounts set livemode = false where lane = $1', [moved.lane])
})

test('what truncates a table on the source empties none on the target', async () => {
  const { lane } = await newLane()
  const there = await newLane()
  await addAccount(target, there.lane, 1)
  const copy = copyOf(lane)
  await beginCopy(copy)
  await caughtUp(copy, PATIENCE)
  await source.query('truncate idempotency_keys')
  await caughtUp(copy, PATIENCE)
  expect(await countOf(target, 'idempotency_keys', there.lane)).toBe(1)
  expect(await differences(copy)).toEqual(['public.idempotency_keys'])
  await endCopy(copy)
})

test('a copy that was broken off is ended, its rows removed, and begun again', async () => {
  const { lane } = await newLane()
  const copy = copyOf(lane)
  const blocked = await blocking('seals')
  await beginCopy(copy)
  await expect.poll(async () => (await copyProgress(copy)).ready).toBeGreaterThan(10)
  await expect(caughtUp(copy, { timeoutMs: 300 })).rejects.toThrow(/has not caught up .* It is under way/)
  const mover = new AbortController()
  const waiting = caughtUp(copy, { ...PATIENCE, signal: mover.signal })
  mover.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')

  // The mover died here: who comes next finds what it left.
  await expect(beginCopy(copy)).rejects.toThrow('the source has the publication')
  await endCopy(copy)
  await blocked.release()
  await expectNothingLeft()
  await expect(beginCopy(copy)).rejects.toThrow(`The target has rows of lane ${lane} already`)
  expect(await removeLane({ on: target, lane, anchor })).toBeGreaterThan(0)
  expect(await removeLane({ on: target, lane, anchor })).toBe(0)
  await beginCopy(copy)
  await caughtUp(copy, PATIENCE)
  expect(await differences(copy)).toEqual([])
  await endCopy(copy)
})

test('a copy whose servers lost each other is ended server by server', async () => {
  const { lane } = await newLane()
  const copy = copyOf(lane)
  const stalled = await stalling('seals')
  await beginCopy(copy)
  const { tables } = await copyProgress(copy)
  await expect.poll(async () => (await copyProgress(copy)).ready).toBe(tables - 1)
  expect(await slotsOfTables()).toBe(1)
  await target.query(`alter subscription gateway_lane_${lane} connection 'host=127.0.0.1 port=1 dbname=gateway'`)
  await target.query(`alter subscription gateway_lane_${lane} disable`)
  await target.query(`alter subscription gateway_lane_${lane} enable`)
  await expect.poll(() => isConnected(lane)).toBe(false)
  await expect(caughtUp(copy, { timeoutMs: 300 })).rejects.toThrow('is not connected to the source')

  await endCopy({ source: null, target, lane })
  expect(await leftOn(target)).toEqual([])
  expect(await slotsOfTables()).toBe(1)
  await endCopy({ source, target: null, lane })
  await endCopy({ source, target, lane })
  await stalled.release()
  await expectNothingLeft()
})

const slotsOfTables = async () =>
  (await source.query(`select 1 from pg_replication_slots where slot_name ~ '_sync_'`)).rowCount ?? 0
const isConnected = async (lane: number) =>
  (await source.query('select active from pg_replication_slots where slot_name = $1', [`gateway_lane_${lane}`])).rows[0]
    .active as boolean

/** Lets the copy of a table begin on the target, and holds it at the first row, until it is released. */
async function stalling(table: string) {
  const client = await opened(clientConfigOf(target))
  await client.query(`
    create function stall() returns trigger language plpgsql
      as $$ begin perform pg_catalog.pg_advisory_xact_lock_shared(4711); return new; end $$;
    create trigger stall before insert on ${table} for each row execute function stall();
    alter table ${table} enable always trigger stall;
    select pg_advisory_lock(4711)`)
  const release = () => client.query('select pg_advisory_unlock_all(); drop function if exists stall cascade')
  onTestFinished(async () => void (await release()))
  return { release }
}

/** Keeps a table of the target from being copied, until it is released. */
async function blocking(table: string) {
  const client = await opened(clientConfigOf(target))
  await client.query('begin')
  await client.query(`lock table ${table} in share mode`)
  const release = () => client.query('commit')
  onTestFinished(async () => void (await release()))
  return { client, release }
}

test('an error on the target stops the copy, and is told', async () => {
  const first = await newLane()
  const conflicting = copyOf(first.lane)
  await beginCopy(conflicting)
  await caughtUp(conflicting, PATIENCE)
  const taken = randomUUID()
  for (const on of [target, source])
    await on.query('insert into account_modes values ($1, $2, false)', [first.lane, taken])
  await expect(caughtUp(conflicting, PATIENCE)).rejects.toThrow(
    /has stopped: an error on the target .*apply_error_count 1/,
  )
  await expect(copyProgress(conflicting)).rejects.toThrow('has stopped')
  await endCopy(conflicting)

  const second = await newLane()
  const copy = copyOf(second.lane)
  const { client, release } = await blocking('account_modes')
  await beginCopy(copy)
  await client.query('insert into account_modes values ($1, $2, false)', [second.lane, second.account])
  await release()
  await expect(caughtUp(copy, PATIENCE)).rejects.toThrow(/while it copied .*account_modes.*sync_error_count/)
  await endCopy(copy)
  await expectNothingLeft()
})

test('a slot that is gone is told, not waited for', async () => {
  const { lane } = await newLane()
  const copy = copyOf(lane)
  await expect(caughtUp(copy, PATIENCE)).rejects.toThrow('no copy of lane')
  await beginCopy(copy)
  await caughtUp(copy, PATIENCE)
  await endCopy({ source, target: null, lane })
  await expect(caughtUp(copy, PATIENCE)).rejects.toThrow(/no replication slot|has stopped/)
  await endCopy(copy)
  await expectNothingLeft()
})

test('what cannot be copied is refused in words, and leaves nothing', async () => {
  const { lane } = await newLane()
  const copy = copyOf(lane)
  await expect(refuseWithoutLogical({ source: target, target: source })).rejects.toThrow('set wal_level = logical')
  await expect(beginCopy({ ...copy, target: source })).rejects.toThrow('are one database')
  const elsewhere = connInfoOf({ ...clientConfigOf(source), user: 'copier', password: 'wrong' })
  await expect(beginCopy({ ...copy, sourceConnInfo: elsewhere })).rejects.toThrow(
    /does not reach the source.*authentication/,
  )
  await source.query('create database another')
  const another = connInfoOf({ ...clientConfigOf(source), database: 'another' })
  await expect(beginCopy({ ...copy, sourceConnInfo: another })).rejects.toThrow('leads to another database')

  await source.query('create table odd (lane int, id int)')
  await expect(beginCopy(copy)).rejects.toThrow('public.odd cannot be copied by lane: it has no primary key')
  await source.query('drop table odd; create unlogged table odd (lane int, primary key (lane))')
  await expect(beginCopy(copy)).rejects.toThrow('public.odd cannot be copied by lane: it is unlogged')
  await source.query('drop table odd; create table odd (lane int, id serial, primary key (lane, id))')
  await expect(beginCopy(copy)).rejects.toThrow('public.odd cannot be copied by lane: it takes numbers')
  await source.query('drop table odd; create table odd (lane int, primary key (lane))')
  await expect(beginCopy(copy)).rejects.toThrow('do not have the same public.odd')
  await source.query('drop table odd')

  await addAccount(target, lane, 1)
  await expect(beginCopy(copy)).rejects.toThrow(`The target has rows of lane ${lane} already, in public.account_modes`)
  await expectNothingLeft()
})

test('one value that is not the same is found, whatever the sessions begin with', async () => {
  const { lane } = await newLane()
  const copy = copyOf(lane)
  await beginCopy(copy)
  await caughtUp(copy, PATIENCE)
  await source.query(`set timezone = 'Asia/Manila'; set datestyle = 'German'; set bytea_output = 'escape'`)
  expect(await differences(copy)).toEqual([])
  await target.query(`update seals set salt = '\\x00' where lane = $1`, [lane])
  await target.query(
    `update contract_versions set at = at + interval '1 microsecond' where lane = $1 and position = 7`,
    [lane],
  )
  await target.query('delete from wallets where lane = $1', [lane])
  expect(await differences(copy)).toEqual(['public.contract_versions', 'public.seals', 'public.wallets'])
  await source.query('reset all')
  await endCopy(copy)
})

test('rows without a lane that the lane names are missed', async () => {
  const { lane } = await newLane()
  const [live, action] = [randomUUID(), randomUUID()]
  const ordered = (on: pg.Client) =>
    on.query(
      `insert into operator_actions (id, operator, action, target, evidence) values ($1, 'Ana', 'fund wallet', '', '')`,
      [action],
    )
  await ordered(source)
  await source.query('insert into account_modes values ($1, $2, true)', [lane, live])
  await source.query(
    `insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode, action_id, action)
     values ($1, $2, $2, 1, 'r', 5, 'clearing:bank', true, $3, 'fund wallet')`,
    [lane, live, action],
  )
  const copy = copyOf(lane)
  await beginCopy(copy)
  await caughtUp(copy, PATIENCE)
  await endCopy(copy)
  expect(await missingParents({ on: source, lane })).toEqual([])
  expect(await missingParents({ on: target, lane })).toEqual(['public.operator_actions'])
  await ordered(target)
  expect(await missingParents({ on: target, lane })).toEqual([])
})

test('an owner who is no superuser copies and removes with the rights that it is told to have', async () => {
  const { lane, account } = { lane: 200, account: randomUUID() }
  const owned = async (on: pg.Client) => {
    await on.query(`create role plain login password 'plain' createrole`)
    await on.query('create database owned owner plain')
    const login = { ...clientConfigOf(on), user: 'plain', password: 'plain', database: 'owned' }
    await on.query('grant gateway_app, gateway_operator to plain with admin option')
    await migrate({ connection: login, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
    return opened(login)
  }
  const from = await owned(source)
  const to = await owned(target)
  const copy = { source: from, target: to, lane, anchor, sourceConnInfo: connInfoOf(clientConfigOf(from)) }
  await from.query('insert into account_modes values ($1, $2, false)', [lane, account])
  await expect(beginCopy(copy)).rejects.toThrow('alter role plain replication')
  await source.query('alter role plain replication')
  await expect(beginCopy(copy)).rejects.toThrow('grant pg_create_subscription to plain')
  await target.query('grant pg_create_subscription to plain')
  await beginCopy(copy)
  await caughtUp(copy, PATIENCE)
  expect(await differences(copy)).toEqual([])
  await endCopy(copy)
  await expectNothingLeft()
  const removal = { on: from, lane, anchor }
  await expect(removeLane(removal)).rejects.toThrow('grant set on parameter session_replication_role to plain')
  await source.query('grant set on parameter session_replication_role to plain')
  expect(await removeLane(removal)).toBe(1)
})

test('a superuser leaves no password in a log', () => {
  const log = readFileSync(join(folder, 'target', 'postgres.log'), 'utf8')
  const hasHeard = (words: string) => log.includes(words)
  expect(hasHeard('drop subscription')).toBe(true)
  // Neither whole nor as it was quoted, nor in another statement.
  const random = SECRET.slice(-12)
  expect([random, 'a "secret"'].filter(hasHeard)).toEqual([])
})
