// Keeping the index of search: it follows each account's history, a page at a time, so that a command writes nothing for it. What
// is written is the same whoever writes it, and how often: a killed process costs its last page, two processes no harm.
import { objectKindOf, type AccountEventType } from '../../domain/account/events.ts'
import { contractFacts, profileFacts, termsOf } from '../../domain/resource/terms.ts'
import type { SerialSession } from '../../engine/serial-session.ts'
import type { Row, Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { contractFrom } from '../../store/contracts/contracts.ts'
import { findProfiles, profileFrom } from '../../store/profiles/profiles.ts'
import {
  insertTerms,
  progressFrom,
  type Progress,
  saveSearchProgress,
  searchProgress,
  stepsToIndex,
  type TermRow,
} from '../../store/resources/terms.ts'

/** Steps of history in one transaction. */
const STEPS_AT_ONCE = 250

/** A connection of the search's own: it keeps nobody but other searches waiting. */
export type SearchSession = Pick<SerialSession, 'run'>

/** Takes the next page of an account's history into the index; where it stands after that. */
export async function indexPage(session: SearchSession, key: AccountKey): Promise<Progress> {
  return session.run(async (own) => pageOf(own, key, await progressOf(own, key)))
}

async function progressOf(session: Session, key: AccountKey): Promise<Progress> {
  const [result] = await session.send([searchProgress(key)])
  return progressFrom(result?.rows[0])
}

async function pageOf(session: Session, key: AccountKey, before: Progress): Promise<Progress> {
  const { position, indexed } = before
  if (indexed >= position) return before
  const [steps] = await session.send([stepsToIndex(key, indexed, STEPS_AT_ONCE)])
  const rows = steps?.rows ?? []
  const last = rows.at(-1)
  if (!last) return { ...before, indexed: position, atMs: null }
  const reached = Number(last['position'])
  const terms = [...contractTerms(key, rows), ...(await profileTerms(session, key, rows))]
  const statements = [...(terms.length > 0 ? [insertTerms(key, terms)] : []), saveSearchProgress(key, reached)]
  const value = { ...before, position: Math.max(position, reached), indexed: reached, atMs: last['at'] as number }
  return session.transaction([], () => ({ statements, value }))
}

/** Of several versions of a contract in a page the last one says all; terms of those before it are former ones. */
function contractTerms(key: AccountKey, rows: readonly Row[]): TermRow[] {
  const newest = new Map<string, Row>()
  for (const row of rows)
    if (row['is_contract'] === true && row['document'] !== null) newest.set(row['id'] as string, row)
  return [...newest].flatMap(([objectId, row]) => {
    const facts = contractFacts(contractFrom({ ...key, id: objectId }, row['document']))
    return termsOf(facts).map((term) => ({ term, objectId, kind: 'contract' as const }))
  })
}

/** Profiles are read as they are now: what they are later has its own step. */
async function profileTerms(session: Session, key: AccountKey, rows: readonly Row[]): Promise<TermRow[]> {
  const ids = rows.flatMap((row) => (isOfProfile(row) ? [row['subject'] as string] : []))
  if (ids.length === 0) return []
  const [profiles] = await session.send([findProfiles(key, [...new Set(ids)])])
  return (profiles?.rows ?? []).map(profileFrom).flatMap((profile) => {
    const terms = termsOf(profileFacts(profile))
    return terms.map((term) => ({ term, objectId: profile.id, kind: 'profile' as const }))
  })
}

const isOfProfile = (row: Row) =>
  row['is_contract'] === false && objectKindOf(row['event'] as AccountEventType) === 'profile'

const PAGES_BEFORE_A_SEARCH = 8

/**
 * Takes in what was written last, so that a search finds it. Where it stands; behind only where much was written at once. Callers
 * share it (`sharedRuns`): a crowd of searches, each with pages of its own, would wait for each other's.
 */
export async function catchUp(session: SearchSession, key: AccountKey): Promise<Progress> {
  let progress = await session.run((own) => progressOf(own, key))
  for (let page = 0; page < PAGES_BEFORE_A_SEARCH && progress.indexed < progress.position; page++) {
    const before = progress
    progress = await session.run((own) => pageOf(own, key, before))
  }
  return progress
}
