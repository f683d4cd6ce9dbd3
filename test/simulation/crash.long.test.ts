// Money never moves twice and is never lost, and what was acknowledged survives, whatever is killed and when.
// The long form: npm run crash -- --kills 200 --freezes 100 --seed 7
import { expect, test } from 'vitest'
import { crashReport, runCrashes } from '../rig/sagas/crash.ts'
import { newSeed } from '../rig/dice.ts'

const KILLS = 8
const FREEZES = 4

test(`${KILLS} kills and ${FREEZES} freezes of gateway, provider and PostgreSQL under load lose nothing and move nothing twice`, {
  timeout: 240_000,
}, async () => {
  const seed = Number(process.env['CRASH_SEED'] ?? newSeed())
  const figures = await runCrashes({
    kills: KILLS,
    freezes: FREEZES,
    seed,
    callers: 12,
    heal: 'asked at once',
    healWithinMs: 60_000,
  })
  console.log(crashReport(figures))
  expect(figures.findings).toEqual([])
  // A run in which little happened proves little.
  expect(figures.contracts['completed']).toBeGreaterThan(20)
  expect(figures.contracts['cancelled']).toBeGreaterThan(5)
})
