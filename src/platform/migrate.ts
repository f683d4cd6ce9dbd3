// Brings a database to this release's schema, one file a transaction, and checks that a server keeps what it
// acknowledges. Needs a direct connection (a lock for the session); knows no table but its own list.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectWritable, refuseStandby, type Servers } from './postgres/hosts.ts'
import { type Watched, watchLocks } from './postgres/table-locks.ts'
import { isLockTimeout, type Statement } from './db.ts'
import { engineOf } from './citus/distribution.ts'
import { sqlStatements } from './postgres/sql-statements.ts'
import { type Migration, MigrationRefused, readMigrations } from './migration-files.ts'

export type MigrateOptions = {
  /** A direct connection: a transaction pooler between would lose the lock. */
  connection: Servers | string
  directory: string
  log: (line: string) => void
  mode: 'apply' | 'dry-run'
}

/** `applied` by this call and `pending` after it, as file names; `version` of the schema after it, 0 when empty. */
export type MigrateResult = { applied: string[]; pending: string[]; version: number }

type Done = { version: number; name: string; checksum: string; kind: Migration['kind'] }

const LOCK_KEY = '7310868735421803619'
const LOCK_WAIT_MS = 120_000
// A migration that waits for a table makes every later query wait behind it, so it gives up soon and tries again.
// Shorter than what any session of the gateway waits for a lock: beside it a request is late, and not refused.
const TABLE_LOCK_WAIT_MS = 400
// Beside a gateway at work a table is free for a moment at a time. Waits grow from half a second to eight: about a minute in all.
const TRIES = 12
const TRY_AGAIN_MS = 500
const TRY_AGAIN_MAX_MS = 8_000
// Two that wait for each other: the server ends one of them, whose file is undone and may be tried again.
const DEADLOCK = '40P01'
const OLDEST_SERVER = 150_000

/**
 * Applies what is pending, or in a dry run lists what would be. A schema that is newer by safe files alone is one to work
 * with. Throws MigrationRefused when an applied file was changed, the schema is newer by a breaking file or of a release
 * whose schema is not brought forward, a number is missing, or a file fails (which undoes that file).
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const migrations = await readMigrations(options.directory)
  const client = await connected(options.connection)
  try {
    return options.mode === 'apply'
      ? await applyPending(client, options.connection, migrations, options.log)
      : await describePending(client, migrations, options.log)
  } finally {
    await client.end()
  }
}

async function connected(connection: Servers | string): Promise<pg.Client> {
  const named = typeof connection === 'string' ? { connectionString: connection } : connection
  return connectWritable(named, async (server) => {
    const client = new pg.Client(server)
    // A broken connection rejects the query in flight; without a listener it would end the process as well.
    client.on('error', () => undefined)
    await client.connect()
    return refuseStandby(client)
  })
}

async function applyPending(
  client: pg.Client,
  connection: MigrateOptions['connection'],
  migrations: Migration[],
  log: (line: string) => void,
): Promise<MigrateResult> {
  await takeLock(client)
  await client.query(`
    create table if not exists schema_migrations (
      version int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
  await noteKinds(client)
  const done = await readDone(client)
  const pending = pendingOf(migrations, done, log)
  for (const migration of pending) {
    const began = performance.now()
    await applyPatiently(client, connection, migration, log)
    log(`applied ${migration.name} (${migration.kind}, ${Math.round(performance.now() - began)} ms)`)
  }
  return { applied: pending.map(({ name }) => name), pending: [], version: done.length + pending.length }
}

/** A list that is new, or of a database from before 0.1.0, says no kinds: all that such databases have is safe. */
async function noteKinds(client: pg.Client): Promise<void> {
  const found = await client.query(
    `select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'kind' and not attisdropped`,
  )
  if (found.rowCount === 0)
    await client.query(
      `alter table schema_migrations add column kind text not null default 'safe' check (kind in ('safe', 'breaking'))`,
    )
}

