// Whether a gateway is ready while a clock is wrong: of its database, and of a node of a cluster that requests go straight to.
import { afterAll, expect, test } from 'vitest'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { openReadiness } from '../../../src/main/readiness.ts'
import type { Session } from '../../../src/platform/db.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const session = openPlannedSession(world.database)
afterAll(async () => {
  await session.close()
  await world.stop()
})

/** A node whose clock is ahead of the real one by so much. */
const nodeAhead = (aheadMs: number): Session => ({
  ...session,
  send: async (statements) => {
    const results = await session.send(statements)
    return results.map((each) => ({
      ...each,
      rows: each.rows.map((row) => ({ ...row, now_ms: Number(row['now_ms']) + aheadMs })),
    }))
  },
})

const silent: Session = { ...session, send: () => new Promise(() => undefined) }

async function readyWith(nodes: readonly (readonly [string, Session])[], nowMs: () => number = Date.now) {
  const readiness = openReadiness(world.database, {
    nowMs,
    monotonicMs: () => performance.now(),
    log: openLog('fatal'),
    state: { stopping: false, manner: 'for good' },
    recovery: { isOn: () => false, hasEnded: () => false, nodes: { sessions: () => nodes } },
  })
  const asked = await readiness.ask()
  await readiness.close()
  return asked
}

test.each([31_000, -31_000])('it is not ready where the clock of a node is off by %i ms', async (aheadMs) => {
  const { ready, status } = await readyWith([
    ['node-2', nodeAhead(0)],
    ['node-3', nodeAhead(aheadMs)],
  ])
  expect([ready, status]).toEqual([false, expect.stringContaining('The clocks differ')])
})

test('it is ready where nodes are a little off, or say nothing: who follows them sees that', async () => {
  const nodes = [['node-2', nodeAhead(9000)] as const, ['node-3', silent] as const]
  expect(await readyWith(nodes)).toEqual({ ready: true, status: 'ok' })
})

test('it is not ready where its own clock is off, whatever nodes it has', async () => {
  expect(await readyWith([], () => Date.now() + 31_000)).toMatchObject({ ready: false })
})
