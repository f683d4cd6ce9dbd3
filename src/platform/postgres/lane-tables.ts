// The tables that hold tenants' rows, as the catalogue has them: those of schema public whose first column is the lane. What
// keeps them, or a server, or a login, from copying a lane. Knows no table but the one that lists the lanes.
import type pg from 'pg'
import { SYSTEM_ID } from './standing.ts'

/** A lane that is not copied or removed; the message says why, and what to do. Nothing was changed. */
export class LaneCopyRefused extends Error {
  override readonly name = 'LaneCopyRefused'
}

/** A table of tenants. */
export type LaneTable = {
  /** With its schema, as SQL takes it. */
  readonly name: string
  /** In the order of their names, as SQL takes them. */
  readonly columns: readonly string[]
  /** Of the columns, in the same order. */
  readonly types: readonly string[]
  /** Why changes of its rows cannot be followed by lane; null where they can. */
  readonly unfit: string | null
}

// A row filter may only ask for what the replica identity has, or each update on the source would fail. An unlogged table is
// not in the log that is followed; what takes numbers from a sequence would take them twice, for sequences are not copied.
const LANE_TABLES = `
  select 'public.' || quote_ident(c.relname) as name, o.columns, o.types,
         case when c.relkind = 'p' or c.relispartition then 'is partitioned'
              when c.relpersistence = 'u' then 'is unlogged, so that its changes are in no log'
              when c.relreplident <> 'f' and not exists (
                     select from pg_index i
                      where i.indrelid = c.oid and i.indkey[0] = l.attnum
                        and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident else false end)
                then 'has no primary key that begins with the lane'
              when o.counts then 'takes numbers from a sequence' end as unfit
    from pg_class c
    join pg_attribute l on l.attrelid = c.oid and l.attnum = 1 and l.attname = 'lane'
   cross join lateral (
         select array_agg(quote_ident(a.attname) order by a.attname collate "C") as columns,
                array_agg(format_type(a.atttypid, a.atttypmod) order by a.attname collate "C") as types,
                bool_or(a.attidentity <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) like '%nextval(%', false)) as counts
           from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) o
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> $1
   order by c.relname collate "C"`

/** The tables of tenants but the anchor, by name. */
export async function laneTables(client: pg.ClientBase, anchor: string): Promise<LaneTable[]> {
  const { rows } = await client.query(LANE_TABLES, [anchor])
  return rows.map((row) => ({
    name: row.name as string,
    columns: row.columns as string[],
    types: row.types as string[],
    unfit: row.unfit as string | null,
  }))
}

/** What a copy of the lane is called on both servers: publication and slot on its source, subscription on its target. */
export function copyName(lane: number): string {
  if (!Number.isInteger(lane) || lane < 0) throw new RangeError(`no lane: ${lane}`)
  return `gateway_lane_${lane}`
}

// Slots are the server's, the others the database's.
const LEFT = `
  select 'publication' as kind from pg_publication where pubname = $1
   union all select 'subscription' from pg_subscription
   where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())
   union all select 'replication slot' from pg_replication_slots where slot_name = $1`

/** Throws {@link LaneCopyRefused} where a copy of the lane is under way on the server, or one was not ended. */
export async function refuseCopied(client: pg.ClientBase, lane: number, where: string): Promise<void> {
  const { rows } = await client.query(LEFT, [copyName(lane)])
  if (rows.length > 0)
    throw new LaneCopyRefused(
      `A copy of lane ${lane} is under way, or was not ended: ${where} has the ${rows[0].kind} ${copyName(lane)}. End that copy first.`,
    )
}

/**
 * Does work in one transaction of the client, with settings that end with it. The first fault is the one that is thrown; the
 * server rolls back by itself where the connection broke.
 */
export async function inTransaction<T>(
  client: pg.ClientBase,
  { begin = 'begin', settings = {} }: { begin?: string; settings?: Readonly<Record<string, string>> },
  work: () => Promise<T>,
): Promise<T> {
  await client.query(begin)
  try {
    for (const [name, value] of Object.entries(settings))
      await client.query('select set_config($1, $2, true)', [name, value])
    const done = await work()
    await client.query('commit')
    return done
  } catch (fault) {
    await client.query('rollback').catch(() => undefined)
    throw fault
  }
}

/** Two servers, each as the owner of its tables. */
export type Servers = { readonly source: pg.ClientBase; readonly target: pg.ClientBase }

const OLDEST_SERVER = 150_000

