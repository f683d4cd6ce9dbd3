// The bench: the gateway and the bare framework side by side on this machine, in one run. Knows the order of things;
// what each of them does is in the files beside it.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { COMPARED, notCompared, runBaseline } from './baseline.ts'
import { COMMANDS, runCommands } from './commands.ts'
import { runDeliveries } from './deliveries/deliveries.ts'
import { fill, runGrowth, SMALL } from './growth.ts'
import { IDLE, runIdle } from './idle.ts'
import { type Bench, type Figure, measure, SHORT, WHOLE } from './measure.ts'
import { type Limit, openPgbench } from './pgbench.ts'
import { COSTS, runCosts } from './scaling/costs.ts'
import { topSelfTimes } from './stage/profile.ts'
import { type BenchReport, ratiosOf, tableOf } from './report.ts'
import { runPayouts } from './payouts.ts'
import { POLICIES, runPolicies } from './policies.ts'
import { runReceiver } from './receiver/receiver.ts'
import { runSnapshot, SNAPSHOT } from './snapshot.ts'
import { putRequest } from './load/requests.ts'
import { openRig, type Rig, writeList } from './stage/rig.ts'
import {
  CONSOLES,
  payStep,
  type RoundFigure,
  runLifecycle,
  runRounds,
  THROUGHPUT,
  TRACED,
  UNBATCHED,
} from './scenarios.ts'
import { type Databases, DatabaseRefused, embeddedDatabases, givenDatabases } from './stage/databases.ts'
import { type Server, startBareProcess } from './stage/servers.ts'
import { openStage, type Stage, stopChild } from './stage/stage.ts'
import { runTracingOff, TRACING_OFF } from './tracing.ts'

export type BenchOptions = {
  /** How long each window measures. */
  readonly seconds: number
  /** One round and small tables ({@link SHORT}): whether each scenario runs, not how fast. */
  readonly short: boolean
  readonly connections: number
  /** What goes through HTTP runs once more by a gateway of so many processes, where it is more than one. */
  readonly processes: number
  /** A JSON line for each figure instead of a table at the end. */
  readonly json: boolean
  /** Some of {@link SCENARIOS}; all of them where it is left out. */
  readonly scenarios?: readonly string[] | undefined
  /** Compares the small database with one of so many contracts. */
  readonly contracts?: number | undefined
  /** A directory for processor profiles of the gateway in each window. Profiling itself takes time. */
  readonly profile?: string | undefined
  /** A database in place of the embedded one, empty and named for it, by its owner's login ({@link givenDatabases}). */
  readonly databaseUrl?: string | undefined
  /** PostgreSQL's own processes of that database, where they are on this machine. */
  readonly postgresPids?: readonly number[] | undefined
  /** Another such database, which the given one is compared with, and its processes. */
  readonly baselineUrl?: string | undefined
  readonly baselinePostgresPids?: readonly number[] | undefined
  readonly say: (line: string) => void
}

const THROUGH_HTTP = [...THROUGHPUT.map(({ name }) => name), TRACED, UNBATCHED, CONSOLES, TRACING_OFF]
/** Each with a gateway and a database of its own, in this order. */
const OF_THEIR_OWN = [
  ['deliveries', runDeliveries],
  ['payouts', runPayouts],
  [COMMANDS, runCommands],
  [POLICIES, runPolicies],
  ['receiver', runReceiver],
  [COSTS, runCosts],
  [SNAPSHOT, runSnapshot],
  [IDLE, runIdle],
] as const
export const SCENARIOS: readonly string[] = [
  ...THROUGH_HTTP,
  'lifecycle',
  'latency',
  ...OF_THEIR_OWN.map(([name]) => name),
  'pgbench',
]

type Findings = { readonly figures: RoundFigure[]; readonly limits: Limit[]; readonly faults: string[] }

