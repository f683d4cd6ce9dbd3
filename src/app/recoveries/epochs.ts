// The epochs of the books, which are those of the whole installation: known at home, and begun on each server that has lanes, for each
// notes where the histories of its accounts stand.
import type { DatabasePlace, Epoch, RecoveryReason } from '../../domain/recovery/epoch.ts'
import type { Session } from '../../platform/db.ts'
import { allEpochs, beginEpoch, epochFrom, newestEpoch, notePositions } from '../../store/operator/epochs.ts'

export type Epochs = {
  readonly newest: () => Promise<Epoch>
  /** Begins the next one, in recovery; nothing where another process has begun it. */
  readonly begin: Begin
}

type Begin = (number: number, reason: RecoveryReason, mark: DatabasePlace | null, found: DatabasePlace) => Promise<void>

/** `others`: to each server beside home. */
export function openEpochs(home: Session, others: readonly Session[]): Epochs {
  return {
    newest: () => newestOf(home),
    begin: async (...epoch) => {
      // First at home: from then on no gateway does more than write drafts, whatever happens to this one.
      await beginAt(home, ...epoch)
      for (const each of others) await followEpochs(home, each)
    },
  }
}

async function newestOf(home: Session): Promise<Epoch> {
  const [found] = await home.send([newestEpoch()])
  const row = found?.rows[0]
  if (!row) throw new Error('the database has no epoch')
  return epochFrom(row)
}

/**
 * With the positions in one transaction, which a cluster commits in two phases: positions that were written first would be older than
 * what is written until the epoch begins, and those that were written after would be missed by whoever reads an event in between.
 */
async function beginAt(session: Session, ...epoch: Parameters<Begin>): Promise<void> {
  const begin = beginEpoch(...epoch)
  await session.transaction([begin], ([begun]) => ({ statements: notePositions(epoch[0], begun), value: null }))
}

/** Begins on a server what home has begun meanwhile: it was away, or is older than that. */
export async function followEpochs(home: Session, server: Session): Promise<void> {
  const [known, there] = await Promise.all([epochsAt(home), epochsAt(server)])
  const numbers = new Set(there.map(({ number }) => number))
  for (const { number, reason, mark, found } of known)
    if (!numbers.has(number) && reason !== 'created' && found !== null)
      await beginAt(server, number, reason, mark, found)
}

async function epochsAt(session: Session): Promise<Epoch[]> {
  const [found] = await session.send([allEpochs()])
  return (found?.rows ?? []).map(epochFrom)
}
