// Work about lanes that may have gone to another server since it was seen where they are; and lanes that are not where home says, for
// their server came back from before they came there, or home from before they went on.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../platform/db.ts'
import { lanesElsewhere } from '../../platform/servers/absence.ts'
import { laneMoveFrom, openMove } from '../../store/operator/lane-moves.ts'
import {
  HOME,
  laneServerFrom,
  laneServers,
  lanesLacking,
  lanesWithAccounts,
  type PlacedLane,
} from '../../store/operator/lane-servers.ts'

/** Where the lanes are, by home's word. */
export type Places = {
  /** Null for a lane that is on its way. */
  readonly serverOf: (lane: number) => string | null
  /** Those that are not at home, or came back there. */
  readonly placed: readonly PlacedLane[]
}

export async function placesNow(session: Session): Promise<Places> {
  const [found, moving] = await session.send([laneServers(), openMove()])
  const placed = (found?.rows ?? []).map(laneServerFrom)
  const servers = new Map(placed.map(({ lane, server }) => [lane, server]))
  const moves = (moving?.rows ?? []).map(laneMoveFrom)
  const serverOf = (lane: number) => (moves.some((move) => move.lane === lane) ? null : (servers.get(lane) ?? HOME))
  return { serverOf, placed }
}

/** So often work is begun anew: a move takes longer than to see that it has ended. */
const TRIES = 3
/** Longer than a move holds a lane. One that was broken off ends when a command moves lanes again. */
const ON_ITS_WAY_MS = 45_000
const POLL_MS = 500

/**
 * Does work about lanes, from its start again where one of them has gone to another server meanwhile. `see`: asks home where the lanes are,
 * and goes by that from now on. Throws DatabaseUnavailable (LaneElsewhere) where one is not where home says.
 */
export async function whereLanesAre<T>(session: Session, see: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (fault) {
      const lanes = lanesElsewhere(fault)
      if (lanes === null || tries === TRIES) throw fault
      await untilThere(session, lanes)
      await see()
    }
  }
}

async function untilThere(session: Session, lanes: readonly number[]): Promise<void> {
  for (const until = performance.now() + ON_ITS_WAY_MS; performance.now() < until; await sleep(POLL_MS)) {
    const { serverOf } = await placesNow(session)
    if (lanes.every((lane) => serverOf(lane) !== null)) return
  }
}

/**
 * A lane whose server does not have it, and no other one. `hasRow`: the server has a row of the lane, of before the move that brought it
 * there. One without any has not come back from before all moves, for each began with a row of every lane.
 */
export type LostLane = PlacedLane & { readonly hasRow: boolean }

/**
 * The lanes that are not on the server which home names, and of which no other one has accounts: where one has, home is the one that is
 * older, and nothing is lost. A lane that moves meanwhile is none of them.
 */
export async function lostLanes(session: Session): Promise<LostLane[]> {
  const before = await placesNow(session)
  if (before.placed.length === 0) return []
  const [found] = await session.send([lanesLacking(before.placed)])
  const lacking = new Map((found?.rows ?? []).map((row) => [row['lane_there'] as number, row['has_row'] === true]))
  if (lacking.size === 0) return []
  // Of a server that is away nothing is known: its lanes are lost until it says that it has them.
  const [used] = await session.send([lanesWithAccounts()])
  const after = await placesNow(session)
  return before.placed.flatMap((each) => {
    const { lane, server } = each
    const hasRow = lacking.get(lane)
    const isElsewhere = used?.rows.some((row) => row['lane_there'] === lane && row['server'] !== server)
    const isThere = before.serverOf(lane) === server && after.serverOf(lane) === server
    return hasRow === undefined || isElsewhere || !isThere ? [] : [{ ...each, hasRow }]
  })
}

/** What to say of such a lane, and what to do. */
export function wordsOfLost({ lane, server, cameFrom, hasRow }: LostLane): string {
  if (!hasRow)
    return `home says that lane ${lane} is on ${server}, which has no row of it, and no server has its accounts: they wait. Either home is from before the lane went on from ${server}, or ${server} is from before it came there again: docs/several-servers.md, “Home from before a move”`
  const before = cameFrom === null ? '' : `, and in those of ${cameFrom} from before it`
  return `the server ${server} is from before lane ${lane} came to it, and does not have it: its accounts wait. Their rows are in backups of ${server} from after the move${before}: docs/several-servers.md, “A server from before a lane came to it”`
}
