// The database of this process: an own one by DATABASE_URL, or the embedded one; migrated and checked before use.
import pg from 'pg'
import { checkDurability, migrate } from '../platform/migrate.ts'
import { type ConnectionSettings, openSession, type Session } from '../platform/db.ts'
import { startPostgres } from '../platform/postgres.ts'
import { type Config, packageFile } from './config.ts'

export type Database = {
  /** The owner's connection: migrations, and nothing else. */
  readonly owner: pg.ClientConfig
  readonly isEmbedded: boolean
  readonly stop: () => Promise<void>
}

/** Finds or starts the database, without touching its schema. */
export async function openDatabase(config: Config, log: (line: string) => void): Promise<Database> {
  if (config.databaseUrl !== null)
    return { owner: { connectionString: config.databaseUrl }, isEmbedded: false, stop: async () => undefined }
  const postgres = await startPostgres({ dataDir: config.dataDir, log })
  return { owner: postgres.connection, isEmbedded: true, stop: () => postgres.stop() }
}

/** Brings the schema up to date and refuses a server that could lose acknowledged money. */
export async function prepareDatabase(database: Database, config: Config, log: (line: string) => void): Promise<void> {
  const client = new pg.Client(database.owner)
  await client.connect()
  try {
    for (const warning of await checkDurability(client, config.durability)) log(warning)
  } finally {
    await client.end()
  }
  await migrate({ connection: database.owner, directory: packageFile('db/migrations'), log, mode: 'apply' })
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
}

/** A connection for the write path and for reads by key. */
export function openKeyedSession(database: Database): Session {
  return openSession(settings(database, { ...ROLE, ...LIMITS, ...BY_KEY }))
}

/** A connection for lists, feeds and operators: planned each time for its values. */
export function openPlannedSession(database: Database): Session {
  return openSession(settings(database, { ...ROLE, ...LIMITS, plan_cache_mode: 'force_custom_plan' }))
}

function settings(database: Database, parameters: Record<string, string>): ConnectionSettings {
  return { connection: { ...database.owner, application_name: 'gateway' }, parameters }
}
