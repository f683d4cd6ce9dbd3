// Notes in the database that an archive was proved: only then may what is in it leave. The archive has to end with a seal of these very
// books, and to hold every document that they hold.
import type { Session } from '../../platform/db.ts'
import { laneOf } from '../../domain/contract/ids.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import { archiveNoted, documentThere, insertArchiveNote } from '../../store/seals/archive-notes.ts'
import { isWithoutDocument, type ProvedArchive, verifyArchives } from './verify.ts'

export type Noting = {
  readonly directory: string
  readonly keys: SealKeys
  /** Where the archive is kept, in words. */
  readonly kept: string
  readonly operator: string
  readonly onAccount: (done: number, total: number) => void
}

/** What was proved, and whether it is noted; where it is not, why. */
export type NotedArchive = ProvedArchive & { readonly note: 'noted' | NotNoted }
type NotNoted = 'not believed' | 'no seal of these books' | 'a document is not in it'

/** Proves a directory of archives, and notes of each account what holds. Throws ArchiveRefused where there is none. */
export async function noteArchives(
  session: Session,
  { directory, keys, kept, operator, onAccount }: Noting,
): Promise<NotedArchive[]> {
  const lacking = new Set<string>()
  const proved = await verifyArchives(directory, keys, onAccount, async (accountId, steps) => {
    const positions = steps.filter(isWithoutDocument).map(({ position }) => position)
    if (positions.length === 0 || lacking.has(accountId)) return
    const [there] = await session.send([documentThere({ lane: laneOf(accountId), accountId }, positions)])
    if (there?.rows[0]) lacking.add(accountId)
  })
  const noted: NotedArchive[] = []
  for (const each of proved) {
    const note = lacking.has(each.accountId) ? 'a document is not in it' : await noteOf(session, each, kept, operator)
    noted.push({ ...each, note })
  }
  return noted
}

async function noteOf(
  session: Session,
  { accountId, seals, head, fault }: ProvedArchive,
  kept: string,
  operator: string,
): Promise<NotedArchive['note']> {
  if (fault !== null || head === null) return 'not believed'
  const note = { lane: laneOf(accountId), accountId, number: seals, head }
  await session.send([insertArchiveNote({ ...note, kept, operator })])
  const [found] = await session.send([archiveNoted(note)])
  return found?.rows[0]?.['is_noted'] === true ? 'noted' : 'no seal of these books'
}
