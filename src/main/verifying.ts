// What asks verifiers: its parts, its loop, and how it is told that there is something to ask.
import { openCircuits } from '../app/verifiers/circuits.ts'
import { openScreening } from '../app/verifiers/screening.ts'
import type { RunDeps } from '../app/verifiers/run.ts'
import type { Log } from '../platform/log.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { openVerificationWorker, type Watched } from '../workers/verifiers/verify.ts'

export type Verifying = Omit<RunDeps, 'screening' | 'circuits'> & {
  readonly monotonicMs: () => number
  readonly onRecorded: Watched
  /** Runs a round at once, while the workers are at work. */
  readonly onWork: (wake: () => void) => void
}

export function startVerifying(verifying: Verifying, idleMs: number, log: Log): Pick<Loop, 'stop'> {
  const screening = openScreening(verifying.reader)
  const circuits = openCircuits(verifying.monotonicMs)
  const worker = openVerificationWorker({ ...verifying, screening, circuits, log })
  const loop = startLoop({ name: 'verify', round: worker.round, idleMs, log })
  verifying.onWork(loop.wake)
  return {
    stop: async () => {
      await loop.stop()
      await worker.settled()
    },
  }
}

/** What is told of new work, before and after somebody listens. */
export function openVerifyingBell(): { readonly wake: () => void; readonly onWork: (wake: () => void) => void } {
  let ring: () => void = () => undefined
  return {
    wake: () => ring(),
    onWork: (wake) => {
      ring = wake
    },
  }
}
