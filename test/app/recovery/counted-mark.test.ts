// A recovery that is begun in the moment in which a gateway at work counts its mark: it must start again, as for any other moment.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type Epochs, openEpochs } from '../../../src/app/recoveries/epochs.ts'
import { openPromotions } from '../../../src/app/recoveries/promotion.ts'
import { MustStartAgain, openRecovery } from '../../../src/app/recoveries/recovery.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { openMarkFiles } from '../../../src/main/database/mark.ts'
import { openStanding } from '../../../src/platform/postgres/standing.ts'
import { countMark, placeFrom, readPlace } from '../../../src/store/operator/epochs.ts'
import { openWorld } from '../../world.ts'

test('a gateway whose epoch ends while it counts its mark does not go on in it', async () => {
  const world = await openWorld({ workers: 'resting' })
  const directory = mkdtempSync(join(tmpdir(), 'gateway-mark-'))
  const session = openPlannedSession(world.operators)
  onTestFinished(async () => {
    await session.close()
    await world.stop()
    rmSync(directory, { recursive: true })
  })
  const real = openEpochs(session, [])
  const placeNow = async () => placeFrom((await session.send([readPlace()]))[0]!.rows[0]!)
  const here = await placeNow()
  let begun = Promise.resolve()
  const epochs: Epochs = { ...real, newest: () => begun.then(real.newest) }
  const place = {
    read: readPlace,
    count: () => {
      begun = real.begin(2, 'declared', null, here)
      return countMark()
    },
  }
  let nowMs = 0
  const standing = openStanding()
  const log = pino({ enabled: false })
  const parts = { epochs, place, standing, log, monotonicMs: () => nowMs }
  const promotions = openPromotions({ ...parts, look: session, words: session })
  const marks = openMarkFiles([directory])
  const recovery = await openRecovery({ ...parts, session, books: session, marks, promotions })
  await Promise.all(Array.from({ length: 100 }, () => world.caller.draft()))
  await expect.poll(async () => (await placeNow()).position - here.position).toBeGreaterThan(65_536n)
  nowMs = 120_000
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  await expect(recovery.look()).rejects.toThrow(MustStartAgain)
  expect(recovery.isOn()).toBe(false)
})
