// Where the books end that came back: on several servers, and on the nodes of a cluster, those of the one that knows least.
import { ALL_LANES } from '../../domain/contract/ids.ts'
import { groupedBy } from '../../domain/grouped.ts'
import { ENGINE, engineFrom } from '../../platform/citus/distribution.ts'
import type { Session } from '../../platform/db.ts'
import { findLanePlaces } from '../jobs/lane-places.ts'
import { booksUntil } from '../../store/operator/recovery-lines.ts'

/** When the books knew last of anything before a moment, where they know least; the moment itself where nothing ever was. */
export async function booksEnd(reader: Session, beganAtMs: number): Promise<number> {
  const groups = await lanesTogether(reader)
  const found = await reader.send(groups.map((lanes) => booksUntil(beganAtMs, lanes)))
  const ends = found.map(({ rows }) => rows[0]?.['until_ms'] as number | null | undefined)
  return Math.min(beganAtMs, ...ends.filter((end) => typeof end === 'number'))
}

/** The clock of a rail may be behind ours, and its list of an hour late. */
const EARLIER_MS = 3_600_000

/** From when on the books may lack what was done: what is older than that came back with them, where they know least, too. */
export const mayLackFrom = async (reader: Session, beganAtMs: number): Promise<number> =>
  (await booksEnd(reader, beganAtMs)) - EARLIER_MS

/** Lanes whose rows come back together. Ordinary servers answer for their own, each by itself. */
export async function lanesTogether(reader: Session): Promise<(readonly number[])[]> {
  const [engine] = await reader.send([ENGINE])
  if (engineFrom(engine?.rows[0]) === 'postgresql') return [ALL_LANES]
  const [places] = await reader.send([findLanePlaces([])])
  const shards = (places?.rows ?? []).map((row) => ({ node: row['node'] as string, lanes: row['lanes'] as number[] }))
  return Array.from(groupedBy(shards, ({ node }) => node).values(), (each) => each.flatMap(({ lanes }) => lanes))
}
