// A tool whose gateway does not answer: nobody knows what became of the call, so its confirmation may be used again, and the
// money moves once.
import { afterAll, expect, test } from 'vitest'
import { openHttpDoor } from '../../../src/cli/mcp/http-door.ts'
import { type Fate, openUnsteadyProxy } from '../../rig/unsteady-proxy.ts'
import { openWorld } from '../../world.ts'
import { overHttp } from './client.ts'

const world = await openWorld({ workers: 'resting' })
/** What becomes of the next requests, in order. */
const fates: Fate[] = []
const road = await openUnsteadyProxy(await world.listen(), () => fates.shift() ?? 'passes')
const settings = { baseUrl: road.url, allowsAnyKey: false, nowMs: Date.now }
const door = await openHttpDoor({ host: '127.0.0.1', port: 0 }, settings)
const agent = await overHttp(door.url, world.caller.apiKey)
afterAll(async () => {
  await agent.close()
  await door.close()
  await road.close()
  await world.stop()
})

// The contract, the wallet and the key are read before it is paid; each call is tried three times.
const whilePaying = (fate: Fate): Fate[] => ['passes', 'passes', 'passes', fate, fate, fate]

test.each<[Fate, string, string | null]>([
  ['loses its answer', 'paid', 'wrong_state'],
  ['is cut before it arrives', 'issued', null],
])('a pay that %s leaves it %s, and the same call again pays no second time', async (fate, status, code) => {
  const before = await world.caller.balance('PHP')
  const { id } = await world.caller.issued()
  const { data } = await agent.use('pay_transfer', { id })
  const pay = () => agent.use('pay_transfer', { id, confirmation: data.confirmation })
  fates.push(...whilePaying(fate))
  expect(await pay()).toMatchObject({ isError: true, data: { error: { code: 'no_answer' } } })
  expect((await world.caller.get(id)).status).toBe(status)
  const again = await pay()
  expect(again.data.error?.code ?? null).toBe(code)
  expect((await world.caller.get(id)).status).toBe('paid')
  expect(await world.caller.balance('PHP')).toBe(before - 110.5)
  const keys = road.seen.filter(({ path }) => path.endsWith(`${id}/pay`)).map(({ key }) => key)
  expect(new Set(keys).size).toBe(1)
  await world.ledgerHolds()
})