/** Runs what is wanted and takes everything away again. Throws where the bench itself cannot run. */
export async function runBench(options: BenchOptions): Promise<BenchReport> {
  const unknown = options.scenarios?.filter((name) => !SCENARIOS.includes(name)) ?? []
  if (unknown.length > 0)
    throw new Error(`no scenario is called ${unknown.join(', ')}; there are ${SCENARIOS.join(', ')}`)
  const stage = openStage()
  const findings: Findings = { figures: [], limits: [], faults: [] }
  try {
    await runAll(stage, options, findings)
  } catch (fault) {
    findings.faults.push(fault instanceof Error ? fault.message : String(fault))
  } finally {
    await stage.strike()
  }
  // Windows this short compare nothing: a ratio of them would only mislead.
  const ratios = options.short ? [] : ratiosOf(findings.figures, findings.limits)
  const report: BenchReport = { ...findings, ratios }
  if (options.json)
    for (const line of [...report.ratios, ...report.faults.map((fault) => ({ fault }))])
      options.say(JSON.stringify(line))
  else for (const line of tableOf(report)) options.say(line)
  return report
}

async function databasesOf(stage: Stage, options: BenchOptions, log: (line: string) => void): Promise<Databases> {
  const { databaseUrl, postgresPids = [], contracts } = options
  if (databaseUrl === undefined) return embeddedDatabases(stage, log)
  if (contracts !== undefined)
    throw new DatabaseRefused('Two sizes are compared on two databases: leave --database-url and DATABASE_URL out.')
  return givenDatabases(stage, { url: databaseUrl, pids: postgresPids }, log)
}

/** Two given databases are compared, by some scenarios and by one process: all else is refused before either is looked at. */
function refuseBesideBaseline({ databaseUrl, baselineUrl, scenarios = COMPARED, processes }: BenchOptions): void {
  if (baselineUrl === undefined) return
  if (databaseUrl === undefined || databaseUrl === baselineUrl)
    throw new DatabaseRefused('A baseline is another database beside a given one: say --database-url, too.')
  const others = [...notCompared(scenarios), ...(processes > 1 ? ['--processes'] : [])]
  if (others.length > 0)
    throw new DatabaseRefused(
      `Beside a baseline ${COMPARED.join(', ')} are measured, by one process: run ${others.join(', ')} without --baseline-url.`,
    )
}

async function runAll(stage: Stage, options: BenchOptions, findings: Findings): Promise<void> {
  const { seconds, connections, processes, contracts, profile } = options
  const wanted = options.scenarios ?? SCENARIOS
  const log = options.json ? () => undefined : options.say
  if (profile !== undefined) mkdirSync(profile, { recursive: true })
  refuseBesideBaseline(options)
  const databases = await databasesOf(stage, options, log)
  const bench: Bench = {
    stage,
    connections,
    processes,
    measureMs: seconds * 1000,
    effort: options.short ? SHORT : WHOLE,
    postgresPids: databases.pids,
    profileDirectory: profile ?? null,
    say: log,
  }
  const record = (figure: Figure, round: number) => {
    findings.figures.push({ ...figure, round })
    if (figure.fault !== null) findings.faults.push(`${figure.scenario}: ${figure.fault}`)
    sayFigure(options, figure, round)
  }
  if (options.baselineUrl !== undefined) {
    const baseline = { url: options.baselineUrl, pids: options.baselinePostgresPids ?? [] }
    return runBaseline(bench, wanted, databases, await givenDatabases(stage, baseline, log), record)
  }
  const asksLimits = wanted.includes('pgbench') || wanted.includes('latency')
  const pgbench = databases.own && asksLimits ? await openPgbench(stage, databases.own) : null
  if (pgbench === null && wanted.includes('pgbench'))
    log('pgbench is not installed, or the database is a given one: the limits of the database are left out')
  const limit = async (script: 'tpcb' | 'insert', clients: number) => {
    if (pgbench) findings.limits.push(sayLimit(options, await pgbench(script, clients, seconds)))
  }
  if ([...THROUGH_HTTP, 'latency'].some((name) => wanted.includes(name))) {
    const rig = await openRig(stage, databases, { name: 'main', undoSeconds: 3600, batchMax: 256 })
    const bare = await startBareProcess(stage, rig.canned)
    await runRounds(bench, rig, bare, wanted, record)
    if (wanted.includes('latency')) await runLatency(bench, rig, bare, limit, record)
    if (wanted.includes(TRACING_OFF)) await runTracingOff(bench, rig, record)
    await stopChild(rig.server.child)
  }
  if (wanted.includes('lifecycle')) {
    const rig = await openRig(stage, databases, { name: 'lifecycle', undoSeconds: 0, batchMax: 256 })
    await runLifecycle(bench, rig, record)
    await stopChild(rig.server.child)
  }
  for (const [name, run] of OF_THEIR_OWN) if (wanted.includes(name)) await run(bench, databases, record)
  if (contracts !== undefined) await growth(bench, databases, contracts, record)
  if (wanted.includes('pgbench')) {
    for (const clients of [1, 64]) await limit('insert', clients)
    await limit('tpcb', 64)
    if (!wanted.includes('latency')) await limit('tpcb', 1)
  }
}

