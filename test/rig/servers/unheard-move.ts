// A lane that goes to another server while a gateway hears nothing of it: home is away for that gateway, and its word there is over.
import { ANCHOR } from '../../../src/platform/citus/distribution.ts'
import { laneTables } from '../../../src/platform/postgres/lane-tables.ts'
import { takeLane } from '../../../src/platform/postgres/lane-rows.ts'
import type { World } from '../../world.ts'
import { connectedTo, OTHER_SERVER } from './other-server.ts'

const BESIDE = `select to_json(t) as row from operator_actions t
  where t.id in (select c.action_id from outside_credits c where c.lane = $1)`
const put = (table: string) =>
  `insert into ${table} select t.* from json_populate_recordset(null::${table}, $1::json) t on conflict do nothing`

/**
 * Moves lanes from the second server of a world to home, by their owners' connections, which have to be there before home is away. The
 * rows are copied by hand, and taken as every move takes them.
 */
export async function openUnheardMoves({ database }: World) {
  const east = database.others?.servers.get(OTHER_SERVER)
  if (!east?.owner) throw new Error('the world has no second server')
  const [from, to] = [await connectedTo(east.owner), await connectedTo(database.owner)]
  await to.query(`set session_replication_role = replica`)
  /** All rows of a lane, at home as well: nobody is told. */
  const copyHome = async (lane: number): Promise<void> => {
    for (const { name } of await laneTables(from, ANCHOR)) {
      const { rows } = await from.query(`select to_json(t) as row from ${name} t where t.lane = $1`, [lane])
      await to.query(put(name), [JSON.stringify(rows.map(({ row }) => row as unknown))])
    }
  }
  const moveHome = async (lane: number): Promise<void> => {
    await copyHome(lane)
    const beside = await from.query(BESIDE, [lane])
    await to.query(put('operator_actions'), [JSON.stringify(beside.rows.map(({ row }) => row as unknown))])
    await from.query('begin')
    await takeLane({ on: from, lane, anchor: ANCHOR }, 5000)
    await from.query('commit')
    await to.query('delete from lane_servers where lane = $1', [lane])
  }
  return { home: to, copyHome, moveHome, close: async () => void (await Promise.all([from.end(), to.end()])) }
}
