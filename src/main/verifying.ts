// What asks verifiers: its parts and its worker.
import { openCircuits } from '../app/verifiers/circuits.ts'
import { openScreening } from '../app/verifiers/screening.ts'
import type { RunDeps } from '../app/verifiers/run.ts'
import type { Log } from '../platform/log.ts'
import { openVerificationWorker, type VerificationWorker, type Watched } from '../workers/verifiers/verify.ts'

export type Verifying = Omit<RunDeps, 'screening' | 'circuits'> & {
  readonly monotonicMs: () => number
  readonly onRecorded: Watched
}

export function openVerifying(verifying: Verifying, log: Log): VerificationWorker {
  const screening = openScreening(verifying.reader)
  const circuits = openCircuits(verifying.monotonicMs)
  return openVerificationWorker({ ...verifying, screening, circuits, log })
}