const FACTS = `
  select current_setting('server_version_num')::int as version, current_setting('wal_level') as wal_level,
         current_database() || ' ' || pg_postmaster_start_time()::text
           || ${SYSTEM_ID} as place,
         current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots)::int as slots,
         current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication)::int as senders,
         current_setting('max_logical_replication_workers')::int
           - (select count(*) from pg_stat_subscription where pid is not null)::int as workers,
         coalesce(current_setting('max_active_replication_origins', true), current_setting('max_replication_slots'))::int
           - (select count(*) from pg_replication_origin)::int as origins,
         current_setting('max_sync_workers_per_subscription')::int as at_once`

/**
 * Throws {@link LaneCopyRefused} where the servers cannot copy a lane: a server before 15, which filters no rows; a source whose
 * log is not logical; too few free slots or processes on either; one database named twice.
 */
export async function refuseWithoutLogical({ source, target }: Servers): Promise<void> {
  const from = (await source.query(FACTS)).rows[0]
  const to = (await target.query(FACTS)).rows[0]
  for (const [{ version }, which] of [
    [from, 'source'],
    [to, 'target'],
  ] as const)
    if (version < OLDEST_SERVER)
      throw new LaneCopyRefused(`The ${which} is older than PostgreSQL 15, which copies no single lane. Upgrade it.`)
  if (from.place === to.place) throw new LaneCopyRefused('Source and target are one database. Name two.')
  if (from.wal_level !== 'logical')
    throw new LaneCopyRefused(
      'The source replicates no changes of single tables: set wal_level = logical on it, and start it again.',
    )
  // The copy's own, and one for each table that is copied at the same time.
  const needed = 1 + (to.at_once as number)
  const scarce = [
    ['source', 'max_replication_slots', from.slots],
    ['source', 'max_wal_senders', from.senders],
    ['target', 'max_logical_replication_workers', to.workers],
    ['target', to.version < 180_000 ? 'max_replication_slots' : 'max_active_replication_origins', to.origins],
  ] as const
  for (const [which, setting, free] of scarce)
    if (free < needed)
      throw new LaneCopyRefused(
        `The copy of a lane needs ${needed} of the ${which}'s ${setting}, and ${free} are free. Raise ${setting} there and start it again, or end what uses them.`,
      )
}

const RIGHTS = `
  select r.rolname as role, current_setting('server_version_num')::int as version, r.rolsuper as is_super,
         r.rolreplication as replicates, has_database_privilege(current_database(), 'create') as creates,
         exists (select from pg_roles s where s.rolname = 'pg_create_subscription' and pg_has_role(s.oid, 'usage')) as subscribes,
         exists (select from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1 and a.attname = 'lane'
                  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not pg_has_role(c.relowner, 'usage')) as lacks
    from pg_roles r where r.rolname = current_user`

/** Throws {@link LaneCopyRefused} where a login may not do its part of a copy. */
export async function refuseWithoutRights({ source, target }: Servers): Promise<void> {
  const refuse = (which: string, role: string, what: string) => {
    throw new LaneCopyRefused(`On the ${which}, ${role} ${what}`)
  }
  for (const [client, which] of [
    [source, 'source'],
    [target, 'target'],
  ] as const) {
    const found = (await client.query(RIGHTS)).rows[0]
    if (found.is_super) continue
    const { role } = found
    if (found.lacks) refuse(which, role, 'does not own the tables. Log in as their owner.')
    if (!found.creates) refuse(which, role, 'may create nothing in the database: grant create on database to it.')
    if (which === 'source' && !found.replicates)
      refuse(which, role, `may not replicate: alter role ${role} replication`)
    // Before 16 only superusers subscribe.
    if (which === 'target' && !found.subscribes)
      refuse(
        which,
        role,
        found.version < 160_000
          ? 'is no superuser, as PostgreSQL 15 wants of who subscribes. Log in as one.'
          : `may not subscribe: grant pg_create_subscription to ${role}`,
      )
  }
}

/** The tables to copy. Throws {@link LaneCopyRefused} where there is one that cannot be, or that the servers have differently. */
export async function tablesToCopy({
  source,
  target,
  anchor,
}: Servers & { readonly anchor: string }): Promise<LaneTable[]> {
  const [from, to] = [await laneTables(source, anchor), await laneTables(target, anchor)]
  for (const { name, unfit } of from)
    if (unfit !== null) throw new LaneCopyRefused(`${name} cannot be copied by lane: it ${unfit}.`)
  const said = ({ name, columns, types }: LaneTable) => JSON.stringify([name, columns, types])
  const [there, here] = [new Set(from.map(said)), new Set(to.map(said))]
  const odd = from.find((each) => !here.has(said(each))) ?? to.find((each) => !there.has(said(each)))
  if (odd)
    throw new LaneCopyRefused(
      `Source and target do not have the same ${odd.name}. Bring both to one release (gateway migrate), and migrate neither during a move.`,
    )
  if (from.length === 0) throw new LaneCopyRefused('The source has no table that begins with a lane.')
  return from
}
