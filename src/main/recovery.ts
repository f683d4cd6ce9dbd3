// The recovery of this process: where its marks are, its figure, and the work that begins when it is not, or no longer, on.
import { MustStartAgain, openRecovery, type Recovery } from '../app/operator/recovery.ts'
import { openPromotions } from '../app/operator/promotion.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Standing } from '../platform/postgres/standing.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import type { Config } from './config/config.ts'
import { type Database, openLookSession } from './database/database.ts'
import { openMarkFiles } from './database/mark.ts'

export type StandingDatabase = Database & { readonly standing: Standing }

export type RecoveryParts = {
  readonly session: Session
  readonly database: StandingDatabase
  readonly metrics: Metrics
  readonly monotonicMs: () => number
  readonly log: Log
}

/** `anew`: whatever this process knows is of another database, and all of it must begin anew; with why. */
export type FollowedRecovery = Recovery & { readonly anew: ReturnType<typeof reasonToStartAgain> }

function reasonToStartAgain() {
  let resolved: (why: string) => void = () => undefined
  const why = new Promise<string>((resolve) => (resolved = resolve))
  return { why, tell: ({ message }: MustStartAgain) => resolved(message) }
}

/** How often it is noted where the database stands. */
const MARK_MS = 1000

/** Begins a recovery where the database is older than its marks. Throws MarkUnreadable. */
export async function buildRecovery(
  { dataDir, markDir }: Pick<Config, 'dataDir' | 'markDir'>,
  { metrics, log, database, ...given }: RecoveryParts,
): Promise<FollowedRecovery> {
  const marks = openMarkFiles(markDir === null ? [dataDir] : [dataDir, markDir])
  const { standing } = database
  const look = openLookSession(database, standing)
  const promotions = openPromotions({ ...given, look, standing, log })
  const recovery = await openRecovery({ ...given, marks, standing, promotions, log })
  const help = '1 while the gateway is in recovery (gateway recovery status).'
  metrics.gauge('gateway_recovery', help, () => Number(recovery.isOn()))
  const stop = async () => {
    await recovery
      .stop()
      .catch((fault: unknown) => log.warn({ err: fault }, 'the mark does not say that the gateway stopped'))
    await look.close()
  }
  return { ...recovery, stop, anew: reasonToStartAgain() }
}

/** Begins the work when the gateway is not in recovery, or not any more; and keeps its mark. */
export function followRecovery(recovery: FollowedRecovery, begin: () => void, log: Log): Loop {
  let hasBegun = false
  let isStopping = false
  const round = async () => {
    await recovery.look().catch((fault: unknown) => {
      if (fault instanceof MustStartAgain) recovery.anew.tell(fault)
      throw fault
    })
    if (hasBegun || isStopping || recovery.isOn()) return 0
    hasBegun = true
    begin()
    return 0
  }
  const loop = startLoop({ name: 'recovery', round, idleMs: MARK_MS, log })
  const stop = () => {
    isStopping = true
    return loop.stop()
  }
  return { ...loop, stop }
}
