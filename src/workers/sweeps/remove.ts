// Removes what may leave the database after its time: words of contracts that ended, documents of their superseded versions, and the
// bytes of providers' events. Page by page on a connection of its own, each committed by itself, with as long a rest as a page took.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnLanes } from '../../app/jobs/own-lanes.ts'
import { removeWords } from '../../app/resources/removing.ts'
import { removeDocuments } from '../../app/resources/removing-documents.ts'
import { groupedBy } from '../../domain/grouped.ts'
import type { Session } from '../../platform/db.ts'
import { dueAccountFrom } from '../../store/contracts/old-steps.ts'
import { accountsWithOldDocuments, dueDocumentsFrom } from '../../store/contracts/leaving-documents.ts'
import { emptyBodies, findOldBodies, oldBodyFrom } from '../../store/payments/event-bodies.ts'
import { accountsWithOldWords } from '../../store/resources/leaving-terms.ts'

/** For how many days each stays; null for ever. */
export type Lives = {
  /** Words of contracts, after their end. */
  readonly wordsDays: number | null
  /** Documents of superseded versions of contracts, after their end. */
  readonly documentsDays: number | null
  /** The bytes of providers' events, after they came. */
  readonly bodiesDays: number | null
}

export type Removal = {
  /** Removes what there is time for; how much was left behind: none where nothing more is due. */
  readonly round: () => Promise<number>
  /** How long the oldest of what is due has been; 0 where nothing is. */
  readonly overdueSeconds: () => number
  /** How long the oldest of what is due has been that waits for a verified archive to be noted; 0 where nothing does. */
  readonly unarchivedSeconds: () => number
}

export type RemovalOptions = {
  readonly session: Session
  readonly ownLanes: OwnLanes
  readonly lives: Lives
  readonly nowMs: () => number
}

const ACCOUNTS_AT_ONCE = 50
const BODIES_AT_ONCE = 500
const DAY_MS = 86_400_000

export function openRemoval({ session, ownLanes, lives, nowMs }: RemovalOptions): Removal {
  let [wordsOverdue, documentsOverdue, documentsUnarchived, bodiesOverdue] = [0, 0, 0, 0]
  // What came to these lanes before then was looked through by this process: rows whose bytes are gone are not read in each round.
  let lookedThrough = { lanes: '', upToMs: 0 }

  const rested = async <T>(work: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    const value = await work()
    await sleep(performance.now() - began)
    return value
  }

  const words = async (lanes: readonly number[], days: number): Promise<number> => {
    const [found] = await session.send([accountsWithOldWords(lanes, days, ACCOUNTS_AT_ONCE)])
    const due = (found?.rows ?? []).map(dueAccountFrom)
    wordsOverdue = due[0]?.overdueSeconds ?? 0
    for (const key of due) await rested(() => removeWords(session, key, days))
    return due.length
  }

  const documents = async (lanes: readonly number[], days: number): Promise<number> => {
    const [found] = await session.send([accountsWithOldDocuments(lanes, days, ACCOUNTS_AT_ONCE)])
    const due = (found?.rows ?? []).map(dueDocumentsFrom)
    const longest = (some: typeof due) => Math.max(0, ...some.map(({ overdueSeconds }) => overdueSeconds))
    const archived = due.filter(({ isArchived }) => isArchived)
    documentsOverdue = longest(archived)
    documentsUnarchived = longest(due.filter(({ isArchived }) => !isArchived))
    for (const key of archived) await rested(() => removeDocuments(session, key, days))
    return archived.length
  }

  const bodies = async (lanes: readonly number[], days: number): Promise<number> => {
    const beganMs = nowMs()
    const own = lanes.join()
    const fromMs = lookedThrough.lanes === own ? lookedThrough.upToMs : 0
    const [found] = await session.send([findOldBodies(lanes, fromMs, days, BODIES_AT_ONCE)])
    const old = (found?.rows ?? []).map(oldBodyFrom)
    bodiesOverdue = old.reduce((most, { atMs }) => Math.max(most, (beganMs - atMs - days * DAY_MS) / 1000), 0)
    for (const [lane, events] of groupedBy(old, ({ lane }) => lane))
      await rested(() => session.send([emptyBodies(lane, events, days)]))
    if (old.length < BODIES_AT_ONCE) lookedThrough = { lanes: own, upToMs: beganMs - (days + 1) * DAY_MS }
    return old.length < BODIES_AT_ONCE ? 0 : old.length
  }

  return {
    round: async () => {
      const lanes = ownLanes()
      // Words first: those of former versions are made again from documents.
      const left = lives.wordsDays === null ? 0 : await words(lanes, lives.wordsDays)
      const emptied = lives.documentsDays === null ? 0 : await documents(lanes, lives.documentsDays)
      return left + emptied + (lives.bodiesDays === null ? 0 : await bodies(lanes, lives.bodiesDays))
    },
    overdueSeconds: () => Math.max(wordsOverdue, documentsOverdue, bodiesOverdue),
    unarchivedSeconds: () => documentsUnarchived,
  }
}
