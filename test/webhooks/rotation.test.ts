// Secrets and bearer tokens are replaced while events flow: nothing that arrives is ever unbelievable to a receiver that
// knows the old or the new ones, and what is sent after the change is told by the new ones alone.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyServiceSignature } from '../../sdk/src/signature.ts'
import { eachOf, NEAR, newEndpoint, patchEndpoint, succeed, until, untilServed } from '../rig/receiver/endpoints.ts'
import { type Arrival, type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { openWorld, type World } from '../world.ts'

const CONTRACTS = 250
const AT_ONCE = 4

let world: World
let receiver: Receiver

beforeAll(async () => {
  world = await openWorld({ config: NEAR })
  receiver = await startReceiver()
  await receiver.keepEverything()
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

/** Whether both families of signatures prove it with one of these secrets. */
function isGenuine({ headers, body }: Arrival, secret: string): boolean {
  const bytes = Buffer.from(body ?? '')
  const nowSeconds = Date.now() / 1000
  const ours = verifyServiceSignature(bytes, headers?.['service-signature'], [secret], { nowSeconds })
  if (!ours.ok) return false
  try {
    new Webhook(secret).verify(bytes.toString(), headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

const signers = (arrival: Arrival, secrets: readonly string[]) =>
  secrets.filter((secret) => isGenuine(arrival, secret)).length

test('a roll of the secret and a new bearer token under load fail no verification', async () => {
  const { caller } = world
  const endpoint = await newEndpoint(caller, `${receiver.url}/rolling`, { events: ['*'], in_flight_max: 16 })
  const old = { secret: endpoint.secret, bearer: endpoint.bearer_token }
  const flow = eachOf(Array.from({ length: CONTRACTS }), AT_ONCE, () => caller.issued())
  await until('events flow', 60_000, async () => (await receiver.count('/rolling')) > 50)
  const rolled = await succeed<{ secret: string }>(
    caller,
    'POST',
    `/webhook-endpoints/${endpoint.id}/roll-secret`,
    'webhook_endpoint',
    { overlap_seconds: 3600 },
  )
  await until('more events flow', 60_000, async () => (await receiver.count('/rolling')) > 150)
  const bearer = 'a-token-of-the-receivers-own-choice'
  await patchEndpoint(caller, endpoint.id, { bearer_token: bearer })
  await flow
  await untilServed(caller, [endpoint.id], 60_000)

  const arrivals = await receiver.arrivals('/rolling')
  const bearers = arrivals.map(({ headers }) => headers?.authorization)
  const counts = arrivals.map((arrival) => [signers(arrival, [old.secret]), signers(arrival, [rolled.secret])])
  expect(new Set(arrivals.map(({ id }) => id)).size).toBe(2 * CONTRACTS)
  expect(counts.filter(([byOld, byNew]) => byOld === 0 && byNew === 0)).toEqual([])
  // During the overlap the receiver may change over at any moment: the old one proves everything.
  expect(counts.every(([byOld]) => byOld === 1)).toBe(true)
  expect(counts[0]).toEqual([1, 0])
  expect(counts.at(-1)).toEqual([1, 1])
  expect(new Set(bearers)).toEqual(new Set([`Bearer ${old.bearer}`, `Bearer ${bearer}`]))
  expect(bearers[0]).toBe(`Bearer ${old.bearer}`)
  expect(bearers.at(-1)).toBe(`Bearer ${bearer}`)
})

test('a roll without an overlap leaves the old secret dead', async () => {
  const { caller } = world
  const endpoint = await newEndpoint(caller, `${receiver.url}/at-once`)
  const rolled = await succeed<{ secret: string }>(
    caller,
    'POST',
    `/webhook-endpoints/${endpoint.id}/roll-secret`,
    'webhook_endpoint',
    { overlap_seconds: 0 },
  )
  await caller.issued()
  await untilServed(caller, [endpoint.id], 60_000)
  const [arrival] = await receiver.arrivals('/at-once')
  expect([signers(arrival!, [endpoint.secret]), signers(arrival!, [rolled.secret])]).toEqual([0, 1])
})

test('an endpoint that is never idle is signed by the old secret for no longer than the overlap', async () => {
  const { caller } = world
  await receiver.behave('/busy', { kind: 'slow', ms: 200 })
  const endpoint = await newEndpoint(caller, `${receiver.url}/busy`, { in_flight_max: 1 })
  const roll = `/webhook-endpoints/${endpoint.id}/roll-secret`
  const rolled = await succeed<{ secret: string }>(caller, 'POST', roll, 'webhook_endpoint', { overlap_seconds: 2 })
  const overAt = Date.now() + 2000
  // One waits whenever one has come, for twice as long as the overlap.
  await Promise.all(Array.from({ length: 20 }, () => caller.issued()))
  await untilServed(caller, [endpoint.id], 60_000)

  const arrivals = await receiver.arrivals('/busy')
  const signedBy = (arrival: Arrival) => [signers(arrival, [endpoint.secret]), signers(arrival, [rolled.secret])]
  const sentAfter = arrivals.filter(({ headers }) => Number(headers?.['webhook-timestamp']) * 1000 >= overAt)
  expect(signedBy(arrivals[0]!)).toEqual([1, 1])
  expect(new Set(sentAfter.map(signedBy).map(String))).toEqual(new Set(['0,1']))
})
