// Brings a database to this release's schema, one file a transaction, and checks that a server keeps what it
// acknowledges. Needs a direct connection (a lock for the session); knows no table but its own list.
import pg from 'pg'
import { connectWritable, refuseStandby, type Servers } from './postgres/hosts.ts'
import { type Changing, inShortTries, takeTurn } from './postgres/short-tries.ts'
import type { Statement } from './db.ts'
import { engineOf, REACHES_NODES, SET_WHERE_DISTRIBUTED } from './citus/distribution.ts'
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
    await refuseStandby(client)
    // How long a table is waited for holds on the nodes, too: others may have it there alone.
    await client.query(SET_WHERE_DISTRIBUTED, [...REACHES_NODES])
    return client
  })
}

async function applyPending(
  client: pg.Client,
  connection: MigrateOptions['connection'],
  migrations: Migration[],
  log: (line: string) => void,
): Promise<MigrateResult> {
  await takeTurn(client)
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
    await applyOne({ client, connection, log }, migration)
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

async function applyOne(changing: Changing, migration: Migration): Promise<void> {
  const { client } = changing
  const { version, name, checksum, kind, sql } = migration
  const applied = inShortTries(changing, name, async () => {
    await carryOut(client, sql)
    await client.query('insert into schema_migrations (version, name, checksum, kind) values ($1, $2, $3, $4)', [
      version,
      name,
      checksum,
      kind,
    ])
  })
  await applied.catch((cause: unknown) => {
    throw failed(migration, cause)
  })
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
