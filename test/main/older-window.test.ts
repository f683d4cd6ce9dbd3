// One of several servers comes back older: what the rails did is read from where the books of that one end.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { booksEnd } from '../../src/app/recoveries/books-end.ts'
import { cameThere } from '../rig/servers/lost-lane.ts'
import { EAST } from '../rig/servers/other-server.ts'
import { openWorld, type World } from '../world.ts'

const DAY_MS = 24 * 3_600_000

let world: World
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
})
afterAll(() => world.stop())

test('the books are known until where the oldest of the servers knows them', async () => {
  for (const lane of [17, 200]) await (await world.newCaller({ lane })).draft()
  await world.sqlElsewhere(`update contract_versions set at = at - interval '20 hours'`)
  await world.sqlElsewhere(`update accounts set created_at = created_at - interval '20 hours'`)
  await world.sqlElsewhere(`update lanes set swept_until = now() - interval '20 hours'`)
  // An account that is made in the recovery tells nothing of where the books end.
  await world.newCaller({ lane: 201 })
  await world.sqlElsewhere(
    `update accounts set created_at = now() + interval '1 minute' where created_at > now() - interval '1 hour'`,
  )
  expect(await booksEnd(world.gateway.deps.reader, Date.now())).toBeLessThan(Date.now() - 19 * 3_600_000)
})

test('a lane that came to a server, and was brought back there from a later backup, says nothing of its other lanes', async () => {
  await world.sqlElsewhere(`update lanes set swept_until = now() where lane = 200`)
  expect(await daysBefore()).toBeCloseTo(0, 1)
  await cameThere(world, 200, '2026-01-05T12:00:00Z')
  // One that came and has no accounts says nothing either.
  await cameThere(world, 210, '2026-01-05T12:00:00Z')
  expect(await daysBefore()).toBeCloseTo(20 / 24, 1)
})

const emptied = (sql: World['sql']) =>
  sql('begin; set local session_replication_role = replica; delete from accounts; commit')
const daysBefore = async () => (Date.now() - (await booksEnd(world.gateway.deps.reader, Date.now()))) / DAY_MS

test('the books of a server that came back without accounts end where it joined, and those of home where they were made', async () => {
  await emptied(world.sqlElsewhere)
  await world.sql(`update lane_servers set since = now() - interval '9 days' + lane * interval '1 second'`)
  expect(await daysBefore()).toBeCloseTo(9, 1)
  await world.newCaller({ lane: 200 })
  await emptied(world.sql)
  await world.sql(`update epochs set began_at = now() - interval '30 days' where number = 1`)
  expect(await daysBefore()).toBeCloseTo(30, 1)
})

test('where nothing ever was, nothing is lost', async () => {
  for (const sql of [world.sql, world.sqlElsewhere]) await emptied(sql)
  expect(await daysBefore()).toBeCloseTo(0, 1)
})
