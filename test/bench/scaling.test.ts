// The model on paper and the simulation of the gathering: what must be true of both whatever was measured.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { simulate } from '../../bench/scaling/batching.ts'
import { openCores } from '../../bench/scaling/cores.ts'
import { measuredFrom } from '../../bench/scaling/measured.ts'
import { batchCostOf, batchSizeAt, estimate, type Layout, type Measured, wallsOf } from '../../bench/scaling/model.ts'
import { type CostFigure, predictionsOf } from '../../bench/scaling/prediction.ts'
import { simulatedPays } from '../../bench/scaling/tables.ts'
import { shareOf } from '../../src/engine/batch.ts'

const measured = JSON.parse(readFileSync('bench/scaling/measured.json', 'utf8')) as Measured
const ONE: Layout = { engine: 'one PostgreSQL', routing: 'any process' }
const ANY: Layout = { engine: 'a cluster', routing: 'any process' }
const OWN: Layout = { engine: 'a cluster', routing: 'by account' }

test('a batch and a command in it add up to both measurements that they are from', () => {
  const { batch, command } = batchCostOf(measured)
  for (const who of ['gatewayUs', 'postgresUs'] as const) {
    expect(batch[who] + command[who]).toBeCloseTo(measured.payUnbatched[who])
    expect(batch[who] / measured.pay.batchSize + command[who]).toBeCloseTo(measured.pay[who])
  }
})

test('batches grow with what comes to them, from one to half of the callers', () => {
  const sizes = [1, 100, 1000, 5000, 20_000].map((rate) => batchSizeAt(rate, batchCostOf(measured), 1500))
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
  expect([sizes[0], sizes.at(-1)]).toEqual([1, 128])
})

test('more transfers never take less, and a million has room in 256 lanes only with full batches', () => {
  for (const layout of [ONE, ANY, OWN]) {
    const steps = [100, 1000, 10_000, 100_000].map((transfers) => estimate(measured, transfers, layout))
    for (const of of ['gatewayProcesses', 'postgresCores', 'nodes', 'walBytesPerSecond'] as const)
      expect(steps.map((step) => step[of])).toEqual(steps.map((step) => step[of]).toSorted((a, b) => a - b))
  }
  const [any, own] = [estimate(measured, 1e6, ANY), estimate(measured, 1e6, OWN)]
  expect(own.batchSize).toBeGreaterThan(any.batchSize)
  expect(own.nodes).toBeLessThan(any.nodes)
  expect(wallsOf(measured).find(({ what }) => what.startsWith('256 lanes'))?.perSecond).toBeGreaterThan(1e6)
})

test('cores are shared: two threads on one core take twice as long, and a wait takes none of it', () => {
  const ended: [string, number][] = []
  const cores = openCores(1)
  for (const name of ['a', 'b']) cores.thread().work(100, () => ended.push([name, cores.nowUs()]))
  cores.after(50, () => ended.push(['wait', cores.nowUs()]))
  cores.runUntil(1000)
  expect(ended).toEqual([
    ['wait', 50],
    ['a', 200],
    ['b', 200],
  ])
})

test('one by one the simulation answers as many as the costs leave time for', () => {
  const given = simulatedPays(measured, { batchMax: 1 })
  const { perSecond, batchSize } = simulate(given)
  const eachUs = given.gateway.batchUs + given.gateway.commandUs / 2 + given.postgres.batchUs + given.postgres.commandUs
  expect(batchSize).toBe(1)
  expect(perSecond).toBeLessThanOrEqual(1e6 / (eachUs + given.waitUs - given.gateway.batchUs / 2))
  expect(perSecond).toBeGreaterThan(0.9 * measured.payUnbatched.perSecond)
})

test('a batch takes what the gateway takes: half of the callers at work', () => {
  const { batchSize, heldShare } = simulate(simulatedPays(measured, {}))
  expect(batchSize).toBeCloseTo(shareOf(128, 0), 0)
  expect(heldShare).toBe(0)
})

test('two processes on one wallet take turns with whole batches, and are no slower than one', () => {
  const [one, two] = [1, 2].map((processes) => simulate(simulatedPays(measured, { processes, cores: 4 })))
  expect(two?.batchSize).toBeGreaterThan(0.9 * (one?.batchSize ?? Infinity))
  expect(two?.perSecond).toBeGreaterThan(one?.perSecond ?? Infinity)
})

test('two processes on many accounts meet at some, which wait apart', () => {
  const [one, two] = [1, 2].map((processes) => simulate(simulatedPays(measured, { processes, cores: 4, accounts: 64 })))
  expect(two?.heldShare).toBeGreaterThan(0)
  expect(two?.perSecond).toBeGreaterThan(one?.perSecond ?? Infinity)
})

test('payments of a run are predicted from its processor time, and none where it was not measured', () => {
  const cost = (
    scenario: string,
    batch_size: number,
    per_second: number,
    server: number,
    postgres: number,
  ): CostFigure => ({
    scenario,
    units: 1,
    seconds: 1,
    per_second,
    mean_ms: 1,
    p50_ms: 1,
    p99_ms: 1,
    statuses: {},
    cpu_us: { server, postgres, load: 15 },
    server_peak_rss_bytes: null,
    fault: null,
    batch_size,
    wal_bytes: 1,
  })
  const run = [
    cost('cost-pay-one', 48.6, 9000, 82, 56),
    cost('cost-pay', 48.6, 5000, 82, 56),
    cost('cost-pay-one-unbatched', 1, 882, 400, 543),
    cost('cost-pay-one-2-processes', 40, 8000, 90, 60),
  ]
  const [one, spread, two, ...others] = predictionsOf(run, { connections: 128, processes: 2 })
  expect(one).toMatch(
    /^payments of one wallet: simulated \d+\/s in batches of 64.0, measured 9000\/s in 48.6: 1\.\d\d$/,
  )
  expect(spread).toMatch(/measured 5000/)
  expect(two).toMatch(
    /^payments of one wallet, 2 processes: simulated \d+\/s in batches of \d+\.\d, measured 8000\/s in 40/,
  )
  expect(others).toEqual([])
  expect(predictionsOf(run, { connections: 128, processes: 1 })).toHaveLength(2)
  expect(predictionsOf(run.slice(1, 2), { connections: 128, processes: 1 })).toEqual([])
})

test('what a run of the bench says becomes what the model takes, and a run that lacks something is refused', () => {
  const line = (scenario: string, server: number) =>
    JSON.stringify({ scenario, per_second: 10, batch_size: 4, cpu_us: { server, postgres: 2 * server, load: 5 } })
  const names = ['cost-create', 'cost-issue', 'cost-pay-one', 'cost-pay-one-unbatched', 'cost-get', 'lifecycle']
  const run = [...names, 'deliver'].flatMap((name, nth) => [9, 1, 2].map((more) => line(name, 10 * nth + more)))
  expect(measuredFrom(run.join('\n'), 'here')).toMatchObject({
    said: 'here',
    create: { gatewayUs: 2, postgresUs: 4 },
    pay: { gatewayUs: 22, batchSize: 4, perSecond: 10 },
    delivery: { gatewayUs: 62 },
  })
  expect(() => measuredFrom(run.slice(0, -3).join('\n'), 'here')).toThrow(/nothing of deliver/)
})
