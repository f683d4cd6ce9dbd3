// A gateway at work holds on to nothing: memory, descriptors, connections and dead rows stay where they were, and the books hold.
// The long form: npm run soak -- --minutes 90
import { expect, test } from 'vitest'
import { newSeed } from '../rig/dice.ts'
import { runSoak, soakReport } from '../rig/sagas/soak.ts'

test('two minutes of work with faults leave nothing behind', { timeout: 300_000 }, async () => {
  const seed = Number(process.env['SOAK_SEED'] ?? newSeed())
  const figures = await runSoak({ minutes: 2, seed, callers: 2, heal: 'asked at once', healWithinMs: 60_000 })
  console.log(soakReport(figures))
  expect(figures.findings).toEqual([])
  expect(figures.contracts['completed']).toBeGreaterThan(20)
  expect(figures.samples.length).toBeGreaterThan(8)
})