async function describePending(
  client: pg.Client,
  migrations: Migration[],
  log: (line: string) => void,
): Promise<MigrateResult> {
  // The server itself sees to it that a dry run changes nothing.
  await client.query('set default_transaction_read_only = on')
  const exists = await client.query(`select 1 where to_regclass('schema_migrations') is not null`)
  const done = exists.rowCount === 0 ? [] : await readDone(client)
  const pending = pendingOf(migrations, done, log)
  for (const { name, kind } of pending) log(`would apply ${name} (${kind})`)
  return { applied: [], pending: pending.map(({ name }) => name), version: done.length }
}

/** Waits for other migrators of this database; the lock goes with the connection. */
async function takeLock(client: pg.Client): Promise<void> {
  try {
    await client.query(`set statement_timeout = 0`)
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`)
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause
    const message = `Another migration has held its lock for ${LOCK_WAIT_MS / 1000} seconds. Wait for it or end it, then start again.`
    throw new MigrationRefused('locked', message, { cause })
  }
}

async function readDone(client: pg.Client): Promise<Done[]> {
  const found = await client.query<Done>(
    `select version, name, checksum, ${KIND} as kind from schema_migrations m order by version`,
  )
  return found.rows
}

// Whether or not the list has the column already.
const KIND = `coalesce(to_jsonb(m) ->> 'kind', 'safe')`

/** The first file behind a version that does not leave a release of that version working. */
export function breakingSince(version: number): Statement {
  return {
    name: 'breaking_since',
    text: `select m.name from schema_migrations m where m.version > $1 and ${KIND} = 'breaking' order by m.version limit 1`,
    values: [version],
  }
}

/** From now on no release works with the schema that does not know the file, although the file itself is safe. */
export function breakWith(name: string): Statement {
  return {
    name: 'break_with',
    text: `update schema_migrations m set kind = 'breaking' where m.name = $1 and m.kind <> 'breaking'`,
    values: [name],
  }
}

/** Compares what the database has recorded with the files, and returns the files that it has not seen. */
function pendingOf(migrations: Migration[], done: Done[], log: (line: string) => void): Migration[] {
  const ahead = done.slice(migrations.length).map(({ name }) => name)
  for (const [index, { version, name, checksum, kind }] of done.entries()) {
    if (version !== index + 1) {
      const message = `schema_migrations lacks number ${index + 1} but has ${name}. Restore the table from a backup.`
      throw new MigrationRefused('gap', message)
    }
    const file = migrations[index]
    if (file === undefined) {
      if (kind === 'safe') continue
      const message = `The database has ${name}, which this release does not know and cannot work beside (breaking): its schema is newer. Run the release that made it, or a later one.`
      throw new MigrationRefused('newer_schema', message)
    }
    if (file.name !== name) {
      const message = `The database was made by an earlier version of the gateway (it has ${name}), whose schema is not brought forward. Run that version on it, or start this one with an empty database or data directory.`
      throw new MigrationRefused('older_schema', message)
    }
    if (file.checksum !== checksum) {
      const message = `${file.name} was changed after it was applied. Restore the file, and put the change into a new one.`
      throw new MigrationRefused('changed', message)
    }
  }
  if (ahead.length > 0)
    log(`The schema is newer than this release by ${ahead.join(', ')}, beside which it works (safe).`)
  return migrations.slice(done.length)
}

/** In short tries with growing waits, for as long as tables that it needs are held by others, or it and others wait for each other. */
async function applyPatiently(
  client: pg.Client,
  connection: MigrateOptions['connection'],
  migration: Migration,
  log: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // From the second try on: most files wait for nobody.
  let watched: Watched | null = null
  try {
    for (let tried = 1; ; tried += 1) {
      try {
        return await applyOnce(client, migration)
      } catch (cause) {
        const isDeadlock = isSqlState(cause, DEADLOCK)
        if (!isDeadlock && !isLockTimeout(cause)) throw failed(migration, cause)
        const why = isDeadlock ? 'it and another session waited for each other' : 'a table is locked'
        const who = watched?.holders() ?? null
        const said = who === null ? why : `${why} (${who})`
        if (tried === TRIES) throw stillLocked(migration, said, cause)
        log(`${migration.name}: ${said}, trying again (${tried} of ${TRIES})`)
      }
      watched ??= await watchLocks(connection, rows[0]?.pid ?? 0)
      await sleep(Math.min(TRY_AGAIN_MAX_MS, TRY_AGAIN_MS * 2 ** (tried - 1)))
    }
  } finally {
    await watched?.stop()
  }
}

function stillLocked({ name }: Migration, said: string, cause: unknown): MigrationRefused {
  const message = `${name}: after ${TRIES} tries still: ${said}. Nothing of it was kept. End what holds it, then start again.`
  return new MigrationRefused('locked', message, { cause })
}

async function applyOnce(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${TABLE_LOCK_WAIT_MS}`)
    await carryOut(client, migration.sql)
    const { version, name, checksum, kind } = migration
    await client.query('insert into schema_migrations (version, name, checksum, kind) values ($1, $2, $3, $4)', [
      version,
      name,
      checksum,
      kind,
    ])
    await client.query('commit')
  } catch (fault) {
    // When the connection broke, the server rolls back by itself, and the first fault is the one worth reporting.
    await client.query('rollback').catch(() => undefined)
    throw fault
  }
}

