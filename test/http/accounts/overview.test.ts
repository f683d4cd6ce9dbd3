// GET /overview: what waits for a person, each told to whom it may be and to nobody else; money under way; days and sums.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, READY, type Caller, type World } from '../../world.ts'
import { makeEndpoint } from '../webhooks/webhook-world.ts'

let world: World
let caller: Caller

beforeAll(async () => {
  world = await openWorld()
  caller = world.caller
})
afterAll(() => world.stop())

type Attention = {
  readonly kind: string
  readonly count: number
  readonly more: boolean
  readonly since: string | null
  readonly ends_at: string | null
  readonly objects: readonly { readonly type: string; readonly id: string }[]
}
type Sums = Readonly<Record<'created' | 'completed' | 'failed' | 'amount' | 'fees', number>> & {
  readonly kind: string
  readonly currency: string
  readonly channel: string | null
  readonly success_rate: number | null
  readonly half_within: number | null
  readonly times: readonly number[]
}
type Overview = {
  readonly from: string
  readonly to: string
  readonly time_zone: string
  readonly counted_until: string | null
  readonly attention: readonly Attention[]
  readonly under_way: readonly { readonly currency: string; readonly held: number; readonly in_transit: number }[]
  readonly totals: readonly Sums[]
  readonly days: readonly Sums[]
  readonly left_out: readonly { readonly part: string; readonly scope: string }[]
}

async function overview(who: Caller = caller, query = ''): Promise<Overview> {
  const { data, status } = await who.ask('GET', `/overview${query}`)
  expect(status).toBe(200)
  return data['overview'] as Overview
}

const kindsOf = ({ attention }: Overview) => attention.map(({ kind }) => kind)

test('an account that has done nothing has nothing to show, and nothing waits', async () => {
  const fresh = await world.newCaller()
  const { attention, totals, days, counted_until: until, under_way: underWay } = await overview(fresh)
  expect([attention, totals, days, until]).toEqual([[], [], [], null])
  expect(underWay.map(({ held, in_transit: inTransit }) => held + inTransit)).toEqual([0, 0, 0, 0])
})

test('days and sums are there at once, by currency and channel', async () => {
  const { id } = await caller.paid()
  await caller.draft({ currency: 'USD' })
  await world.settle(id)
  const { totals, days, counted_until: until, from, to } = await overview()
  expect(until).toBeNull()
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29)
  const [php, usd] = totals
  expect(php).toMatchObject({ kind: 'transfer', currency: 'PHP', created: 1, completed: 1, amount: 100, fees: 10.5 })
  expect(php?.success_rate).toBe(1)
  expect(php?.times.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(usd).toMatchObject({
    currency: 'USD',
    created: 1,
    completed: 0,
    amount: 0,
    success_rate: null,
    half_within: null,
  })
  expect(days.map(({ currency, channel }) => [currency, channel])).toEqual([
    ['PHP', 'sandbox'],
    ['USD', 'sandbox'],
  ])
  expect((await overview(caller, '?currency=usd')).totals.map(({ currency }) => currency)).toEqual(['USD'])
  expect((await overview(caller, '?from=2024-02-28&to=2024-03-01')).days).toEqual([])
  expect((await overview(world.other)).days).toEqual([])
})

test('a transfer that waits for its owner is shown until it is cancelled', async () => {
  const who = await world.newCaller()
  await who.ask('PATCH', '/accounts/me', { body: { settings: { refunds_at_once: false } } })
  const { id } = await who.paid({ recipient: { name: 'sandbox-account-closed', wallet: '000123456789' } })
  const [first] = await vi.waitFor(
    async () => {
      const { attention } = await overview(who)
      expect(attention.map(({ kind }) => kind)).toEqual(['transfer_failed'])
      return attention
    },
    { timeout: 30_000, interval: 100 },
  )
  expect(first).toMatchObject({ count: 1, more: false, ends_at: null, objects: [{ type: 'transfer', id }] })
  expect(Date.parse(first?.since ?? '')).toBeLessThanOrEqual(Date.now())
  expect((await overview(who)).under_way.find(({ currency }) => currency === 'PHP')?.held).toBe(110.5)
  await who.cancel(id)
  const after = await overview(who)
  expect(after.attention).toEqual([])
  expect(after.totals[0]).toMatchObject({ failed: 1, completed: 0, success_rate: 0 })
})

