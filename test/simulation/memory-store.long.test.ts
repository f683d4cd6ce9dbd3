// The store in memory that the simulation runs on is PostgreSQL's equal: 200 stories on both.
import { expect, test } from 'vitest'
import { newSeed } from '../rig/dice.ts'
import { playBeside } from '../rig/memory-store/beside-stories.ts'

test('200 stories leave the same behind in memory and in PostgreSQL', { timeout: 1_800_000 }, async () => {
  const { batches } = await playBeside(newSeed(), 200)
  expect(batches).toBeGreaterThan(2000)
})
