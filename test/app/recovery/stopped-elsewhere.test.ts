// A gateway that finds another database under it, and stops for that: what it does as it stops must not make the other one look like its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openEpochs } from '../../../src/app/recoveries/epochs.ts'
import { openPromotions } from '../../../src/app/recoveries/promotion.ts'
import { MustStartAgain, openRecovery } from '../../../src/app/recoveries/recovery.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { openMarkFiles } from '../../../src/main/database/mark.ts'
import { openStanding } from '../../../src/platform/postgres/standing.ts'
import { countMark, readPlace } from '../../../src/store/operator/epochs.ts'
import { openWorld } from '../../world.ts'

test('a database that lacks one mark begins a recovery, also where a gateway at work has found it and stopped', async () => {
  const world = await openWorld({ workers: 'resting' })
  const directory = mkdtempSync(join(tmpdir(), 'gateway-mark-'))
  const session = openPlannedSession(world.operators)
  onTestFinished(async () => {
    await session.close()
    await world.stop()
    rmSync(directory, { recursive: true })
  })
  await world.caller.draft()
  const open = () => {
    const standing = openStanding()
    const place = { read: readPlace, count: countMark }
    const parts = {
      epochs: openEpochs(session, []),
      place,
      standing,
      log: pino({ enabled: false }),
      monotonicMs: () => 0,
    }
    const promotions = openPromotions({ ...parts, look: session, words: session })
    return openRecovery({ ...parts, session, books: session, marks: openMarkFiles([directory]), promotions })
  }
  await session.send([countMark(), countMark()])
  const recovery = await open()
  // A dump of before the last mark is loaded into the same server.
  await world.sql('update installation set marks = marks - 1')
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  await recovery.stop().catch(() => undefined)
  expect((await open()).isOn()).toBe(true)
})
