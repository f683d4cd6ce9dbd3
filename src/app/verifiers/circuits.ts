// Whether a verifier is called at all: by the rule of rails (domain/channel/outage.ts), with less patience, for each call keeps
// somebody's contract waiting. In memory: another process finds out by itself.
import { LRUCache } from 'lru-cache'
import { afterCall, callsAllowed, NO_OUTAGE, type Outage, type Patience } from '../../domain/channel/outage.ts'

const WITH_VERIFIERS: Patience = { silentToOpen: 3, openFirstMs: 30_000, openMaxMs: 300_000 }
const KEPT_MAX = 4_096

export type Circuits = {
  /** Whether it may be called now. Whoever is let in tells what came of it; `not_wanted`: no call was made. */
  readonly lets: (id: string) => boolean
  readonly tell: (id: string, came: 'answered' | 'no_answer' | 'not_wanted') => void
}

/** `isTrying`: one call sees whether it answers again. */
type Circuit = { readonly outage: Outage; isTrying: boolean }

export function openCircuits(monotonicMs: () => number): Circuits {
  const circuits = new LRUCache<string, Circuit>({ max: KEPT_MAX })
  return {
    lets: (id) => {
      const circuit = circuits.get(id)
      const allowed = circuit ? callsAllowed(circuit.outage, Infinity, monotonicMs()) : Infinity
      if (!circuit || allowed === Infinity) return true
      if (allowed === 0 || circuit.isTrying) return false
      circuit.isTrying = true
      return true
    },
    tell: (id, came) => {
      const before = circuits.get(id)
      if (came === 'answered') circuits.delete(id)
      else if (came === 'not_wanted') {
        if (before) before.isTrying = false
      } else {
        const outage = afterCall(before?.outage ?? NO_OUTAGE, 'silent', monotonicMs(), WITH_VERIFIERS)
        circuits.set(id, { outage, isTrying: false })
      }
    },
  }
}
