// What each node needs so that statements in the names of its own shards (shard-tables.ts) are as safe as those that Citus plans.
import type { Asked } from './distribution.ts'

/** The SQLSTATE of a shard that is not on the node, or no longer. */
export const ELSEWHERE = 'GS001'

/**
 * The functions, by name. Citus moves a shard in a transaction that holds its metadata lock in exclusive mode on all nodes, and writes that
 * Citus plans hold it in shared mode (5, as PostgreSQL numbers them): `hold_shard` does the same for the transaction that calls it. Only the
 * owner of the tables may ask for the lock, so they run with the owner's rights; in shared mode it keeps no writer waiting.
 */
export const SHARD_FUNCTIONS = {
  'hold_shard(bigint)': {
    head: 'hold_shard(shard bigint) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp',
    body: `
begin
  perform lock_shard_metadata(5, array[shard]);
  perform from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid where p.shardid = shard;
  if not found then
    raise exception 'the shard % is not on this node', shard using errcode = '${ELSEWHERE}';
  end if;
end`,
  },
  // For reads: what would wait for a move is asked of the coordinator.
  'has_shard(bigint)': {
    head: `has_shard(shard bigint) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20ms'`,
    body: `
begin
  perform public.hold_shard(shard);
  return true;
exception when lock_not_available or sqlstate '${ELSEWHERE}' then
  return false;
end`,
  },
} as const

// A node that was added has the function, but lets everybody call it.
const NODES_WITHOUT = `
  select from run_command_on_all_nodes(format(
           'select count(*) from pg_proc where oid = to_regprocedure(%L) and md5(prosrc) = %L and not has_function_privilege(''public'', oid, ''execute'')',
           $1::text, md5($2::text))) n
   where n.success and n.result <> '1'`

/** Makes those that a node lacks or has otherwise, on all nodes, for the role of the gateways. */
export async function withShardFunctions(owner: Asked, role: string, log: (line: string) => void): Promise<void> {
  for (const [name, { head, body }] of Object.entries(SHARD_FUNCTIONS)) {
    const { rows } = await owner.query(NODES_WITHOUT, [name, body])
    if (rows.length === 0) continue
    await owner.query(`create or replace function ${head} as $body$${body}$body$`)
    await owner.query(`revoke all on function ${name} from public`)
    await owner.query(`grant execute on function ${name} to ${role}`)
    log(`${name} is on every node`)
  }
}
