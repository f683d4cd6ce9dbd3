// The run of node kills: gateways as processes on a Citus cluster of a coordinator and two workers, under load of accounts on both
// workers; in each round one fault (node-faults.ts). After each all must be there that was acknowledged, once (judged.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dice, diceOf } from '../dice.ts'
import { lastLines } from '../gateway-process.ts'
import { quantile } from '../receiver/endpoints.ts'
import { type Load, startLoad, type Story } from '../sagas/stories.ts'
import type { ClusterNode } from './cluster.ts'
import { judged, untilHealed } from './judged.ts'
import { doFault, FAULTS, type NodeFault, type Outage, REPLACED } from './node-faults.ts'
import { noticedAfterMs } from './noticed.ts'
import { DATABASE, type Stage, withGatewaysOnCluster } from './stage.ts'
import type { Payer } from './tenants.ts'

export type NodeKillsOptions = {
  readonly seed: number
  readonly rounds: number
  /** Which faults; all where none are named. */
  readonly kinds?: readonly NodeFault[]
  /** The folder of the kit that makes a cluster (docs/citus.md). */
  readonly kit: string
  /** Asked after each round: whether that was the last one. */
  readonly isEnough?: () => boolean
  /** Told as the run goes on. */
  readonly say: (line: string) => void
}

export type NodeKillsFigures = {
  readonly seed: number
  readonly done: Readonly<Partial<Record<NodeFault, number>>>
  readonly acknowledgedWrites: number
  readonly requests: number
  readonly answersByStatus: Readonly<Record<number, number>>
  readonly contracts: Readonly<Record<string, number>>
  readonly providerExecutions: number
  readonly deliveries: number
  /** Of accounts on the worker that lived while the other one was away, and in the seconds before. */
  readonly healthy: Healthy
  readonly healMsMax: number
  /** Of each gateway that said that a standby took a worker's place: how long after it did. */
  readonly noticedMs: readonly number[]
  readonly seconds: number
  readonly findings: readonly string[]
}

