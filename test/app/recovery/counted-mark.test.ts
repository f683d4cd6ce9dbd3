// A recovery that is begun in the moment in which a gateway at work counts its mark: it must start again, as for any other moment.
import { expect, test } from 'vitest'
import type { Epochs } from '../../../src/app/recoveries/epochs.ts'
import { MustStartAgain } from '../../../src/app/recoveries/recovery.ts'
import { countMark } from '../../../src/store/operator/epochs.ts'
import { openMarkedWorld } from '../../rig/restored/marked-world.ts'

test('a gateway whose epoch ends while it counts its mark does not go on in it', async () => {
  const { world, epochs: real, placeNow, open } = await openMarkedWorld()
  const here = await placeNow()
  let begun = Promise.resolve()
  const epochs: Epochs = { ...real, newest: () => begun.then(real.newest) }
  const count = () => {
    begun = real.begin(2, 'declared', null, here)
    return countMark()
  }
  let nowMs = 0
  const recovery = await open({ epochs, count, monotonicMs: () => nowMs })
  await Promise.all(Array.from({ length: 100 }, () => world.caller.draft()))
  await expect.poll(async () => (await placeNow()).position - here.position).toBeGreaterThan(65_536n)
  nowMs = 120_000
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  expect([recovery.epoch(), recovery.isOn()]).toEqual([1, true])
})
