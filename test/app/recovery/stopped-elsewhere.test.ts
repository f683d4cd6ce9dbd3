// A gateway that finds another database under it, and stops for that: what it does as it stops must not make the other one look like its own.
import { expect, test } from 'vitest'
import { MustStartAgain } from '../../../src/app/recoveries/recovery.ts'
import { countMark } from '../../../src/store/operator/epochs.ts'
import { openMarkedWorld } from '../../rig/restored/marked-world.ts'

test('a database that lacks one mark begins a recovery, also where a gateway at work has found it and stopped', async () => {
  const { world, session, open } = await openMarkedWorld()
  await world.caller.draft()
  await session.send([countMark(), countMark()])
  const recovery = await open()
  // A dump of before the last mark is loaded into the same server.
  await world.sql('update installation set marks = marks - 1')
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  await recovery.stop().catch(() => undefined)
  expect((await open()).isOn()).toBe(true)
})
