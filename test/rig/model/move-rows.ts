// Holds what was decided against a table of moves: each decision is one row of it, exactly, and each row was decided.
import { type MoveOf, SOURCES } from '../../../src/domain/contract/move.ts'
import type { Contract } from '../../../src/domain/contract/contract.ts'
import type { Decision } from '../../../src/domain/contract/decision.ts'
import type { PaymentDecision } from '../../../src/domain/payment/decision.ts'

export type AnyMove = MoveOf<string, string>

/** What one decision wrote, and by which verb. */
type AnyStep = {
  readonly verb: string
  readonly before: Contract | null
  readonly decision: Decision | PaymentDecision
}

/** What a row states, as one text. What is posted for a transfer that the decision opens is counted as its own. */
export function factsOf({ verb, before, decision }: AnyStep): string {
  const { after, event } = decision
  const postings =
    'placed' in decision ? [...decision.placed, ...(decision.spawned?.postings ?? [])] : decision.postings
  return textOf({
    from: before?.status ?? null,
    verb,
    to: after.status,
    postings: postings.map(({ debit, credit }) => `${accountName(debit)} → ${accountName(credit)}`),
    activities: linesOf(after).slice(linesOf(before).length),
    event,
  })
}

/** The activities there ever were; what a draft has folded away stands for updates. */
function linesOf(contract: Contract | null): readonly string[] {
  if (contract === null) return []
  const folded = contract.kind === 'transfer' ? (contract.folded ?? 0) : 0
  return [...Array<string>(folded).fill('updated'), ...contract.activities.map(({ type }) => type)]
}

const accountName = (account: string) => (account.startsWith('clearing:') ? 'clearing' : account)

type Facts = Pick<AnyMove, 'from' | 'verb' | 'to' | 'event'> & {
  readonly postings: readonly string[]
  readonly activities: readonly string[]
}

const textOf = ({ from, verb, to, postings, activities, event }: Facts) =>
  `${from ?? 'nothing'} –${verb}→ ${to}; ${postings.join(', ')}; ${activities.join(', ')}; ${event ?? 'no event'}`

/** What a row says, once for each source that its money may have; one text where it names none. */
export function textsOf(move: AnyMove): ReadonlySet<string> {
  return new Set(SOURCES.map((accounts) => textOf({ ...move, postings: postingsFrom(move.postings, accounts) })))
}

function postingsFrom(postings: readonly string[], accounts: readonly string[]): readonly string[] {
  return postings.flatMap((posting) =>
    posting.includes('source') ? accounts.map((account) => posting.replace('source', account)) : [posting],
  )
}

/** What was decided and is no row of the table, or more than one. */
export function unlistedIn(table: readonly AnyMove[], seen: ReadonlySet<string>): string[] {
  const rows = new Map<string, number>()
  for (const move of table) for (const text of textsOf(move)) rows.set(text, (rows.get(text) ?? 0) + 1)
  return [...seen].filter((facts) => rows.get(facts) !== 1).map((facts) => `${rows.get(facts) ?? 0} rows say: ${facts}`)
}

/** The rows of the table that nothing decided. */
export function unseenIn(table: readonly AnyMove[], seen: ReadonlySet<string>): string[] {
  const unseen = table.filter((move) => ![...textsOf(move)].some((text) => seen.has(text)))
  return unseen.map((move) => `never seen: ${textOf(move)} (${move.when})`)
}
