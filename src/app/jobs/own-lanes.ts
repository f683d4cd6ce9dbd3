// Whose background work this process does: the lanes that are its own. Who asks does so in every round, for lanes come and go with
// other processes. It only divides the work: leases, fences and the locks of accounts keep two that work on one lane from harm.
import { ALL_LANES } from '../../domain/contract/ids.ts'

export type OwnLanes = () => readonly number[]

/** Of a process that works alone. */
export const everyLane: OwnLanes = () => ALL_LANES
