// Trying an endpoint out is a call like any other: it counts among those under way, so that an account whose receiver hangs
// cannot take the connections that others' webhooks to the same host need.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEAR, newEndpoint, until } from '../rig/receiver/endpoints.ts'
import { type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { openWorld, type Reply, type World } from '../world.ts'

let world: World
let receiver: Receiver

beforeAll(async () => {
  // Far longer than everything that is to happen meanwhile.
  world = await openWorld({ config: { ...NEAR, webhookTimeoutMs: 20_000, webhookLeaseMs: 60_000 } })
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await world.stop()
})

test('hundreds of trials at a receiver that hangs take no connection from another account on the same host', {
  timeout: 180_000,
}, async () => {
  const { caller, other } = world
  await receiver.behave('/hangs', { kind: 'hang' })
  const endpoints = []
  for (let i = 0; i < 10; i++) endpoints.push(await newEndpoint(caller, `${receiver.url}/hangs`, { in_flight_max: 16 }))
  await newEndpoint(other, `${receiver.url}/well`)
  let ended = 0
  const refused: Reply[] = []
  const trials = endpoints.flatMap(({ id }) =>
    Array.from({ length: 40 }, async () => {
      const reply = await caller.ask('POST', `/webhook-endpoints/${id}/test`)
      if (reply.status === 429) refused.push(reply)
      else ended += 1
    }),
  )
  // As many as an account may have under way, and no more: the others are told so at once.
  await until('the rest is refused', 60_000, async () => refused.length === 400 - 64)
  expect(await receiver.count('/hangs')).toBeLessThanOrEqual(64)
  expect(refused[0]).toMatchObject({ headers: { 'retry-after': '1' }, error: { code: 'rate_limited' } })
  await caller.issued()
  for (let i = 0; i < 5; i++) await other.issued()
  await until('the other account hears', 60_000, async () => (await receiver.count('/well')) === 5)
  expect(ended).toBe(0)
  await receiver.closePort()
  await Promise.all(trials)
  expect(ended).toBe(64)
  await receiver.openPort()
})

test('one endpoint is tried out as often at once as it takes calls, beside its deliveries', async () => {
  await receiver.behave('/narrow', { kind: 'hang' })
  const fresh = await world.newCaller()
  const { id } = await newEndpoint(fresh, `${receiver.url}/narrow`, { in_flight_max: 2 })
  await fresh.issued()
  await until('its delivery is under way', 60_000, async () => (await receiver.count('/narrow')) === 1)
  const first = fresh.ask('POST', `/webhook-endpoints/${id}/test`)
  await until('a trial is under way', 60_000, async () => (await receiver.count('/narrow')) === 2)
  expect((await fresh.ask('POST', `/webhook-endpoints/${id}/test`)).error.code).toBe('rate_limited')
  await receiver.closePort()
  expect((await first).status).toBe(200)
  await receiver.openPort()
})
