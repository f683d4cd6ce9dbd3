// Shards of a distributed database: which node has each group of shards that lie together, how large it is, and its move to another
// node while it is worked on. Knows no table but the one that lists the lanes.
import type pg from 'pg'

/** Lanes whose rows lie in one group of shards. */
export type ShardGroup = {
  /** Names the group: its shard of the table that lists the lanes. */
  readonly shardId: string
  readonly node: string
  readonly nodeId: number
  readonly lanes: readonly number[]
  /** Of all tables, with their indexes. */
  readonly bytes: number
}

/** A node that takes rows. */
export type ShardNode = { readonly node: string; readonly nodeId: number }

// The shards of a group have one range of hashes, each in its own table.
const SHARD_GROUPS = `
  with sizes as (
    select s.shardminvalue, sum(z.size)::float8 as bytes
      from pg_dist_partition a
      join pg_dist_partition p on p.colocationid = a.colocationid
      join pg_dist_shard s on s.logicalrelid = p.logicalrelid
      join citus_shard_sizes() z on z.shard_id = s.shardid
     where a.logicalrelid = $1::regclass
     group by s.shardminvalue
  ), places as (
    select get_shard_id_for_distribution_column($1::regclass, l.lane) as shardid, array_agg(l.lane order by l.lane) as lanes
      from unnest($2::int[]) as l (lane) group by 1
  )
  select l.shardid::text as shard_id, l.lanes, n.nodeid as node_id, n.nodename || ':' || n.nodeport as node,
         coalesce(z.bytes, 0) as bytes
    from places l
    join pg_dist_shard s on s.shardid = l.shardid
    join pg_dist_placement p on p.shardid = l.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    left join sizes z on z.shardminvalue = s.shardminvalue
   order by n.nodename, n.nodeport, l.shardid`

const SHARD_NODES = `
  select nodeid as node_id, nodename || ':' || nodeport as node
    from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards order by nodename, nodeport`

/** Where the lanes lie, by group. */
export async function shardGroups(
  client: pg.ClientBase,
  anchor: string,
  lanes: readonly number[],
): Promise<ShardGroup[]> {
  const { rows } = await client.query(SHARD_GROUPS, [anchor, lanes])
  return rows.map((row) => ({
    shardId: row.shard_id as string,
    node: row.node as string,
    nodeId: row.node_id as number,
    lanes: row.lanes as number[],
    bytes: row.bytes as number,
  }))
}

export async function shardNodes(client: pg.ClientBase): Promise<ShardNode[]> {
  const { rows } = await client.query(SHARD_NODES)
  return rows.map((row) => ({ node: row.node as string, nodeId: row.node_id as number }))
}

/** What each node writes to its log, by the node: shards move while they are worked on where it is `logical`. */
export async function walLevels(client: pg.ClientBase): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query(`select nodeid, result from run_command_on_all_nodes('show wal_level')`)
  return new Map(rows.map((row) => [row.nodeid as number, row.result as string]))
}

/**
 * Moves a group of shards to another node, while it is worked on: its rows are copied, what changes meanwhile follows, and writes
 * wait for a moment at the end. All of it or nothing: what a move that was interrupted has left is removed by the next one.
 */
export async function moveShards(client: pg.ClientBase, group: ShardGroup, to: ShardNode): Promise<void> {
  await client.query(`select citus_move_shard_placement($1::bigint, $2::int, $3::int, 'force_logical')`, [
    group.shardId,
    group.nodeId,
    to.nodeId,
  ])
}

export type MoveProgress = { readonly doing: string; readonly copiedBytes: number; readonly bytes: number }

/** How far moves are that are under way; null where there is none. */
export async function moveProgress(client: pg.ClientBase): Promise<MoveProgress | null> {
  const { rows } = await client.query(
    `select min(status) as doing, sum(target_shard_size)::float8 as copied, sum(source_shard_size)::float8 as bytes
       from get_rebalance_progress() having count(*) > 0`,
  )
  const row = rows[0]
  return row === undefined
    ? null
    : { doing: (row.doing as string | null) ?? 'moving', copiedBytes: row.copied, bytes: row.bytes }
}
