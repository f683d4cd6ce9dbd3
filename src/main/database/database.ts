// The database of this process: an own one by DATABASE_URL, or the embedded one, with the servers beside it; and the connections to it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { READS_ABREAST } from '../../engine/reads.ts'
import { REACHES_NODES } from '../../platform/citus/distribution.ts'
import { inShards } from '../../platform/citus/shard-tables.ts'
import { type ConnectionSettings, openSession, type Session, type Way } from '../../platform/db.ts'
import type { Servers } from '../../platform/postgres/hosts.ts'
import type { Log } from '../../platform/log.ts'
import { startPostgres } from '../../platform/postgres/postgres.ts'
import { isAlive } from '../../platform/postgres/process.ts'
import type { Seat, Standing } from '../../platform/postgres/standing.ts'
import { type Config } from '../config/config.ts'
import type { LaneServer } from '../config/lane-servers.ts'
import { whileReplacedOf } from '../config/processes.ts'
import { APP_ROLE, derivedLogin, ensureLogin, LoginRefused, OPERATOR_ROLE, powersOf } from './logins.ts'
import type { Database, OwnedDatabase } from './opened.ts'
import type { NodeWay, NodeWays } from './node-ways.ts'
import { pooled } from './pool.ts'
import { withServer } from './server-fault.ts'
import { type Away, checkServers, eachServer, otherServers, overServers, unlessAway } from './servers.ts'

/** The database of this owner, with the logins that follow from the owner's. */
export function ownedDatabase(owner: Servers): OwnedDatabase {
  const [login, operator] = [derivedLogin(owner, APP_ROLE), derivedLogin(owner, OPERATOR_ROLE)]
  return { owner, login, operator, server: null, stop: async () => undefined }
}

/**
 * Finds or starts the database, without touching its schema; and knows the servers beside it, which are used when it was seen where the
 * lanes are. Throws {@link LoginRefused}.
 */
export async function openDatabase(
  config: Config,
  say: (line: string) => void,
  use: 'start' | 'command' = 'command',
): Promise<Database> {
  const home = await openHome(config, say, use)
  if (config.laneServers.length === 0) return home
  try {
    const servers = new Map<string, Database>()
    for (const each of config.laneServers)
      servers.set(each.name, await laneServerAt(config, each, use === 'start' ? 'is left out' : 'is a fault'))
    return { ...home, others: otherServers(servers) }
  } catch (fault) {
    await home.stop()
    throw fault
  }
}

/** A server beside home. Of one that is left out who logs in there is not known, and nobody does; operators go on with the others. */
export async function laneServerAt(config: Pick<Config, 'mode'>, server: LaneServer, away: Away): Promise<Database> {
  const { databaseUrl, operatorDatabaseUrl } = server
  const found = await withServer(server.name, () => unlessAway(databaseAt({ ...config, ...server }, databaseUrl), away))
  return found ?? onlyLogin(loginAt(databaseUrl), loginAt(operatorDatabaseUrl ?? databaseUrl))
}

const loginAt = (url: string): Servers => ({ connectionString: url })

const onlyLogin = (login: Servers, operator: Servers | null): Database => ({
  login,
  operator,
  owner: null,
  server: null,
  stop: async () => undefined,
})

async function openHome(config: Config, say: (line: string) => void, use: 'start' | 'command'): Promise<Database> {
  if (config.databaseUrl !== null) return databaseAt(config, config.databaseUrl)
  if (config.mode === 'production' && process.getuid?.() === 0) throw rootRefused(config.dataDir)
  // Only a start says where the log is kept: a command with fewer settings must not make a hole in the archive.
  const archive = use === 'start' ? { archive: config.backups.directory } : {}
  const server = await startPostgres({ dataDir: config.dataDir, log: say, ...roomFor(config), ...archive })
  return { ...ownedDatabase(server.connection), server, stop: () => server.stop() }
}

