// What carries schedules out: drafts of their runs are read by the rules of any caller's.
import { type RunDeps, scheduleRound } from '../app/schedules/runs.ts'
import type { Deps } from '../app/deps.ts'
import { ALL_LANES } from '../domain/contract/ids.ts'
import { draftOfSchedule } from '../http/schedules/reading.ts'

/** A look at the schedules that are due. */
export function scheduleRounds(deps: Deps, currencies: readonly string[]): () => Promise<number> {
  const rules = { deps, currencies: new Set(currencies) }
  const runDeps: RunDeps = { ...deps, lanes: ALL_LANES, draftOf: (schedule) => draftOfSchedule(rules, schedule) }
  return () => scheduleRound(runDeps)
}
