// What an event stream may cost, and when it ends: places, slow readers, silence, revoked keys, and the server's stop.
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld } from '../../world.ts'
import { follow, until } from './stream-follower.ts'

const world = await openWorld({ workers: 'resting' })
const url = await world.listen()
afterAll(() => world.stop())

const eventIds = async (caller: Caller) => (await caller.all<{ id: string }>('/events', 'events')).map(({ id }) => id)

/** More events than the system buffers between a server and who does not read: 24 MB. */
const LONG = 12_000

/** So many more events of the account, told by nobody, as another process might have written them. */
async function longHistory({ account }: Caller, count: number, { sql } = world): Promise<void> {
  await sql(
    `insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
     select h.lane, h.account_id, h.position + i, gen_random_uuid(), 1, 1, h.event, h.at, h.document
       from contract_versions h, generate_series(1, $2) i where h.account_id = $1 and h.position = 1`,
    [account.accountId, count],
  )
  await sql('update accounts set position = position + $2 where account_id = $1', [account.accountId, count])
}

describe('places', () => {
  test('an account has twenty; one that is given up is free again', async () => {
    const caller = await world.newCaller()
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow(url, caller)))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    const refused = await Promise.all([1, 2, 3].map(() => caller.ask('GET', '/events/stream')))
    for (const { status, error, headers } of refused) {
      expect([status, error.code, error.type, headers['retry-after']]).toEqual([
        429,
        'too_many_streams',
        'rate_limit_error',
        '1',
      ])
    }
    const elsewhere = await follow(url, world.other)
    expect(elsewhere.status).toBe(200)
    // A start that is refused takes no place either.
    streams.pop()?.cut()
    await sleep(50)
    for (let i = 0; i < 3; i++)
      expect((await caller.ask('GET', '/events/stream?after=evt_1')).error.code).toBe('invalid_after')
    const last = await follow(url, caller)
    expect(last.status).toBe(200)
    for (const each of [...streams, elsewhere, last]) each.cut()
  })

  test('asked for all at once, there are no more', async () => {
    const caller = await world.newCaller()
    const streams = await Promise.all(Array.from({ length: 60 }, () => follow(url, caller)))
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(streams.filter(({ status }) => status === 429)).toHaveLength(40)
    for (const each of streams) each.cut()
  })

  test('the gateway has a thousand, and writes go on beside them', { timeout: 180_000 }, async () => {
    const callers = await Promise.all(Array.from({ length: 51 }, () => world.newCaller()))
    const ofEach = (caller: Caller) => Promise.all(Array.from({ length: 20 }, () => follow(url, caller)))
    const streams = (await Promise.all(callers.slice(0, 50).map(ofEach))).flat()
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const { status, error, headers } = await callers[50]!.ask('GET', '/events/stream')
    expect([status, error.code, headers['retry-after']]).toEqual([503, 'overloaded', '1'])
    await Promise.all(callers.slice(0, 50).map((caller) => caller.draft()))
    await until(() => streams.every(({ events }) => events.length === 1), 60_000, 'each stream hears of its account')
    for (const each of streams) each.cut()
  })
})

test('readers that stop reading cost little, delay nobody, and hear all when they go on', {
  timeout: 180_000,
}, async () => {
  const caller = await world.newCaller()
  await caller.draft({ description: 'x'.repeat(1000) })
  const [first] = await eventIds(caller)
  await longHistory(caller, LONG)
  const before = memory()
  const stalled = await Promise.all(Array.from({ length: 5 }, () => follow(url, caller, { after: first })))
  for (const each of stalled) each.pause()
  const quick = await follow(url, caller)
  for (let i = 1; i <= 30; i++) {
    await caller.draft()
    await until(() => quick.events.length === i, 3000, 'the other stream hears')
    await sleep(50)
  }
  // What they have not read is more than 20 MB for each.
  expect(memory() - before).toBeLessThan(30_000_000)
  const [slow, ...others] = stalled
  for (const each of others) each.cut()
  expect(slow!.events.length).toBeLessThan(LONG / 2)
  slow!.resume()
  await until(() => slow!.events.length >= LONG + 30, 60_000, 'the slow one hears all')
  expect(new Set(slow!.ids()).size).toBe(LONG + 30)
  expect(slow!.ids().slice(-30)).toEqual(quick.ids())
  for (const each of [slow!, quick]) each.cut()
})