/**
 * A server takes the whole text. A cluster is told statement by statement: it would send its nodes the text that a change of a
 * table stands in.
 */
async function carryOut(client: pg.Client, sql: string): Promise<void> {
  if ((await engineOf(client)) === 'postgresql') {
    await client.query(sql)
    return
  }
  // What makes functions as well takes one connection to each node.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  for (const { text, at } of sqlStatements(sql))
    try {
      await client.query(text)
    } catch (fault) {
      // Where in the file it is.
      if (fault instanceof pg.DatabaseError && fault.position !== undefined)
        fault.position = String(Number(fault.position) + at)
      throw fault
    }
}

function failed(migration: Migration, cause: unknown): unknown {
  if (!(cause instanceof pg.DatabaseError)) return cause
  const at =
    cause.position === undefined ? '' : `, line ${migration.sql.slice(0, Number(cause.position)).split('\n').length}`
  return new MigrationRefused('failed', `${migration.name}${at}: ${cause.message}. Nothing of it was kept.`, { cause })
}

function isSqlState(fault: unknown, code: string): boolean {
  return fault instanceof pg.DatabaseError && fault.code === code
}

/**
 * Refuses a server that can forget what it acknowledged, or is older than 15. Where `allow` says so, durability that
 * is off is returned as lines to warn with, beside the lesser warnings.
 */
export async function checkDurability(client: pg.ClientBase, allow: 'refuse' | 'allow'): Promise<string[]> {
  const found = await client.query<{ name: string; setting: string }>(`
    select name, setting
      from pg_settings
     where name in ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')`)
  const settings = new Map(found.rows.map(({ name, setting }) => [name, setting]))
  if (Number(settings.get('server_version_num')) < OLDEST_SERVER) {
    throw new MigrationRefused('server_too_old', 'PostgreSQL 15 or later is needed. Upgrade the server.')
  }
  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => settings.get(name) === 'off')
  if (off.length > 0 && allow === 'refuse') {
    const message = `The server can lose acknowledged money: ${off.join(', ')} off. Turn that on.`
    throw new MigrationRefused('not_durable', message)
  }
  const warnings = off.map((name) => `${name} is off: a crash can lose acknowledged writes`)
  if (settings.get('data_checksums') === 'off') warnings.push('data_checksums is off: damage on disk goes unnoticed')
  return warnings
}
