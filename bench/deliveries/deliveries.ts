// Webhooks going out: a backlog delivered by the gateway beside its own client doing nothing but calls, in turns on one
// receiver; how soon a single pay arrives; and what the worker's search for work costs (deliveries-claims.ts).
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { requestFor } from '../../src/webhooks/payload.ts'
import { type Backlog, call, openBacklog, openEndpoint } from './backlog.ts'
import type { BarePlan } from './bare-process.ts'
import { runClaims } from './claims.ts'
import type { ReceiverOrder, ReceiverReport } from './receiver-process.ts'
import { openLatencies } from '../load/latencies.ts'
import { type Bench, type Figure } from '../measure.ts'
import type { LoadReport, Tally } from '../plan.ts'
import type { Databases } from '../stage/databases.ts'
import { openRig, type Rig } from '../stage/rig.ts'
import type { Record } from '../scenarios.ts'
import { seedIssued } from '../stage/seed.ts'
import { beginProfile } from '../stage/servers.ts'
import { nextMessage, type Stage, stopChild } from '../stage/stage.ts'
import { cpuSeconds, familiesCpuSeconds, peakRssBytes } from '../stage/usage.ts'

const ENDPOINTS = 32
/** Calls at once to each endpoint: what an endpoint gets by default. */
const CALLS_EACH = 4
/** More than two processors can do; what a window leaves over serves the next one. */
const EVENTS_PER_SECOND_MAX = 9000
const SINGLE_PAYS = 100
const SINGLE_PAUSE_MS = 40
const ENOUGH_MS = 15_000

type Receiver = {
  readonly url: string
  readonly child: ChildProcess
  readonly count: () => Promise<number>
}

/** All of it, on a gateway and a database of its own. */
export async function runDeliveries(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: 'deliveries', undoSeconds: 3600, batchMax: 256 })
  const receiver = await startReceiver(bench.stage)
  const backlog = await openBacklog(rig, receiver.url, ENDPOINTS)
  for (let round = 1; round <= bench.effort.rounds; round++) {
    await backlog.fill((EVENTS_PER_SECOND_MAX * (bench.effort.warmupMs + bench.measureMs)) / 1000)
    record(await measureBare(bench, receiver, await backlog.sample()), round)
    record(await measureGateway(bench, rig, receiver, backlog), round)
  }
  record(await measureSingle(rig, receiver), 1)
  await stopChild(receiver.child)
  await stopChild(rig.server.child)
  await runClaims(bench, rig, (figure) => record(figure, 1))
}

async function startReceiver(stage: Stage): Promise<Receiver> {
  const child = stage.launch('deliveries/receiver-process', [])
  const { port } = (await nextMessage(child, 'the receiver')) as Extract<ReceiverReport, { port: number }>
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    child,
    count: async () => {
      child.send('count' satisfies ReceiverOrder)
      return ((await nextMessage(child, 'the receiver')) as Extract<ReceiverReport, { count: number }>).count
    },
  }
}

/** The gateway's client alone: the same body and headers, as many calls at once. */
async function measureBare({ stage, measureMs, effort }: Bench, receiver: Receiver, body: string): Promise<Figure> {
  const child = stage.launch('deliveries/bare-process', [])
  const headers = requestFor({
    eventId: (JSON.parse(body) as { id: string }).id,
    body: Buffer.from(body),
    attempt: 1,
    secrets: [`whsec_${randomBytes(32).toString('base64')}`],
    bearerToken: `whb_${'0'.repeat(43)}`,
    nowSeconds: Math.floor(Date.now() / 1000),
    userAgent: 'gateway-contracts/bench',
  })
  const calls = ENDPOINTS * CALLS_EACH
  const plan: BarePlan = { url: receiver.url, headers, body, calls, warmupMs: effort.warmupMs, measureMs }
  const pids = { server: child.pid ?? 0, postgres: [], load: receiver.child.pid ?? 0 }
  let [before, after] = [NOT_MEASURED, NOT_MEASURED]
  try {
    const tally = await new Promise<Tally>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the bare loop ended before its time')))
      child.on('message', (message) => {
        const report = message as LoadReport
        if (report.kind === 'measuring') before = usageOf(pids)
        else if (report.kind === 'over') after = usageOf(pids)
        else if (report.kind === 'fault') reject(new Error(report.message))
        else resolve(report.tally)
      })
      child.send(plan)
    })
    return figureOf('bare-deliver', tally, before, after, pids.server)
  } finally {
    await stopChild(child)
  }
}

