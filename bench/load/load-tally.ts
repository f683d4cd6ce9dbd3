// What the load generator counts, and the three phases of a run: warming, measuring, over.
import { performance } from 'node:perf_hooks'
import { openLatencies } from './latencies.ts'
import type { Tally } from '../plan.ts'

export type Counting = {
  /** A response; anything but 200 is remembered. */
  readonly response: (status: number, body: Buffer) => void
  /** A unit of work that began at `startedAt` (performance.now) has ended. */
  readonly unit: (startedAt: number) => void
  /** Those that ended in the window so far. */
  readonly units: () => number
  readonly isOver: () => boolean
  readonly measure: () => void
  readonly finish: () => void
  readonly result: (listUsed: number) => Tally
}

export function openCounting(): Counting {
  let phase: 'warming' | 'measuring' | 'over' = 'warming'
  let startedAt = 0
  let lastAt = 0
  let latencies = openLatencies()
  const statuses = new Map<number, number>()
  let firstRefusal: string | null = null
  return {
    response: (status, body) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status !== 200) firstRefusal ??= `${status} ${body.toString('utf8')}`
    },
    unit: (unitStartedAt) => {
      if (phase !== 'measuring') return
      lastAt = performance.now()
      latencies.add(lastAt - unitStartedAt)
    },
    // The warming ones are forgotten where the window begins.
    units: () => (phase === 'warming' ? 0 : latencies.count()),
    isOver: () => phase === 'over',
    measure: () => {
      phase = 'measuring'
      startedAt = performance.now()
      lastAt = startedAt
      latencies = openLatencies()
    },
    finish: () => {
      phase = 'over'
    },
    result: (listUsed) => ({
      units: latencies.count(),
      // The window ends with its last unit: a list may run out before its time.
      elapsedMs: lastAt - startedAt,
      meanMs: latencies.meanMs(),
      p50Ms: latencies.quantileMs(0.5),
      p99Ms: latencies.quantileMs(0.99),
      statuses: Object.fromEntries(statuses),
      firstRefusal,
      listUsed,
    }),
  }
}
