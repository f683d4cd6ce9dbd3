// A command of many rows, beside the same creations sent singly by as many connections as everywhere: rows a second, on a gateway
// and a database of their own. How fast rows come up is not measured: it is done before the clock runs.
import { join } from 'node:path'
import { call } from './deliveries/backlog.ts'
import { createRequest, DRAFT } from './load/requests.ts'
import { type Bench, type Figure, measure } from './measure.ts'
import type { Record } from './scenarios.ts'
import type { Databases } from './stage/databases.ts'
import { openRig, type Rig } from './stage/rig.ts'
import { settleTables } from './stage/seed.ts'
import { beginProfile } from './stage/servers.ts'
import { stopChild } from './stage/stage.ts'
import { cpuSeconds, familiesCpuSeconds, peakRssBytes } from './stage/usage.ts'

export const COMMANDS = 'commands'
/** The creations that they are compared with. */
export const SINGLY = 'commands-singly'

/** As many as there may be; a window of a second is answered by less. */
const ROWS_PER_SECOND = 2000
const ROWS_MAX = 100_000
const PART_ROWS = 1000
const LOOK_MS = 25

/** All of it, each round back to back. */
export async function runCommands(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: 'commands', undoSeconds: 3600, batchMax: 256 })
  const work = { kind: 'same', request: createRequest(rig.big.key) } as const
  const rows = Math.min(ROWS_MAX, Math.ceil((ROWS_PER_SECOND * bench.measureMs) / 1000))
  for (let round = 1; round <= bench.effort.rounds; round++) {
    record((await measure(bench, { scenario: SINGLY, server: rig.server, work })).figure, round)
    record(await measureCommand(bench, rig, rows), round)
  }
  await stopChild(rig.server.child)
}

async function measureCommand(bench: Bench, rig: Rig, rows: number): Promise<Figure> {
  const id = await filled(rig, rows)
  await settleTables(rig.client)
  const { profileDirectory: profiles } = bench
  const endProfile = profiles === null ? null : beginProfile(rig.server, join(profiles, `${COMMANDS}.cpuprofile`))
  const before = usageOf(bench, rig)
  const from = performance.now()
  await call(rig, rig.big, 'PUT', `/commands/${id}/start`)
  await untilEnded(rig, id)
  const seconds = (performance.now() - from) / 1000
  const after = usageOf(bench, rig)
  await endProfile?.()
  const { done, ...times } = await timesOf(rig, id)
  const each = (who: keyof Usage): number | null => {
    const [first, last] = [before[who], after[who]]
    return first === null || last === null ? null : ((last - first) * 1e6) / rows
  }
  return {
    scenario: COMMANDS,
    units: done,
    seconds,
    per_second: done / seconds,
    ...times,
    statuses: { done },
    cpu_us: { server: each('server'), postgres: each('postgres'), load: null },
    server_peak_rss_bytes: peakRssBytes(rig.server.pid),
    fault: done === rows ? null : `of ${rows} rows ${done} were done`,
  }
}

/** A command that has its rows and is not started. */
async function filled(rig: Rig, rows: number): Promise<string> {
  const { command } = await call(rig, rig.big, 'POST', '/commands', { type: 'transfers.create' })
  const { id } = command as { id: string }
  for (let first = 0; first < rows; first += PART_ROWS) {
    const part = Array.from({ length: Math.min(PART_ROWS, rows - first) }, () => DRAFT)
    await call(rig, rig.big, 'POST', `/commands/${id}/rows`, { first, rows: part })
  }
  return id
}

async function untilEnded({ client }: Rig, id: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select from commands where id = $1 and ended_at is not null`, [id])
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

type Times = Pick<Figure, 'mean_ms' | 'p50_ms' | 'p99_ms'>

/** How many rows were done, and how long after the start each was recorded. */
async function timesOf({ client }: Rig, id: string): Promise<Times & { readonly done: number }> {
  const { rows } = await client.query<{ done: number; mean: number; p50: number; p99: number }>(
    `select count(*)::int as done, coalesce(avg(ms), 0)::float8 as mean,
            coalesce(percentile_disc(0.5) within group (order by ms), 0)::float8 as p50,
            coalesce(percentile_disc(0.99) within group (order by ms), 0)::float8 as p99
       from (select extract(epoch from r.updated_at - c.started_at) * 1000 as ms
               from command_rows r join commands c on c.id = r.command_id where c.id = $1 and r.status = 'done') recorded`,
    [id],
  )
  const { done = 0, mean = 0, p50 = 0, p99 = 0 } = rows[0] ?? {}
  return { done, mean_ms: mean, p50_ms: p50, p99_ms: p99 }
}

type Usage = Readonly<{ server: number | null; postgres: number | null }>

const usageOf = ({ postgresPids }: Bench, { server }: Rig): Usage => ({
  server: cpuSeconds(server.pid),
  postgres: familiesCpuSeconds(postgresPids),
})
