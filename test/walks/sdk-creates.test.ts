// A thousand contracts over a road that cuts every second request: each is there once.
import { afterAll, expect, test } from 'vitest'
import { createGateway } from '../../sdk/src/index.ts'
import { diceOf } from '../rig/dice.ts'
import { type Fate, openUnsteadyProxy } from '../rig/unsteady-proxy.ts'
import { openWorld } from '../world.ts'

const COUNT = 1000
const LANES = 16
const FAULTS: readonly Fate[] = [
  'is cut before it arrives',
  'loses its answer',
  'gets half of its answer',
  { status: 502, body: '<h1>Bad Gateway</h1>' },
]

const world = await openWorld({ workers: 'resting' })
const url = await world.listen()
afterAll(() => world.stop())

test('1,000 creates over cut connections: no duplicate, none lost', async () => {
  const dice = diceOf(14)
  const fateOf = (): Fate => (dice.chance(0.5) ? 'passes' : dice.pick(FAULTS))
  const road = await openUnsteadyProxy(url, fateOf)
  const gateway = createGateway({ url: road.url, apiKey: world.caller.apiKey, retriesMax: 25 })
  const ids: string[] = []
  let next = 0
  const work = async () => {
    while (next < COUNT) {
      const amount = (next += 1)
      const { id } = await gateway.transfers.create({ amount, currency: 'PHP' })
      ids.push(id)
    }
  }
  await Promise.all(Array.from({ length: LANES }, work))
  await road.close()
  const again = road.seen.length - COUNT
  expect(again).toBeGreaterThan(COUNT / 2)
  expect(new Set(road.seen.map(({ key }) => key)).size).toBe(COUNT)
  const there = await createGateway({ url, apiKey: world.caller.apiKey }).transfers.list({ limit: 100 }).all()
  expect(there.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: COUNT }, (_, at) => at + 1),
  )
  expect(there.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  console.log(`1,000 creates: ${again} requests more than that, ${there.length} contracts`)
})
