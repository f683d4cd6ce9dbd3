// Builds what is kept behind accounts' histories, the index of search, the figures and the seals: one connection, and a worker for
// each.
import { catchUpFigures, countPage } from '../app/accounts/figures.ts'
import type { Deps } from '../app/deps.ts'
import type { OwnLanes } from '../app/jobs/own-lanes.ts'
import { sharedRuns } from '../app/jobs/shared-runs.ts'
import { catchUp, indexPage } from '../app/resources/indexing.ts'
import { type SealDeps, sealStretch } from '../app/seals/sealing.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import { openSerialSession } from '../engine/serial-session.ts'
import type { Log } from '../platform/log.ts'
import type { AccountKey } from '../store/accounts/accounts.ts'
import { accountsUncounted } from '../store/accounts/figures.ts'
import { accountsBehind } from '../store/resources/terms.ts'
import { accountsUnsealed } from '../store/seals/seals.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { openHistoryFollower } from '../workers/sweeps/follow-history.ts'
import { openHistorySealer } from '../workers/sweeps/seal-history.ts'
import type { Config } from './config/config.ts'
import { openKeyedSession } from './database/database.ts'
import type { Database } from './database/opened.ts'

export type SearchParts = {
  readonly deps: Pick<Deps, 'search' | 'catchUp'>
  /** Something was written just now. */
  readonly notify: () => void
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export type SearchSettings = {
  readonly database: Database
  readonly channels: Pick<ChannelBook, 'at' | 'readAgain'>
  readonly sealing: Omit<SealDeps, 'session'>
  readonly ownLanes: OwnLanes
  readonly monotonicMs: () => number
  readonly log: Log
}

const IDLE_MS = 1000

export function buildSearch(config: Config, settings: SearchSettings): SearchParts {
  const { database, channels, sealing, ownLanes, monotonicMs, log } = settings
  const session = openSerialSession(openKeyedSession(database), config.queueMax)
  const shared = { session, ownLanes, monotonicMs }
  const deps = { search: session, channels }
  const seals = { session, ...sealing }
  const followers = {
    search: openHistoryFollower({ ...shared, behind: accountsBehind, takePage: (key) => indexPage(session, key) }),
    figures: openHistoryFollower({ ...shared, behind: accountsUncounted, takePage: (key) => countPage(deps, key) }),
    seals: openHistorySealer({ ...shared, behind: accountsUnsealed, takePage: (key) => sealStretch(seals, key) }),
  }
  const loops: Loop[] = []
  const accountOf = ({ accountId }: AccountKey) => accountId
  return {
    deps: {
      search: session,
      catchUp: {
        search: sharedRuns(accountOf, (key) => catchUp(session, key)),
        figures: sharedRuns(accountOf, (key) => catchUpFigures(deps, key)),
      },
    },
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
