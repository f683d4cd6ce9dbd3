// A command of many rows in bounded memory, and one whose gateways are killed while they work on it: every row once.
// The long forms: npm run torture -- --command-rows 100000 --command-kills 20 --kill-rows 100000
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { bulkKillReport, runBulkKills } from '../rig/commands/bulk-kills.ts'
import { bulkSizeReport, runBulkSize } from '../rig/commands/bulk-size.ts'
import { newSeed } from '../rig/dice.ts'

const ROWS = Number(process.env['COMMAND_ROWS'] ?? 5000)
const KILLS = Number(process.env['COMMAND_KILLS'] ?? 3)

const newOwner = async () => (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig

test(`${ROWS} rows go through a gateway that needs less than 300 MB`, { timeout: 1_200_000 }, async () => {
  const figures = await runBulkSize({ owner: await newOwner(), rows: ROWS })
  console.log(bulkSizeReport(figures))
  expect(figures.findings).toEqual([])
})

test.each([1, 2])('%i gateways that are killed pay every row once', { timeout: 1_200_000 }, async (gateways) => {
  const seed = Number(process.env['CRASH_SEED'] ?? newSeed())
  const rows = 500 * KILLS * gateways
  const figures = await runBulkKills({
    owner: await newOwner(),
    rows,
    kills: KILLS,
    gateways,
    seed,
    leasesEnd: 'at once',
  })
  console.log(`seed ${seed}`, bulkKillReport(figures))
  expect(figures.findings).toEqual([])
  // Kills between two windows prove little.
  expect(figures.inTheMiddle).toBeGreaterThan(0)
})
