// The model and the simulation as the tables of docs/scaling.md. Pure.
import { LANE_COUNT } from '../../src/domain/contract/ids.ts'
import { simulate, type Simulated } from './batching.ts'
import { ASSUMED, batchCostOf, estimate, type Layout, type Measured, wallsOf } from './model.ts'

const STEPS = [100, 1000, 10_000, 100_000, 1_000_000]

/** The whole generated part of the page. */
export function scalingTables(measured: Measured): string {
  return [
    costs(measured),
    estimates(measured),
    'What ends first, whatever is added elsewhere:\n',
    walls(measured),
    'What the simulation says of payments, 128 callers, from these costs:\n',
    predictions(measured),
  ].join('\n')
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')

function costs(measured: Measured): string {
  const { batch, command } = batchCostOf(measured)
  const { create, issue, pay, payUnbatched, get, lifecycle, delivery } = measured
  const named = {
    create,
    issue,
    pay,
    'pay, in batches of one': payUnbatched,
    get,
    'transfer to completed, without webhooks': lifecycle,
    'delivery of a webhook': delivery,
    'a batch, whatever its size': batch,
    'a payment more in it': command,
  }
  const rows = Object.entries(named).map(([what, { gatewayUs, postgresUs }]) => [what, us(gatewayUs), us(postgresUs)])
  return `Measured: ${measured.said}.\n\n${table(['processor time of one', 'gateway', 'PostgreSQL'], rows)}`
}

function estimates(measured: Measured): string {
  const rows = STEPS.flatMap((transfers) =>
    layoutsFor(measured, transfers).map((layout) => row(measured, transfers, layout)),
  )
  const head = [
    'transfers/s',
    'on',
    'commands go to',
    'in a batch',
    'gateway processes',
    'PostgreSQL cores',
    'nodes',
    'lanes a node',
    'log',
    'kept a year',
    'network',
  ]
  return table(head, rows)
}

/** One server for as long as it is enough. */
function layoutsFor(measured: Measured, transfers: number): Layout[] {
  const one: Layout = { engine: 'one PostgreSQL', routing: 'any process' }
  if (estimate(measured, transfers, one).nodes === 1) return [one]
  return [
    { engine: 'a cluster', routing: 'any process' },
    { engine: 'a cluster', routing: 'by account' },
  ]
}

function row(measured: Measured, transfers: number, layout: Layout): string[] {
  const found = estimate(measured, transfers, layout)
  const most = estimate(measured, transfers, layout, ASSUMED, ASSUMED.clusterFactorMax)
  const both = (of: (each: typeof found) => number, words = count) =>
    of(found) === of(most) ? words(of(found)) : `${words(of(found))} (${words(of(most))})`
  return [
    count(transfers),
    layout.engine,
    layout.routing,
    found.batchSize.toFixed(1),
    count(found.gatewayProcesses),
    both((each) => each.postgresCores),
    both((each) => each.nodes, ofNodes),
    both((each) => each.lanesOfNode),
    `${sized(found.walBytesPerSecond)}B/s`,
    `${sized(found.keptBytesPerYear)}B`,
    `${sized(found.networkBitsPerSecond)}bit/s`,
  ]
}

function walls(measured: Measured): string {
  const rows = wallsOf(measured).map(({ what, perSecond, unit }) => [what, `${count(perSecond)} ${unit}`])
  return table(['what', 'a second'], rows)
}

const CALLERS = 128

/** What is simulated of a machine where payments were measured. */
export function simulatedPays(
  measured: Pick<Measured, 'pay' | 'payUnbatched' | 'callerUs'>,
  more: Partial<Simulated>,
): Simulated {
  const { batch, command } = batchCostOf(measured)
  const { payUnbatched, callerUs } = measured
  const aloneUs = payUnbatched.gatewayUs + payUnbatched.postgresUs
  return {
    processes: 1,
    writers: 1,
    batchMax: 256,
    callers: CALLERS,
    accounts: 1,
    laneScope: 'many lanes',
    gateway: { batchUs: batch.gatewayUs, commandUs: command.gatewayUs },
    postgres: { batchUs: batch.postgresUs, commandUs: command.postgresUs },
    callerUs,
    // One by one nothing overlaps: what the two processors do not explain is waited for.
    waitUs: Math.max(0, 1e6 / payUnbatched.perSecond - aloneUs),
    cores: 2,
    forMs: 1000,
    seed: 1,
    ...more,
  }
}

function predictions(measured: Measured): string {
  const cases: readonly (readonly [what: string, more: Partial<Simulated>, perSecond: number | null])[] = [
    ['one wallet, one process, two cores', {}, measured.pay.perSecond],
    ['the same one by one, where the costs are from', { batchMax: 1 }, measured.payUnbatched.perSecond],
    ['one wallet, two processes, two cores', { processes: 2 }, null],
    ['one wallet, two processes, four cores', { processes: 2, cores: 4 }, null],
    ['64 accounts, one process, two cores', { accounts: 64 }, null],
    ['64 accounts, two processes, two cores', { accounts: 64, processes: 2 }, null],
    ['64 accounts, two processes, four cores', { accounts: 64, processes: 2, cores: 4 }, null],
    ['64 accounts, one process, batches of one lane', { accounts: 64, laneScope: 'one lane' }, null],
  ]
  const rows = cases.map(([what, more, perSecond]) => {
    const said = simulate(simulatedPays(measured, more))
    const compared =
      perSecond === null ? ['not measured', ''] : [count(perSecond), (said.perSecond / perSecond).toFixed(2)]
    return [
      what,
      count(said.perSecond),
      said.batchSize.toFixed(1),
      `${Math.round(said.heldShare * 100)} %`,
      ...compared,
    ]
  })
  return table(
    ['payments', 'predicted a second', 'in a batch', 'held by the other', 'measured', 'predicted ÷ measured'],
    rows,
  )
}

/** A node has a lane at least. */
const ofNodes = (nodes: number) => (nodes > LANE_COUNT ? `${count(nodes)}: too many` : count(nodes))

const us = (value: number) => `${Math.round(value)} µs`

/** Two figures that count: a model says no more. */
function count(value: number): string {
  return value < 1000 ? String(Math.round(value)) : Number(value.toPrecision(2)).toLocaleString('en')
}

const UNITS = ['', 'k', 'M', 'G', 'T', 'P', 'E']

function sized(value: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3))
  return `${Number((value / 1000 ** step).toPrecision(2))} ${UNITS[step]}`
}
