// One move of a contract as a row of a table: by which verb from which status to which, and all that is written with it.
// Every row states facts that the tests compare with what is decided; only `when` is prose.
import type { ActivityType } from './activities.ts'
import type { FlooredAccount } from '../money/postings.ts'
import type { EventType } from '../transfer/moves.ts'

/**
 * An account as a row names it. `clearing` is that of the channel. `source` is where the contract's money came from and
 * goes back to: one of {@link SOURCES}.
 */
type AccountName = FlooredAccount | 'fee_revenue' | 'clearing' | 'source'

/** Debit → credit. */
export type PostingName = `${AccountName} → ${AccountName}`

export type MoveOf<Status, Verb> = {
  /** Null where the contract begins. */
  readonly from: Status | null
  readonly verb: Verb
  readonly to: Status
  /** What tells this row from the others of its verb, in a few words for people. */
  readonly when: string
  /** In the order that they are written. */
  readonly postings: readonly PostingName[]
  readonly activities: readonly ActivityType[]
  readonly event: EventType | null
}

type Row<Status> = readonly [
  to: Status,
  when: string,
  postings: readonly PostingName[],
  activities: readonly ActivityType[],
  event: EventType | null,
]

/** The rows of one status and verb. */
export function moves<Status, Verb>(
  from: Status | null,
  verb: Verb,
  rows: readonly Row<Status>[],
): readonly MoveOf<Status, Verb>[] {
  return rows.map(([to, when, postings, activities, event]) => ({ from, verb, to, when, postings, activities, event }))
}

/**
 * Which accounts `source` may stand for. A transfer is paid out of `available`; one that gives a payment back takes what
 * is not settled from `pending`, and money that fit no contract from `suspense`, its fee on top from `available`.
 */
export const SOURCES = [
  ['available'],
  ['pending'],
  ['pending', 'available'],
  ['suspense'],
  ['suspense', 'available'],
] as const satisfies readonly (readonly FlooredAccount[])[]
