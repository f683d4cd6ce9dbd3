// A rehearsal tells what comes true, on a whole gateway; the long form is `npm run rehearsals`.
import { afterAll, expect, test } from 'vitest'
import { newSeed } from '../../rig/dice.ts'
import { openRehearsalStage } from '../../rig/policies/rehearsal-stage.ts'
import { rehearsalReport, runRehearsals } from '../../rig/policies/rehearsals.ts'
import { openWorld } from '../../world.ts'

// Nothing leaves meanwhile, so that what is cancelled comes back at once.
const world = await openWorld({ undoSeconds: 3600, workers: 'resting' })
const stage = await openRehearsalStage(world.gateway, world.operators)
afterAll(async () => {
  await stage.close()
  await world.ledgerHolds()
  await world.stop()
})

test('histories of chance come true as they were rehearsed', async () => {
  const figures = await runRehearsals(stage, { histories: 60, seed: newSeed(), atOnce: 12 })
  console.log(rehearsalReport(figures))
  expect(figures.findings).toEqual([])
})
