// Paid and cancelled, expired, or paid by another method in the same moment: one story each, and every centavo accounted for.
// The long form: npm run torture -- --payment-races 1000
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { newSeed } from '../rig/dice.ts'
import { paymentRaceReport, runPaymentRaces } from '../rig/payments/payments-races.ts'

const CONTRACTS = 100

test(`${CONTRACTS} races of payments, and 200 parallel refunds`, { timeout: 120_000 }, async () => {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const seed = Number(process.env['RACE_SEED'] ?? newSeed())
  const figures = await runPaymentRaces({ owner, contracts: CONTRACTS, seed })
  console.log(paymentRaceReport(figures))
  expect(figures.findings).toEqual([])
  // A run in which one of them always wins proves little.
  const ends = Object.keys(figures.ends)
  expect(ends.filter((end) => /^cancelled.*: cancelled/.test(end))).not.toEqual([])
  expect(ends.filter((end) => /^cancelled.*: paid/.test(end))).not.toEqual([])
})
