// A server that came back from before a lane was moved to it: it has a row of the lane, as each had in the beginning, and no other.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { seePlacement } from '../../../src/main/database/servers.ts'
import { ANCHOR } from '../../../src/platform/citus/distribution.ts'
import { takeLane } from '../../../src/platform/postgres/lane-rows.ts'
import { laneTables } from '../../../src/platform/postgres/lane-tables.ts'
import type { World } from '../../world.ts'
import { connectedTo, OTHER_SERVER } from './other-server.ts'

/** Home notes that the lane came to the second server, and that one that it came then; or nothing where a release moved it that does not. */
export async function cameThere(world: World, lane: number, cameAt: string | null): Promise<void> {
  await world.sql(
    `insert into lane_moves (id, lane, from_server, to_server, state, began_at, ended_at, came_at)
     values ($1, $2, 'home', $3, 'moved', coalesce($4::timestamptz, now()), now(), $4)`,
    [randomUUID(), lane, OTHER_SERVER, cameAt],
  )
  await world.sqlElsewhere('update lanes set came_at = $2 where lane = $1', [lane, cameAt])
  await seePlacement(world.database)
}

/** The statement of the runbook (docs/several-servers.md) that notes the epochs of which a backup with this newest one knows nothing. */
function unnotedEpochs(lane: number, newest: number): string {
  const [text] = /insert into epoch_positions [^"]*/.exec(readFileSync('docs/several-servers.md', 'utf8')) ?? []
  if (text === undefined) throw new Error('the runbook notes no epochs')
  return text.replaceAll('$lane', String(lane)).replaceAll('$newest', String(newest))
}

/** The second server as it was before the lane came. What is given back brings the rows there, as from a backup, and no row that says since when. */
export async function loseLane({ database }: World, lane: number): Promise<() => Promise<void>> {
  const owner = database.others?.servers.get(OTHER_SERVER)?.owner
  if (!owner) throw new Error('the world has no second server')
  const east = await connectedTo(owner)
  const kept = new Map<string, string>()
  for (const { name } of await laneTables(east, ANCHOR)) {
    const { rows } = await east.query(
      `select coalesce(json_agg(t), '[]')::text as rows from ${name} t where t.lane = $1`,
      [lane],
    )
    kept.set(name, rows[0]?.rows as string)
  }
  const { rows: epochs } = await east.query('select max(number) as newest from epochs')
  await east.query('begin')
  await takeLane({ on: east, lane, anchor: ANCHOR }, 5000)
  await east.query('insert into lanes (lane) values ($1)', [lane])
  await east.query('commit')
  return async () => {
    await east.query('set session_replication_role = replica')
    for (const [name, rows] of kept)
      await east.query(`insert into ${name} select t.* from json_populate_recordset(null::${name}, $1::json) t`, [rows])
    await east.query(unnotedEpochs(lane, epochs[0]?.newest as number))
    await east.end()
  }
}
