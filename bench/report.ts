// Figures -> medians, ratios with their targets, and a table. Pure.
import { COMPARED, onBaseline } from './baseline.ts'
import { COMMANDS, SINGLY } from './commands.ts'
import { IDLE } from './idle.ts'
import { PAY_UNDER_SNAPSHOT, PAY_WITHOUT_SNAPSHOT } from './snapshot.ts'
import type { Limit } from './pgbench.ts'
import { BARE_EVENT } from './receiver/receiver.ts'
import type { RoundFigure } from './scenarios.ts'
import { CONSOLES, THROUGHPUT, TRACED } from './scenarios.ts'
import { PAY_ONE_LIMIT, PAY_TEN_POLICIES, PAY_WITHOUT, POLICIES_ABSENT } from './policies.ts'
import { TRACING_OFF, UNTRACED } from './tracing.ts'

export type Ratio = {
  readonly ratio: string
  readonly value: number
  readonly target: number
  readonly is: 'at least' | 'below'
  readonly met: boolean
}

export type BenchReport = {
  readonly figures: readonly RoundFigure[]
  readonly limits: readonly Limit[]
  readonly ratios: readonly Ratio[]
  /** Empty, or what makes the run worthless: an answer other than 200, a server that stopped. */
  readonly faults: readonly string[]
}

const atLeast = (ratio: string, value: number, target: number): Ratio => ({
  ratio,
  value,
  target,
  is: 'at least',
  met: value >= target,
})
const below = (ratio: string, value: number, target: number): Ratio => ({
  ratio,
  value,
  target,
  is: 'below',
  met: value < target,
})

/** Shares of the bare framework that the gateway must reach (docs/performance.md). */
const SHARES: { readonly [scenario: string]: number } = { create: 0.6, 'create-keyed': 0.5, get: 0.6, 'pay-one': 0.3 }
/** Ten pairs of metadata may cost so much of a creation without. */
const METADATA_SHARE = 0.9
/** Every creation traced, of a creation that is not. */
const TRACED_SHARE = 0.8
/** With 50 consoles of the account open, of as many pays without. */
const CONSOLES_SHARE = 0.95
/** Code of tracing while nothing is traced, of a creation. */
const TRACING_OFF_SHARE_MAX = 0.01
const BATCHING_GAIN = 5
/** Several processes, of what a single one does: on one machine with its database they may not be worse. */
const SEVERAL_SHARE = 0.9
const GROWTH_SHARE = 0.8
/** Of a core, while nobody asks for anything. */
const IDLE_SHARE_MAX = 0.01
/** What is measured beside a baseline, of that: a cluster's share of one server. */
const BASELINE_SHARES: { readonly [scenario: string]: number } = { get: 0.5, 'pay-one': 0.6, 'pay-spread': 0.5 }
/** PostgreSQL's processor time of each request, of the baseline's. */
const BASELINE_TIME_MAX = 2.5
const RSS_BYTES_MAX = 300_000_000
const LATENCY_RATIO_MAX = 3
const DELIVERY_SHARE = 0.5
const DELIVERIES_PER_SECOND = 2000
const SINGLE_DELIVERY_MS = 50
const CLAIM_GROWTH_MAX = 2
const PAYOUTS_PER_SECOND = 1000
const RECEIVER_SHARE = 0.4
/** Rows of a command, of the same creations sent singly. */
const COMMANDS_SHARE = 0.5
/** The code of policies, of a pay of an account that has none. */
const POLICIES_ABSENT_SHARE_MAX = 0.02
/** Pays under policies, of pays under none. */
const ONE_LIMIT_SHARE = 0.6
const TEN_POLICIES_SHARE = 0.4
/** Pays after a minute of somebody's old snapshot, of pays without one. */
const SNAPSHOT_SHARE = 0.8

/** What is compared with another scenario of the same run, and how much of it is asked for. */
const BESIDE = [
  ['create-metadata', 'create', METADATA_SHARE],
  [TRACED, 'create', TRACED_SHARE],
  [CONSOLES, 'pay-one', CONSOLES_SHARE],
  [PAY_UNDER_SNAPSHOT, PAY_WITHOUT_SNAPSHOT, SNAPSHOT_SHARE],
  [COMMANDS, SINGLY, COMMANDS_SHARE],
  [PAY_ONE_LIMIT, PAY_WITHOUT, ONE_LIMIT_SHARE],
  [PAY_TEN_POLICIES, PAY_WITHOUT, TEN_POLICIES_SHARE],
] as const

