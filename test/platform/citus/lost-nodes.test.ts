// What a session makes of a server that says no more than that it failed. On a cluster a node has died under a statement or a COMMIT
// (docs/availability.md): it may have been done, so it is no fault of what was asked, and is not done again by itself. On one PostgreSQL
// it is a fault of that statement alone, which must cost nobody else's.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import type { Session, Statement } from '../../../src/platform/db.ts'
import { openWorld, type World } from '../../world.ts'

const NODE_DIED: Statement = {
  name: 'node_died',
  text: `do $$ begin raise exception 'could not commit transaction for shard' using errcode = 'XX000'; end $$`,
  values: [],
}

let world: World
let session: Session
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  session = openKeyedSession(world.database)
})
afterAll(async () => {
  await session.close()
  await world.stop()
})

const isCluster = process.env['TEST_ON_CITUS'] === 'yes'

test.runIf(!isCluster)('on one PostgreSQL it is the statement’s own fault', async () => {
  const asked = session.transaction<null>([], () => ({ statements: [NODE_DIED], value: null }))
  await expect(asked).rejects.toMatchObject({ code: 'XX000' })
})

test.runIf(isCluster)('before anything is written nothing was done', async () => {
  const asked = session.transaction<null>([NODE_DIED], () => ({ statements: [], value: null }))
  await expect(asked).rejects.toMatchObject({ name: 'DatabaseUnavailable', inDoubt: false })
})

test.runIf(isCluster)('with a COMMIT under way nobody knows, and nobody asks again under another name', async () => {
  const asked = session.transaction<null>([], () => ({ statements: [NODE_DIED], value: null }))
  await expect(asked).rejects.toMatchObject({ name: 'DatabaseUnavailable', inDoubt: true })
  const [found] = await session.send([{ name: 'works_again', text: 'select 1 as one where $1', values: [true] }])
  expect(found?.rows).toEqual([{ one: 1 }])
})