/** Connections for several processes; its own number is enough for one. */
const roomFor = (config: Config) => (config.processes === 1 ? {} : { maxConnections: 60 + whileReplacedOf(config) })

/** Whether a database is there to be opened: commands that only read must not make one. */
export function hasDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): boolean {
  return databaseUrl !== null || ['postgres', 'postgres.path'].some((name) => existsSync(join(dataDir, name)))
}

/** By root the server would take the directory over, and the gateway's own user could not start it any more. */
function rootRefused(dataDir: string): LoginRefused {
  return new LoginRefused(
    `A production's embedded database is not touched by root. Run this as the user that the gateway runs as, the owner of ${dataDir}: sudo -u USER gateway …`,
  )
}

async function databaseAt(
  { mode, ownerDatabaseUrl, operatorDatabaseUrl }: Pick<Config, 'mode' | 'ownerDatabaseUrl' | 'operatorDatabaseUrl'>,
  databaseUrl: string,
): Promise<Database> {
  const url = loginAt(databaseUrl)
  const configured = operatorDatabaseUrl === null ? null : loginAt(operatorDatabaseUrl)
  if (ownerDatabaseUrl !== null) {
    const owned = ownedDatabase({ connectionString: ownerDatabaseUrl })
    return { ...owned, login: url, operator: configured ?? owned.operator }
  }
  // The one URL of a trial is the owner's: it migrates, and the gateway works under a login of its own beside it.
  const { role, powers } = await powersOf(url)
  if (powers.length === 0 || role === APP_ROLE) return onlyLogin(url, configured)
  if (mode === 'production') throw powersRefused(role, powers)
  const owned = ownedDatabase(url)
  return { ...owned, operator: configured ?? owned.operator }
}

/** The same database for a command of an operator, whose schema is up to date. Throws {@link LoginRefused} and MigrationRefused. */
export async function asOperatorOf(database: Database): Promise<Database> {
  await checkServers(database, 'is left out')
  return eachServer(database, operatorLoginOf)
}

/** The same server for a command of an operator that is about no lane. Throws {@link LoginRefused}. */
export async function operatorLoginOf(database: Database): Promise<Database> {
  const { operator, owner } = database
  if (operator === null)
    throw new LoginRefused(
      "DATABASE_URL is the gateway's own login, which may not do what operators do. Set GATEWAY_OPERATOR_DATABASE_URL or GATEWAY_OWNER_DATABASE_URL for this command.",
    )
  // One of several servers may be away, and the command about another one.
  if (owner !== null) await unlessAway(ensureLogin(owner, operator), 'is left out')
  return { ...database, login: operator }
}

const WATCH_MS = 500
const TRY_AGAIN_MS = 2000

/**
 * Starts the embedded server again whenever it dies under the running gateway, until the returned database is stopped.
 * Socket and password stay the same, so that sessions find it at their next use; until then they are refused.
 */
export function keepDatabase(database: Database, config: Config, log: Log): Database {
  if (database.server === null) return database
  let server = database.server
  let restarting: Promise<void> | null = null

  const restart = async (): Promise<void> => {
    log.error({ pid: server.pid }, 'PostgreSQL died and is started again')
    try {
      const died = server
      server = await startPostgres({ dataDir: config.dataDir, log: (line) => log.warn(line), ...roomFor(config) })
      // Registered twice for a moment: the server must never seem to be without users.
      await died.stop()
    } catch (fault) {
      log.error({ err: fault }, 'PostgreSQL cannot be started again yet')
      await sleep(TRY_AGAIN_MS)
    }
  }
  const watch = setInterval(() => {
    if (restarting !== null || isAlive(server.pid)) return
    restarting = restart().finally(() => {
      restarting = null
    })
  }, WATCH_MS)
  watch.unref()

  return {
    ...database,
    stop: async () => {
      clearInterval(watch)
      await restarting
      await server.stop()
    },
  }
}

