// One measured window: a load generator against a server, with the processor time of all processes that took part.
import { join } from 'node:path'
import type { LoadReport, Plan, Tally, Work } from './plan.ts'
import { beginProfile, type Server } from './stage/servers.ts'
import { type Stage, stopChild } from './stage/stage.ts'
import { familiesCpuSeconds, familyCpuSeconds, peakRssBytes } from './stage/usage.ts'

/** How much of everything a run does beside its windows. */
export type Effort = {
  readonly rounds: number
  /** Before each window, in milliseconds. */
  readonly warmupMs: number
  /** Deliveries that wait, and those of one endpoint that is not called, when the claim of work is measured. */
  readonly waitingRows: number
  readonly blockedRows: number
}

/** What figures are published from. */
export const WHOLE: Effort = { rounds: 3, warmupMs: 2000, waitingRows: 1_000_000, blockedRows: 500_000 }
/** So little that it only shows that every scenario still runs from end to end. Its ratios mean nothing. */
export const SHORT: Effort = { rounds: 1, warmupMs: 500, waitingRows: 20_000, blockedRows: 10_000 }

/** What is the same for all windows of a run. */
export type Bench = {
  readonly stage: Stage
  readonly connections: number
  /** Gateways of so many processes run once more what one of a single process ran. */
  readonly processes: number
  readonly measureMs: number
  readonly effort: Effort
  /** None where the database's processes are on another machine. */
  readonly postgresPids: readonly number[]
  /** Where profiles of the gateway go, or null for none. */
  readonly profileDirectory: string | null
  readonly say: (line: string) => void
}

export type Window = {
  readonly scenario: string
  readonly server: Server
  readonly work: Work
  readonly connections?: number
}

export type Figure = {
  readonly scenario: string
  readonly units: number
  readonly seconds: number
  readonly per_second: number
  readonly mean_ms: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly statuses: Readonly<Record<string, number>>
  /** Processor time for each unit in microseconds; null where it cannot be measured. */
  readonly cpu_us: { readonly server: number | null; readonly postgres: number | null; readonly load: number | null }
  readonly server_peak_rss_bytes: number | null
  readonly fault: string | null
}

export type Measured = { readonly figure: Figure; readonly listUsed: number }

/** How long after its window a load generator may still wait for answers. */
const DRAIN_MS = 30_000

export async function measure(bench: Bench, window: Window): Promise<Measured> {
  const { stage, measureMs, postgresPids, effort } = bench
  const { warmupMs } = effort
  const { server, work, scenario } = window
  const load = stage.launch('load/load-process', [])
  const pids = { server: server.pid, postgres: postgresPids, load: load.pid ?? 0 }
  const connections = window.connections ?? bench.connections
  const plan: Plan = { port: server.port, connections, warmupMs, measureMs, work }
  let before = usageOf(pids)
  let after = before
  let endProfile: (() => Promise<void>) | null = null
  try {
    const tally = await new Promise<Tally>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the answers stopped')), warmupMs + measureMs + DRAIN_MS)
      load.once('exit', () => reject(new Error('the load generator ended before its time')))
      load.on('message', (message) => {
        const report = message as LoadReport
        if (report.kind === 'measuring') {
          before = usageOf(pids)
          endProfile = profileOf(bench, window)
        } else if (report.kind === 'over') after = usageOf(pids)
        else if (report.kind === 'fault') reject(new Error(report.message))
        else {
          clearTimeout(late)
          resolve(report.tally)
        }
      })
      load.send(plan)
    })
    await (endProfile as (() => Promise<void>) | null)?.()
    return { figure: figureOf(scenario, tally, before, after, server.pid), listUsed: tally.listUsed }
  } catch (cause) {
    throw new Error(`${scenario}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    await stopChild(load)
  }
}

const CALLS = 1_000_000

/** Code that costs less than two windows differ by: called a million times in this process, its processor time as the server's. */
export function measureCalls(scenario: string, run: (calls: number) => void): Figure {
  const began = process.cpuUsage()
  const beganAt = performance.now()
  run(CALLS)
  const { user, system } = process.cpuUsage(began)
  const seconds = (performance.now() - beganAt) / 1000
  const eachMs = (seconds * 1000) / CALLS
  return {
    scenario,
    units: CALLS,
    seconds,
    per_second: CALLS / seconds,
    mean_ms: eachMs,
    p50_ms: eachMs,
    p99_ms: eachMs,
    statuses: {},
    cpu_us: { server: (user + system) / CALLS, postgres: null, load: null },
    server_peak_rss_bytes: null,
    fault: null,
  }
}

function profileOf({ profileDirectory }: Bench, { scenario, server }: Window): (() => Promise<void>) | null {
  if (profileDirectory === null || scenario.startsWith('bare')) return null
  return beginProfile(server, join(profileDirectory, `${scenario}.cpuprofile`))
}

type Pids = { readonly server: number; readonly postgres: readonly number[]; readonly load: number }
type UsageSeconds = { readonly [who in keyof Pids]: number | null }

function usageOf(pids: Pids): UsageSeconds {
  const [server, load] = [familyCpuSeconds(pids.server), familyCpuSeconds(pids.load)]
  return { server, postgres: familiesCpuSeconds(pids.postgres), load }
}

function figureOf(
  scenario: string,
  tally: Tally,
  before: UsageSeconds,
  after: UsageSeconds,
  serverPid: number,
): Figure {
  const { units, elapsedMs, statuses, firstRefusal } = tally
  const each = (who: keyof Pids): number | null => {
    const [from, to] = [before[who], after[who]]
    return from === null || to === null || units === 0 ? null : ((to - from) * 1e6) / units
  }
  const refused = Object.keys(statuses).some((status) => status !== '200')
  const fault = refused
    ? `not everything was answered with 200: ${firstRefusal}`
    : units === 0
      ? 'nothing was answered'
      : null
  return {
    scenario,
    units,
    seconds: elapsedMs / 1000,
    per_second: elapsedMs > 0 ? units / (elapsedMs / 1000) : 0,
    mean_ms: tally.meanMs,
    p50_ms: tally.p50Ms,
    p99_ms: tally.p99Ms,
    statuses,
    cpu_us: { server: each('server'), postgres: each('postgres'), load: each('load') },
    server_peak_rss_bytes: peakRssBytes(serverPid),
    fault,
  }
}
