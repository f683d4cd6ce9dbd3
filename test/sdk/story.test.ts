// The SDK against a real gateway: contracts from draft to their end in both directions, lists, events, waits and refusals.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createGateway, GatewayError, sandbox, type GatewayEvent } from '../../sdk/src/index.ts'
import { openWorld } from '../world.ts'

const world = await openWorld()
const url = await world.listen()
const gateway = createGateway({ url, apiKey: world.caller.apiKey })
afterAll(() => world.stop())

const DRAFT = {
  amount: '1500.50',
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Ana Cruz', wallet: '0012345678' },
}

test('a transfer from draft to completed', async () => {
  const draft = await gateway.transfers.create({ ...DRAFT, metadata: { amount: '007' } })
  expect(draft).toMatchObject({ status: 'draft', amount: 1500.5, metadata: { amount: '007' }, issued_at: null })
  const issued = await gateway.transfers.issue(draft)
  const paid = await gateway.transfers.pay(issued)
  expect(paid.paid_at).toMatch(/^20/)
  const completed = await gateway.transfers.waitUntil(paid, 'completed')
  expect(completed).toMatchObject({ id: draft.id, status: 'completed' })
  expect(await gateway.transfers.get(draft.id)).toMatchObject({ status: 'completed' })
})

test('an outcome of the sandbox by its name, and a wait that its contract disappoints', async () => {
  const recipient = { name: 'Ana Cruz', wallet: sandbox.outcomes.accountClosed }
  const draft = await gateway.transfers.create({ ...DRAFT, recipient })
  const paid = await gateway.transfers.pay(await gateway.transfers.issue(draft))
  const error = await gateway.transfers.waitUntil(paid, 'completed').catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(GatewayError)
  expect(error).toMatchObject({ code: 'status_unreachable', contract: { id: draft.id, status: 'cancelled' } })
})

test('a payment by card, and a part of it back', async () => {
  const contract = await gateway.payments.create({ amount: 500, currency: 'PHP', description: 'Coffee' })
  const payer = createGateway({ url, token: contract.checkout_url?.split('/').at(-1) })
  await payer.payments.pay(contract, { type: 'card', card: { token: sandbox.cards.accepted } })
  const paid = await gateway.payments.waitUntil(contract, 'paid')
  await gateway.payments.refund(paid, { amount: '100.25', reason: 'One bag was torn.' })
  expect(await gateway.payments.get(paid)).toMatchObject({ status: 'paid', refunds: [{ amount: 100.25 }] })
  const declined = await gateway.payments.create({ amount: sandbox.amount('declined', 100), currency: 'PHP' })
  expect(declined.amount).toBe(100.21)
})

test('lists page by page, each item once', async () => {
  const caller = await world.newCaller()
  const own = createGateway({ url, apiKey: caller.apiKey })
  for (let count = 1; count <= 7; count += 1) await own.transfers.create({ ...DRAFT, amount: count })
  const amounts: number[] = []
  for await (const { amount } of own.transfers.list({ limit: 3, status: ['draft'] })) amounts.push(amount)
  expect(amounts).toEqual([7, 6, 5, 4, 3, 2, 1])
  const { items, next } = await own.transfers.list({ limit: 3 }).page()
  expect([items.length, typeof next]).toEqual([3, 'string'])
  expect((await own.events.list({ limit: 2 }).all(5)).length).toBe(5)
  expect((await own.events.list({ limit: 3 }).all()).length).toBe(7)
})

test('events as they happen, from the very first of an account', async () => {
  const caller = await world.newCaller()
  const own = createGateway({ url, apiKey: caller.apiKey })
  const stop = new AbortController()
  const heard: GatewayEvent[] = []
  let isOpen = false
  const following = (async () => {
    for await (const event of own.events.follow({ signal: stop.signal, onOpen: () => (isOpen = true) }))
      heard.push(event)
  })()
  await until(() => isOpen)
  await own.transfers.issue(await own.transfers.create(DRAFT))
  await until(() => heard.length === 2)
  stop.abort()
  await following
  expect(heard.map(({ type }) => type)).toEqual(['contract.created', 'contract.issued'])
  expect(heard).toEqual(await own.events.list().all())
  const types = await firstOf(own.events.follow({ after: heard[0]?.id, types: ['contract.issued'] }))
  expect(types.id).toBe(heard[1]?.id)
})

test('a refusal says what, where and how to mend it', async () => {
  const refused = await gateway.transfers
    .create({ amount: 100, currency: 'XYZ', recipient: { email: 'nobody' } })
    .catch((fault: unknown) => fault)
  expect(refused).toBeInstanceOf(GatewayError)
  expect(refused).toMatchObject({ name: 'GatewayError', status: 400, type: 'invalid_request_error', mayPass: false })
  expect(refused).toMatchObject({ requestId: expect.stringMatching(/^req_/), docUrl: expect.stringContaining(url) })
  const draft = await gateway.transfers.create(DRAFT)
  await gateway.transfers.update(draft, { description: 'changed' })
  await expect(gateway.transfers.issue(draft, {}, { ifMatch: draft.version })).rejects.toMatchObject({
    code: 'precondition_failed',
    status: 412,
  })
})

test('a contract that somebody else went on with is no surprise later', async () => {
  const draft = await gateway.transfers.create(DRAFT)
  await gateway.transfers.pay(await gateway.transfers.issue(draft))
  await expect(gateway.transfers.issue(draft)).rejects.toMatchObject({
    code: 'unexpected_status',
    contract: { id: draft.id },
  })
  // Whoever says nothing of the status gets the contract as it stands.
  expect(['paid', 'completed']).toContain((await gateway.transfers.issue({ id: draft.id })).status)
})

test('the same key, the same deed, once; and the reply can be looked at', async () => {
  const replies: { status: number; replayed: string | null }[] = []
  const options = {
    idempotencyKey: 'order-17',
    onReply: ({ status, headers }: { status: number; headers: Headers }) =>
      replies.push({ status, replayed: headers.get('idempotent-replayed') }),
  }
  const first = await gateway.transfers.create(DRAFT, options)
  expect((await gateway.transfers.create(DRAFT, options)).id).toBe(first.id)
  expect(replies).toEqual([
    { status: 200, replayed: null },
    { status: 200, replayed: 'true' },
  ])
})

test('any call by path, a file as it comes, and a credential that is none', async () => {
  const me = await gateway.call<{ account: { livemode: boolean } }>({ method: 'GET', path: '/accounts/me' })
  expect(me.account.livemode).toBe(false)
  const csv = await gateway.open({ method: 'GET', path: '/audit', query: { format: 'csv' } })
  expect(csv.headers.get('content-type')).toContain('text/csv')
  expect((await csv.text()).split('\n').length).toBeGreaterThan(1)
  expect(() => createGateway({ url, apiKey: 'a\nb' })).toThrow(/^apiKey/)
  expect(() => createGateway({ url: 'gateway.example.com' })).toThrow(/^url/)
  await expect(createGateway({ url, apiKey: 'gck_test_no' }).accounts.me()).rejects.toMatchObject({
    code: 'invalid_api_key',
  })
})

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 20_000; !holds(); await sleep(20))
    if (Date.now() > deadline) throw new Error('it did not come true within 20 s')
}

async function firstOf<T>(events: AsyncIterable<T>): Promise<T> {
  for await (const event of events) return event
  throw new Error('there was none')
}
