// A move between two wallets by the console's own steps, over a road that loses answers, and where members are asked first: money moves
// once, what may have moved is not cancelled, and what waits stays to be approved.
import { afterAll, expect, test } from 'vitest'
import { isRefused, oneByOne } from '../../../console/src/once.ts'
import { type Move, type Moved, move } from '../../../console/src/wallets/moving.ts'
import { createGateway } from '../../../sdk/src/index.ts'
import { asks } from '../../http/approvals/policies.ts'
import { type Fate, openUnsteadyProxy } from '../../rig/unsteady-proxy.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld()
/** Of the next requests, in order: a move makes, issues and pays. */
const fates: Fate[] = []
const road = await openUnsteadyProxy(await world.listen(), () => fates.shift() ?? 'passes')
afterAll(async () => {
  await road.close()
  await world.stop()
})

type Contract = { readonly id: string; readonly status: string }

/** An account with PHP 10,000.00 in its first wallet, and what each click on “Move money” does. */
async function mover() {
  const caller = await world.newCaller({ funds: { PHP: 10_000_00n } })
  const from = (await caller.wallet('PHP')).id
  const { data } = await caller.ask('POST', '/wallets', { body: { currency: 'PHP', label: 'Payroll' } })
  const to = (data['wallet'] as { id: string }).id
  const gateway = createGateway({ url: road.url, apiKey: caller.apiKey, retriesMax: 0, timeoutMs: 10_000 })
  const send = oneByOne<Move, Moved>()
  return {
    caller,
    click: (amount: string, debit = Number(amount)) =>
      send((wish, key) => move(gateway, wish, key), { from, to, amount, currency: 'PHP', description: 'Pay', debit }),
    left: async () => 10_000 - (await caller.balance('PHP')),
    statuses: async () =>
      (await caller.all<Contract>('/contracts/transfer', 'contracts')).map(({ status }) => status).toSorted(),
  }
}

const errorOf = (clicked: Promise<unknown>) => clicked.then(() => null).catch((error: unknown) => error)

test.each([
  ['made', ['loses its answer']],
  ['issued', ['passes', 'loses its answer']],
  ['paid', ['passes', 'passes', 'loses its answer']],
  ['not paid', ['passes', 'passes', 'is cut before it arrives']],
  ['paid, and a proxy said something else', ['passes', 'passes', 'gets half of its answer']],
] as const)('the second click after nobody said that it was %s moves the money once', async (_, lost) => {
  const { click, left, statuses } = await mover()
  fates.push(...lost)
  const error = await errorOf(click('1500'))
  expect(error).toMatchObject({ name: 'GatewayError', status: 0 })
  expect(isRefused(error)).toBe(false)
  const { id, waits } = await click('1500')
  expect(waits).toBeNull()
  expect(id).toHaveLength(36)
  expect(await left()).toBe(1500)
  expect((await statuses()).length).toBe(1)
})

test('a click after one that was answered moves money again', async () => {
  const { click, left } = await mover()
  await click('100')
  await click('100')
  expect(await left()).toBe(200)
})

test('what is refused for good leaves no open contract, and can be wanted again', async () => {
  const { caller, click, statuses } = await mover()
  expect(await errorOf(click('20000'))).toMatchObject({ code: 'insufficient_funds' })
  expect(await errorOf(click('20000'))).toMatchObject({ code: 'insufficient_funds' })
  expect(await errorOf(click('100', 99))).toMatchObject({ code: 'preview_mismatch' })
  expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(await caller.balance('PHP')).toBe(10_000)
})

test('what needs an approval is issued, waits for it and is not cancelled', async () => {
  const { caller, click, left, statuses } = await mover()
  await asks(world, caller, [{ count: 1, role: null }])
  const { id, waits } = await click('2500')
  expect(waits).toContain('GET /approvals')
  expect(await statuses()).toEqual(['issued'])
  expect(await left()).toBe(0)
  expect((await caller.ask('GET', `/contracts/transfer/${id}`)).data['contract']).toMatchObject({
    approval: { status: 'waiting' },
  })
})
