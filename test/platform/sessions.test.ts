// A session whose server was replaced under it: of many that find it so at once, all use the one connection that is made in its place.
import { afterAll, expect, test } from 'vitest'
import { openSession } from '../../src/platform/db.ts'
import { openStanding, OtherServer, SYSTEM_ID, TIMELINE } from '../../src/platform/postgres/standing.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const NAME = 'a session of this test'
const open = async () =>
  (await world.sql('select pid from pg_stat_activity where application_name = $1', [NAME])).length

test('many that find their server replaced leave no connection behind', async () => {
  const standing = openStanding()
  const [here] = await world.sql<{ systemId: string; timeline: number }>(
    `select ${SYSTEM_ID} as "systemId", ${TIMELINE} as timeline`,
  )
  const { systemId, timeline } = here ?? { systemId: '', timeline: 0 }
  standing.workWith({ systemId, timeline })
  const connection = { ...world.lanesOwner, application_name: NAME }
  const session = openSession({ connection, seat: standing.seat(), parameters: {} })
  const ask = () => session.send([{ name: 'one', text: 'select 1 as one', values: [] }])
  await ask()
  expect(await open()).toBe(1)
  // Another session meets the server that took over, and nobody uses a connection meanwhile.
  expect(() => standing.seat().admit({ systemId, timeline: timeline + 1 })).toThrow(OtherServer)
  const asked = await Promise.allSettled([ask(), ask(), ask()])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await expect.poll(open).toBe(1)
  await session.close()
  await expect.poll(open).toBe(0)
})
