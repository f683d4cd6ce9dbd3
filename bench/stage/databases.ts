// Where the gateways of a run have their databases: each one of its own on an embedded server, or one after the other in a
// single database that is given (DATABASE_URL), which is empty before and after each.
import { join } from 'node:path'
import type pg from 'pg'
import { readConfig } from '../../src/main/config/config.ts'
import { ownedDatabase } from '../../src/main/database/database.ts'
import { distributeDatabase } from '../../src/main/database/prepare.ts'
import { APP_ROLE, derivedLogin, onLogin } from '../../src/main/database/logins.ts'
import { engineOf } from '../../src/platform/citus/distribution.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/platform/postgres/postgres.ts'
import { shardNodes } from '../../src/platform/citus/shard-moves.ts'
import type { Stage } from './stage.ts'

export type Databases = {
  /** A database without tables for the gateway of this name; on a cluster with its tables, spread over the nodes. */
  readonly open: (name: string) => Promise<{ readonly url: string }>
  /** The servers' own processes on this machine, whose families' processor time is counted. */
  readonly pids: readonly number[]
  /** The server of this run; null where the database is given. */
  readonly own: EmbeddedPostgres | null
}

export type GivenDatabase = {
  readonly url: string
  readonly pids: readonly number[]
}

/** The database that is given cannot be used; the message says why and what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}

const MAX_CONNECTIONS = 150
/** As the documentation recommends, for workers that stay as many. */
const SHARDS_PER_WORKER = 2

/** An embedded server in the folder of the run. */
export async function embeddedDatabases(stage: Stage, log: (line: string) => void): Promise<Databases> {
  const dataDir = join(stage.directory, 'database')
  const own = await startPostgres({ dataDir, log, maxConnections: MAX_CONNECTIONS })
  stage.onStrike(() => own.stop())
  return {
    own,
    pids: [own.pid],
    open: async (name) => {
      const database = `bench_${name.replaceAll('-', '_')}`
      await onLogin(own.connection, (client) => client.query(`create database ${database}`))
      const url = new URL(own.url)
      url.pathname = `/${database}`
      return { url: url.href }
    },
  }
}

/** The one database that is given, by its owner's login. Throws {@link DatabaseRefused} before anything is written. */
export async function givenDatabases(
  stage: Stage,
  { url, pids }: GivenDatabase,
  log: (line: string) => void,
): Promise<Databases> {
  const owner = { connectionString: url }
  const engine = await onLogin(owner, async (client) => {
    await refuseOthers(client)
    return engineOf(client)
  })
  await refuseOtherGateway(owner)
  // Last of all that is taken away: its gateways have ended by then.
  stage.onStrike(() => onLogin(owner, empty))
  return {
    own: null,
    pids,
    open: async () => {
      await onLogin(owner, empty)
      if (engine === 'citus') {
        const config = readConfig({ DATABASE_URL: url })
        const shards = SHARDS_PER_WORKER * (await onLogin(owner, shardNodes)).length
        await distributeDatabase(ownedDatabase(owner), config, shards, () => undefined)
        log(`the tables are spread over the cluster in ${shards} shards`)
      }
      return { url }
    },
  }
}

/** Tables and the like, but what extensions bring. */
const CONTENTS = `
select c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
   and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
   and not exists (select from pg_depend d where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e')
 order by 1 limit 3`

const EMPTY = 'drop schema public cascade; create schema public'

/** A database that somebody uses for something else must not become the bench's by a wrong variable. */
async function refuseOthers(client: pg.Client): Promise<void> {
  const { rows: named } = await client.query<{ database: string }>('select current_database() as database')
  const database = named[0]?.database ?? ''
  if (!/bench/i.test(database))
    throw new DatabaseRefused(
      `The bench fills a database and empties it again, and "${database}" is not named for that. Give it one whose name has "bench" in it: createdb gateway_bench`,
    )
  const { rows } = await client.query<{ name: string }>(CONTENTS)
  if (rows.length > 0)
    throw new DatabaseRefused(
      `"${database}" is not empty: it has ${rows.map(({ name }) => name).join(', ')}. If nobody needs that (a bench that was killed leaves its tables), empty it: psql -d ${database} -c '${EMPTY}' (on a Citus cluster make its extension again afterwards)`,
    )
}

/** The gateway's login is the server's, not the database's: with another password it is that of a gateway at work there. */
async function refuseOtherGateway(owner: pg.ClientConfig): Promise<void> {
  const isThere = await onLogin(owner, async (client) => {
    const { rows } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [APP_ROLE])
    return rows.length > 0
  })
  if (!isThere) return
  try {
    await onLogin(derivedLogin(owner, APP_ROLE), async () => undefined)
  } catch (cause) {
    throw new DatabaseRefused(
      `The server has a login ${APP_ROLE} that the bench did not make: a gateway seems to work there. Give the bench a server of its own.`,
      { cause },
    )
  }
}

/** What stands in the schema and is not an extension's, each with the words that drop it: functions name tables, so they go first. */
const DROPS = `
select format(x.words, x.name) as drop from (
  select 1 as step, 'drop function if exists %s cascade' as words, f.oid::regprocedure::text as name, f.oid, 'pg_proc'::regclass as kind
    from pg_proc f where f.pronamespace = 'public'::regnamespace
  union all
  select case c.relkind when 'v' then 2 else 3 end, 'drop ' || case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end || ' if exists %s cascade',
         c.oid::regclass::text, c.oid, 'pg_class'::regclass
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
  union all
  select 4, 'drop type if exists %s cascade', t.oid::regtype::text, t.oid, 'pg_type'::regclass
    from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd')) x
 where not exists (select from pg_depend d where d.classid = x.kind and d.objid = x.oid and d.deptype = 'e')
 order by x.step, x.name`

/** Not the schema itself: an extension that stands in it, such as that of a cluster, would go with it. */
async function empty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(DROPS)
  for (const { drop } of rows) await client.query(drop)
}
