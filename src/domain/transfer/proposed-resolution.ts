// What one operator says about a transfer's outcome and a second one may have to confirm: above which amount, for how long, and
// by whom. Pure.
import { isRefusal, type Refusal, refuse } from '../contract/refusals.ts'
import { displayText } from '../money/money.ts'

export const RESOLUTION_STATUSES = ['waiting', 'applied', 'rejected', 'expired'] as const
export type ResolutionStatus = (typeof RESOLUTION_STATUSES)[number]

/** Up to which amount one operator is enough, by currency, in minor units. A currency that is not named always needs two. */
export type ResolutionLimits = ReadonlyMap<string, bigint>

/** A person who operates the gateway: a member of an operating account. */
export type OperatingPerson = { readonly memberId: string; readonly email: string }

/** Times are milliseconds since the epoch. */
export type ProposedResolution = {
  readonly id: string
  /** Of the account whose contract it is. */
  readonly lane: number
  readonly accountId: string
  readonly contractId: string
  /** The version of the contract that was looked at. */
  readonly contractVersion: number
  readonly as: 'delivered' | 'failed'
  readonly evidence: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly livemode: boolean
  /** As it is kept: what has expired is kept as waiting. */
  readonly status: Exclude<ResolutionStatus, 'expired'>
  readonly proposedBy: OperatingPerson
  readonly proposedAt: number
  readonly expiresAt: number
  /** Who confirmed or rejected it; null while nobody has, and where one person was enough. */
  readonly decidedBy: OperatingPerson | null
  readonly decidedAt: number | null
  readonly reason: string | null
}

/** How long it waits for a second person. */
export const RESOLUTION_MS = 72 * 3_600_000

export function needsSecondPerson(limits: ResolutionLimits, amountMinor: bigint, currency: string): boolean {
  const limit = limits.get(currency)
  return limit === undefined || amountMinor > limit
}

export const statusAt = ({ status, expiresAt }: ProposedResolution, nowMs: number): ResolutionStatus =>
  status === 'waiting' && expiresAt <= nowMs ? 'expired' : status

/** Why it cannot be decided any more; null where it waits. */
export function refusalOfDecided(resolution: ProposedResolution, nowMs: number): Refusal | null {
  const status = statusAt(resolution, nowMs)
  if (status === 'waiting') return null
  return refuse('resolution_not_waiting', 'id', `The resolution is ${status}. Look at the transfer and propose anew.`)
}

/** Why this person cannot confirm it; null where they can. One address is one person, in however many accounts. */
export function refusalOfApproval(resolution: ProposedResolution, by: OperatingPerson, nowMs: number): Refusal | null {
  const { proposedBy, amountMinor, currency } = resolution
  const decided = refusalOfDecided(resolution, nowMs)
  if (decided) return decided
  if (proposedBy.memberId !== by.memberId && proposedBy.email !== by.email) return null
  const why = `You proposed it. A resolution of ${displayText(amountMinor, currency)} needs a second person.`
  return refuse('second_person_required', 'id', why)
}

/** What the write path refuses when the contract has moved on since it was looked at, in the words of a resolution. */
export function inWordsOfResolution<T>(result: T | Refusal): T | Refusal {
  if (!isRefusal(result) || result.code !== 'precondition_failed') return result
  const why = 'The transfer has changed since it was looked at: its outcome may be decided. Look at it again.'
  return refuse('resolution_overtaken', 'id', why)
}

export const resolutionNotFound = () => refuse('resolution_not_found', 'id', 'No resolution has this id.')
