// A baseline is compared by what was measured next to it: throughput of each request, and what PostgreSQL takes for one.
import { expect, test } from 'vitest'
import { notCompared, onBaseline } from '../../bench/baseline.ts'
import { runBench } from '../../bench/index.ts'
import { ratiosOf } from '../../bench/report.ts'
import type { RoundFigure } from '../../bench/scenarios.ts'

const figure = (scenario: string, round: number, per_second: number, postgres: number | null): RoundFigure => ({
  scenario,
  round,
  units: per_second,
  seconds: 1,
  per_second,
  mean_ms: 1,
  p50_ms: 1,
  p99_ms: 1,
  statuses: { 200: per_second },
  cpu_us: { server: 100, postgres, load: null },
  server_peak_rss_bytes: null,
  fault: null,
})

test('what a database does of what its baseline does, and what it takes for it', () => {
  const figures = [
    figure('pay-one', 1, 700, 300),
    figure(onBaseline('pay-one'), 1, 1000, 100),
    figure(onBaseline('get'), 1, 4000, 20),
    figure('get', 1, 1000, 40),
  ]
  const found = new Map(ratiosOf(figures, []).map(({ ratio, value, met }) => [ratio, { value, met }]))
  expect(Object.fromEntries(found)).toEqual({
    'get / get-baseline': { value: 0.25, met: false },
    "get / get-baseline, PostgreSQL's processor time": { value: 2, met: true },
    'pay-one / pay-one-baseline': { value: 0.7, met: true },
    "pay-one / pay-one-baseline, PostgreSQL's processor time": { value: 3, met: false },
  })
})

test('processor time that was not counted is not compared', () => {
  const figures = [figure('get', 1, 1000, null), figure(onBaseline('get'), 1, 1000, null)]
  expect(ratiosOf(figures, []).map(({ ratio }) => ratio)).toEqual(['get / get-baseline'])
})

test('what cannot be compared is refused beside a baseline, before any database is looked at', async () => {
  expect(notCompared(['get', 'idle', 'pay-one'])).toEqual(['idle'])
  const nowhere = { databaseUrl: 'postgres://127.0.0.1:1/bench_a', baselineUrl: 'postgres://127.0.0.1:1/bench_b' }
  const run = { seconds: 1, short: true, connections: 1, json: false, say: () => undefined }
  const idle = await runBench({ ...run, ...nowhere, processes: 1, scenarios: ['get', 'idle'] })
  expect(idle.faults).toEqual([expect.stringMatching(/^Beside a baseline create, get, .* run idle without/)])
  const several = await runBench({ ...run, ...nowhere, processes: 2 })
  expect(several.faults).toEqual([expect.stringMatching(/run --processes without --baseline-url/)])
})
