// The provider's books beside ours: what each has of the same attempt, in both directions, and never another account's.
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Caller, openWorld } from '../../world.ts'

type Order = {
  rail: string
  reference: string
  direction: string
  contract: { id: string; kind: string; status: string }
  channel: string
  attempt: number
  status: string
  amount: number
  provider: {
    status: string
    code: string | null
    amount: number
    moved: number
    moved_back: number
    history: { status: string }[]
  } | null
}

const world = await openWorld()
const { caller, other } = world
afterAll(() => world.stop())
afterEach(() => caller.ask('DELETE', '/sandbox/scenarios'))

const listed = async (who: Caller, query = '') => who.all<Order>(`/sandbox/orders${query}`, 'orders')
const of = async (who: Caller, id: string) => listed(who, `?contract_id=${id}`)

test('a transfer stands on both sides, with what was sent', async () => {
  const own = await world.newCaller()
  const { id } = await own.paid()
  await world.settle(id)
  expect(await listed(own)).toEqual([
    {
      rail: 'sandbox',
      reference: `${id.replaceAll('-', '')}001`,
      direction: 'out',
      contract: { id, kind: 'transfer', status: 'completed' },
      channel: 'sandbox',
      attempt: 1,
      status: 'delivered',
      amount: 100,
      currency: 'PHP',
      created_at: expect.any(String),
      provider: {
        status: 'completed',
        code: null,
        amount: 100,
        currency: 'PHP',
        moved: 1,
        moved_back: 0,
        history: [{ status: 'completed', code: null, at: expect.any(String) }],
      },
    },
  ])
})

test('what never reached the provider is null there', async () => {
  const own = await world.newCaller()
  await own.ask('POST', '/sandbox/scenarios', { body: { rail: 'sandbox', outage: '503' } })
  const { id } = await own.paid()
  await expect.poll(async () => (await of(own, id))[0]?.status, { timeout: 60_000 }).toBe('unknown')
  const [order] = await of(own, id)
  expect([order?.contract.status, order?.provider]).toEqual(['paid', null])
})

test('what differs is seen: completed there, and not yet here; and what came back', async () => {
  const own = await world.newCaller()
  await own.ask('POST', '/sandbox/scenarios', { body: { rail: 'sandbox', inquiry: 'error' } })
  const doubted = await own.paid({ amount: 120.41 })
  await expect.poll(async () => (await of(own, doubted.id))[0]?.status, { timeout: 60_000 }).toBe('unknown')
  const [order] = await of(own, doubted.id)
  expect([order?.provider?.status, order?.provider?.moved, order?.provider?.amount]).toEqual(['completed', 1, 120.41])
  await own.ask('DELETE', '/sandbox/scenarios')
  const bounced = await own.paid({ amount: 120.51 })
  await expect.poll(async () => (await of(own, bounced.id))[0]?.provider?.status, { timeout: 60_000 }).toBe('completed')
  await own.ask('POST', '/sandbox/clock', { body: { advance_seconds: 10 } })
  await expect.poll(async () => (await own.get(bounced.id)).status, { timeout: 60_000 }).toBe('cancelled')
  const [returned] = await of(own, bounced.id)
  expect([returned?.provider?.status, returned?.provider?.moved, returned?.provider?.moved_back]).toEqual([
    'returned',
    1,
    1,
  ])
  expect(returned?.provider?.history.map(({ status }) => status)).toEqual(['completed', 'returned'])
})

test('a payment that came in, and its refund, by each other', async () => {
  const own = await world.newCaller()
  const opened = await own.ask('POST', '/contracts/payment', {
    body: { amount: 250, currency: 'PHP', payment: { type: 'card', card: { token: 'tok_visa' } } },
  })
  const { id } = opened.data['contract'] as { id: string }
  await expect.poll(async () => (await of(own, id))[0]?.provider?.status, { timeout: 60_000 }).toBe('succeeded')
  const [paid] = await of(own, id)
  expect([paid?.rail, paid?.direction, paid?.contract.kind, paid?.provider?.moved]).toEqual([
    'card',
    'in',
    'payment',
    1,
  ])
  expect(paid?.provider?.amount).toBe(paid?.amount)
  await expect.poll(async () => (await of(own, id))[0]?.contract.status, { timeout: 60_000 }).not.toBe('issued')
  const refunded = await own.ask('POST', `/contracts/payment/${id}/refunds`, { body: { amount: 40 } })
  expect(refunded.status).toBe(200)
  await expect.poll(async () => (await of(own, id))[0]?.provider?.moved_back, { timeout: 60_000 }).toBe(1)
  const back = (await listed(own)).find(({ contract }) => contract.kind === 'transfer')
  expect([back?.rail, back?.direction, back?.amount]).toEqual(['card', 'out', 40])
  expect(back?.provider).toEqual(expect.objectContaining({ status: 'succeeded', amount: 40, moved: 1 }))
})

test('is filtered by rail, reference and contract, and goes on page by page', async () => {
  const own = await world.newCaller()
  const [one, two] = [await own.paid(), await own.paid({ channel: 'pesonet', recipient: BANK })]
  await world.settle(one.id)
  const ids = async (query: string) => (await listed(own, query)).map(({ contract }) => contract.id)
  expect(await ids('')).toEqual([two.id, one.id])
  expect(await ids('?rail=sandbox')).toEqual([one.id])
  expect(await ids('?rail=pesonet')).toEqual([two.id])
  expect(await ids(`?reference=${one.id.replaceAll('-', '')}001`)).toEqual([one.id])
  expect(await ids(`?reference=${one.id.replaceAll('-', '')}002`)).toEqual([])
  expect(await ids(`?contract_id=${two.id}&rail=sandbox`)).toEqual([])
  expect((await own.all<Order>('/sandbox/orders', 'orders', 1)).map(({ contract }) => contract.id)).toEqual([
    two.id,
    one.id,
  ])
  const wrong = async (query: string) => {
    const { status, error } = await own.ask('GET', `/sandbox/orders?${query}`)
    return [status, error.code]
  }
  expect(await wrong('rail=paypal')).toEqual([400, 'invalid_rail'])
  expect(await wrong('after=x')).toEqual([400, 'invalid_after'])
  expect(await wrong('contract_id=x')).toEqual([400, 'invalid_contract_id'])
  expect(await wrong('contract=x')).toEqual([400, 'unknown_parameter'])
})

const BANK = { name: 'Ana Reyes', wallet: '000123456789', tag: 'BOPIPHMM' }

test('another account’s orders are not there, whatever is asked for', async () => {
  const [one, two] = [await world.newCaller(), await world.newCaller({ lane: caller.account.lane })]
  const { id } = await one.paid({ recipient: { name: 'CANARY', wallet: 'canary' } })
  await world.settle(id)
  expect(await of(one, id)).toHaveLength(1)
  for (const who of [two, other]) {
    expect(await of(who, id)).toEqual([])
    expect(await listed(who, `?reference=${id.replaceAll('-', '')}001`)).toEqual([])
    const { text } = await who.ask('GET', `/sandbox/orders?after=ffffffff-ffff-7fff-bfff-ffffffffffff`)
    expect(text).not.toContain(id.replaceAll('-', ''))
  }
  expect((await one.ask('GET', '/sandbox/orders')).text).not.toContain('CANARY')
})