test('what is late, expires soon, or lacks something waits from its moment on', async () => {
  const who = await world.newCaller()
  const lacking = await who.draft({ recipient: null })
  const soon = await who.issued({ expires_in: 3 * 86_400 })
  expect(kindsOf(await overview(who))).toEqual(['draft_incomplete'])
  await world.sql(
    `update contract_matters set since = now() - interval '1 hour' where account_id = $1 and contract_id = $2`,
    [who.account.accountId, soon.id],
  )
  const { attention } = await overview(who)
  expect(attention.map(({ kind, objects }) => [kind, objects[0]?.id])).toEqual([
    ['transfer_expiring', soon.id],
    ['draft_incomplete', lacking.id],
  ])
  expect(Date.parse(attention[0]?.ends_at ?? '') - Date.now()).toBeGreaterThan(22 * 3_600_000)
  await who.update(lacking.id, { recipient: READY['recipient'] })
  expect(kindsOf(await overview(who))).toEqual(['transfer_expiring'])
})

test('a wallet below its mark, a key that ends and an endpoint that is paused are shown to who may see them', async () => {
  const who = await world.newCaller()
  const { id: wallet } = await who.wallet('PHP')
  await who.ask('PATCH', `/wallets/${wallet}`, { body: { low_balance_mark: 5_000_000 } })
  await world.sql(`update wallets set low_minor = 500000000, is_low = true where id = $1`, [wallet])
  await world.sql(`update api_keys set expires_at = now() + interval '3 days' where key_id = $1`, [who.keyId])
  const { id: endpoint } = await makeEndpoint(who, { url: 'http://127.0.0.1:9/hook', events: ['*'] })
  await who.ask('PUT', `/webhook-endpoints/${endpoint}/pause`)
  const { attention, left_out: nothing } = await overview(who)
  expect(attention.map(({ kind, objects }) => [kind, objects[0]])).toEqual([
    ['wallet_low', { type: 'wallet', id: wallet }],
    ['endpoint_stopped', { type: 'webhook_endpoint', id: endpoint }],
    ['key_ending', { type: 'key', id: who.keyId }],
  ])
  expect(nothing).toEqual([])
  const weak = await world.withKey(who, { scopes: ['contracts:read'] })
  const seen = await overview(weak)
  expect(seen.attention).toEqual([])
  expect(seen.under_way).toEqual([])
  expect(seen.left_out).toEqual([
    { part: 'under_way', scope: 'wallets:read' },
    { part: 'wallet_low', scope: 'wallets:read' },
    { part: 'endpoint_stopped', scope: 'webhooks:manage' },
    { part: 'endpoint_failing', scope: 'webhooks:manage' },
    { part: 'event_not_sent', scope: 'webhooks:manage' },
    { part: 'key_ending', scope: 'keys:write' },
  ])
  expect(kindsOf(await overview(world.other))).not.toContain('wallet_low')
})

test.each([
  ['?from=2026-06-31', 'invalid_from'],
  ['?from=2026-02-02&to=2026-02-01', 'invalid_from'],
  ['?from=2026-01-01&to=2026-06-01', 'invalid_from'],
  ['?to=soon', 'invalid_to'],
  ['?currency=pesos', 'invalid_currency'],
  ['?days=3', 'unknown_parameter'],
])('%s is refused as %s', async (query, code) => {
  expect((await caller.ask('GET', `/overview${query}`)).error.code).toBe(code)
})

test('nobody reads it without a key, and no key without contracts:read', async () => {
  const weak = await world.withKey(caller, { scopes: ['wallets:read'] })
  expect((await weak.ask('GET', '/overview')).error.code).toBe('scope_missing')
  expect((await world.ask('GET', '/overview')).status).toBe(401)
})
