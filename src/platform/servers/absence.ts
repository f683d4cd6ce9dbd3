// What a server does not find of a lane that it does not have says nothing of the lane. A gateway that has not heard of a lane's move asks
// the server where it was; where what is not found is taken to be nowhere, that server must have the lane. A move takes the lane's row of
// the table that lists the lanes together with all others of it, in one transaction; and writes into the row of the server that it comes
// to when it began, by which a server that came back from before that is known.
import { ANCHOR } from '../citus/distribution.ts'
import { DatabaseUnavailable, isAway, plainArray, type Result, type Row, type Statement, textArray } from '../db.ts'

/** Why the database is not available: these lanes are on another server than the one that was asked. */
export class LaneElsewhere extends Error {
  override readonly name = 'LaneElsewhere'
  readonly lanes: readonly number[]
  constructor(lanes: readonly number[]) {
    super(`the server that was asked does not have lane ${lanes.join(', ')}`)
    this.lanes = lanes
  }
}

/** The lanes that are elsewhere, where that is the fault: it concerns no other lane. Null for any other fault. */
export const lanesElsewhere = (fault: unknown): readonly number[] | null =>
  fault instanceof DatabaseUnavailable && fault.cause instanceof LaneElsewhere ? fault.cause.lanes : null

/**
 * The statement, whose caller takes what it does not find to be nowhere: it waits for lanes that are on their way to another server, and
 * fails with DatabaseUnavailable ({@link LaneElsewhere}) where a server does not have them. That costs a question where nothing is found of a
 * lane, and so nearly always where it is about all of them. `finds`: whether a row is of something that is there. A statement about several
 * lanes has their `lane` in its rows.
 */
export const definite = (statement: Statement, finds: (row: Row) => boolean = everyRow): Statement => ({
  ...statement,
  finds,
})

const everyRow = () => true
const noRow = () => false

/** The same where the whole lane is judged by what is found of it: the server must have the lane, whatever it finds. */
export const ofTheLane = (statement: Statement): Statement => definite(statement, noRow)

/** What was answered about these lanes. `fault` is what is said of those that were asked about and are elsewhere, null where there are none. */
export type OfLanes<T> = {
  readonly lanes: readonly number[]
  readonly answer: T
  readonly fault: DatabaseUnavailable | null
}

/** Asks about lanes, and again without those that are elsewhere: they keep nobody else out. */
export async function ofLanesHere<T>(
  lanes: readonly number[],
  ask: (lanes: readonly number[]) => Promise<T>,
  fault: DatabaseUnavailable | null = null,
): Promise<OfLanes<T>> {
  try {
    return { lanes, answer: await ask(lanes), fault }
  } catch (thrown) {
    const elsewhere = lanesElsewhere(thrown) ?? []
    const here = lanes.filter((lane) => !elsewhere.includes(lane))
    if (here.length === lanes.length || here.length === 0) throw thrown
    return ofLanesHere(here, ask, thrown as DatabaseUnavailable)
  }
}

/**
 * The same of lanes on several servers or nodes, each asked by itself: one that is away keeps out nobody whose lane is on another one.
 * `fault`: what is said of lanes of which there is no answer. Throws where there is none at all, and any fault that is a statement's.
 */
export async function ofNodesHere<T>(
  nodes: readonly (readonly number[])[],
  ask: (lanes: readonly number[]) => Promise<T>,
): Promise<{ readonly answers: readonly OfLanes<T>[]; readonly fault: Error | null }> {
  const settled = await Promise.allSettled(nodes.map((lanes) => ofLanesHere(lanes, ask)))
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const faults = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
  const worst = faults.find((fault) => !isAway(fault)) ?? faults[0] ?? null
  if (worst !== null && (answers.length === 0 || !isAway(worst))) throw worst
  return { answers, fault: worst ?? answers.find(({ fault }) => fault !== null)?.fault ?? null }
}

/** Those of the lanes that a statement was about of which it has found nothing, where that is taken to be nowhere. */
export function unfound({ finds }: Statement, { rows }: Result, lanes: readonly number[]): readonly number[] {
  if (!finds) return []
  const there = rows.filter(finds)
  if (there.length === 0 || lanes.length === 1) return there.length === 0 ? lanes : []
  const found = new Set(there.map((row) => row['lane']))
  return lanes.filter((lane) => !found.has(lane))
}

/** Since which moment the server's row of a lane has to be; null where that is not known. */
export type CameAt = (lane: number) => string | null

/** Which of the lanes the server has. A server that came back from before the move that brought a lane there does not have it. */
export function lanesHere(lanes: readonly number[], cameAt: CameAt): Statement {
  const each = [...new Set(lanes)]
  return {
    name: 'lanes_here',
    text: `select l.lane from unnest($1::int[], $2::timestamptz[]) k (lane, came_at) join ${ANCHOR} l on l.lane = k.lane
            where k.came_at is null or l.came_at >= k.came_at`,
    values: [plainArray(each), textArray(each.map(cameAt))],
  }
}

/** Throws DatabaseUnavailable where the answer to {@link lanesHere} lacks one. */
export function refuseElsewhere(lanes: readonly number[], here: Result | undefined): void {
  const there = new Set(here?.rows.map((row) => row['lane']))
  const elsewhere = [...new Set(lanes)].filter((lane) => !there.has(lane))
  if (elsewhere.length > 0)
    throw new DatabaseUnavailable(
      'a lane is not on the server that was asked',
      'nothing done',
      new LaneElsewhere(elsewhere),
    )
}
