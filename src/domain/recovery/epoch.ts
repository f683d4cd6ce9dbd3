// Epochs: the lives of the books. Each begins where the database is found to be another one than the one that was last worked
// with: an older copy, or one that went its own way. What happened in between is known to the rails and to nobody here. Pure.
import type { Command } from '../contract/command.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

/** Where a database stands: which books it holds, on which server, in which of its histories, and how far that has come. */
export type DatabasePlace = {
  /** Of the books: made with their first table, and carried along by every copy. */
  readonly installationId: string
  /** How many marks the books have counted: about one a minute of work, and one at each clean stop. */
  readonly marks: bigint
  /** The number that PostgreSQL gave the cluster when it was made. */
  readonly systemId: string
  /** Counts the times that somebody began a new history from an older state: a promoted standby, a restore to a moment. */
  readonly timeline: number
  /** The place in the cluster's log of what was written, in bytes; it only grows. */
  readonly position: bigint
}

/** What a gateway notes beside the database: where it last saw it stand, in which epoch, and whether it stopped there. */
export type Mark = DatabasePlace & { readonly epoch: number; readonly isStopped: boolean }

/** `declared`: an operator said so, where no mark can tell. */
export const RECOVERY_REASONS = ['older', 'other_timeline', 'other_system', 'declared'] as const
export type RecoveryReason = (typeof RECOVERY_REASONS)[number]

/** Times are milliseconds since the epoch of clocks. */
export type Epoch = {
  readonly number: number
  readonly reason: 'created' | RecoveryReason
  readonly beganAt: number
  /** What the mark said, and where the database stood; null for the first. */
  readonly mark: DatabasePlace | null
  readonly found: DatabasePlace | null
  /** Who says that the books fit what the rails did, and why; null while nobody does. */
  readonly proposedBy: string | null
  readonly proposedAt: number | null
  readonly evidence: string | null
  readonly resumedBy: string | null
  /** Null while the gateway is in recovery. */
  readonly resumedAt: number | null
}

export const inRecovery = ({ resumedAt }: Pick<Epoch, 'resumedAt'>): boolean => resumedAt === null

/**
 * Why a database has to be recovered that stands here, in the epoch that it knows as its newest; null where it goes on from
 * where it was left. Mark and database are of the same books.
 */
export function reasonToRecover(mark: Mark, found: DatabasePlace & { readonly epoch: number }): RecoveryReason | null {
  // A later epoch than ours: it was recovered while this gateway was away, and stands elsewhere for that reason.
  if (found.epoch > mark.epoch) return null
  if (found.epoch < mark.epoch || found.marks < mark.marks) return 'older'
  // Moved to another server, by a copy that was taken after the last stop, or one that others have gone on with since.
  if (found.systemId !== mark.systemId) return mark.isStopped ? null : 'other_system'
  if (found.timeline !== mark.timeline) return 'other_timeline'
  return found.position < mark.position ? 'older' : null
}

/**
 * Whether nobody can tell if the database is older: gateways have worked with it, and none of their notes is here. A start begins no recovery
 * for that, since one more gateway has none either.
 */
export const isUnnoted = (noted: readonly Mark[], { marks }: Pick<DatabasePlace, 'marks'>): boolean =>
  noted.length === 0 && marks > 0n

/**
 * Why a command is refused while the gateway is in recovery; null where it only writes a draft. What else there is to decide
 * depends on what happened to the contract since, and nobody here knows that.
 */
export function refusedInRecovery(command: Command): Refusal | null {
  const isDraft = command.verb === 'update' || (command.verb === 'create_transfer' && command.pays === null)
  if (isDraft) return null
  const why =
    'The database is older than what this gateway did, so nothing but drafts is written until two operators resume.'
  return refuse('in_recovery', null, `The gateway is in recovery. ${why} Nothing was done.`)
}

/** Whether a refusal is of the recovery alone: what was told has to be told again after it. */
export const isRefusalOfRecovery = (refusal: Refusal | null): refusal is Refusal => refusal?.code === 'in_recovery'

/** How long a first person's word waits for a second one. */
const RESUME_PROPOSAL_MS = 24 * 3_600_000

/** Whether this person's word is the second one, which ends the recovery. */
export function endsRecovery({ proposedBy, proposedAt }: Epoch, by: string, nowMs: number): boolean {
  if (proposedBy === null || proposedAt === null || proposedAt <= nowMs - RESUME_PROPOSAL_MS) return false
  return sameName(proposedBy) !== sameName(by)
}

/** One person, however the name is written. */
const sameName = (name: string) => name.trim().toLowerCase()