/** All ratios that the figures allow. Those of rounds are medians over the rounds. */
export function ratiosOf(figures: readonly RoundFigure[], limits: readonly Limit[]): Ratio[] {
  const share = (scenario: string, bar: string): number | null => medianRatio(figures, scenario, bar)
  const ratios: Ratio[] = []
  const add = (value: number | null, make: (value: number) => Ratio) => {
    if (value !== null) ratios.push(make(value))
  }
  for (const { name, bar } of THROUGHPUT) {
    const target = SHARES[name]
    if (target !== undefined) add(share(name, bar), (value) => atLeast(`${name} / ${bar}`, value, target))
  }
  for (const [scenario, bar, target] of BESIDE)
    add(share(scenario, bar), (value) => atLeast(`${scenario} / ${bar}`, value, target))
  add(shareOfTime(figures, TRACING_OFF, UNTRACED), (value) =>
    below(`${TRACING_OFF} / ${UNTRACED}, processor time`, value, TRACING_OFF_SHARE_MAX),
  )
  for (const pay of ['pay-one', 'pay-spread'])
    add(share(pay, `${pay}-unbatched`), (value) => atLeast(`${pay} / ${pay}-unbatched`, value, BATCHING_GAIN))
  for (const [several, one] of severalOf(figures))
    add(share(several, one), (value) => atLeast(`${several} / ${one}`, value, SEVERAL_SHARE))
  for (const [large, small] of sizesOf(figures))
    add(share(large, small), (value) => atLeast(`${large} / ${small}`, value, GROWTH_SHARE))
  for (const name of COMPARED) {
    const [other, target] = [onBaseline(name), BASELINE_SHARES[name]]
    if (target !== undefined) add(share(name, other), (value) => atLeast(`${name} / ${other}`, value, target))
    add(shareOfTime(figures, name, other, 'postgres'), (value) =>
      below(`${name} / ${other}, PostgreSQL's processor time`, value, BASELINE_TIME_MAX),
    )
  }
  add(latencyRatio(figures, limits), (value) =>
    below('pay alone / (TPC-B alone + bare PUT alone), latency', value, LATENCY_RATIO_MAX),
  )
  deliveryRatios(figures, add)
  add(
    middleOf(figures, 'payouts', (figure) => figure.per_second),
    (value) => atLeast('payouts submitted a second', value, PAYOUTS_PER_SECOND),
  )
  add(shareOfTime(figures, POLICIES_ABSENT, PAY_WITHOUT), (value) =>
    below(`${POLICIES_ABSENT} / ${PAY_WITHOUT}, processor time`, value, POLICIES_ABSENT_SHARE_MAX),
  )
  for (const scenario of ['receive', 'receive-one'])
    add(share(scenario, BARE_EVENT), (value) => atLeast(`${scenario} / ${BARE_EVENT}`, value, RECEIVER_SHARE))
  for (const [who, name] of [
    ['server', 'an idle gateway'],
    ['postgres', 'PostgreSQL of an idle gateway'],
  ] as const)
    add(
      middleOf(figures, IDLE, ({ cpu_us, per_second }) => ((cpu_us[who] ?? NaN) * per_second) / 1e6),
      (value) => below(`${name}, share of a core`, value, IDLE_SHARE_MAX),
    )
  add(peakRss(figures), (value) => below('gateway peak memory, MB', value / 1e6, RSS_BYTES_MAX / 1e6))
  return ratios
}

/** Webhooks: how many, how soon, and whether the search for work stays cheap as work piles up. */
function deliveryRatios(
  figures: readonly RoundFigure[],
  add: (value: number | null, make: (value: number) => Ratio) => void,
): void {
  const middle = (scenario: string, of: (figure: RoundFigure) => number) => middleOf(figures, scenario, of)
  add(medianRatio(figures, 'deliver', 'bare-deliver'), (value) =>
    atLeast('deliver / bare-deliver', value, DELIVERY_SHARE),
  )
  add(
    middle('deliver', (figure) => figure.per_second),
    (value) => atLeast('deliveries a second', value, DELIVERIES_PER_SECOND),
  )
  add(
    middle('deliver-single', (figure) => figure.p50_ms),
    (value) => below('one pay to the first byte of its webhook, ms', value, SINGLE_DELIVERY_MS),
  )
  for (const step of ['claim', 'read'])
    for (const more of ['waiting', 'blocked']) {
      const [little, much] = ['little', more].map((what) => middle(`${step}-${what}`, (figure) => figure.p50_ms))
      add(little && much ? much / little : null, (value) =>
        below(`${step}-${more} / ${step}-little, time`, value, CLAIM_GROWTH_MAX),
      )
    }
}

function middleOf(
  figures: readonly RoundFigure[],
  scenario: string,
  of: (figure: RoundFigure) => number,
): number | null {
  const values = figures.filter((figure) => figure.scenario === scenario).map(of)
  return values.length === 0 ? null : medianOf(values)
}

/** Processor time of each unit, of one scenario of another's; null where it could not be measured. */
function shareOfTime(
  figures: readonly RoundFigure[],
  scenario: string,
  other: string,
  whose: 'server' | 'postgres' = 'server',
): number | null {
  const [part, whole] = [scenario, other].map((each) => middleOf(figures, each, ({ cpu_us }) => cpu_us[whose] ?? NaN))
  return part && whole ? part / whole : null
}

