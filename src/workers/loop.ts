// One loop for all workers: run, sleep as long as there was nothing to do, stop cleanly.
import type { Log } from '../platform/log.ts'

export type Loop = {
  /** Runs again at once, if it sleeps. */
  readonly wake: () => void
  /** Finishes the round in flight and ends. */
  readonly stop: () => Promise<void>
}

export type LoopOptions = {
  readonly name: string
  /** One round; how many things it found to do. More than none runs the next round at once. */
  readonly round: () => Promise<number>
  /** How long it rests after a round that found nothing; asked each time where it changes. */
  readonly idleMs: number | (() => number)
  readonly log: Log
}

const FAULT_PAUSE_MS = 1000
const TOGETHER_MS = 1000

/** A timer may come so much too early, and would find the second that it was set for still to come. */
const EARLY_MS = 2

/**
 * Until when to rest, in milliseconds of the process, where it may be for so long: long rests end together, at whole seconds, for what
 * wakes an idle process once costs less than what wakes it ten times.
 */
export function restsUntilMs(fromMs: number, idleMs: number): number {
  const untilMs = fromMs + idleMs
  return idleMs < TOGETHER_MS ? untilMs : Math.floor((untilMs + EARLY_MS) / TOGETHER_MS) * TOGETHER_MS
}

export function startLoop({ name, round, idleMs, log }: LoopOptions): Loop {
  let stopping = false
  let wake: () => void = () => undefined
  let woken = false

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async () => {
    while (!stopping) {
      woken = false
      // A fault of one round is logged and the next is tried: the rows that wait are still there.
      const found = await round().catch((fault: unknown) => {
        log.warn({ err: fault, worker: name }, 'a round failed')
        return null
      })
      if (stopping || (found !== null && found > 0) || woken) continue
      const nowMs = performance.now()
      const pauseMs = typeof idleMs === 'number' ? idleMs : idleMs()
      await sleep(found === null ? FAULT_PAUSE_MS : restsUntilMs(nowMs, pauseMs) - nowMs)
    }
  }

  const ended = run()
  return {
    wake: () => {
      woken = true
      wake()
    },
    stop: async () => {
      stopping = true
      wake()
      await ended
    },
  }
}
