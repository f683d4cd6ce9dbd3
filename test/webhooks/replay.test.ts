// What was missed can be had again, by name, by time and as a whole, as often as it is asked for; nothing comes unasked.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  deliveriesOf,
  endpointOf,
  eventsOf,
  NEAR,
  newEndpoint,
  patchEndpoint,
  replay,
  turn,
  until,
  untilServed,
} from '../rig/receiver/endpoints.ts'
import { type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { type Caller, openWorld, type World } from '../world.ts'

/** 75.7 hours: the ladder as it is published. */
const HORIZON_SECONDS = 272_555
const QUIET_MS = 500
const SOON_MS = 8000

let world: World
let receiver: Receiver
let caller: Caller
let path: string
let count = 0

beforeAll(async () => {
  world = await openWorld({ config: { ...NEAR, webhookRetryScale: 0.01 } })
  receiver = await startReceiver()
})
beforeEach(async () => {
  caller = await world.newCaller()
  path = `/replay-${++count}`
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

const arrivedIds = async () => (await receiver.arrivals(path)).map(({ id }) => id)
const issuedIds = async () => (await eventsOf(caller, 'contract.issued')).map(({ id }) => id)
const issueMany = async (many: number) => {
  for (let i = 0; i < many; i++) await caller.issued()
}
const arrived = (many: number) =>
  until(`${many} have arrived`, SOON_MS, async () => (await receiver.count(path)) === many)

test('named events are sent again, twice when asked twice, under the same id', async () => {
  const { id } = await newEndpoint(caller, receiver.url + path)
  await issueMany(3)
  await arrived(3)
  const [, second, third] = await issuedIds()
  const numbers = []
  for (const many of [4, 5]) {
    const { number, events } = await replay(caller, id, { events: [second] })
    numbers.push(number)
    expect(events).toBe(1)
    await arrived(many)
  }
  expect(numbers).toEqual([1, 2])
  expect((await arrivedIds()).slice(3)).toEqual([second, second])
  await untilServed(caller, [id], SOON_MS)
  const ofSecond = (await deliveriesOf(caller, id)).filter((delivery) => delivery.event_id === second)
  expect(ofSecond.map((delivery) => [delivery.replay, delivery.status, delivery.tries]).toSorted()).toEqual([
    [0, 'delivered', 1],
    [1, 'delivered', 1],
    [2, 'delivered', 1],
  ])
  expect((await deliveriesOf(caller, id)).some((delivery) => delivery.event_id === third && delivery.replay > 0)).toBe(
    false,
  )
})

test('a range of time is sent again, and only what the endpoint listens to', async () => {
  const { id } = await newEndpoint(caller, receiver.url + path)
  await issueMany(2)
  await sleep(50)
  const from = new Date().toISOString()
  await issueMany(3)
  await sleep(50)
  const to = new Date().toISOString()
  await issueMany(1)
  await arrived(6)
  expect(await replay(caller, id, { from, to })).toMatchObject({ events: 3, more: false })
  await arrived(9)
  expect((await arrivedIds()).slice(6).toSorted()).toEqual((await issuedIds()).slice(2, 5).toSorted())
})

test('events from before its time can be had too', async () => {
  const from = new Date(Date.now() - 60_000).toISOString()
  await issueMany(2)
  const { id } = await newEndpoint(caller, receiver.url + path)
  await sleep(QUIET_MS)
  expect(await receiver.count(path)).toBe(0)
  expect((await replay(caller, id, { from })).events).toBe(2)
  await arrived(2)
})

test('a disabled endpoint hears nothing, not at its enabling either, and then what it missed on demand', async () => {
  const { id } = await newEndpoint(caller, receiver.url + path)
  await issueMany(1)
  await arrived(1)
  // Written down, too: what was under way at the disabling counts as missed.
  await untilServed(caller, [id], SOON_MS)
  await patchEndpoint(caller, id, { status: 'disabled' })
  await issueMany(4)
  expect((await caller.ask('POST', `/webhook-endpoints/${id}/replay`, { body: { missed: true } })).error.code).toBe(
    'webhook_endpoint_disabled',
  )
  await patchEndpoint(caller, id, { status: 'enabled' })
  await sleep(QUIET_MS)
  expect(await receiver.count(path)).toBe(1)
  expect((await replay(caller, id, { missed: true })).events).toBe(4)
  await arrived(5)
  await untilServed(caller, [id], SOON_MS)
  expect(new Set(await arrivedIds())).toEqual(new Set(await issuedIds()))
  // Now nothing is missed any more.
  expect((await replay(caller, id, { missed: true })).events).toBe(0)
})

test('what waited for another try when it was disabled is held, and comes by a replay only', async () => {
  await receiver.behave(path, { kind: 'status', status: 500 })
  const { id } = await newEndpoint(caller, receiver.url + path)
  await issueMany(3)
  await until('all were tried', 3 * SOON_MS, async () => (await endpointOf(caller, id)).delivery.behind === 0)
  await patchEndpoint(caller, id, { status: 'disabled' })
  await receiver.behave(path, { kind: 'ok' })
  await patchEndpoint(caller, id, { status: 'enabled' })
  const before = await receiver.count(path)
  await sleep(QUIET_MS)
  expect(await receiver.count(path)).toBe(before)
  expect((await endpointOf(caller, id)).delivery).toMatchObject({ waiting: 0, held: 3 })
  expect((await replay(caller, id, { missed: true })).events).toBe(3)
  await arrived(before + 3)
})

test('a paused endpoint misses nothing', async () => {
  const { id } = await newEndpoint(caller, receiver.url + path)
  await turn(caller, id, 'pause')
  await issueMany(5)
  await sleep(QUIET_MS)
  expect(await receiver.count(path)).toBe(0)
  await turn(caller, id, 'resume')
  await arrived(5)
  // Those of different contracts come in any order.
  expect((await arrivedIds()).toSorted()).toEqual((await issuedIds()).toSorted())
})

test('past the horizon a delivery that still fails is dead, and can be had again', async () => {
  await receiver.behave(path, { kind: 'status', status: 500 })
  const { id } = await newEndpoint(caller, receiver.url + path)
  await issueMany(2)
  await until('both wait', SOON_MS, async () => (await deliveriesOf(caller, id, '?status=pending')).length === 2)
  // The virtual clock: what has waited since before the horizon, on the scale of this gateway.
  const age = HORIZON_SECONDS * world.config.webhookRetryScale + 1
  await world.sql(
    `update deliveries set created_at = now() - make_interval(secs => $2), due_at = now() where endpoint_id = $1 and status = 'pending'`,
    [id, age],
  )
  await world.sql('update webhook_progress set next_due_at = now() where endpoint_id = $1', [id])
  await until('both are dead', SOON_MS, async () => (await deliveriesOf(caller, id, '?status=dead')).length === 2)
  const before = await receiver.count(path)
  await sleep(QUIET_MS)
  expect(await receiver.count(path), 'the dead are not tried').toBe(before)
  expect((await endpointOf(caller, id)).delivery.dead).toBe(2)
  await receiver.behave(path, { kind: 'ok' })
  expect((await replay(caller, id, { missed: true })).events).toBe(2)
  await until('they arrive', SOON_MS, async () => (await deliveriesOf(caller, id, '?status=delivered')).length === 2)
})
