// Who waits for the lock of a table, wherever the gateway's session is: on a cluster it is at the worker that has the lane.
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../world.ts'

const WAITING = `
  select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
// The owner of the database is not told there what a session waits for.
const AT_A_NODE = `
  select count(*) from pg_locks l join pg_database d on d.oid = l.database
   where d.datname = current_database() and not l.granted`
const WAITING_ANYWHERE = `select sum(r.result::int)::int as waiting from run_command_on_all_nodes($$${AT_A_NODE}$$) r`

/** Until this many sessions of the world's database wait. Throws after half a minute. */
export async function lockWaits(world: World, count: number): Promise<void> {
  const asked = process.env['TEST_ON_CITUS'] === 'yes' ? WAITING_ANYWHERE : WAITING
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(5)) {
    const [row] = await world.sql<{ waiting: number }>(asked)
    if ((row?.waiting ?? 0) >= count) return
  }
  throw new Error('nobody waits')
}
