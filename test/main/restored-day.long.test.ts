// An older copy of the database comes back under load: whoever was told something finds it true afterwards, or named.
// The long form: npm run restored-days -- --days 50 --seed 7
import { expect, test } from 'vitest'
import { newSeed } from '../rig/dice.ts'
import { dayReport, runDay } from '../rig/restored/day.ts'

test('what was lost with a database is paid once, refunded once, and told to everybody', {
  timeout: 600_000,
}, async () => {
  const seed = Number(process.env['DAY_SEED'] ?? newSeed())
  const figures = await runDay(seed)
  console.log(dayReport(figures))
  expect(figures.findings).toEqual([])
  // A day on which little was lost proves little.
  expect(figures.forgotten).toBeGreaterThan(5)
})
