// Payouts over every rail with faults at half of them: what the provider's books, ours and the caller's log say is the same.
// The long form: npm run torture -- --payouts 10000
import { expect, inject, test } from 'vitest'
import { payoutReport, runPayouts } from '../rig/rails/rails-payouts.ts'
import type pg from 'pg'

const PAYOUTS = 200

test(`${PAYOUTS} payouts over five rails, faults at half of them, are executed once each`, {
  timeout: 180_000,
}, async () => {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const figures = await runPayouts({
    owner,
    count: PAYOUTS,
    inquiryOffMs: 2000,
    firstInquiry: 'at once',
    endWithinMs: 100_000,
  })
  console.log(payoutReport(figures))
  expect(figures.findings).toEqual([])
  expect([figures.payouts, figures.executions]).toEqual([PAYOUTS, PAYOUTS])
  // A run in which nobody was in doubt proves little.
  expect(figures.unknown).toBeGreaterThan(PAYOUTS / 10)
  expect(figures.unknownToKnownMs.p99).toBeLessThan(120_000)
})
