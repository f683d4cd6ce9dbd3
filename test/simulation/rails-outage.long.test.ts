// A rail that hangs costs the others nothing, releases nothing, and is caught up with when it answers again.
// The long form: npm run torture -- --outage-seconds 600
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { outageReport, runOutage } from '../rig/rails/rails-outage.ts'

const CALL_TIMEOUT_MS = 1500

test('a rail that hangs keeps its holds, and the others their pace', { timeout: 120_000 }, async () => {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const figures = await runOutage({
    owner,
    callTimeoutMs: CALL_TIMEOUT_MS,
    promises: { notFoundFinalAfterMs: 500 },
    count: 200,
    cancels: 20,
    seconds: 4,
    heal: 'asked at once',
    othersPerSecond: 40,
    drainWithinMs: 30_000,
  })
  console.log(outageReport(figures))
  expect(figures.findings).toEqual([])
  expect(figures.inFlightMax).toBeGreaterThan(1)
  expect(figures.inFlightMax).toBeLessThanOrEqual(figures.cap)
  // The target of the long form is 1.2 times; here it is a call's time-out at most, for other tests take turns with it.
  expect(figures.others.during.p99Ms).toBeLessThan(CALL_TIMEOUT_MS + 6 * figures.others.before.p99Ms)
})
