// Schedules whose run could not be begun, by a fault that is theirs: each is left alone for longer and longer, so that it neither
// stops those that are due behind it nor takes their room.
import type { Schedule } from '../../domain/schedule/schedule.ts'
import { Busy } from '../../engine/held-line.ts'
import type { Log } from '../../platform/log.ts'

export type Rests = {
  /** Called with the fault of a schedule. */
  readonly met: (schedule: Pick<Schedule, 'id'>, fault: unknown) => void
  /** Called when its run was begun, or there was none to begin. */
  readonly over: (schedule: Pick<Schedule, 'id'>) => void
  /** Those to leave alone now. */
  readonly ids: () => readonly string[]
}

const REST_MIN_MS = 1000
const REST_OF_HELD_MS = 4000
const REST_MAX_MS = 300_000

/** Kept in memory alone: after a start, or where its lane is another process's by now, each is tried at once. */
export function openRests({ monotonicMs, log }: { readonly monotonicMs: () => number; readonly log: Log }): Rests {
  const resting = new Map<string, { readonly tries: number; readonly untilMs: number }>()
  return {
    met: ({ id }, fault) => {
      const tries = resting.get(id)?.tries ?? 0
      // Somebody held its account: that is no fault of the schedule, and soon over.
      if (fault instanceof Busy) {
        resting.set(id, { tries, untilMs: monotonicMs() + REST_OF_HELD_MS })
        return
      }
      const restMs = Math.min(REST_MIN_MS * 2 ** tries, REST_MAX_MS)
      resting.set(id, { tries: tries + 1, untilMs: monotonicMs() + restMs })
      log.error({ err: fault, schedule: id, again_in_ms: restMs }, 'the run of a schedule could not be begun')
    },
    over: ({ id }) => void resting.delete(id),
    ids: () => {
      const nowMs = monotonicMs()
      // One that was ended or paused meanwhile is never due again, and is forgotten.
      for (const [id, { untilMs }] of resting) if (untilMs + REST_MAX_MS < nowMs) resting.delete(id)
      return [...resting].flatMap(([id, { untilMs }]) => (untilMs > nowMs ? [id] : []))
    },
  }
}
