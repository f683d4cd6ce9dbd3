// What a gateway costs that nobody asks for anything: processor time of both sides, and how many transactions it sends.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figure } from './measure.ts'
import type { Record } from './scenarios.ts'
import { openRig, type Rig } from './stage/rig.ts'
import { beginProfile } from './stage/servers.ts'
import type { Databases } from './stage/databases.ts'
import { settleTables } from './stage/seed.ts'
import { stopChild } from './stage/stage.ts'
import { cpuSeconds, familiesCpuSeconds, peakRssBytes } from './stage/usage.ts'

export const IDLE = 'idle'

/** It costs so little that a window of this many others is needed to see it. */
const WINDOWS = 6

/** A gateway that has just started has its tables to look through, and asks channels for news often for a minute; what follows lasts. */
const SETTLED_AFTER_MS = 90_000

/** One round, whatever the effort: there is nothing to compare with, and nothing to warm up. */
export async function runIdle(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: IDLE, undoSeconds: 0, batchMax: 256 })
  await settleTables(rig.client)
  await sleep(bench.effort.rounds === 1 ? 0 : SETTLED_AFTER_MS)
  record(await idleFigure(bench, rig), 1)
  await stopChild(rig.server.child)
}

async function idleFigure(bench: Bench, rig: Rig): Promise<Figure> {
  const { postgresPids, measureMs, profileDirectory } = bench
  const { server } = rig
  const endProfile = profileDirectory === null ? null : beginProfile(server, join(profileDirectory, 'idle.cpuprofile'))
  // Without its child: the sandbox is a provider of test money, and no part of a gateway that is in use.
  const usage = () => ({ server: cpuSeconds(server.pid), postgres: familiesCpuSeconds(postgresPids) })
  const [before, sentBefore, beganAt] = [usage(), await transactionsOf(rig), performance.now()]
  await sleep(measureMs * WINDOWS)
  const [after, units, seconds] = [
    usage(),
    (await transactionsOf(rig)) - sentBefore,
    (performance.now() - beganAt) / 1000,
  ]
  await endProfile?.()
  const each = (who: 'server' | 'postgres'): number | null => {
    const [from, to] = [before[who], after[who]]
    return from === null || to === null || units === 0 ? null : ((to - from) * 1e6) / units
  }
  return {
    scenario: IDLE,
    units,
    seconds,
    per_second: units / seconds,
    mean_ms: 0,
    p50_ms: 0,
    p99_ms: 0,
    statuses: {},
    cpu_us: { server: each('server'), postgres: each('postgres'), load: null },
    server_peak_rss_bytes: peakRssBytes(server.pid),
    fault: units === 0 ? 'an idle gateway sent nothing' : null,
  }
}

/** Transactions in the gateway's database so far; what a session did last may be a second behind. */
async function transactionsOf({ client }: Rig): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.count)
}
