// A database that comes back in a recovery: what was compared and said there was before what is lost now.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openEpochs } from '../../../src/app/recoveries/epochs.ts'
import { openPromotions } from '../../../src/app/recoveries/promotion.ts'
import { openRecovery } from '../../../src/app/recoveries/recovery.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { openMarkFiles } from '../../../src/main/database/mark.ts'
import { openStanding } from '../../../src/platform/postgres/standing.ts'
import { countMark, placeFrom, readPlace } from '../../../src/store/operator/epochs.ts'
import { openWorld } from '../../world.ts'

test('a backup that was made in a recovery, and comes back after that was resumed, is another recovery', async () => {
  const world = await openWorld({ workers: 'resting' })
  const directory = mkdtempSync(join(tmpdir(), 'gateway-mark-'))
  const session = openPlannedSession(world.operators)
  onTestFinished(async () => {
    await session.close()
    await world.stop()
    rmSync(directory, { recursive: true })
  })
  const epochs = openEpochs(session, [])
  const here = placeFrom((await session.send([readPlace()]))[0]!.rows[0]!)
  // As the backup has it: in recovery, and not resumed.
  await epochs.begin(2, 'declared', null, here)
  const marks = openMarkFiles([directory])
  // As the gateway noted that went on in this epoch, resumed, for a hundred minutes more.
  marks.write({
    ...here,
    marks: here.marks + 100n,
    position: here.position + 1_000_000_000n,
    epoch: 2,
    isStopped: false,
  })
  const place = { read: readPlace, count: countMark }
  const parts = { epochs, place, standing: openStanding(), log: pino({ enabled: false }), monotonicMs: () => 0 }
  const promotions = openPromotions({ ...parts, look: session, words: session })
  const recovery = await openRecovery({ ...parts, session, books: session, marks, promotions })
  expect([recovery.epoch(), recovery.isOn()]).toEqual([3, true])
  // And a start in it goes on with it.
  const again = await openRecovery({ ...parts, session, books: session, marks, promotions })
  expect([again.epoch(), again.isOn()]).toEqual([3, true])
})
