// Whether a verifier is called at all: after three calls in a row without an answer it rests, for longer each time, and one call
// at a time then tries whether it is back. In memory: another process finds out by itself.
import { LRUCache } from 'lru-cache'

const FAILURES_MAX = 3
const REST_MS = 30_000
const REST_MAX_MS = 300_000
const KEPT_MAX = 4_096

export type Circuits = {
  /** Whether it may be called now. Whoever is let in tells what came of it. */
  readonly lets: (id: string) => boolean
  readonly tell: (id: string, isAnswered: boolean) => void
}

type Circuit = { failures: number; restsUntil: number; isTrying: boolean }

export function openCircuits(monotonicMs: () => number): Circuits {
  const circuits = new LRUCache<string, Circuit>({ max: KEPT_MAX })
  return {
    lets: (id) => {
      const circuit = circuits.get(id)
      if (!circuit || circuit.failures < FAILURES_MAX) return true
      if (circuit.isTrying || monotonicMs() < circuit.restsUntil) return false
      circuit.isTrying = true
      return true
    },
    tell: (id, isAnswered) => {
      if (isAnswered) {
        circuits.delete(id)
        return
      }
      const failures = (circuits.get(id)?.failures ?? 0) + 1
      const restMs = Math.min(REST_MAX_MS, REST_MS * 2 ** Math.max(0, failures - FAILURES_MAX))
      circuits.set(id, { failures, restsUntil: monotonicMs() + restMs, isTrying: false })
    },
  }
}
