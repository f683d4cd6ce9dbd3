// The store in memory that the simulation runs on is PostgreSQL's equal: a few stories on both. More of them:
// memory-store.long.test.ts. And a few stories more, in memory alone.
import { expect, test } from 'vitest'
import { newSeed } from '../rig/dice.ts'
import { playBeside } from '../rig/memory-store/beside-stories.ts'
import { simulate, storyText } from '../rig/simulated/simulate.ts'

const isCluster = process.env['TEST_ON_CITUS'] === 'yes'

// No gateway sends a batch of lanes of several shards to a cluster.
test.skipIf(isCluster)('stories leave the same behind in memory and in PostgreSQL', async () => {
  expect((await playBeside(newSeed(), 3)).batches).toBeGreaterThan(10)
})

test('and so they do where each batch says which lanes of one shard it is about', async () => {
  expect((await playBeside(newSeed(), 3, 'lanes together')).batches).toBeGreaterThan(10)
})

test('stories in memory: every invariant holds after each step, and everything ends', async () => {
  const from = newSeed()
  for (let i = 0; i < 20; i++) {
    const played = await simulate(from + i)
    expect(played.finding, storyText(played)).toBeNull()
  }
})
