// One connection for the transactions of many callers: each has it to itself for its turn, in the order of arrival.
import type { Session } from '../platform/db.ts'
import { openBatcher } from './batch.ts'

export type SerialSession = {
  /**
   * Runs the work alone on the connection. It may run again, where the database requires it, so it keeps no trace but
   * its answer. Rejects as a batcher does: overloaded, shutting down, or with the fault of this very work.
   */
  readonly run: <T>(work: (session: Session) => Promise<T>) => Promise<T>
  /** Takes nothing new, finishes what is queued, and closes the connection. */
  readonly close: () => Promise<void>
}

type Work = (session: Session) => Promise<unknown>

export function openSerialSession(session: Session, queueMax: number): SerialSession {
  const batcher = openBatcher<Work, unknown>({
    batchMax: 1,
    queueMax,
    groupOf: () => 0,
    run: (works) => Promise.all(works.map((work) => work(session))),
  })
  return {
    run: async <T>(work: (session: Session) => Promise<T>) => (await batcher.submit(work)) as T,
    close: async () => {
      await batcher.drain()
      await session.close()
    },
  }
}
