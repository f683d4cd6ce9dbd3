// A tool whose gateway does not answer: nobody knows what became of the call, so its confirmation may be used again, and the
// money moves once: the very call of before is sent, whatever the contract has become.
import { afterAll, expect, test } from 'vitest'
import { CONFIRMATION_MS } from '../../../src/cli/mcp/confirmations.ts'
import { openHttpDoor } from '../../../src/cli/mcp/http-door.ts'
import { type Fate, openUnsteadyProxy } from '../../rig/unsteady-proxy.ts'
import { openWorld } from '../../world.ts'
import { overHttp } from './client.ts'
import { paidPayment } from './paid-payment.ts'

const world = await openWorld({ workers: 'resting' })
/** What becomes of the next requests, in order. */
const fates: Fate[] = []
const road = await openUnsteadyProxy(await world.listen(), () => fates.shift() ?? 'passes')
let aheadMs = 0
const settings = { baseUrl: road.url, allowsAnyKey: false, nowMs: () => Date.now() + aheadMs }
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

test.each<[Fate, string]>([
  ['loses its answer', 'paid'],
  ['is cut before it arrives', 'issued'],
])('a pay that %s leaves it %s, and the same call again is answered, and pays no second time', async (fate, status) => {
  const before = await world.caller.balance('PHP')
  const { id } = await world.caller.issued()
  const { data } = await agent.use('pay_transfer', { id })
  const pay = () => agent.use('pay_transfer', { id, confirmation: data.confirmation })
  fates.push(...whilePaying(fate))
  expect(await pay()).toMatchObject({ isError: true, data: { error: { code: 'no_answer' } } })
  expect((await world.caller.get(id)).status).toBe(status)
  const again = await pay()
  expect(again.data).toMatchObject({ done: true, contract: { id, status: 'paid' } })
  expect((await world.caller.get(id)).status).toBe('paid')
  expect(await world.caller.balance('PHP')).toBe(before - 110.5)
  const keys = road.seen.filter(({ path }) => path.endsWith(`${id}/pay`)).map(({ key }) => key)
  expect(new Set(keys).size).toBe(1)
  await world.ledgerHolds()
})

const refunded = async (id: string) =>
  ((await world.caller.ask('GET', `/contracts/payment/${id}`)).data['contract'] as { amount_refunded: number })
    .amount_refunded
// The contract and the key are read before it is refunded.
const whileRefunding = (fate: Fate): Fate[] => ['passes', 'passes', fate, fate, fate]

test('a refund whose answers were all lost goes out once, and the same call again tells what it did', async () => {
  const id = await paidPayment(world)
  const { data } = await agent.use('refund_payment', { id, amount: 25 })
  const refund = (more: object = {}) =>
    agent.use('refund_payment', { id, amount: 25, confirmation: data.confirmation, ...more })
  fates.push(...whileRefunding('loses its answer'))
  expect(await refund()).toMatchObject({ isError: true, data: { error: { code: 'no_answer' } } })
  expect(await refunded(id)).toBe(25)
  // Nobody says that nothing was done, for it was.
  const other = await refund({ amount: 30 })
  expect(other).toMatchObject({ isError: true, data: { error: { code: 'confirmation_changed' } } })
  expect(other.text).not.toContain('Nothing was done')
  expect((await refund()).data).toMatchObject({ done: true, contract: { id, amount_refunded: 25 } })
  expect(await refunded(id)).toBe(25)
  expect(await refund()).toMatchObject({ isError: true, data: { error: { code: 'confirmation_used' } } })
  const keys = road.seen.filter(({ path }) => path.endsWith(`${id}/refunds`)).map(({ key }) => key)
  expect([keys.length, new Set(keys).size]).toEqual([4, 1])
  // Who asks anew is told of it.
  expect((await agent.use('refund_payment', { id, amount: 25 })).text).toContain(
    'PHP 25.00 of it has gone back already',
  )
  await world.ledgerHolds()
})

test('a refund that never arrived is not done any more where the payment has changed since', async () => {
  const id = await paidPayment(world)
  const { data } = await agent.use('refund_payment', { id, amount: 25 })
  const refund = () => agent.use('refund_payment', { id, amount: 25, confirmation: data.confirmation })
  fates.push(...whileRefunding('is cut before it arrives'))
  expect(await refund()).toMatchObject({ isError: true, data: { error: { code: 'no_answer' } } })
  await world.caller.ask('POST', `/contracts/payment/${id}/refunds`, { body: { amount: 10 } })
  expect(await refund()).toMatchObject({ isError: true, data: { error: { code: 'precondition_failed' } } })
  expect(await refund()).toMatchObject({ isError: true, data: { error: { code: 'confirmation_used' } } })
  expect(await refunded(id)).toBe(10)
})

test('an answer that says nothing about the tries before it leaves the call to be sent again', async () => {
  const id = await paidPayment(world)
  const { data } = await agent.use('refund_payment', { id, amount: 25 })
  const refund = () => agent.use('refund_payment', { id, amount: 25, confirmation: data.confirmation })
  fates.push('passes', 'passes', 'loses its answer', { status: 404, body: 'default backend' })
  expect(await refund()).toMatchObject({ isError: true, data: { error: { code: 'not_a_gateway' } } })
  expect((await refund()).data).toMatchObject({ done: true, contract: { amount_refunded: 25 } })
  expect(await refunded(id)).toBe(25)
})

test('a confirmation that ran out, or is of a session that ended, says that it may have been done', async () => {
  const id = await paidPayment(world)
  const { data } = await agent.use('refund_payment', { id, amount: 25 })
  const input = { id, amount: 25, confirmation: data.confirmation }
  fates.push(...whileRefunding('loses its answer'))
  await agent.use('refund_payment', input)
  const next = await overHttp(door.url, world.caller.apiKey)
  const unknown = await next.use('refund_payment', input)
  await next.close()
  aheadMs = CONFIRMATION_MS
  const expired = await agent.use('refund_payment', input)
  aheadMs = 0
  expect([unknown.data.error?.code, expired.data.error?.code]).toEqual(['confirmation_unknown', 'confirmation_expired'])
  for (const { text } of [unknown, expired]) {
    expect(text).toContain('look first whether it was done')
    expect(text).not.toContain('Nothing was done')
  }
  expect(await refunded(id)).toBe(25)
})
