// Clocks that jump: what waits, limits and remembers goes by one that does not, and a gateway whose clock is far from the
// database's is not ready and says why.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { revokeApiKey } from '../../../src/store/accounts/admin.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

const HOUR_MS = 3_600_000
const BURST = 40

// Before the world is built: it takes the clock that it finds.
let shiftMs = 0
const { now } = Date
const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs)

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { rateLimit: 1000, rateBurst: BURST } })
})
afterEach(() => {
  shiftMs = 0
})
afterAll(async () => {
  await world.stop()
  clock.mockRestore()
})

test('ten seconds back: nobody is told that he sends too fast', async () => {
  const caller = await world.newCaller()
  const statuses: number[] = []
  for (let i = 0; i < BURST / 2; i++) statuses.push((await caller.ask('GET', '/wallets')).status)
  shiftMs = -10_000
  for (let i = 0; i < BURST; i++) {
    statuses.push((await caller.ask('GET', '/wallets')).status)
    // As fast as the limit allows.
    await sleep(2)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('an hour back: a key that is revoked reads no more a second later', async () => {
  const caller = await world.newCaller()
  expect((await caller.ask('GET', '/wallets')).status).toBe(200)
  shiftMs = -HOUR_MS
  const { lane } = caller.account
  await world.gateway.deps.reader.send([revokeApiKey(lane, caller.keyId, 0)])
  await expect.poll(async () => (await caller.ask('GET', '/wallets')).status, { timeout: 30_000 }).toBe(401)
})

test('an hour back: a channel that is frozen pays nothing out', async () => {
  const caller = await world.newCaller()
  const [before, frozen] = [await caller.issued(), await caller.issued()]
  await caller.pay(before.id)
  expect(await world.settle(before.id)).toBe('completed')
  shiftMs = -HOUR_MS
  await world.sql(`insert into channel_freezes (channel_id, reason) values ('sandbox', 'a line that is not ours')`)
  await roundsLater(caller)
  await caller.pay(frozen.id)
  await roundsLater(caller)
  const [attempt] = await world.sql<{ status: string }>('select status from jobs where contract_id = $1', [frozen.id])
  expect(attempt?.status).toBe('queued')
  await world.sql('delete from channel_freezes')
  expect(await world.settle(frozen.id)).toBe('completed')
})

/** Once the workers have looked at frozen channels again, which they do every second, and have sent what is due. */
async function roundsLater(caller: Caller): Promise<void> {
  await sleep(1100)
  const wallet = await world.other.wallet('PHP')
  const { id } = await caller.issued({ channel: 'wallet', recipient: { wallet: wallet.id }, amount: 1 })
  await caller.pay(id)
  expect(await world.settle(id)).toBe('completed')
}

test('two days back, the database’s: what waits for a time of then goes on at once', async () => {
  const caller = await world.newCaller()
  const mine = await caller.issued()
  await world.sql(`insert into channel_freezes (channel_id, reason) values ('sandbox', 'so that it waits')`)
  await roundsLater(caller)
  await caller.pay(mine.id)
  // As it stands where the clock was two days ahead when this was written.
  await world.sql(`update jobs set due_at = now() + interval '2 days 3 seconds' where contract_id = $1`, [mine.id])
  await world.sql(`update lanes set swept_until = now() + interval '2 days'`)
  await world.sql('delete from channel_freezes')
  expect(await world.settle(mine.id)).toBe('completed')
  const [lanes] = await world.sql<{ ahead: number }>(
    `select count(*)::int as ahead from lanes where swept_until > now() + interval '1 minute'`,
  )
  expect(lanes?.ahead).toBe(0)
})

test.each([
  ['behind', -HOUR_MS],
  ['ahead of', HOUR_MS],
])('an hour %s the database’s: not ready, and why', async (where, shift) => {
  expect(await ready()).toEqual({ status: 200, words: 'ok' })
  shiftMs = shift
  const words = new RegExp(`this machine's clock is 36\\d\\d\\.\\d s ${where} the database's. Set both by NTP`)
  await expect.poll(ready, { timeout: 30_000 }).toEqual({ status: 503, words: expect.stringMatching(words) })
  // What is wrong by some seconds is told in the log alone.
  shiftMs = -3000
  await expect.poll(ready, { timeout: 30_000 }).toEqual({ status: 200, words: 'ok' })
})

async function ready(): Promise<{ status: number; words: unknown }> {
  const { status, body } = await world.ask('GET', '/readyz')
  return { status, words: body['status'] }
}
