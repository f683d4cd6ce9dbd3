// Builds what is kept behind accounts' histories, the index of search and the figures: one connection, and a worker for each.
import { countPage } from '../app/accounts/figures.ts'
import { indexPage, type SearchSession } from '../app/resources/indexing.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import { ALL_LANES } from '../domain/contract/ids.ts'
import { openSerialSession } from '../engine/serial-session.ts'
import type { Log } from '../platform/log.ts'
import { accountsUncounted } from '../store/accounts/figures.ts'
import { accountsBehind } from '../store/resources/terms.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { openHistoryFollower } from '../workers/sweeps/follow-history.ts'
import type { Config } from './config/config.ts'
import { type Database, openKeyedSession } from './database/database.ts'

export type SearchParts = {
  readonly session: SearchSession
  /** Something was written just now. */
  readonly notify: () => void
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export type SearchSettings = {
  readonly database: Database
  readonly channels: Pick<ChannelBook, 'at'>
  readonly monotonicMs: () => number
  readonly log: Log
}

const IDLE_MS = 1000

export function buildSearch(config: Config, { database, channels, monotonicMs, log }: SearchSettings): SearchParts {
  const session = openSerialSession(openKeyedSession(database), config.queueMax)
  const shared = { session, lanes: ALL_LANES, monotonicMs }
  const deps = { search: session, channels }
  const followers = {
    search: openHistoryFollower({ ...shared, behind: accountsBehind, takePage: (key) => indexPage(session, key) }),
    figures: openHistoryFollower({ ...shared, behind: accountsUncounted, takePage: (key) => countPage(deps, key) }),
  }
  const loops: Loop[] = []
  return {
    session,
    notify: () => {
      for (const follower of Object.values(followers)) follower.notify()
    },
    start: () => {
      for (const [name, { round }] of Object.entries(followers))
        loops.push(startLoop({ name, round, idleMs: IDLE_MS, log }))
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await session.close()
    },
  }
}