export function powersRefused(role: string, powers: readonly string[]): LoginRefused {
  return new LoginRefused(
    `The gateway would log in to the database as ${role}, which ${powers.join(', ')}: whoever got hold of its connection could change the ledger. Log in as ${APP_ROLE} in DATABASE_URL, put the owner's login in GATEWAY_OWNER_DATABASE_URL and run gateway migrate once.`,
  )
}

// Longer than a statement may take: a server silent beyond it is not busy but gone.
const ANSWER_WITHIN_MS = 6000
// An idle transaction may be a credit of a process that stands still: connectors/wallet/wallet.ts counts on these ten seconds.
const LIMITS = { statement_timeout: '5s', lock_timeout: '2s', idle_in_transaction_session_timeout: '10s', jit: 'off' }
// The limits of a transaction reach the nodes that do its work. A statement is planned there, for the lane that it is given:
// a plan for any lane is one that the coordinator cannot make.
const WHERE_DISTRIBUTED: Readonly<Record<string, string>> = Object.fromEntries([REACHES_NODES])
// Every statement of the write path takes its rows by key. A plan that was made on an empty table stays, so the planner
// is left no other choice, whatever the statistics say at that moment (docs/performance.md).
const BY_KEY = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
  enable_material: 'off',
  enable_memoize: 'off',
  // Joins in the order they are written: the keys, what they name, what that points to.
  join_collapse_limit: '1',
  from_collapse_limit: '1',
}

/** Connections that one process reads lists on, at most. */
const READERS_MAX = 3

const PROBE_WITHIN_MS = 2000
const PRUNE_WITHIN_MS = 70_000
// One statement of the proofs reads a lane whole.
const AUDIT_WITHIN_MS = 3_600_000

/** The run-time parameters of a keyed session. */
export const KEYED_PARAMETERS = { ...LIMITS, ...BY_KEY }

/** A connection for the write path and for reads by key; `way`: to the node of a cluster that has their lanes. */
export function openKeyedSession(database: Database, way?: NodeWay): Session {
  return over(database, KEYED_PARAMETERS, {}, way)
}

/**
 * A connection for the write path that waits its turn for an account: whoever else waits with it is not held up for long by one
 * that does not come free.
 */
function openWaitingSession(database: Database, way?: NodeWay): Session {
  return over(database, { ...KEYED_PARAMETERS, lock_timeout: '300ms' }, {}, way)
}

/**
 * The connections to each server, or node of a cluster, that contracts are read by id on. Who calls is read there too where it is a node,
 * and by the `reader` otherwise.
 */
export function readSessions(database: Database, { wayTo }: NodeWays, reader: Session) {
  const opened = new Map<string, Session>()
  const contracts = (node: string): Session => {
    const before = opened.get(node)
    if (before) return before
    const made = pooled(() => openKeyedSession(database, wayTo(node)), READS_ABREAST.max)
    opened.set(node, made)
    return made
  }
  return { contracts, callers: (node: string) => (wayTo(node) ? contracts(node) : reader) }
}

/** The connections of the write path: those that write, and those that wait for their turn. */
export const writerSessions = (database: Database, { wayTo }: NodeWays) => ({
  openSession: (node: string) => openKeyedSession(database, wayTo(node)),
  openWaitingSession: (node: string) => openWaitingSession(database, wayTo(node)),
})

/**
 * A connection of a worker that another process may have to take over from: what it holds when it freezes between the two
 * halves of a transaction is free again soon after.
 */
export function openWorkerSession(database: Database): Session {
  return over(database, { ...KEYED_PARAMETERS, idle_in_transaction_session_timeout: '3s' })
}

/**
 * A connection for lists, the event feed and operators: planned each time for its values. Many share it, so that what is
 * locked is not waited for long.
 */
export function openPlannedSession(database: Database): Session {
  const limits = { ...LIMITS, lock_timeout: '500ms' }
  return over(database, { ...limits, plan_cache_mode: 'force_custom_plan' })
}

