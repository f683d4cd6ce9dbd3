// Taking documents of superseded versions of contracts that ended long ago out of the database. It follows the account's history, a page
// at a time, as far as it is in an archive that was noted: what a killed process did not note is done once more, and what has left does
// not leave again. What may leave, the database decides (db/migrations/0044); here it is found, and the hashes that stay are made.
import { ENDED } from '../../domain/contract/ended.ts'
import type { Row, Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { documentsToEmpty, emptyDocuments, endsToEmpty, saveEmptied } from '../../store/contracts/leaving-documents.ts'
import { oldOf, oldStepFrom } from '../../store/contracts/old-steps.ts'
import { membersHash, membersIn } from '../seals/leaves.ts'

/** Steps of history in one transaction: some hundreds of documents. */
const STEPS_AT_ONCE = 100

/** Empties the documents of the account's next contracts that ended, as far as that is older than so many days; how many steps that were. */
export async function removeDocuments(session: Session, key: AccountKey, days: number): Promise<number> {
  const [found] = await session.send([endsToEmpty(key, ENDED, days, STEPS_AT_ONCE)])
  const old = oldOf((found?.rows ?? []).map(oldStepFrom))
  const last = old.at(-1)
  if (!last) return 0
  const ended = old.flatMap((step) => (step.ended === null ? [] : [step.ended]))
  const rows = ended.length > 0 ? await documentsOf(session, key, ended) : []
  const statements = [
    ...(rows.length > 0 ? [emptyDocuments(key, rows, days)] : []),
    saveEmptied(key, last, rows.length > 0),
  ]
  return session.transaction([], () => ({ statements, value: old.length }))
}

async function documentsOf(session: Session, key: AccountKey, ids: readonly string[]) {
  const [found] = await session.send([documentsToEmpty(key, ids)])
  return (found?.rows ?? []).map((row) => ({ position: Number(row['position']), members: hashIn(row) }))
}

const hashIn = (row: Row): string =>
  membersHash(membersIn(row['salt'] as Buffer, Number(row['position']), row['document'] as string))
