// What is looked for in the lanes of this process, and who works on it.
import type { LanePlaces } from '../app/jobs/lane-places.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { lookAtLanes, type WorkKind, waitingWorkFrom } from '../store/jobs/look.ts'
import { startLook } from '../workers/look.ts'
import { type Rounds, startRounds } from '../workers/rounds.ts'

export type LookingParts = {
  readonly session: Session
  readonly places: Pick<LanePlaces, 'ownByNode' | 'settledByShard' | 'unsettledNodes'>
  /** A look failed: lanes may lie elsewhere by now. */
  readonly onLookFailed: () => void
  /** A round of each kind of work in lanes; how much it found. */
  readonly rounds: Readonly<Record<Exclude<WorkKind, 'endpoints'>, (lanes: readonly number[]) => Promise<number>>>
  /** Endpoints of a lane have something to deliver. */
  readonly deliver: (lane: number) => void
  readonly metrics: Metrics
  readonly log: Log
}

export type Looking = {
  /** There is work of a kind in a lane, now. */
  readonly tell: (kind: WorkKind, lane: number) => void
  /** Something was written here. */
  readonly stir: () => void
  /** For how long nothing was written here, in milliseconds. */
  readonly quietMs: () => number
  readonly stop: () => Promise<void>
}

export function startLooking({ session, places, onLookFailed, rounds, deliver, metrics, log }: LookingParts): Looking {
  const looks = metrics.counter('gateway_looks_total', 'Looks for work in a group of lanes.')
  const workers = new Map<WorkKind, Pick<Rounds, 'tell'>>([['endpoints', { tell: deliver }]])
  const look = startLook({
    groups: places.ownByNode,
    onFailed: onLookFailed,
    look: async (lanes, which) => {
      looks.inc(1)
      const [found] = await session.send([lookAtLanes(lanes, which)])
      return (found?.rows ?? []).map(waitingWorkFrom)
    },
    tell: ({ lane, dueInMs }) => {
      for (const [kind, inMs] of dueInMs) workers.get(kind)?.tell(lane, inMs)
    },
    log,
  })
  const failing = () => look.failing() + places.unsettledNodes()
  metrics.gauge('gateway_lane_groups_failing', 'Groups of lanes that cannot be looked at.', failing)
  const begun = Object.entries(rounds).map(([kind, round]) => {
    const begin = startRounds({ name: kind, round, groups: places.settledByShard, onFound: look.stir, log })
    workers.set(kind as WorkKind, begin)
    return begin
  })
  return {
    tell: (kind, lane) => workers.get(kind)?.tell(lane),
    stir: look.stir,
    quietMs: look.quietMs,
    stop: async () => {
      await look.stop()
      await Promise.all(begun.map((each) => each.stop()))
      await session.close()
    },
  }
}

/** What tells of new work, before and after somebody listens. */
export type Bells = {
  /** There are verifications to ask in this lane. */
  readonly wake: (lane: number) => void
  /** Something was written. */
  readonly notify: () => void
  readonly onWork: (looking: Pick<Looking, 'tell' | 'stir'>) => void
}

export function openBells(): Bells {
  let heard: Pick<Looking, 'tell' | 'stir'> | null = null
  return {
    wake: (lane) => heard?.tell('verifications', lane),
    notify: () => heard?.stir(),
    onWork: (looking) => {
      heard = looking
    },
  }
}
