// What a healthy receiver hears: every event once, those of one contract in the order in which they happened, without a
// gap, whatever many callers do at once. The feed of events tells the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachOf, eventsOf, NEAR, newEndpoint, untilServed } from '../rig/receiver/endpoints.ts'
import { type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { openWorld, type World } from '../world.ts'

const CALLERS = 8
const CONTRACTS = 100

let world: World
let receiver: Receiver

beforeAll(async () => {
  // Who cancels after a pay has a second for it: with none the money may have arrived.
  world = await openWorld({ config: NEAR, undoSeconds: 1 })
  receiver = await startReceiver()
  await receiver.keepEverything()
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

test('first attempts come in the order of each contract, gapless, and the feed is complete', async () => {
  const { caller } = world
  const patient = await newEndpoint(caller, `${receiver.url}/all`, { events: ['*'], in_flight_max: 16 })
  const four = await newEndpoint(caller, `${receiver.url}/four`)
  const kinds = Array.from({ length: CONTRACTS }, (_, index) => index % 4)
  await eachOf(kinds, CALLERS, async (kind) => {
    const { id } = await caller.draft()
    await caller.update(id, { description: `kind ${kind}` })
    if (kind > 0) await caller.issue(id)
    if (kind > 1) await caller.pay(id)
    if (kind !== 2) await caller.cancel(id)
    if (kind > 1) await world.settle(id)
  })
  await untilServed(caller, [patient.id, four.id], 60_000)

  const events = await eventsOf(caller)
  const arrivals = await receiver.arrivals('/all')
  expect(arrivals.map(({ id }) => id).toSorted()).toEqual(events.map(({ id }) => id).toSorted())
  const heard = new Map<string, number[]>()
  for (const { body } of arrivals) {
    const event = JSON.parse(body ?? '') as (typeof events)[number]
    heard.set(event.data.object.id, [...(heard.get(event.data.object.id) ?? []), event.sequence])
  }
  expect(heard.size).toBe(CONTRACTS)
  for (const [contract, sequences] of heard) expect(sequences, contract).toEqual(sequences.map((_, index) => index + 1))
  expect(arrivals.every(({ attempt }) => attempt === 1)).toBe(true)

  const ofFour = events.filter(({ type }) => /issued|paid|cancelled|completed/.test(type)).map(({ id }) => id)
  const arrivedAtFour = (await receiver.arrivals('/four')).map(({ id }) => id)
  expect(arrivedAtFour.toSorted()).toEqual(ofFour.toSorted())
  await world.ledgerHolds()
})

test('the body of a delivery is the event of the feed, byte for byte', async () => {
  const { caller } = world
  const [arrival] = (await receiver.arrivals('/four')).toReversed()
  const reply = await caller.ask('GET', `/events/${arrival?.id}`)
  expect(arrival?.body).toBe(JSON.stringify(reply.data['event']))
})