const ALONE = { connections: 1, perSecondMax: 1500 }

/** One connection, one request at a time: what a pay costs without other load, beside its two parts. */
async function runLatency(
  bench: Bench,
  rig: Rig,
  bare: Server,
  limit: (script: 'tpcb', clients: number) => Promise<void>,
  record: (figure: Figure, round: number) => void,
): Promise<void> {
  const path = join(bench.stage.directory, 'alone.list')
  writeList(path, [rig.big], [{ id: rig.original.contractId, accountId: rig.big.accountId }])
  const work = { kind: 'listed', request: putRequest('pay', rig.big.key), listPath: path, order: 'around' } as const
  const pay = payStep(bench, rig, { ...ALONE, scenario: 'pay-alone', server: rig.server, payers: [rig.big] })
  for (let round = 1; round <= bench.effort.rounds; round++) {
    record((await measure(bench, { scenario: 'bare-put-alone', server: bare, work, connections: 1 })).figure, round)
    await pay(round, record)
    await limit('tpcb', 1)
  }
}

async function growth(
  bench: Bench,
  databases: Databases,
  contracts: number,
  record: (figure: Figure, round: number) => void,
): Promise<void> {
  const sized = []
  for (const size of [SMALL, contracts]) {
    bench.say(`writing ${size} contracts`)
    const rig = await openRig(bench.stage, databases, { name: `with-${size}`, undoSeconds: 3600, batchMax: 256 })
    await fill(rig, size)
    sized.push({ rig, contracts: size })
  }
  await runGrowth(bench, sized, record)
}

function sayFigure({ json, say, profile, short }: BenchOptions, figure: Figure, round: number): void {
  if (json) say(JSON.stringify({ ...figure, round }))
  else
    say(
      `${figure.scenario}, round ${round}: ${Math.round(figure.per_second)}/s, p50 ${figure.p50_ms.toFixed(2)} ms, p99 ${figure.p99_ms.toFixed(2)} ms`,
    )
  if (profile === undefined || figure.scenario.startsWith('bare') || round < (short ? SHORT : WHOLE).rounds) return
  const top = topSelfTimes(join(profile, `${figure.scenario}.cpuprofile`), 15)
  if (json) say(JSON.stringify({ profile: figure.scenario, top }))
  else for (const { function: name, share } of top) say(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`)
}

function sayLimit({ json, say }: BenchOptions, limit: Limit): Limit {
  say(
    json
      ? JSON.stringify(limit)
      : `${limit.scenario}: ${Math.round(limit.per_second)}/s, mean ${limit.mean_ms.toFixed(2)} ms`,
  )
  return limit
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      short: { type: 'boolean', default: false },
      connections: { type: 'string', default: '128' },
      processes: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      scenario: { type: 'string', multiple: true },
      contracts: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const report = await runBench({
    seconds: Number(values.seconds),
    short: values.short,
    connections: Number(values.connections),
    processes: Number(values.processes),
    json: values.json,
    scenarios: values.scenario,
    contracts: values.contracts === undefined ? undefined : Number(values.contracts),
    profile: values.profile,
    say: (line) => console.log(line),
  })
  process.exit(report.faults.length > 0 ? 1 : 0)
}

const entry = process.argv[1]
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) await main()