type Healthy = {
  readonly before: Answers
  readonly during: Answers
}
type Answers = {
  readonly requests: number
  /** Answered with 503. */
  readonly refused: number
  /** A gateway died under them. */
  readonly unanswered: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const GATEWAYS = 3
const SHARDS = 8
const PAYERS_EACH = 3
const CALM_MS = 3000
const TAIL_MS = 1500
/** A rail that did not answer is asked again after a minute at most (domain/webhook/backoff.ts); and what a lease and calls take beside. */
const HEAL_WITHIN_MS = 60_000 + 30_000

/** Throws only where the cluster or the gateways could not be run at all. */
export const runNodeKills = (options: NodeKillsOptions): Promise<NodeKillsFigures> =>
  withGatewaysOnCluster(options.kit, { gateways: GATEWAYS, shards: SHARDS, payersEach: PAYERS_EACH }, (stage) =>
    rounds(stage, options),
  )

async function rounds(stage: Stage, options: NodeKillsOptions): Promise<NodeKillsFigures> {
  const { seed, rounds: count, kinds = FAULTS, say, isEnough } = options
  const from = performance.now()
  const dice = diceOf(seed)
  const run: Run = { told: new Map(), statuses: new Map(), outages: [], calm: [], noticedMs: [], findings: [] }
  const done: Partial<Record<NodeFault, number>> = {}
  const order = ordered(count, kinds, dice.part('faults'))
  let last = await judged(stage, DATABASE, run.told)
  let healMsMax = 0
  for (const [index, kind] of order.entries()) {
    const outage = await underLoad(stage, run, kind, dice.part(`round ${index + 1}`))
    const healing = performance.now()
    run.findings.push(...(await untilHealed(stage, HEAL_WITHIN_MS)))
    const tookMs = performance.now() - healing
    healMsMax = Math.max(healMsMax, tookMs)
    if (kind === REPLACED && outage !== null) lookForNotice(stage, run, outage)
    last = await judged(stage, DATABASE, run.told)
    run.findings.push(...last.findings.map((finding) => `round ${index + 1}, ${kind}: ${finding}`))
    done[kind] = (done[kind] ?? 0) + 1
    say(`round ${index + 1}, ${kind}: healed in ${Math.round(tookMs)} ms, ${run.findings.length} findings so far`)
    if (run.findings.length > 0 || isEnough?.() === true) break
  }
  if (run.findings.length > 0) run.findings.push(`the gateways' log ends with:\n${lastLines(stage.gateway.logPath)}`)
  const entries = [...run.told.values()].flat().flatMap(({ log }) => log)
  return {
    seed,
    done,
    acknowledgedWrites: entries.filter(({ reply }) => reply?.status === 200).length,
    requests: entries.reduce((sum, { tries }) => sum + tries, 0),
    answersByStatus: Object.fromEntries(run.statuses),
    contracts: last.contracts,
    providerExecutions: last.executions,
    deliveries: last.deliveries,
    healthy: healthyOf(stage.tenants.payers, run),
    healMsMax,
    noticedMs: run.noticedMs,
    seconds: (performance.now() - from) / 1000,
    findings: run.findings,
  }
}

/** What has been gathered so far. */
type Run = {
  readonly told: Map<string, Story[]>
  readonly statuses: Map<number, number>
  readonly outages: Outage[]
  /** The time before each outage in which all was well. */
  readonly calm: Outage[]
  readonly noticedMs: number[]
  readonly findings: string[]
}

/** Each kind once before any comes again, in an order of the dice. */
function ordered(count: number, kinds: readonly NodeFault[], dice: Dice): NodeFault[] {
  const order: NodeFault[] = []
  let left: NodeFault[] = []
  while (order.length < count) {
    if (left.length === 0) left = [...kinds]
    order.push(...left.splice(dice.whole(0, left.length - 1), 1))
  }
  return order
}

async function underLoad(stage: Stage, run: Run, kind: NodeFault, dice: Dice): Promise<Outage | null> {
  const { tenants, cluster, gateways } = stage
  const loads = new Map<Payer, Load>()
  for (const payer of tenants.payers) {
    const before = run.told.get(payer.name) ?? []
    loads.set(payer, startLoad(payer.caller, dice.part(payer.name), 1, payer.pays, before.length))
  }
  await sleep(CALM_MS)
  const calmFromMs = performance.now() - CALM_MS / 2
  const calmUntilMs = performance.now()
  const commitInTwoPhases = ({ place }: ClusterNode) => settleAccount(stage, place, dice.part('settings'))
  const { coordinator, workers } = cluster
  const victims = { database: DATABASE, coordinator, workers, gateways, commitInTwoPhases }
  let outage: Outage | null = null
  try {
    outage = await doFault(kind, victims, dice.part('fault'))
    if (outage !== null) {
      run.outages.push(outage)
      run.calm.push({ ...outage, fromMs: calmFromMs, untilMs: calmUntilMs })
    }
  } catch (fault) {
    run.findings.push(`${kind}: ${String(fault)}`)
  }
  await sleep(TAIL_MS)
  for (const [payer, load] of loads) {
    await load.finish()
    run.told.set(payer.name, [...(run.told.get(payer.name) ?? []), ...load.stories])
    run.findings.push(...load.findings.map((finding) => `${payer.name}: ${finding}`))
    for (const [status, times] of load.statuses) run.statuses.set(status, (run.statuses.get(status) ?? 0) + times)
  }
  return outage
}

/** Gateways that go straight to a worker look at the standby that took its place; one that found it dead at its start compares its note. */
function lookForNotice({ gateway }: Stage, run: Run, outage: Outage): void {
  const noticedMs = noticedAfterMs(gateway.logPath, outage)
  run.noticedMs.push(...noticedMs)
  if (noticedMs.length === 0)
    run.findings.push(`no gateway looked at the standby that took the place of ${outage.node}`)
}

/** What an operator changes of an account is on every node, and committed in two phases. */
async function settleAccount({ gateway, tenants }: Stage, holds: string, dice: Dice): Promise<void> {
  const { accountId } = dice.pick(tenants.payers.filter(({ node }) => node !== holds))
  await gateway.besideInThread('accounts', 'settings', accountId, '--name', `Tenant ${dice.whole(1, 1_000_000)}`)
}

/** How the accounts fared on the worker that lived. */
function healthyOf(payers: readonly Payer[], { outages, calm }: Run): Healthy {
  const answers = (windows: readonly Outage[]): Answers => {
    const all = windows.flatMap(({ node, fromMs, untilMs }) =>
      payers
        .filter((payer) => payer.node !== node)
        .flatMap(({ timed }) => timed.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)),
    )
    const took = all.filter(({ status }) => status !== 0 && status !== 503).map(({ tookMs }) => tookMs)
    return {
      requests: all.length,
      refused: all.filter(({ status }) => status === 503).length,
      unanswered: all.filter(({ status }) => status === 0).length,
      p50Ms: quantile(took, 0.5),
      p99Ms: quantile(took, 0.99),
    }
  }
  return { before: answers(calm), during: answers(outages) }
}

const shown = ({ requests, refused, unanswered, p50Ms, p99Ms }: Answers) =>
  `${requests} requests, ${refused} answered with 503, ${unanswered} not answered, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`

/** How much longer than before 99 of 100 requests of accounts on the other worker took at most while one was away. */
export const slowedBy = ({ healthy }: NodeKillsFigures): number => healthy.during.p99Ms / healthy.before.p99Ms

/** The figures as a person reads them. */
export function nodeKillsReport(figures: NodeKillsFigures): string {
  const { seed, done, healthy, findings } = figures
  const noticed = `said ${figures.noticedMs.length} times, ${Math.round(Math.max(0, ...figures.noticedMs))} ms after it at the latest`
  const times = Object.values(done).reduce((sum, each) => sum + each, 0)
  return [
    `run of node kills, seed ${seed}: ${times} rounds, ${GATEWAYS} gateways, ${SHARDS} shards on 2 workers, ${figures.seconds.toFixed(1)} s; done ${JSON.stringify(done)}`,
    `  acknowledged writes: ${figures.acknowledgedWrites} of ${figures.requests} requests; answers by status: ${JSON.stringify(figures.answersByStatus)}`,
    `  contracts by end state: ${JSON.stringify(figures.contracts)}; provider executions: ${figures.providerExecutions}; webhooks: ${figures.deliveries}`,
    `  accounts on the other worker before: ${shown(healthy.before)}`,
    `  accounts on the other worker while one is away: ${shown(healthy.during)}; p99 ${slowedBy(figures).toFixed(2)} times that before`,
    `  promotions of a worker's standby: ${done[REPLACED] ?? 0}; ${noticed}`,
    `  slowest healing after a round: ${Math.round(figures.healMsMax)} ms`,
    `  findings: ${findings.length}`,
    ...findings.slice(0, 40).map((finding) => `    ${finding}`),
  ].join('\n')
}
