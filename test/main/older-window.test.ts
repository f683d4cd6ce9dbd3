// One of several servers comes back older: what the rails did is read from where the books of that one end.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { booksEnd } from '../../src/app/recoveries/books-end.ts'
import { EAST } from '../rig/servers/other-server.ts'
import { openWorld, type World } from '../world.ts'

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