/** What is held, without what is only waiting to be collected. */
function memory(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('a stream that cannot read on, for the database is away, goes on when it is back', async () => {
  const caller = await world.newCaller()
  await caller.draft({ description: 'x'.repeat(1000) })
  const [first] = await eventIds(caller)
  await longHistory(caller, 10_000)
  const stream = await follow(url, caller, { after: first })
  stream.pause()
  const { owner } = world.database
  const keeper = new pg.Client({ ...owner, database: 'postgres' })
  await keeper.connect()
  try {
    await sleep(200)
    await keeper.query(`alter database ${owner.database} with allow_connections false`)
    await world.sql(`select pg_terminate_backend(pid) from pg_stat_activity
                      where application_name like 'gateway%' and datname = current_database()`)
    expect((await caller.ask('GET', '/events')).error.code).toBe('database_unavailable')
    stream.resume()
    await sleep(1500)
    expect(stream.ending()).toBeNull()
    expect(stream.events.length).toBeLessThan(10_000)
  } finally {
    await keeper.query(`alter database ${owner.database} with allow_connections true`)
    await keeper.end()
  }
  await until(() => stream.events.length === 10_000, 60_000, 'it hears all')
  expect(new Set(stream.ids()).size).toBe(10_000)
  stream.cut()
})

test('in silence: comments keep it open; a revoked key ends it; one that reads nothing is cut', {
  timeout: 180_000,
}, async () => {
  const [caller, stuck] = [await world.newCaller(), await world.newCaller()]
  const [revoked, narrowed] = [await world.withKey(caller, {}), await world.withKey(caller, {})]
  await stuck.draft({ description: 'x'.repeat(1000) })
  const [first] = await eventIds(stuck)
  await longHistory(stuck, LONG)
  const [open, ended, shut, cut] = await Promise.all([
    follow(url, caller),
    follow(url, revoked),
    follow(url, narrowed),
    follow(url, stuck, { after: first }),
  ])
  cut.pause()
  await world.sql('update api_keys set revoked_at = now() where key_id = $1', [revoked.keyId])
  await world.sql(`update api_keys set scopes = '{contracts:read}' where key_id = $1`, [narrowed.keyId])
  await until(() => ended.ending() === 'ended' && shut.ending() === 'ended', 12_500, 'a revoked key ends its stream')
  const again = await follow(url, revoked)
  expect(again.status).toBe(401)
  await sleep(14_000)
  // Past the server's idle time-out of 20 seconds.
  expect(open.ending()).toBeNull()
  expect(open.comments()).toBeGreaterThan(0)
  expect(open.events).toEqual([])
  await caller.draft()
  await until(() => open.events.length === 1, 1000, 'the silent stream still hears')
  cut.resume()
  await until(() => cut.ending() === 'broken', 60_000, 'a reader that stands still is cut')
  open.cut()
})

test('when the server stops, streams end at once, whether they read or not', { timeout: 180_000 }, async () => {
  const doomed = await openWorld({ workers: 'resting' })
  const address = await doomed.listen()
  const caller = await doomed.newCaller()
  const reading = await Promise.all(Array.from({ length: 10 }, () => follow(address, caller)))
  await caller.draft()
  await until(() => reading.every(({ events }) => events.length === 1), 60_000, 'they hear')
  await longHistory(caller, LONG, doomed)
  const [first] = await eventIds(caller)
  const stuck = await follow(address, caller, { after: first })
  stuck.pause()
  // Long enough to fill what the system buffers between them.
  await sleep(2000)
  const from = performance.now()
  await doomed.gateway.stop()
  // It waits for nobody who does not read.
  expect(performance.now() - from).toBeLessThan(10_000)
  expect(reading.map((each) => each.ending())).toEqual(reading.map(() => 'ended'))
  await expect(follow(address, caller)).rejects.toThrow('ECONNREFUSED')
  stuck.resume()
  await until(() => stuck.ending() !== null, 60_000, 'the one that did not read is cut')
  await doomed.stop()
})
