// One of several servers is away: the work of the others begins all the same, after a start and after a recovery that ends meanwhile.
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { eachServer } from '../../../src/main/database/servers.ts'
import { buildRecovery, followRecovery } from '../../../src/main/recovery.ts'
import { openMetrics } from '../../../src/platform/metrics.ts'
import { openStanding } from '../../../src/platform/postgres/standing.ts'
import { EAST, whileAway } from '../../rig/servers/other-server.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
const { sql, sqlElsewhere } = world
afterAll(() => world.stop())
const log = pino({ enabled: false })

/** As a start of the gateway does. */
async function opened() {
  const database = await eachServer(world.database, (server) => ({ ...server, standing: openStanding() }))
  const session = world.gateway.deps.reader
  const metrics = openMetrics()
  return buildRecovery(world.config, { session, database, nodes: null, metrics, monotonicMs: () => 0, log })
}

test('a recovery that two operators end while a server is away has ended for the others', async () => {
  await (await world.newCaller({ lane: 17 })).draft()
  await sql(`insert into epochs (number, reason) values (2, 'declared')`)
  const recovery = await opened()
  let begun = 0
  const begin = () => {
    begun += 1
    return async () => undefined
  }
  const followed = followRecovery(recovery, begin, log)
  try {
    await recovery.look()
    expect([recovery.isOn(), begun]).toEqual([true, 0])
    await whileAway(sqlElsewhere, sql, async () => {
      await sql(
        `update epochs set proposed_by = 'ana', proposed_at = now(), resumed_by = 'ben', resumed_at = now() where number = 2`,
      )
      await expect.poll(() => begun).toBe(1)
      expect(recovery.isOn()).toBe(false)
    })
  } finally {
    await followed.stop()
    await recovery.stop()
  }
})

test('a server that goes away before the first look keeps no other waiting', async () => {
  const home = await world.newCaller({ lane: 17 })
  const { id } = await home.paid()
  await whileAway(sqlElsewhere, sql, async () => {
    world.gateway.startWorkers()
    expect(await world.settle(id)).toBe('completed')
  })
})
