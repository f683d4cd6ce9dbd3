// The recovery of this process: where its marks are, its figure, and the work that begins when it is not, or no longer, on.
import { MustStartAgain, openRecovery, type Recovery } from '../app/operator/recovery.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import type { Config } from './config/config.ts'
import { openMarkFiles } from './database/mark.ts'

export type RecoveryParts = {
  readonly session: Session
  readonly metrics: Metrics
  readonly monotonicMs: () => number
  readonly log: Log
}

/** How often it is noted where the database stands. */
const MARK_MS = 1000

/** Begins a recovery where the database is older than its marks. Throws MarkUnreadable. */
export async function buildRecovery(
  { dataDir, markDir }: Pick<Config, 'dataDir' | 'markDir'>,
  { metrics, log, ...given }: RecoveryParts,
): Promise<Recovery> {
  const marks = openMarkFiles(markDir === null ? [dataDir] : [dataDir, markDir])
  const recovery = await openRecovery({ ...given, marks, log })
  const help = '1 while the gateway is in recovery (gateway recovery status).'
  metrics.gauge('gateway_recovery', help, () => Number(recovery.isOn()))
  const stop = () =>
    recovery
      .stop()
      .catch((fault: unknown) => log.warn({ err: fault }, 'the mark does not say that the gateway stopped'))
  return { ...recovery, stop }
}

/** Begins the work when the gateway is not in recovery, or not any more; and keeps its mark. */
export function followRecovery(recovery: Recovery, begin: () => void, log: Log): Loop {
  let hasBegun = false
  let isStopping = false
  const round = async () => {
    await recovery.look().catch((fault: unknown) => {
      // Whatever this process knows is of another database: the next start looks anew. Nobody may catch it.
      if (fault instanceof MustStartAgain) process.nextTick(() => Promise.reject(fault))
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
