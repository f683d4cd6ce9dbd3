// Looks which lanes have work, all kinds of it in one statement, and tells those who do it. Often while something goes on, once a second
// while nothing does. Lanes are looked at by group: one that fails is tried again later and later, and the others go on.
import { LOOK_AHEAD_MS, type WaitingWork } from '../store/jobs/look.ts'
import { restsUntilMs } from './loop.ts'
import type { Log } from '../platform/log.ts'
import type { LaneGroups } from '../app/jobs/lane-places.ts'

export type LookOptions = {
  /** The lanes of this process by group, asked at each look. */
  readonly groups: LaneGroups
  /** `all` kinds of work, or only what somebody may be waiting for. */
  readonly look: (lanes: readonly number[], which: 'all' | 'urgent') => Promise<readonly WaitingWork[]>
  readonly tell: (work: WaitingWork) => void
  /** Called when a look at a group failed. */
  readonly onFailed: () => void
  readonly log: Log
}

export type Look = {
  /** Something was written or done here: what follows from it is looked for soon. */
  readonly stir: () => void
  /** For how long nothing has stirred, in milliseconds. */
  readonly quietMs: () => number
  /** Groups whose latest look failed. */
  readonly failing: () => number
  readonly stop: () => Promise<void>
}

/** Pauses between looks at a group: while something goes on, and at most while nothing does. */
const SOON_MS = 200
const IDLE_MS = LOOK_AHEAD_MS
/** So often at most everything is looked for. */
const ALL_MS = 1000
const FAILED_MIN_MS = 1000
const FAILED_MAX_MS = 15_000

type Group = {
  pauseMs: number
  lookAtMs: number
  allAtMs: number
  failures: number
  under: Promise<void> | null
}

type Looking = {
  readonly options: LookOptions
  /** By the first lane of each. */
  readonly states: Map<number, Group>
  timer: NodeJS.Timeout | null
  stirredAtMs: number
  isStopping: boolean
}

export function startLook(options: LookOptions): Look {
  const looking: Looking = {
    options,
    states: new Map(),
    timer: null,
    stirredAtMs: performance.now(),
    isStopping: false,
  }
  const { states } = looking
  begin(looking)
  return {
    stir: () => stir(looking),
    quietMs: () => performance.now() - looking.stirredAtMs,
    failing: () => [...states.values()].filter(({ failures }) => failures > 0).length,
    stop: async () => {
      looking.isStopping = true
      if (looking.timer) clearTimeout(looking.timer)
      await Promise.all([...states.values()].flatMap(({ under }) => under ?? []))
    },
  }
}

/** Looks at each group whose time has come. */
function begin(looking: Looking): void {
  const { options, states } = looking
  if (looking.isStopping) return
  const nowMs = performance.now()
  const groups = options.groups().filter((lanes) => lanes.length > 0)
  const firsts = new Set(groups.map(([first]) => first))
  for (const [first, { under }] of states) if (!firsts.has(first) && under === null) states.delete(first)
  for (const lanes of groups) {
    const group = stateOf(states, lanes)
    if (group.under !== null || group.lookAtMs > nowMs) continue
    group.under = lookAt(options, lanes, group).then(() => {
      group.under = null
      sleep(looking)
    })
  }
  sleep(looking)
}

function stateOf(states: Map<number, Group>, [first = 0]: readonly number[]): Group {
  const group = states.get(first) ?? { pauseMs: SOON_MS, lookAtMs: 0, allAtMs: 0, failures: 0, under: null }
  states.set(first, group)
  return group
}

async function lookAt(
  { look, tell, onFailed, log }: LookOptions,
  lanes: readonly number[],
  group: Group,
): Promise<void> {
  const beganMs = performance.now()
  const which = beganMs >= group.allAtMs ? 'all' : 'urgent'
  try {
    const found = await look(lanes, which)
    if (which === 'all') group.allAtMs = restsUntilMs(beganMs, ALL_MS)
    for (const work of found) tell(work)
    group.failures = 0
    group.lookAtMs = restsUntilMs(beganMs, group.pauseMs)
    // What was found is nobody's sign of life: it may wait for a channel that stands still. Those who do it stir.
    group.pauseMs = Math.min(group.pauseMs * 2, IDLE_MS)
  } catch (fault) {
    log.warn({ err: fault, lanes: lanes.length, first_lane: lanes[0] }, 'a look at lanes failed')
    group.lookAtMs = performance.now() + Math.min(FAILED_MIN_MS * 2 ** group.failures, FAILED_MAX_MS)
    group.failures += 1
    onFailed()
  }
}

/** Until the next group's time; which lanes there are is asked again in a while all the same. */
function sleep(looking: Looking): void {
  if (looking.isStopping) return
  const waiting = [...looking.states.values()].filter(({ under }) => under === null)
  const next = Math.min(performance.now() + IDLE_MS, ...waiting.map(({ lookAtMs }) => lookAtMs))
  if (looking.timer) clearTimeout(looking.timer)
  looking.timer = setTimeout(() => begin(looking), Math.max(0, next - performance.now()))
}

function stir(looking: Looking): void {
  const nowMs = performance.now()
  looking.stirredAtMs = nowMs
  const soonMs = nowMs + SOON_MS
  let isSooner = false
  for (const group of looking.states.values()) {
    if (group.failures > 0) continue
    group.pauseMs = SOON_MS
    if (group.lookAtMs <= soonMs) continue
    group.lookAtMs = soonMs
    isSooner = true
  }
  if (isSooner) sleep(looking)
}
