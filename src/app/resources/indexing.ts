// Keeping the index of search: it follows each account's history, a page at a time, so that a command writes nothing for it. What
// is written is the same whoever writes it, and how often: a killed process costs its last page, two processes no harm.
import { objectKindOf, type AccountEventType } from '../../domain/account/events.ts'
import { contractFacts, termsOf } from '../../domain/resource/terms.ts'
import type { SerialSession } from '../../engine/serial-session.ts'
import type { Row, Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { contractFrom } from '../../store/contracts/contracts.ts'
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
export const STEPS_AT_ONCE = 250

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
  return session.transaction<Progress>([stepsToIndex(key, indexed, STEPS_AT_ONCE)], ([steps]) => {
    const rows = steps?.rows ?? []
    const last = rows.at(-1)
    if (!last) return { statements: [], value: { position, indexed: position, atMs: null } }
    const reached = Number(last['position'])
    const terms = newestOfEach(rows).flatMap((row) => termRowsOf(key, row))
    const statements = [...(terms.length > 0 ? [insertTerms(key, terms)] : []), saveSearchProgress(key, reached)]
    return {
      statements,
      value: { position: Math.max(position, reached), indexed: reached, atMs: last['at'] as number },
    }
  })
}

/** Of several versions in a page the last one says all; terms of those before it are former ones. */
function newestOfEach(rows: readonly Row[]): Row[] {
  const newest = new Map<string, Row>()
  for (const row of rows) if (row['document'] !== null) newest.set(subjectOf(row), row)
  return [...newest.values()]
}

const subjectOf = (row: Row) => String(row['is_contract'] === true ? row['id'] : row['subject'])

function termRowsOf(key: AccountKey, row: Row): TermRow[] {
  const objectId = subjectOf(row)
  if (row['is_contract'] === true) {
    const contract = contractFrom({ ...key, id: objectId }, row['document'])
    return termsOf(contractFacts(contract)).map((term) => ({ term, objectId, kind: 'contract' }))
  }
  if (objectKindOf(row['event'] as AccountEventType) !== 'profile') return []
  return []
}

const PAGES_BEFORE_A_SEARCH = 8

/** Takes in what was written last, so that a search finds it. Where it stands; behind only where much was written at once. */
export async function catchUp(session: SearchSession, key: AccountKey): Promise<Progress> {
  let progress = await session.run((own) => progressOf(own, key))
  for (let page = 0; page < PAGES_BEFORE_A_SEARCH && progress.indexed < progress.position; page++) {
    const before = progress
    progress = await session.run((own) => pageOf(own, key, before))
  }
  return progress
}
