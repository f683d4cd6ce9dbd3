// Works on due verifications: takes what is due, asks several at once, and records each answer when it comes. A verifier that is
// slow takes room of its own kind only.
import { askAndRecord, type RunDeps, takeDue } from '../../app/verifiers/run.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Log } from '../../platform/log.ts'

export type VerificationWorker = {
  /** One turn: take and begin. How many were taken. */
  readonly round: () => Promise<number>
  /** Waits for what is under way. */
  readonly settled: () => Promise<void>
}

const IN_FLIGHT_MAX = 32

export function openVerificationWorker(deps: RunDeps & { readonly log: Log }): VerificationWorker {
  const inFlight = new Set<Promise<void>>()
  return {
    round: async () => {
      const room = IN_FLIGHT_MAX - inFlight.size
      if (room <= 0) return 0
      const taken = await takeDue(deps, room)
      for (const verification of taken) {
        const asked = askAndRecord(deps, verification)
          .then((after) => {
            if (isRefusal(after))
              deps.log.warn({ verification: verification.id, code: after.code }, 'no such verification')
          })
          // It is due again when its lease ends.
          .catch((fault: unknown) =>
            deps.log.warn({ err: fault, verification: verification.id }, 'a verification failed'),
          )
          .finally(() => inFlight.delete(asked))
        inFlight.add(asked)
      }
      return taken.length
    },
    settled: async () => {
      await Promise.all(inFlight)
    },
  }
}
