// Numbers of addresses across a restore: none that may have been shown to a payer in the lost time is given out again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReceivingBook } from '../../../src/app/crypto/chain-addresses.ts'
import { declareRecovery, resume } from '../../../src/app/operator/resume.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'
import { openWorld, type World } from '../../world.ts'

const KEY = '0123456789abcdef'
const NEW_KEY = 'fedcba9876543210'
const LEAP = 2 ** 20
const DEED = { operator: 'ana', evidence: 'ticket 4711' }

let world: World
let reader: Session
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  reader = openPlannedSession(world.operators)
})
afterAll(async () => {
  await reader.close()
  await world.stop()
})

test('each resume passes over a million numbers of every key, and one that the books have forgotten begins behind them', async () => {
  const { channels, nowMs, randomHex } = world.gateway.deps
  const desk = { reader, ids: { nowMs, randomHex }, channels }
  const { takeIndex } = openReceivingBook(reader)
  expect([await takeIndex(KEY), await takeIndex(KEY)]).toEqual([0, 1])
  await declareRecovery(desk, DEED)
  const without = channels.all().map(({ id }) => id)
  await resume(desk, DEED, without)
  // One person's word ends nothing.
  expect(await takeIndex(KEY)).toBe(2)
  await resume(desk, { ...DEED, operator: 'ben' }, without)
  expect([await takeIndex(KEY), await takeIndex(KEY)]).toEqual([LEAP + 3, LEAP + 4])
  expect(await takeIndex(NEW_KEY)).toBe(LEAP)
})
