// Which engine a database runs on, and a schema spread over the nodes of a Citus cluster by lane. Whose a table is comes
// from the schema: one that begins with a lane is a tenant's. Knows no table but the one that lists the lanes.
import { MigrationRefused } from '../migration-files.ts'
import { SYSTEM_ID, TIMELINE } from '../postgres/standing.ts'

export type Engine = 'postgresql' | 'citus'

/** The table that lists the lanes: what begins with a lane lies beside its row. */
export const ANCHOR = 'lanes'

/** Whether the database distributes its tables, in SQL. */
export const IS_DISTRIBUTING = `exists (select from pg_catalog.pg_extension where extname = 'citus')`

/** Sets the run-time parameter $1 of a session to $2 where tables are distributed, and nothing on one PostgreSQL. */
export const SET_WHERE_DISTRIBUTED = `select set_config($1, $2, false) where ${IS_DISTRIBUTING}`

/**
 * The parameter by which what a transaction sets for itself is set on the nodes that do its work, too: of how long it waits for a lock
 * they know nothing otherwise.
 */
export const REACHES_NODES = ['citus.propagate_set_commands', 'local'] as const

/** Anything that answers one query: a client, or a session in a coat. */
export type Asked = {
  readonly query: (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
}

/** Asks whether the database distributes its tables: `is_distributing`. */
export const ENGINE = { name: 'engine', text: `select ${IS_DISTRIBUTING} as is_distributing`, values: [] } as const

/** Which engine answers. */
export async function engineOf(asked: Asked): Promise<Engine> {
  const { rows } = await asked.query(ENGINE.text)
  return engineFrom(rows[0])
}

/** What {@link ENGINE} was answered. */
export const engineFrom = (row: Record<string, unknown> | undefined): Engine =>
  row?.['is_distributing'] === true ? 'citus' : 'postgresql'

/** What is to be spread: the table that lists the lanes, the tables that every node needs, and into how many shards. */
export type Distribution = {
  readonly anchor: string
  /** Small tables that are read beside a tenant's rows: each node gets all of them. */
  readonly shared: readonly string[]
  readonly shards: number
}

/** A table that is not yet where it belongs, or a function that is not. */
export type Misplaced = {
  readonly name: string
  readonly kind: 'by lane' | 'shared' | 'function'
  readonly step: number
}

// What a tenant's table names in its foreign keys goes ahead of it; a tenant's table begins with its lane. Shared tables that
// only the coordinator's own name go last, for those follow them into the cluster's catalogue.
const MISPLACED = `
  with recursive tables as (
    select c.oid, c.relname::text as name,
           case when a.attname = 'lane' then 'by lane' when c.relname = any($1) then 'shared' else 'local' end as kind
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  ), keys as (
    select k.conrelid, k.confrelid from pg_constraint k where k.contype = 'f' and k.confrelid <> k.conrelid
  ), depths as (
    select t.oid, 0 as depth from tables t
     union
    select k.conrelid, d.depth + 1 from depths d join keys k on k.confrelid = d.oid
  ), steps as (
    select t.*, case when t.kind = 'by lane' then 1
                     when exists (select from keys k join tables n on n.oid = k.conrelid and n.kind = 'by lane'
                                   where k.confrelid = t.oid) then 0
                     else 2 end as step
      from tables t
     where t.kind <> 'local'
  )
  select s.name, s.kind, s.step
    from steps s
    join depths d on d.oid = s.oid
    left join pg_dist_partition p on p.logicalrelid = s.oid
   where p.logicalrelid is null or p.partmethod::text || p.repmodel::text <> case s.kind when 'by lane' then 'hs' else 'nt' end
   group by s.name, s.kind, s.step
   order by s.step, s.name <> $2, max(d.depth), s.name`

// What runs with the owner's rights works where the lane is: the coordinator would come to that node as two roles at once.
const MISPLACED_FUNCTIONS = `
  select f.oid::regprocedure::text as name, 'function' as kind, 3 as step
    from pg_proc f
    left join pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = f.oid
   where f.pronamespace = 'public'::regnamespace and f.proargnames[1] = 'lane' and o.distribution_argument_index is null
   order by 1`

/** What is not yet where it belongs, in the order in which it may go there: tables, then functions that are given a lane first. */
export async function misplaced(asked: Asked, { anchor, shared }: Omit<Distribution, 'shards'>): Promise<Misplaced[]> {
  const tables = await asked.query(MISPLACED, [shared, anchor])
  const functions = await asked.query(MISPLACED_FUNCTIONS)
  return [...tables.rows, ...functions.rows] as Misplaced[]
}

/** Whether the lanes are spread over nodes already, so that what is added has to follow them. */
export async function isSpread(asked: Asked, anchor: string): Promise<boolean> {
  if ((await engineOf(asked)) === 'postgresql') return false
  const { rows } = await asked.query(
    `select 1 from pg_dist_partition where logicalrelid = to_regclass($1) and partmethod = 'h'`,
    [anchor],
  )
  return rows.length > 0
}

/** Throws MigrationRefused (`not_distributing`) on a server that spreads no tables over nodes. */
export async function refusePlain(owner: Asked): Promise<void> {
  if ((await engineOf(owner)) === 'postgresql')
    throw new MigrationRefused(
      'not_distributing',
      'This database is on one PostgreSQL, which distributes nothing. On a Citus cluster, create the extension citus in it and add the nodes first.',
    )
}

/** Throws MigrationRefused (`is_distributing`) on a cluster. */
export async function refuseCluster(asked: Asked): Promise<void> {
  if ((await engineOf(asked)) === 'citus')
    throw new MigrationRefused(
      'is_distributing',
      'This database is on a Citus cluster, which spreads the lanes over its own nodes: it is not one of several servers (GATEWAY_LANES_FILE). Without lanes on others, name none there; a server that is one of several has no extension citus in its database.',
    )
}

const NODES_WITH_JIT = `
  select distinct quote_ident(current_database()) as database
    from run_command_on_all_nodes('show jit') n where n.success and n.result <> 'off'`

/**
 * Sees to it that sessions of this database begin without JIT on every node. Nodes ask each other in sessions of their own, which no
 * gateway gives parameters, and to compile the plan of a proof takes a node half a second, however little it reads. Goes on where the
 * owner may not set it, and says so.
 */
export async function withoutJit(owner: Asked, log: (line: string) => void): Promise<void> {
  const { rows } = await owner.query(NODES_WITH_JIT)
  for (const { database } of rows) {
    const setting = `alter database ${database as string} set jit = off`
    try {
      await owner.query(setting)
      log('sessions on every node begin without JIT')
    } catch (fault) {
      const why = `Nodes compile plans (jit), which takes longer than what is asked (${(fault as Error).message}).`
      log(`${why} As the owner of the database on all nodes: ${setting}`)
    }
  }
}

/**
 * Of $1, a table that lanes are spread by, and lanes: those whose rows lie in one shard, by the node that has it. `tables`: the number of the
 * shard of each table that lies there, by its name; null while a function of $3 is missing. The lanes themselves are rows of the table, so
 * nothing has to be asked of the workers to know where each would be.
 */
export const LANE_PLACES = `
  with spread as (
    select s.shardminvalue, json_object_agg(s.logicalrelid::text, s.shardid::text) as tables
      from pg_dist_partition a
      join pg_dist_partition d on d.colocationid = a.colocationid
      join pg_dist_shard s on s.logicalrelid = d.logicalrelid
     where a.logicalrelid = $1::regclass and not exists (select from unnest($3::text[]) f (name) where to_regprocedure(f.name) is null)
     group by s.shardminvalue
  )
  select n.nodename || ':' || n.nodeport as node, p.shardid as shard, array_agg(l.lane order by l.lane) as lanes,
         (select t.tables from spread t where t.shardminvalue = s.shardminvalue) as tables
    from unnest($2::int[]) as l (lane)
    join pg_dist_shard s on s.shardid = get_shard_id_for_distribution_column($1::regclass, l.lane)
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
   group by n.nodename, n.nodeport, p.shardid, s.shardminvalue order by 1, p.shardid`

/**
 * The nodes of the cluster beside the coordinator: where each is, and as `place` which server the coordinator reaches there, in which of its
 * histories; null while it reaches none. `knows`: the node knows the whole cluster as the coordinator does. One that has moved keeps its
 * number (`id`).
 */
export const CLUSTER_NODES = `
  select n.nodeid as id, n.nodename || ':' || n.nodeport as node, n.nodename as host, n.nodeport as port,
         case when r.success then r.result end as place, n.hasmetadata and n.metadatasynced as knows
    from run_command_on_all_nodes($$ select ${SYSTEM_ID} || ' ' || ${TIMELINE} $$) r
    join pg_dist_node n on n.nodeid = r.nodeid
   where $1 and n.noderole = 'primary' and n.isactive and n.groupid > 0`
