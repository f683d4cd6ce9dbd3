// The rounds of one kind of work: they run for the lanes that were told of, and not at all while none is. A group of lanes whose round
// fails or hangs keeps no other group's waiting.
import type { LaneGroups } from '../app/jobs/lane-places.ts'
import type { Log } from '../platform/log.ts'

export type Rounds = {
  /** There is work in a lane, now or in so many milliseconds. */
  readonly tell: (lane: number, inMs?: number) => void
  /** Begins no more rounds, and waits for those under way. */
  readonly stop: () => Promise<void>
}

export type RoundsOptions = {
  readonly name: string
  /** One round for lanes of one group; how much it found to do. More than none runs it for them again. */
  readonly round: (lanes: readonly number[]) => Promise<number>
  /**
   * All lanes that may be worked on now, by what one round may take together. What is written here is begun here at once, whosever lane it
   * is; what waits in others is found by a look, once they may be.
   */
  readonly groups: LaneGroups
  /** Called after each round that found something. */
  readonly onFound: () => void
  readonly log: Log
}

type Told = {
  readonly options: RoundsOptions
  /** When there is work in which lane, by the clock that does not jump. */
  readonly dueAt: Map<number, number>
  /** By the lanes of each round under way. */
  readonly running: Map<readonly number[], Promise<void>>
  wakes: { readonly atMs: number; readonly timer: NodeJS.Timeout } | null
  beginsSoon: NodeJS.Immediate | null
  isStopping: boolean
}

export function startRounds(options: RoundsOptions): Rounds {
  const told: Told = {
    options,
    dueAt: new Map(),
    running: new Map(),
    wakes: null,
    beginsSoon: null,
    isStopping: false,
  }
  return {
    tell: (lane, inMs = 0) => {
      const atMs = performance.now() + inMs
      note(told, lane, atMs)
      if (inMs > 0) return wakeAt(told, atMs)
      // Several lanes are told of one after another: one round takes all of them.
      told.beginsSoon ??= setImmediate(() => {
        told.beginsSoon = null
        begin(told)
      })
    },
    stop: async () => {
      told.isStopping = true
      if (told.wakes) clearTimeout(told.wakes.timer)
      if (told.beginsSoon) clearImmediate(told.beginsSoon)
      while (told.running.size > 0) await Promise.all(told.running.values())
    },
  }
}

const note = ({ dueAt }: Told, lane: number, atMs: number) => dueAt.set(lane, Math.min(atMs, dueAt.get(lane) ?? atMs))

/** Begins a round for each group that has work now and no round under way. */
function begin(told: Told): void {
  const { options, dueAt, running } = told
  if (told.isStopping || dueAt.size === 0) return
  const nowMs = performance.now()
  const isBusy = new Set([...running.keys()].flat())
  for (const group of options.groups()) {
    if (group.some((lane) => isBusy.has(lane))) continue
    const lanes = group.filter((lane) => (dueAt.get(lane) ?? Number.POSITIVE_INFINITY) <= nowMs)
    if (lanes.length === 0) continue
    for (const lane of lanes) dueAt.delete(lane)
    const ended = run(told, lanes).then(() => {
      running.delete(lanes)
      begin(told)
    })
    running.set(lanes, ended)
  }
  const next = Math.min(...[...dueAt.values()].filter((atMs) => atMs > nowMs))
  if (Number.isFinite(next)) wakeAt(told, next)
}

async function run(told: Told, lanes: readonly number[]): Promise<void> {
  const { name, round, onFound, log } = told.options
  try {
    if ((await round(lanes)) === 0) return
    onFound()
    for (const lane of lanes) note(told, lane, performance.now())
  } catch (fault) {
    // The rows that wait are still there: the next look finds them.
    log.warn({ err: fault, worker: name }, 'a round failed')
  }
}

function wakeAt(told: Told, atMs: number): void {
  if (told.isStopping || (told.wakes && told.wakes.atMs <= atMs)) return
  if (told.wakes) clearTimeout(told.wakes.timer)
  const ring = () => {
    told.wakes = null
    begin(told)
  }
  told.wakes = { atMs, timer: setTimeout(ring, Math.max(0, atMs - performance.now())) }
}