function medianRatio(figures: readonly RoundFigure[], scenario: string, bar: string): number | null {
  const values = figures.flatMap((figure, index) => {
    const other = figure.scenario === scenario ? nearest(figures, index, bar) : null
    return other ? [figure.per_second / other.per_second] : []
  })
  return values.length === 0 ? null : medianOf(values)
}

/** The figure of the other scenario that was measured next to this one, in the same round. */
function nearest(figures: readonly RoundFigure[], index: number, scenario: string): RoundFigure | null {
  const distances = figures.flatMap((figure, i) =>
    figure.scenario === scenario && figure.round === figures[index]?.round
      ? [{ figure, away: Math.abs(i - index) }]
      : [],
  )
  return distances.toSorted((a, b) => a.away - b.away)[0]?.figure ?? null
}

/** Pairs of scenarios that differ in how many processes the gateway has, the one of several first. */
function severalOf(figures: readonly RoundFigure[]): [string, string][] {
  return [...new Set(figures.map((figure) => figure.scenario))].flatMap((scenario): [string, string][] => {
    const one = /^(.+)-\d+-processes$/.exec(scenario)?.[1]
    return one === undefined ? [] : [[scenario, one]]
  })
}

/** Pairs of scenarios that differ in the size of the books, the large one first. */
function sizesOf(figures: readonly RoundFigure[]): [string, string][] {
  const sized = [...new Set(figures.map((figure) => figure.scenario))].flatMap((scenario) => {
    const { name, contracts, state } = /^(?<name>.+)@(?<contracts>\d+)(?<state>.*)$/.exec(scenario)?.groups ?? {}
    return contracts === undefined ? [] : [{ scenario, name, state, contracts: Number(contracts) }]
  })
  return sized.flatMap((large) =>
    sized
      .filter(
        ({ name, state, contracts }) => name === large.name && state === large.state && contracts < large.contracts,
      )
      .map((small): [string, string] => [large.scenario, small.scenario]),
  )
}

function latencyRatio(figures: readonly RoundFigure[], limits: readonly Limit[]): number | null {
  const meanMs = (scenario: string) => {
    const values = figures.filter((figure) => figure.scenario === scenario).map((figure) => figure.mean_ms)
    return values.length === 0 ? null : medianOf(values)
  }
  const [pay, bare] = [meanMs('pay-alone'), meanMs('bare-put-alone')]
  const commits = limits.filter((limit) => limit.scenario === 'pgbench-tpcb-1').map((limit) => limit.mean_ms)
  return pay === null || bare === null || commits.length === 0 ? null : pay / (medianOf(commits) + bare)
}

function peakRss(figures: readonly RoundFigure[]): number | null {
  const peaks = figures
    .filter((figure) => !figure.scenario.startsWith('bare'))
    .flatMap((figure) => figure.server_peak_rss_bytes ?? [])
  return peaks.length === 0 ? null : Math.max(...peaks)
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return ((low ?? NaN) + (high ?? NaN)) / 2
}

/** The table of a report, a line each: medians over the rounds. */
export function tableOf(report: BenchReport): string[] {
  const rows = [HEAD]
  for (const scenario of new Set(report.figures.map((figure) => figure.scenario))) {
    const rounds = report.figures.filter((figure) => figure.scenario === scenario)
    const middle = (of: (figure: RoundFigure) => number | null) => {
      const values = rounds.flatMap((figure) => of(figure) ?? [])
      return values.length === 0 ? null : medianOf(values)
    }
    rows.push([
      scenario,
      shown(
        middle((figure) => figure.per_second),
        0,
      ),
      shown(
        middle((figure) => figure.p50_ms),
        2,
      ),
      shown(
        middle((figure) => figure.p99_ms),
        2,
      ),
      shown(
        middle((figure) => figure.cpu_us.server),
        0,
      ),
      shown(
        middle((figure) => figure.cpu_us.postgres),
        0,
      ),
      shown(
        middle((figure) => figure.cpu_us.load),
        0,
      ),
      shown(
        middle((figure) => (figure.server_peak_rss_bytes ?? NaN) / 1e6),
        0,
      ),
    ])
  }
  for (const limit of report.limits)
    rows.push([limit.scenario, shown(limit.per_second, 0), shown(limit.mean_ms, 2), '', '', '', '', ''])
  const ratios = report.ratios.map(({ ratio, value, is, target, met }) => [
    ratio,
    value < 0.1 ? value.toPrecision(2) : value.toFixed(2),
    `${is} ${target}`,
    met ? 'ok' : 'MISSED',
  ])
  return [
    ...aligned(rows),
    ...(ratios.length > 0 ? ['', ...aligned([['ratio', 'value', 'target', ''], ...ratios])] : []),
    ...report.faults.map((fault) => `FAULT: ${fault}`),
  ]
}

const HEAD = ['scenario', 'per second', 'p50 ms', 'p99 ms', 'server µs', 'postgres µs', 'load µs', 'peak MB']

function shown(value: number | null, digits: number): string {
  return value === null || Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
