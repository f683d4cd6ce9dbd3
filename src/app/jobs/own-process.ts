// This process among those that work on the same database: it says every few seconds that it is there, sees who else is, and takes its
// share of the lanes. For a moment two may work on one lane, or nobody: that costs a look, and nothing else (own-lanes.ts).
import { isDeepStrictEqual } from 'node:util'
import { ALL_LANES } from '../../domain/contract/ids.ts'
import type { Session } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Parted } from '../../platform/scope.ts'
import {
  ALIVE_MS,
  endAhead,
  endProcess,
  forgetProcesses,
  freeEndpoints,
  listProcesses,
  type ProcessRow,
  renewProcess,
  type SeenProcess,
  seenProcessFrom,
} from '../../store/operator/processes.ts'
import type { LanePlaces } from './lane-places.ts'
import { openNodeTurns } from './node-turns.ts'
import { lanesOf, ownerOf, type OwnLanes, type OwnWork, type Worker } from './own-lanes.ts'

export type OwnProcess = {
  readonly id: string
  readonly ownLanes: OwnLanes
  readonly isOwn: OwnWork
  /** How many are there, itself among them. */
  readonly living: () => number
  /** Says that it is there, and sees who else is. */
  readonly look: () => Promise<void>
  /** Another one is known to have died: what it held is free at once. */
  readonly noteGone: (id: string) => Promise<void>
  /** What frees the work that others held, once they are seen to be gone. It is not waited for. */
  readonly onGone: (free: Free) => void
  /** Who knows which servers beside home cannot be worked with from here. It is asked at each look. */
  readonly onReach: (unreached: () => readonly string[]) => void
  /** Says that it ends, so that its lanes go to the others at once. */
  readonly end: () => Promise<void>
}

/**
 * Frees the endpoints that processes served which are gone, one group of lanes after another: a node that hangs is tried once, after the
 * others where it failed before. False where some could not be freed.
 */
export function freeing(session: Session, { parted, nodeOf }: Pick<LanePlaces, 'parted' | 'nodeOf'>, log: Log): Free {
  const turns = openNodeTurns(nodeOf)
  return async (gone) => {
    const groups = parted(ALL_LANES.map((lane) => ({ lane })))
    const free = ({ rows }: Parted<{ readonly lane: number }>) =>
      session.send([
        freeEndpoints(
          rows.map(({ lane }) => lane),
          gone,
        ),
      ])
    const settled = await turns.each(groups, free, () => undefined)
    const fault = settled.find((each) => each.status === 'rejected')?.reason as unknown
    if (fault !== undefined) log.warn({ err: fault }, 'endpoints of some lanes are not free yet')
    return fault === undefined
  }
}

/** Frees what processes served; false where it has to be done again. */
type Free = (gone: readonly string[]) => Promise<boolean>

/** Another one that has said nothing for {@link ALIVE_MS} is gone: its lanes are the others' within so long more. */
export const LOOK_MS = 2000

/** `serverOf`: which server has a lane, asked at each look. */
export function openOwnProcess(
  session: Session,
  own: ProcessRow,
  log: Log,
  serverOf: (lane: number) => string = () => '',
): OwnProcess {
  const share = openShare(own, serverOf, log)
  let askReach: () => readonly string[] = () => []
  /** Those that are known to be gone. */
  let gone: ReadonlySet<string> = new Set()
  const freed = openFreed()
  const silentSince = openSilences()
  let isEnded = false

  const look = async () => {
    if (isEnded) return
    const unreached = askReach()
    const [, result] = await session.send([renewProcess(own, unreached), listProcesses()])
    const others = (result?.rows ?? []).map(seenProcessFrom).filter(({ id }) => id !== own.id)
    const those = (are: SeenProcess['is']) => others.filter(({ is }) => is === are)
    share.see(those('alive'), unreached)
    const silent = silentSince(those('ahead').map(({ id }) => id))
    if (silent.length > 0) await session.send([endAhead(silent)])
    const ended = those('ended').map(({ id }) => id)
    const fresh = ended.filter((id) => !gone.has(id))
    gone = new Set(ended)
    void freed.free(ended, fresh)
    if (fresh.length > 0) await session.send([forgetProcesses()])
  }

  return {
    id: own.id,
    ownLanes: share.lanes,
    isOwn: share.isOwn,
    living: share.living,
    look,
    noteGone: async (id) => {
      if (isEnded) return
      await session.send([endProcess(id)])
      await look()
    },
    onGone: freed.by,
    onReach: (unreached) => {
      askReach = unreached
    },
    end: async () => {
      isEnded = true
      await session.send([endProcess(own.id)])
    },
  }
}

/** What of the work is this process's, by who else was seen; all of it before that. */
function openShare(own: ProcessRow, serverOf: (lane: number) => string, log: Log) {
  const takesLanes = own.role !== 'api'
  let workers: readonly Worker[] = takesLanes ? [{ id: own.id, unreached: [] }] : []
  let lanes: readonly number[] = takesLanes ? ALL_LANES : []
  let living = 1
  return {
    lanes: () => lanes,
    living: () => living,
    isOwn: (name: string) => {
      const ids = workers.map(({ id }) => id)
      return ownerOf(name, ids) === own.id
    },
    see: (others: readonly SeenProcess[], unreached: readonly string[]) => {
      living = others.length + 1
      const now: Worker[] = others
        .filter(({ role }) => role !== 'api')
        .map((each) => ({ id: each.id, unreached: each.unreached }))
      if (takesLanes) now.push({ id: own.id, unreached })
      const isAsBefore = isDeepStrictEqual(now, workers)
      // A lane may move to or from a server that is not reached by all.
      if (isAsBefore && now.every((each) => each.unreached.length === 0)) return
      workers = now
      lanes = takesLanes ? lanesOf(own.id, workers, serverOf) : []
      if (!isAsBefore) log.info({ processes: living, lanes: lanes.length, unreached }, 'the lanes are shared anew')
    },
  }
}

/** Counts at how many looks in turn a process was ahead of the clock; those that had the time to say that they are there, and did not. */
function openSilences() {
  let before: ReadonlyMap<string, number> = new Map()
  return (ahead: readonly string[]): string[] => {
    before = new Map(ahead.map((id) => [id, (before.get(id) ?? 0) + 1]))
    return ahead.filter((id) => (before.get(id) ?? 0) * LOOK_MS > ALIVE_MS)
  }
}

/** Frees what the dead held, once at a time, and again at later looks where that failed: of those that are dead still. */
function openFreed() {
  let by: Free = async () => true
  /** Those that may hold something yet. */
  const unfreed = new Set<string>()
  let isFreeing = false
  return {
    by: (free: Free) => {
      by = free
    },
    free: async (dead: readonly string[], fresh: readonly string[]) => {
      for (const id of unfreed) if (!dead.includes(id)) unfreed.delete(id)
      for (const id of fresh) unfreed.add(id)
      if (isFreeing || unfreed.size === 0) return
      isFreeing = true
      const ids = [...unfreed]
      if (await by(ids).catch(() => false)) for (const id of ids) unfreed.delete(id)
      isFreeing = false
    },
  }
}
