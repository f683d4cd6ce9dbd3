// The database of this process: an own one by DATABASE_URL, or the embedded one; migrated and checked before use.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkDurability, migrate, type MigrateResult } from '../platform/migrate.ts'
import { type ConnectionSettings, openSession, type Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type EmbeddedPostgres, startPostgres } from '../platform/postgres.ts'
import { isAlive } from '../platform/postgres-process.ts'
import { type Config } from './config.ts'
import { packageFile } from './package-file.ts'

export type Database = {
  /** The owner's connection: migrations, and nothing else. */
  readonly owner: pg.ClientConfig
  /** The embedded server as it was found or started; null for an own one. */
  readonly server: EmbeddedPostgres | null
  readonly stop: () => Promise<void>
}

/** Finds or starts the database, without touching its schema. */
export async function openDatabase(config: Config, say: (line: string) => void): Promise<Database> {
  if (config.databaseUrl !== null)
    return { owner: { connectionString: config.databaseUrl }, server: null, stop: async () => undefined }
  const server = await startPostgres({ dataDir: config.dataDir, log: say })
  return { owner: server.connection, server, stop: () => server.stop() }
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
      server = await startPostgres({ dataDir: config.dataDir, log: (line) => log.warn(line) })
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

/** Brings the schema up to date and refuses a server that could lose acknowledged money. */
export async function prepareDatabase(
  database: Database,
  config: Config,
  say: (line: string) => void,
): Promise<MigrateResult> {
  const client = new pg.Client(database.owner)
  await client.connect()
  try {
    for (const warning of await checkDurability(client, config.durability)) say(warning)
  } finally {
    await client.end()
  }
  return migrateSchema(database, 'apply', say)
}

/** Applies the migrations that are pending, or says which ones would be. */
export async function migrateSchema(
  database: Database,
  mode: 'apply' | 'dry-run',
  say: (line: string) => void,
): Promise<MigrateResult> {
  return migrate({ connection: database.owner, directory: packageFile('db/migrations'), log: say, mode })
}

// The role that may append to history and ledger, and change neither (db/migrations/0002_roles.sql).
const ROLE = { role: 'gateway_app' }
const LIMITS = { statement_timeout: '5s', lock_timeout: '2s', idle_in_transaction_session_timeout: '10s', jit: 'off' }
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

/** The run-time parameters of a keyed session. */
export const KEYED_PARAMETERS = { ...ROLE, ...LIMITS, ...BY_KEY }

/** A connection for the write path and for reads by key. */
export function openKeyedSession(database: Database): Session {
  return openSession(settings(database, KEYED_PARAMETERS))
}

/**
 * A connection of a worker that another process may have to take over from: what it holds when it freezes between the two
 * halves of a transaction is free again soon after.
 */
export function openWorkerSession(database: Database): Session {
  return openSession(settings(database, { ...KEYED_PARAMETERS, idle_in_transaction_session_timeout: '3s' }))
}

/** A connection for lists, feeds and operators: planned each time for its values. */
export function openPlannedSession(database: Database): Session {
  return openSession(settings(database, { ...ROLE, ...LIMITS, plan_cache_mode: 'force_custom_plan' }))
}

/**
 * A connection that reads for as long as it takes, each transaction at one moment of the books. It can change nothing.
 * It asks the same of each lane: planned anew for each, small books took six times as long.
 */
export function openAuditSession(database: Database): Session {
  const still = { default_transaction_isolation: 'repeatable read', default_transaction_read_only: 'on' }
  const patient = { statement_timeout: '0', work_mem: '64MB', jit: 'off', plan_cache_mode: 'auto' }
  return openSession(settings(database, { ...ROLE, ...still, ...patient }))
}

function settings(database: Database, parameters: Record<string, string>): ConnectionSettings {
  return { connection: { ...database.owner, application_name: 'gateway' }, parameters }
}
