// A session of several connections: one that waits for its answer is passed over, and no more are opened than are needed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { pooled } from '../../../src/main/database/pool.ts'
import type { Session, Statement } from '../../../src/platform/db.ts'
import { openWorld, type World } from '../../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
})
afterAll(() => world.stop())

const BACKEND: Statement = { name: 'backend', text: 'select pg_backend_pid() as pid where $1', values: [true] }
const sleeping = (seconds: number): Statement => ({
  name: 'sleeping',
  text: 'select pg_backend_pid() as pid, pg_sleep($1)',
  values: [seconds],
})
const pidOf = async (session: Session, statement: Statement) => (await session.send([statement]))[0]?.rows[0]?.['pid']

test('quick answers all come through one connection', async () => {
  const session = pooled(() => openPlannedSession(world.database), 3)
  const first = await pidOf(session, BACKEND)
  for (let k = 0; k < 20; k++) expect(await pidOf(session, BACKEND)).toBe(first)
  await session.close()
})

test('what comes while one answer is slow is answered before it', async () => {
  const session = pooled(() => openPlannedSession(world.database), 3)
  const ended: string[] = []
  const slow = pidOf(session, sleeping(1)).finally(() => ended.push('slow'))
  await sleep(50)
  const quick = await pidOf(session, BACKEND).finally(() => ended.push('quick'))
  expect(await slow).not.toBe(quick)
  expect(ended).toEqual(['quick', 'slow'])
  await session.close()
})

test('there are never more connections than allowed, and all of them end', async () => {
  const session = pooled(() => openPlannedSession(world.database), 2)
  const slow = []
  for (let k = 0; k < 5; k++) {
    slow.push(pidOf(session, sleeping(0.2)))
    await sleep(20)
  }
  const pids = [...new Set(await Promise.all(slow))]
  expect(pids).toHaveLength(2)
  await session.close()
  await expect.poll(() => world.sql('select pid from pg_stat_activity where pid = any($1::int[])', [pids])).toEqual([])
})

test('a transaction that waits keeps no other reader waiting', async () => {
  const session = pooled(() => openPlannedSession(world.database), 2)
  const ended: string[] = []
  const slow = session
    .transaction([sleeping(1)], () => ({ statements: [], value: null }))
    .finally(() => ended.push('slow'))
  await sleep(50)
  await pidOf(session, BACKEND).finally(() => ended.push('quick'))
  await slow
  expect(ended).toEqual(['quick', 'slow'])
  await session.close()
})
