// Payouts going out: contracts that were paid and wait, released all at once on two rails of the sandbox provider, and
// how many of them the gateway submits in a window. The provider is a process on the same machine.
import { join } from 'node:path'
import { Pool } from 'undici'
import { call } from './deliveries/backlog.ts'
import { type Bench, type Figure } from './measure.ts'
import { DRAFT } from './load/requests.ts'
import type { Databases } from './stage/databases.ts'
import { openRig, type Rig } from './stage/rig.ts'
import type { Record } from './scenarios.ts'
import { type Original, seedIssued, settleTables } from './stage/seed.ts'
import { beginProfile } from './stage/servers.ts'
import { stopChild } from './stage/stage.ts'
import { cpuSeconds, familiesCpuSeconds, familyCpuSeconds, peakRssBytes } from './stage/usage.ts'

const RAILS = ['instapay', 'gcash'] as const
/** More than two processors can do; what a window leaves over serves the next one. */
const PER_SECOND_MAX = 2500
const PAYS_AT_ONCE = 128
const BANK = 'BOPIPHMM'

/** All of it, on a gateway and a database of its own. */
export async function runPayouts(bench: Bench, databases: Databases, record: Record): Promise<void> {
  // What is paid waits an hour, or until it is released.
  const rig = await openRig(bench.stage, databases, { name: 'payouts', undoSeconds: 3600, batchMax: 256 })
  const originals: Original[] = []
  for (const channel of RAILS) originals.push(await issuedOn(rig, channel))
  for (let round = 1; round <= bench.effort.rounds; round++) {
    await fill(rig, originals, (PER_SECOND_MAX * (bench.effort.warmupMs + bench.measureMs)) / 1000)
    record(await measureRound(bench, rig), round)
  }
  await stopChild(rig.server.child)
}

/** One contract on the channel through the API: what seeding copies. It is never paid. */
async function issuedOn(rig: Rig, channel: string): Promise<Original> {
  const { lane, accountId } = rig.big
  const recipient = { ...DRAFT.recipient, tag: BANK }
  const deliverable = { ...DRAFT.deliverable, reference_id: `bench-${channel}` }
  const body = { ...DRAFT, channel, recipient, deliverable }
  const { contract } = await call(rig, rig.big, 'POST', '/contracts/transfer', body)
  const { id } = contract as { id: string }
  await call(rig, rig.big, 'PUT', `/contracts/transfer/${id}/issue`)
  return { lane, accountId, contractId: id, referenceId: deliverable.reference_id }
}

/** Makes sure that so many paid contracts wait, half of them for each rail. */
async function fill({ client, many, server }: Rig, originals: readonly Original[], count: number): Promise<void> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from jobs where status = 'queued'`,
  )
  const missing = count - (rows[0]?.waiting ?? 0)
  if (missing <= 0) return
  const keys = new Map(many.map((payer) => [payer.accountId, payer.key]))
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: PAYS_AT_ONCE, pipelining: 1 })
  try {
    for (const original of originals) {
      const contracts = await seedIssued(client, original, many, Math.ceil(missing / originals.length))
      await settleTables(client)
      const pay = async () => {
        for (let each = contracts.pop(); each; each = contracts.pop()) {
          const headers = { 'x-api-key': keys.get(each.accountId) ?? '' }
          const answer = await pool.request({ method: 'PUT', path: `/contracts/transfer/${each.id}/pay`, headers })
          const text = await answer.body.text()
          if (answer.statusCode !== 200) throw new Error(`a payout could not be paid: ${text}`)
        }
      }
      await Promise.all(Array.from({ length: PAYS_AT_ONCE }, pay))
    }
  } finally {
    await pool.close()
  }
  await client.query('vacuum (analyze) jobs')
  await settleTables(client)
}

async function measureRound(bench: Bench, rig: Rig): Promise<Figure> {
  const { client, server } = rig
  await client.query(`update jobs set due_at = now() where status = 'queued'`)
  await delay(bench.effort.warmupMs)
  const { profileDirectory: profiles } = bench
  const endProfile = profiles === null ? null : beginProfile(server, join(profiles, 'payouts.cpuprofile'))
  const [before, sentBefore, from] = [usageOf(bench, rig), await submitted(rig), performance.now()]
  await delay(bench.measureMs)
  await untilMore(rig, sentBefore)
  const [after, sentAfter, to] = [usageOf(bench, rig), await submitted(rig), performance.now()]
  await endProfile?.()
  const times = await callTimes(rig, bench.measureMs)
  const { rows } = await client.query(
    `update jobs set due_at = now() + interval '1 hour' where status = 'queued' returning 1`,
  )
  const units = sentAfter - sentBefore
  const seconds = (to - from) / 1000
  const each = (who: keyof Usage): number | null => {
    const [first, last] = [before[who], after[who]]
    return first === null || last === null || units === 0 ? null : ((last - first) * 1e6) / units
  }
  return {
    scenario: 'payouts',
    units,
    seconds,
    per_second: units / seconds,
    ...times,
    statuses: { completed: units },
    cpu_us: { server: each('server'), postgres: each('postgres'), load: each('load') },
    server_peak_rss_bytes: peakRssBytes(server.pid),
    fault:
      units === 0 ? 'nothing was submitted' : rows.length === 0 ? 'the queue was empty before the window ended' : null,
  }
}

/** They go in waves, and on a slow machine a short window may lie between two: it lasts until something was sent, as far as that takes no half minute. */
async function untilMore(rig: Rig, sent: number): Promise<void> {
  for (const until = performance.now() + 30_000; performance.now() < until; await delay(LOOK_MS))
    if ((await submitted(rig)) > sent) return
}

async function submitted({ client }: Rig): Promise<number> {
  const { rows } = await client.query<{ sent: number }>(
    `select count(*)::int as sent from jobs where submitted_at is not null`,
  )
  return rows[0]?.sent ?? 0
}

/** From the commit before the rail got a byte to the commit of its result, of those that ended in the window. */
async function callTimes({ client }: Rig, windowMs: number): Promise<Pick<Figure, 'mean_ms' | 'p50_ms' | 'p99_ms'>> {
  const { rows } = await client.query<{ mean: number; p50: number; p99: number }>(
    `select coalesce(avg(ms), 0)::float8 as mean,
            coalesce(percentile_disc(0.5) within group (order by ms), 0)::float8 as p50,
            coalesce(percentile_disc(0.99) within group (order by ms), 0)::float8 as p99
       from (select extract(epoch from c.at - s.at) * 1000 as ms
               from contract_versions c
               join contract_versions s on s.lane = c.lane and s.account_id = c.account_id and s.contract_id = c.contract_id
                             and s.version = c.version - 1
              where c.event = 'contract.completed' and c.at > now() - make_interval(secs => $1::float8 / 1000)) calls`,
    [windowMs],
  )
  const { mean = 0, p50 = 0, p99 = 0 } = rows[0] ?? {}
  return { mean_ms: mean, p50_ms: p50, p99_ms: p99 }
}

/** `load` is the provider: the gateway's only child. */
type Usage = Readonly<{ server: number | null; postgres: number | null; load: number | null }>

function usageOf({ postgresPids }: Bench, { server }: Rig): Usage {
  const [own, family] = [cpuSeconds(server.pid), familyCpuSeconds(server.pid)]
  const load = own === null || family === null ? null : family - own
  return { server: own, postgres: familiesCpuSeconds(postgresPids), load }
}

const LOOK_MS = 20

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
