// This process's row among the others on the same database, and the loop that renews it.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { LOOK_MS, openOwnProcess, type OwnProcess } from '../../app/jobs/own-process.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'
import type { Config } from '../config/config.ts'
import { openHeartbeatSession } from '../database/database.ts'
import type { Database } from '../database/opened.ts'
import { lanesOf } from '../database/servers.ts'
import { packageFile } from '../package-file.ts'

export function buildOwnProcess(
  { role }: Pick<Config, 'role'>,
  database: Database,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): OwnProcess {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  const row = { id: randomUUID(), host: hostname(), pid: process.pid, role, version }
  const session = openHeartbeatSession(database)
  const own = openOwnProcess(session, row, log, lanesOf(database).serverOf)
  const absent = [...(database.others?.absent ?? [])]
  own.onReach(() => absent)
  metrics.gauge('gateway_processes', 'Processes at work on the same database.', own.living)
  metrics.gauge('gateway_lanes', 'Lanes whose work is done here.', () => own.ownLanes().length)
  const end = async () => {
    try {
      await own.end()
    } finally {
      await session.close()
    }
  }
  const onReach: OwnProcess['onReach'] = (unreached) => own.onReach(() => [...new Set([...absent, ...unreached()])])
  return { ...own, end, onReach }
}

/** Keeps the row for as long as the loop runs. */
export const followProcesses = (own: OwnProcess, log: Log): Loop =>
  startLoop({ name: 'processes', round: () => own.look().then(() => 0), idleMs: LOOK_MS, log })
