// Where the books end that came back: on several servers, and on the nodes of a cluster, those of the one that knows least.
import { ALL_LANES } from '../../domain/contract/ids.ts'
import { groupedBy } from '../../domain/grouped.ts'
import { ENGINE, engineFrom } from '../../platform/citus/distribution.ts'
import { DatabaseUnavailable, type Session } from '../../platform/db.ts'
import { findLanePlaces } from '../jobs/lane-places.ts'
import { allEpochs, epochFrom } from '../../store/operator/epochs.ts'
import { HOME, laneServerFrom, laneServers } from '../../store/operator/lane-servers.ts'
import { booksUntil, booksUntilFrom } from '../../store/operator/recovery-lines.ts'

/** When the books knew last of anything before a moment, where they know least; the moment itself where nothing ever was. */
export async function booksEnd(reader: Session, beganAtMs: number): Promise<number> {
  const [groups, came] = await Promise.all([lanesTogether(reader), lanesThatCame(reader)])
  const ends = await Promise.all(groups.map((lanes) => endOf(reader, beganAtMs, lanes, came)))
  if (ends.every((end) => end === null)) return beganAtMs
  const known = ends.map(async (end, at) => end ?? beginningOf(reader, groups[at] ?? []))
  return Math.min(beganAtMs, ...(await Promise.all(known)))
}

/**
 * Since when lanes that come back together can have had accounts. Where they have none, all of them may be lost: such books end where they
 * began, when their server joined; home, and the nodes of a cluster, have been there as long as the installation.
 */
async function beginningOf(reader: Session, lanes: readonly number[]): Promise<number> {
  const [placed, epochs] = await reader.send([laneServers(), allEpochs()])
  const there = (placed?.rows ?? []).map(laneServerFrom).filter(({ lane }) => lanes.includes(lane))
  const joined = there.filter(({ server }) => server !== HOME).map(({ sinceMs }) => sinceMs)
  const first = (epochs?.rows ?? []).slice(0, 1).map((row) => epochFrom(row).beganAt)
  return Math.min(...(joined.length > 0 ? joined : first))
}

/** The clock of a rail may be behind ours, and its list of an hour late. */
const EARLIER_MS = 3_600_000

/** From when on the books may lack what was done: what is older than that came back with them, where they know least, too. */
export const mayLackFrom = async (reader: Session, beganAtMs: number): Promise<number> =>
  (await booksEnd(reader, beganAtMs)) - EARLIER_MS

/** Lanes, and from when on their books may lack what was done. */
export type LackedFrom = { readonly lanes: readonly number[]; readonly fromMs: number }

/** The same for lanes that come back together, each by their own books; from ever, where those are not there to say, or are empty. */
export async function mayLackByServer(reader: Session, beganAtMs: number): Promise<readonly LackedFrom[]> {
  const [groups, came] = await Promise.all([lanesTogether(reader), lanesThatCame(reader)])
  const ends = groups.map((lanes) => endOf(reader, beganAtMs, lanes, came).catch(unreached))
  const found = await Promise.all(ends)
  return groups.map((lanes, at) => {
    const end = found[at] ?? null
    return { lanes, fromMs: end === null ? 0 : Math.min(beganAtMs, end) - EARLIER_MS }
  })
}

/** One that is slow, or refuses, is there: whoever takes it for away would take its books for empty. */
function unreached(fault: unknown): null {
  if (fault instanceof DatabaseUnavailable) return null
  throw fault
}

/** One statement looks at each account of so many: of all at once there may be more than it has time for. */
const LANES_AT_ONCE = 8

/**
 * When lanes that come back together knew last of anything; null where they never did. The newest of them says it of all, but for those that
 * a move brought there: where the server was from before it, their rows may be of another backup, and say nothing of the others'.
 */
async function endOf(
  reader: Session,
  beganAtMs: number,
  lanes: readonly number[],
  came: ReadonlySet<number>,
): Promise<number | null> {
  const apart: number[] = []
  let together: number | null = null
  for (let from = 0; from < lanes.length; from += LANES_AT_ONCE) {
    const [found] = await reader.send([booksUntil(beganAtMs, lanes.slice(from, from + LANES_AT_ONCE))])
    for (const { lane, untilMs } of (found?.rows ?? []).map(booksUntilFrom))
      if (came.has(lane)) apart.push(untilMs)
      else together = Math.max(together ?? untilMs, untilMs)
  }
  const ends = together === null ? apart : [...apart, together]
  return ends.length === 0 ? null : Math.min(...ends)
}

async function lanesThatCame(reader: Session): Promise<ReadonlySet<number>> {
  const [placed] = await reader.send([laneServers()])
  const came = (placed?.rows ?? []).map(laneServerFrom).filter(({ cameAt }) => cameAt !== null)
  return new Set(came.map(({ lane }) => lane))
}

/** Lanes whose rows come back together: those of one server, or of one node of a cluster. */
export async function lanesTogether(reader: Session): Promise<(readonly number[])[]> {
  const [engine] = await reader.send([ENGINE])
  if (engineFrom(engine?.rows[0]) === 'postgresql') return lanesByServer(reader)
  const [places] = await reader.send([findLanePlaces([])])
  const shards = (places?.rows ?? []).map((row) => ({ node: row['node'] as string, lanes: row['lanes'] as number[] }))
  return Array.from(groupedBy(shards, ({ node }) => node).values(), (each) => each.flatMap(({ lanes }) => lanes))
}

async function lanesByServer(reader: Session): Promise<(readonly number[])[]> {
  const [placed] = await reader.send([laneServers()])
  const serverOf = new Map((placed?.rows ?? []).map(laneServerFrom).map(({ lane, server }) => [lane, server]))
  return [...groupedBy(ALL_LANES, (lane) => serverOf.get(lane) ?? HOME).values()]
}