async function measureGateway(bench: Bench, rig: Rig, receiver: Receiver, backlog: Backlog): Promise<Figure> {
  const pids = { server: rig.server.pid, postgres: bench.postgresPids, load: receiver.child.pid ?? 0 }
  const countAtFirst = await receiver.count()
  await backlog.goOn()
  await delay(bench.effort.warmupMs)
  const { profileDirectory: profiles } = bench
  const endProfile = profiles === null ? null : beginProfile(rig.server, join(profiles, 'deliver.cpuprofile'))
  const [before, from, countBefore] = [usageOf(pids), performance.now(), await receiver.count()]
  await delay(bench.measureMs)
  const [after, to, countAfter] = [usageOf(pids), performance.now(), await receiver.count()]
  await endProfile?.()
  await backlog.pause()
  const units = countAfter - countBefore
  const tally = { units, elapsedMs: to - from, listUsed: 0, ...(await callsOf(rig, bench.measureMs)) }
  backlog.take((await receiver.count()) - countAtFirst)
  return figureOf('deliver', tally, before, after, pids.server)
}

/** How the calls of the last window went, from the gateway's own books. */
async function callsOf({ client }: Rig, windowMs: number): Promise<Omit<Tally, 'units' | 'elapsedMs' | 'listUsed'>> {
  const { rows } = await client.query<{ mean: number; p50: number; p99: number; refused: number; delivered: number }>(
    `select coalesce(avg(duration_ms), 0)::float8 as mean,
            coalesce(percentile_disc(0.5) within group (order by duration_ms), 0) as p50,
            coalesce(percentile_disc(0.99) within group (order by duration_ms), 0) as p99,
            count(*) filter (where outcome = 'delivered')::int as delivered,
            count(*) filter (where outcome <> 'delivered')::int as refused
       from delivery_attempts where at > now() - make_interval(secs => $1::float8 / 1000)`,
    [windowMs],
  )
  const { mean = 0, p50 = 0, p99 = 0, delivered = 0, refused = 0 } = rows[0] ?? {}
  const isClean = refused === 0
  return {
    meanMs: mean,
    p50Ms: p50,
    p99Ms: p99,
    statuses: isClean ? { 200: delivered } : { 200: delivered, other: refused },
    firstRefusal: isClean ? null : `${refused} calls were not delivered`,
  }
}

/** One pay at a time on an idle gateway: from before the request to the first byte at the receiver. */
async function measureSingle(rig: Rig, receiver: Receiver): Promise<Figure> {
  const { big, client, original } = rig
  await openEndpoint(rig, big, receiver.url, ['contract.paid'])
  const contracts = await seedIssued(client, original, [big], SINGLE_PAYS + 1)
  receiver.child.send('report first bytes' satisfies ReceiverOrder)
  const latencies = openLatencies()
  const began = performance.now()
  for (const [index, { id }] of contracts.entries()) {
    const answer = nextMessage(receiver.child, 'the receiver')
    const sentAtMs = performance.timeOrigin + performance.now()
    await call(rig, big, 'PUT', `/contracts/transfer/${id}/pay`)
    const { firstByteAtMs } = (await within(answer)) as Extract<ReceiverReport, { firstByteAtMs: number }>
    // The first one opens connections.
    if (index > 0) latencies.add(firstByteAtMs - sentAtMs)
    await delay(SINGLE_PAUSE_MS)
  }
  const tally: Tally = {
    units: latencies.count(),
    elapsedMs: performance.now() - began,
    meanMs: latencies.meanMs(),
    p50Ms: latencies.quantileMs(0.5),
    p99Ms: latencies.quantileMs(0.99),
    statuses: { 200: latencies.count() },
    firstRefusal: null,
    listUsed: 0,
  }
  return figureOf('deliver-single', tally, NOT_MEASURED, NOT_MEASURED, rig.server.pid)
}

type Pids = { readonly server: number; readonly postgres: readonly number[]; readonly load: number }
type Usage = { readonly [who in keyof Pids]: number | null }
const NOT_MEASURED: Usage = { server: null, postgres: null, load: null }

function usageOf({ server, postgres, load }: Pids): Usage {
  return {
    server: cpuSeconds(server),
    postgres: familiesCpuSeconds(postgres),
    load: cpuSeconds(load),
  }
}

/** `load` is the receiver here, and the server of the bare loop is the loop itself. */
function figureOf(scenario: string, tally: Tally, before: Usage, after: Usage, serverPid: number): Figure {
  const { units, elapsedMs, firstRefusal } = tally
  const each = (who: keyof Pids): number | null => {
    const [from, to] = [before[who], after[who]]
    return from === null || to === null || units === 0 ? null : ((to - from) * 1e6) / units
  }
  return {
    scenario,
    units,
    seconds: elapsedMs / 1000,
    per_second: units / (elapsedMs / 1000),
    mean_ms: tally.meanMs,
    p50_ms: tally.p50Ms,
    p99_ms: tally.p99Ms,
    statuses: tally.statuses,
    cpu_us: { server: each('server'), postgres: each('postgres'), load: each('load') },
    server_peak_rss_bytes: peakRssBytes(serverPid),
    fault: firstRefusal ?? (units === 0 ? 'nothing was delivered' : null),
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function within<T>(promise: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const never = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error('a pay was never received')), ENOUGH_MS)
  })
  return Promise.race([promise, never]).finally(() => clearTimeout(late))
}
