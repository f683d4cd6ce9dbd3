// Builds what keeps the index of search and what reads it: one connection, and the worker behind the history.
import type { SearchSession } from '../app/resources/indexing.ts'
import { ALL_LANES } from '../domain/contract/ids.ts'
import { openSerialSession } from '../engine/serial-session.ts'
import type { Log } from '../platform/log.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { openSearchIndexer } from '../workers/sweeps/index-search.ts'
import type { Config } from './config/config.ts'
import { type Database, openKeyedSession } from './database/database.ts'

export type SearchParts = {
  readonly session: SearchSession
  /** Something was written just now. */
  readonly notify: () => void
  readonly start: () => void
  readonly stop: () => Promise<void>
}

const IDLE_MS = 1000

export function buildSearch(config: Config, database: Database, monotonicMs: () => number, log: Log): SearchParts {
  const session = openSerialSession(openKeyedSession(database), config.queueMax)
  const indexer = openSearchIndexer({ session, lanes: ALL_LANES, monotonicMs })
  const loops: Loop[] = []
  return {
    session,
    notify: indexer.notify,
    start: () => void loops.push(startLoop({ name: 'search', round: indexer.round, idleMs: IDLE_MS, log })),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await session.close()
    },
  }
}
