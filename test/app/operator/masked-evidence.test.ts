// What an operator gives as evidence may hold a card: beside the record of who did it, no copy of it is kept whole.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../../../src/app/operator/payout-pauses.ts'
import { resume } from '../../../src/app/operator/resume.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'
import { openWorld, type World } from '../../world.ts'

const DEED = { operator: 'ana', evidence: 'the payer said 4242 4242 4242 4242, ticket 4711' }
const MASKED = 'the payer said [card ending 4242], ticket 4711'

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

function desk() {
  const { channels, nowMs, randomHex } = world.gateway.deps
  return { reader, channels: { ...channels, all: () => [] }, ids: { nowMs, randomHex } }
}
const recordedAs = async (action: string) =>
  (await world.sql<{ evidence: string }>('select evidence from operator_actions where action = $1', [action]))[0]
    ?.evidence

test('a pause of payouts shows it as it is recorded', async () => {
  const state = await pause(desk(), 'sandbox', DEED)
  const kept = await recordedAs('pause payouts')
  expect(kept).toBe(MASKED)
  expect(state).toMatchObject({ pauses: [{ channelId: 'sandbox', evidence: kept }] })
})

test('so does the first word that ends a recovery', async () => {
  await world.sql(`insert into epochs (number, reason) values (2, 'declared')`)
  expect(await resume(desk(), DEED)).toMatchObject({ proposedBy: 'ana' })
  const kept = await recordedAs('propose resume')
  expect(kept).toBe(MASKED)
  expect(await world.sql('select evidence from epochs where number = 2')).toEqual([{ evidence: kept }])
})