/** Of all that callers and the console read by other than ids: what is slow for one keeps nobody else waiting. */
export const openReader = (database: Database): Session => pooled(() => openPlannedSession(database), READERS_MAX)

/** A connection of the pruner: its queries may be long, and wait for locks for a moment only. */
export function openPruneSession(database: Database): Session {
  const limits = { ...LIMITS, statement_timeout: '60s', lock_timeout: '500ms', plan_cache_mode: 'force_custom_plan' }
  return over(database, limits, { answerWithinMs: PRUNE_WITHIN_MS })
}

/** A connection that looks at a server that took over, and at no other. */
export function openLookSession(database: Database, { looking }: Standing): Session {
  return openPlaceSession(database, () => ({ connection: database.login, seat: looking() }))
}

/** A connection that asks one server of the database where it stands. */
export function openPlaceSession(database: Database, wayNow: () => Way): Session {
  return openSession(settings(database, LIMITS, { answerWithinMs: PROBE_WITHIN_MS, wayNow }))
}

/** The connection by which a process says that it is there: nothing else waits on it, so that a node that hangs makes no process look dead. */
export function openHeartbeatSession(database: Database): Session {
  return openSession(settings(database, { ...LIMITS, lock_timeout: '500ms' }, {}))
}

/** A connection that only checks whether the database can be worked with, with short timeouts. */
export function openProbeSession(database: Database): Session {
  const limits = { ...LIMITS, statement_timeout: '1s', lock_timeout: '500ms' }
  return openSession(settings(database, limits, { answerWithinMs: PROBE_WITHIN_MS }))
}

/**
 * A connection that reads for as long as it takes, each transaction at one moment of the books. It can change nothing.
 * It runs the same query on each lane: planned anew for each, small books took six times as long.
 */
export function openAuditSession(database: Database): Session {
  const still = { default_transaction_isolation: 'repeatable read', default_transaction_read_only: 'on' }
  const patient = { statement_timeout: '0', work_mem: '64MB', jit: 'off', plan_cache_mode: 'auto' }
  return over(database, { ...still, ...patient }, { answerWithinMs: AUDIT_WITHIN_MS, use: 'only reading' })
}

type Wishes = {
  readonly answerWithinMs?: number
  readonly use?: 'writing' | 'only reading'
  readonly seat?: Seat
  readonly wayNow?: () => Way
  readonly tables?: 'of one shard'
}

/** Connections to all servers of the database, with these parameters; `way`: to a node of a cluster. */
function over(database: Database, parameters: Record<string, string>, wishes: Wishes = {}, way?: NodeWay): Session {
  const going = (wayNow: () => Way) => openSession(settings(database, parameters, { ...wishes, wayNow }))
  if (way) {
    // To the node they are tables like those of one PostgreSQL, and its plans hold for all lanes.
    const direct = openSession(settings(database, parameters, { ...wishes, wayNow: way.now, tables: 'of one shard' }))
    return inShards(direct, going(way.throughCoordinator), way)
  }
  return overServers(database, (server) => openSession(settings(server, parameters, wishes)), wishes.use)
}

function settings(
  { login, standing }: Database,
  parameters: Record<string, string>,
  { answerWithinMs = ANSWER_WITHIN_MS, seat = standing?.seat(), wayNow, tables }: Wishes,
): ConnectionSettings {
  const keyed =
    parameters['plan_cache_mode'] === 'force_generic_plan' && tables === undefined ? { plan_cache_mode: 'auto' } : {}
  const whereDistributed = { ...WHERE_DISTRIBUTED, ...keyed }
  const named = (way: Way): Way => ({
    ...way,
    connection: { ...way.connection, application_name: standing?.name ?? 'gateway' },
  })
  const way = wayNow ? { wayNow: () => named(wayNow()) } : named({ connection: login, ...(seat && { seat }) })
  return { ...way, parameters, whereDistributed, answerWithinMs }
}
