// The embedded PostgreSQL: starts the real server on a data directory, or joins the one that another gateway runs
// there, and never leaves one behind without users. Gives the owner's connection; knows no table and no role of ours.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { archiveSettings } from './archive.ts'
import { type Binaries, type BinaryPackage, locateBinaries, prepareBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { codeOf, deathOf, namedFault, PostgresUnavailable } from './errors.ts'
import { type Home, isToBeTakenOver, openHome } from './home.ts'
import { memoryHereBytes, memorySettings } from './memory.ts'
import { findPostmaster, launch, type Launched, type Postmaster } from './process.ts'
import { giveTo, isShared } from './user.ts'
import { joinUsers, type Membership } from './users.ts'

export type PostgresOptions = {
  dataDir: string
  log: (line: string) => void
  /** Server settings that go before the defaults of this file. */
  settings?: Record<string, string>
  maxConnections?: number
  /** The directory of backups, whose archive gets the server's log; null for none; left out, as it was said last. */
  archive?: string | null
  /** How long it may take until it answers. */
  startTimeoutMs?: number
}

/** A server that answers. `connection` is the owner's (a superuser), through a private Unix socket. */
export type EmbeddedPostgres = {
  connection: { host: string; port: number; user: string; password: string; database: string }
  url: string
  /** True when the server was running already, started by another process. */
  adopted: boolean
  pid: number
  /** Where the database is on disk. */
  directory: string
  /** Leaves the server; the last to do so stops it and waits for that, but not for ever: its watchdog goes on. */
  stop(): Promise<void>
}

const USER = 'postgres'
const DATABASE = 'gateway'
// Recovery after a crash replays up to max_wal_size, which takes minutes on a slow disk.
const START_TIMEOUT_MS = 10 * 60_000
const OCCUPIED_TIMEOUT_MS = 20_000
const POLL_MS = 20
const SHARED_USER =
  'the embedded database runs as "nobody", for this system gives root no user of its own: whatever else runs as nobody can read it'
const STOP_WITHIN_MS = 10_000
const OCCUPIED = /lock file "[^"]+" already exists|pre-existing shared memory block/

// Sized for a machine with a few GB that also runs the gateway; durability is never traded.
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  huge_pages: 'try',
  wal_buffers: '16MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  wal_compression: 'off',
  jit: 'off',
  random_page_cost: '1.1',
  // Contract and delivery rows are updated a few times each in their first minutes: clean up often and briskly.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_vacuum_cost_limit: '1000',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and key values hold names and amounts of people; the log shows only what went wrong.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

/** Starts or joins the embedded server of `dataDir`. Throws PostgresUnavailable, whose message names the fix. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  return startPostgresFrom(locateBinaries(process.platform, process.arch), options)
}

/** As startPostgres, with the package to take the programs from. */
export async function startPostgresFrom(source: BinaryPackage, options: PostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const home = openHome(options.dataDir)
    if (home.place !== home.dataDir) options.log(`the database of ${home.dataDir} is kept in ${home.place}`)
    if (home.user && isShared(home.user)) options.log(SHARED_USER)
    const binaries = prepareBinaries(source, home.place, home.user)
    const membership = await joinUsers(home.users, home.data)
    try {
      return await serve(home, binaries, membership, options)
    } catch (fault) {
      await membership.leave()
      throw fault
    }
  } catch (fault) {
    throw namedFault(fault, options.dataDir)
  }
}

async function serve(
  home: Home,
  binaries: Binaries,
  membership: Membership,
  options: PostgresOptions,
): Promise<EmbeddedPostgres> {
  const password = await ensureCluster(home, binaries, options.log)
  const settings = {
    ...SETTINGS,
    ...memorySettings(memoryHereBytes()),
    max_connections: String(options.maxConnections ?? 60),
    // A list in PostgreSQL's eyes: in quotes, a comma in the path is only a comma.
    unix_socket_directories: `"${home.sockets.replaceAll('"', '""')}"`,
    ...archiveSettings(home, options.archive),
    ...options.settings,
  }
  const start = (): Promise<Launched> => {
    if (home.user && isToBeTakenOver(home)) giveTo(home.user, home.data)
    return launch(home, binaries, settings, membership.started)
  }
  const { server, adopted } = await bringUp(home, password, start, options.startTimeoutMs ?? START_TIMEOUT_MS)
  options.log(`PostgreSQL ${adopted ? 'joined' : 'started'} (process ${server.pid}, ${home.data})`)
  const connection = connectionTo(server, password, DATABASE)
  await ensureDatabase(connectionTo(server, password, USER))
  return {
    connection,
    url: `postgres://${USER}:${password}@localhost:${server.port}/${DATABASE}?host=${encodeURIComponent(server.sockets)}`,
    adopted,
    pid: server.pid,
    directory: home.data,
    stop: () => Promise.race([membership.leave(), sleep(STOP_WITHIN_MS, undefined, { ref: false })]),
  }
}

type Serving = { server: Postmaster; adopted: boolean }

// PostgreSQL's own lock file decides between gateways that start at once: the loser's server ends, and it checks again.
async function bringUp(
  home: Home,
  password: string,
  start: () => Promise<Launched>,
  withinMs: number,
): Promise<Serving> {
  const deadline = performance.now() + withinMs
  const occupiedDeadline = performance.now() + OCCUPIED_TIMEOUT_MS
  let own: Launched | undefined
  while (performance.now() < deadline) {
    const server = findPostmaster(home.data)
    if (server?.isReady && (await answers(server, password))) return { server, adopted: server.pid !== own?.pid }
    if (own?.hasEnded()) {
      const words = own.lastWords()
      if (!OCCUPIED.test(words) || performance.now() > occupiedDeadline)
        throw deathOf('PostgreSQL', words, home.dataDir)
      own = undefined
    }
    if (server === undefined && own === undefined) own = await start()
    await sleep(POLL_MS)
  }
  const message = `PostgreSQL in ${home.data} is not ready after ${withinMs / 60_000} minutes. See ${home.log}.`
  throw new PostgresUnavailable('start_timeout', message)
}

function connectionTo(server: Postmaster, password: string, database: string): EmbeddedPostgres['connection'] {
  return { host: server.sockets, port: server.port, user: USER, password, database }
}

/** False while the server cannot take connections yet, or no more. */
async function answers(server: Postmaster, password: string): Promise<boolean> {
  try {
    await query(connectionTo(server, password, USER), 'select 1')
    return true
  } catch (fault) {
    // A wrong password will not become right by waiting; anything else may pass.
    if (codeOf(fault) !== '28P01') return false
    const message = `The password kept beside ${server.sockets} is not that of the database. Put the file postgres.password back from a backup.`
    throw new PostgresUnavailable('password_lost', message, { cause: fault })
  }
}

async function ensureDatabase(connection: EmbeddedPostgres['connection']): Promise<void> {
  const found = await query(connection, `select 1 from pg_database where datname = '${DATABASE}'`)
  if (found.rowCount !== 0) return
  try {
    await query(connection, `create database ${DATABASE}`)
  } catch (fault) {
    // Another gateway made it between the question and the answer (duplicate name, or the same a moment earlier).
    if (codeOf(fault) !== '42P04' && codeOf(fault) !== '23505') throw fault
  }
}

async function query(connection: EmbeddedPostgres['connection'], sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
