// What an operator compares in a recovery of the books of a world, by the channel between wallets alone; and payments between wallets that
// are delivered as a worker does.
import { compareAll, type CompareDeps } from '../../../src/app/operator/compare.ts'
import type { RecoveryReport } from '../../../src/app/operator/recovery-report.ts'
import { runPayout } from '../../../src/app/transfers/payouts.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import { connectorsOf } from '../../../src/main/operator/operator-actions.ts'
import type { Session } from '../../../src/platform/db.ts'
import { payoutFrom } from '../../../src/store/jobs/jobs.ts'
import { openAttempts } from '../../../src/store/operator/recovery-lines.ts'
import type { World } from '../../world.ts'

export type WalletDesk = {
  readonly reader: Session
  readonly deps: CompareDeps
  readonly compared: () => Promise<RecoveryReport>
  readonly deliverQueued: () => Promise<void>
  readonly close: () => Promise<void>
}

export function openWalletDesk(world: World): WalletDesk {
  const [reader, writer] = [openPlannedSession(world.operators), openKeyedSession(world.operators)]
  const { channels, nowMs, randomHex, execute, payments } = world.gateway.deps
  const alone = { ...channels, all: () => channels.all().filter(({ id }) => id === 'wallet') }
  const withConnector = connectorsOf(world.config, reader, writer, channels, world.sandboxUrl)
  const deps = { reader, writer, channels: alone, ids: { nowMs, randomHex }, withConnector }
  return {
    reader,
    deps,
    compared: async () => {
      const report = await compareAll(deps, null, { operator: 'ana', evidence: '' })
      if (isRefusal(report)) throw new Error(report.message)
      return report
    },
    deliverQueued: async () => {
      const [queued] = await reader.send([openAttempts('wallet', ['queued'], null, 100)])
      for (const attempt of (queued?.rows ?? []).map(payoutFrom)) await runPayout({ execute, ...payments }, attempt)
    },
    close: async () => void (await Promise.all([reader.close(), writer.close()])),
  }
}
