// The scheduler with collections: a rail that gives no answer is left in peace without costing another its turn, and a frozen
// channel starts nothing new. Payouts are tried in test/simulation/rails-outage.long.test.ts.
import { afterAll, expect, test } from 'vitest'
import { openFreezes } from '../../../src/app/jobs/freezes.ts'
import { collects, type Connector } from '../../../src/connectors/connector.ts'
import type { Absence } from '../../../src/domain/channel/outcome.ts'
import { openLog } from '../../../src/platform/log.ts'
import { openScheduler } from '../../../src/workers/scheduler.ts'
import { contractIn, type PaymentBody } from '../../http/payments/payments-stage.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const { deps } = world.gateway
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const FREEZE_LOOK_MS = 1000

/** The workers' scheduler on a clock for freezes that the test moves, with a log of the rails that were asked. */
function schedulerOf(silent: readonly string[]) {
  const asked: string[] = []
  let nowMs = 0
  const freezes = openFreezes(deps.reader, () => nowMs)
  const connectors = new Map([...deps.payments.connectors].map(([id, each]) => [id, listened(id, each)]))
  function listened(id: string, connector: Connector): Connector {
    if (!collects(connector)) return connector
    return Object.assign(Object.create(connector) as Connector, {
      checkCollection: async (...args: Parameters<typeof connector.checkCollection>) => {
        asked.push(id)
        const doubt: Absence | { kind: 'unknown'; reason: string } = { kind: 'unknown', reason: 'no answer' }
        return silent.includes(id) ? doubt : connector.checkCollection(...args)
      },
    })
  }
  // Connectors of its own for each call would pass by those that listen.
  const { noted: _noted, ...others } = deps.payments
  const payments = { ...others, connectors }
  const scheduler = openScheduler({
    ...deps,
    ...payments,
    payments,
    freezes,
    inFlightPerChannel: 1,
    log: openLog('fatal'),
  })
  return {
    asked,
    state: scheduler.state,
    /** Everything is due, and what has room is worked on. */
    round: async () => {
      await world.sql(`update jobs set due_at = now() where due_at is not null`)
      await scheduler.round([caller.account.lane])
      await scheduler.settled()
    },
    lookAtFreezes: async () => {
      nowMs += FREEZE_LOOK_MS
      await freezes.look()
    },
  }
}

async function opened(...kinds: readonly string[]): Promise<PaymentBody> {
  let contract = contractIn(await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } }))
  for (const kind of kinds)
    contract = contractIn(
      await caller.ask('PUT', `/contracts/payment/${contract.id}/pay`, { body: { type: kind, [kind]: {} } }),
    )
  return contract
}

const fenceOf = async (id: string) =>
  (await world.sql<{ fence: number }>('select fence from jobs where contract_id = $1', [id]))[0]?.fence

test('a rail that gives no answer is left in peace: its jobs are not even leased, and another rail’s go on', async () => {
  const quiet = await opened('gcash')
  const { asked, round, state } = schedulerOf(['gcash'])
  for (let i = 0; i < 5; i++) await round()
  expect(asked).toEqual(Array.from({ length: 5 }, () => 'gcash'))
  expect(state('gcash').outage.openUntil).not.toBeNull()
  const before = await fenceOf(quiet.id)
  await opened('maya')
  await round()
  expect(asked.slice(5)).toEqual(['maya'])
  expect(await fenceOf(quiet.id)).toBe(before)
})

test('a payer who went on to another rail is asked about there, however long the first one is away', async () => {
  await world.sql('update jobs set due_at = null')
  const moved = await opened('gcash', 'maya')
  const { asked, round } = schedulerOf(['gcash'])
  await opened('gcash')
  for (let i = 0; i < 12; i++) await round()
  expect(asked.filter((id) => id === 'maya').length).toBeGreaterThanOrEqual(4)
  const [job] = await world.sql('select channel_id from jobs where contract_id = $1', [moved.id])
  expect(job).toEqual({ channel_id: null })
})

test('a frozen channel starts nothing, and what is open is asked about', async () => {
  await world.sql('update jobs set due_at = null')
  const open = await opened('maya')
  const { asked, round, lookAtFreezes } = schedulerOf([])
  await world.sql(`insert into channel_freezes (channel_id, reason) values ('maya', 'a line that is not ours')`)
  await lookAtFreezes()
  await round()
  expect(asked).toEqual(['maya'])
  await world.sql(`update jobs set status = 'queued' where contract_id = $1`, [open.id])
  await round()
  expect(asked).toEqual(['maya'])
  await world.sql(`delete from channel_freezes`)
  await lookAtFreezes()
  await round()
  expect(asked).toEqual(['maya', 'maya'])
})

test('a payer cannot choose a channel that stands still', async () => {
  const working = await openWorld()
  try {
    const body = { amount: 100, currency: 'PHP' }
    const { id } = contractIn(await working.caller.ask('POST', '/contracts/payment', { body }))
    const choose = (kind: string) =>
      working.caller.ask('PUT', `/contracts/payment/${id}/pay`, { body: { type: kind, [kind]: {} } })
    await working.sql(`insert into channel_freezes (channel_id, reason) values ('gcash', 'a line that is not ours')`)
    await expect.poll(() => working.gateway.deps.channels.isFrozen?.('gcash'), { timeout: 30_000 }).toBe(true)
    expect(await choose('gcash')).toMatchObject({ status: 503, error: { code: 'channel_unavailable' } })
    expect((await choose('maya')).status).toBe(200)
    await working.sql('delete from channel_freezes')
    await expect.poll(() => working.gateway.deps.channels.isFrozen?.('gcash'), { timeout: 30_000 }).toBe(false)
    expect((await choose('gcash')).status).toBe(200)
    await working.ledgerHolds()
  } finally {
    await working.stop()
  }
})
