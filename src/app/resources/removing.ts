// Taking words of contracts that ended long ago out of the index of search. It follows the account's history behind the indexing, a
// page at a time: what a killed process did not note is done once more, and what is not there is not removed again.
import { ENDED } from '../../domain/contract/ended.ts'
import { contractFacts, termsOf } from '../../domain/resource/terms.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { contractFrom } from '../../store/contracts/contracts.ts'
import { oldOf, oldStepFrom } from '../../store/contracts/old-steps.ts'
import { deleteTerms, documentsOfContracts, saveRemoved, stepsToRemove } from '../../store/resources/leaving-terms.ts'
import type { TermRow } from '../../store/resources/terms.ts'

/** Steps of history in one transaction: some thousands of words. */
const STEPS_AT_ONCE = 100

/**
 * Removes the words of contracts that ended with the account's next steps, as far as those are older than so many days. A contract
 * that goes on later gets words again, and loses them after its new end. How many steps that was; none where nothing is due.
 */
export async function removeWords(session: Session, key: AccountKey, days: number): Promise<number> {
  const [found] = await session.send([stepsToRemove(key, ENDED, days, STEPS_AT_ONCE)])
  const old = oldOf((found?.rows ?? []).map(oldStepFrom))
  const last = old.at(-1)
  if (!last) return 0
  const ended = old.flatMap((step) => (step.ended === null ? [] : [step.ended]))
  const terms = await termsWritten(session, key, ended)
  const statements = [...(terms.length > 0 ? [deleteTerms(key, terms)] : []), saveRemoved(key, last, ended.length > 0)]
  return session.transaction([], () => ({ statements, value: old.length }))
}

/** What any version of the contracts was found by, made as the indexing makes it. */
async function termsWritten(session: Session, key: AccountKey, ids: readonly string[]): Promise<TermRow[]> {
  if (ids.length === 0) return []
  const [found] = await session.send([documentsOfContracts(key, ids)])
  const written = new Map<string, Set<string>>()
  for (const row of found?.rows ?? []) {
    const objectId = row['id'] as string
    const terms = written.get(objectId) ?? new Set()
    for (const term of termsOf(contractFacts(contractFrom({ ...key, id: objectId }, row['document'])))) terms.add(term)
    written.set(objectId, terms)
  }
  return [...written].flatMap(([objectId, terms]) =>
    [...terms].map((term) => ({ term, objectId, kind: 'contract' as const })),
  )
}
