// Pay, cancel, expiry and the provider's callbacks at the same moments: each contract comes to one legal end.
// The long form: npm run torture -- --races 5000
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { newSeed } from '../rig/dice.ts'
import { raceReport, runRaces } from '../rig/rails/rails-races.ts'

const CONTRACTS = 200

test(`${CONTRACTS} contracts with concurrent pay, cancel, expiry and callbacks`, { timeout: 120_000 }, async () => {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  const seed = Number(process.env['RACE_SEED'] ?? newSeed())
  const figures = await runRaces({ owner, contracts: CONTRACTS, seed })
  console.log(raceReport(figures))
  expect(figures.findings).toEqual([])
  // A run in which one of them always wins proves little.
  for (const status of ['completed', 'cancelled', 'expired']) expect(figures.byStatus[status]).toBeGreaterThan(5)
  expect(Object.keys(figures.answers)).toContain('contract_expired')
})
