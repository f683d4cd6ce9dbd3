// Work about lanes that may have gone to another server since it was seen where they are; and lanes that are not where home says, for
// their server came back from before they came there.
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

/** A lane whose server does not have it, and no other one. */
export type LostLane = PlacedLane

/**
 * The lanes that a move has brought to a server which came back from before it. Where another server has accounts of a lane, home is the
 * one that is older, and nothing is lost. A lane that moves meanwhile is none of them.
 */
export async function lostLanes(session: Session): Promise<LostLane[]> {
  const before = await placesNow(session)
  if (before.placed.every(({ cameAt }) => cameAt === null)) return []
  const [found] = await session.send([lanesLacking(before.placed)])
  const lacking = new Set((found?.rows ?? []).map((row) => row['lane_there'] as number))
  if (lacking.size === 0) return []
  // Of a server that is away nothing is known: its lanes are lost until it says that it has them.
  const [used] = await session.send([{ ...lanesWithAccounts(), merge: { isPartial: true } }])
  const after = await placesNow(session)
  return before.placed.filter(({ lane, server }) => {
    const isElsewhere = used?.rows.some((row) => row['lane_there'] === lane && row['server'] !== server)
    return lacking.has(lane) && before.serverOf(lane) === server && after.serverOf(lane) === server && !isElsewhere
  })
}

/** What to say of such a lane, and what to do. */
export function wordsOfLost({ lane, server, cameFrom }: LostLane): string {
  const before = cameFrom === null ? '' : `, and in those of ${cameFrom} from before it`
  return `the server ${server} is from before lane ${lane} came to it, and does not have it: its accounts wait. Their rows are in backups of ${server} from after the move${before}: docs/several-servers.md, “A server from before a lane came to it”`
}
