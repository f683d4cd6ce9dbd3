// A database that comes back in a recovery: what was compared and said there was before what is lost now.
import { expect, test } from 'vitest'
import { openMarkedWorld } from '../../rig/restored/marked-world.ts'

test('a backup that was made in a recovery, and comes back after that was resumed, is another recovery', async () => {
  const { marks, epochs, placeNow, open } = await openMarkedWorld()
  const here = await placeNow()
  // As the backup has it: in recovery, and not resumed.
  await epochs.begin(2, 'declared', null, here)
  // As the gateway noted that went on in this epoch, resumed, for a hundred minutes more.
  marks.write({
    ...here,
    marks: here.marks + 100n,
    position: here.position + 1_000_000_000n,
    epoch: 2,
    isStopped: false,
  })
  const recovery = await open()
  expect([recovery.epoch(), recovery.isOn()]).toEqual([3, true])
  // And a start in it goes on with it.
  const again = await open()
  expect([again.epoch(), again.isOn()]).toEqual([3, true])
})
