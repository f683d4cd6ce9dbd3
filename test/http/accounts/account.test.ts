// The account behind a key: shown, changed and told of; what a key of live money may not change; defaults that are really used.
import { afterAll, expect, test } from 'vitest'
import { settleAccount } from '../../../src/app/operator/operator-actions.ts'
import { openSession } from '../../../src/platform/db.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const live = await world.newCaller({ funds: {}, livemode: true })
afterAll(() => world.stop())

type Account = Readonly<Record<string, unknown>> & { readonly settings: Readonly<Record<string, unknown>> }
const accountIn = ({ data }: Reply) => data['account'] as Account
const me = async (owner: Caller) => accountIn(await owner.ask('GET', '/accounts/me'))
const change = (owner: Caller, body: unknown) => owner.ask('PATCH', '/accounts/me', { body })
const entries = (owner: Caller) =>
  world.sql(`select action, actor_kind, before, after from audit_entries where account_id = $1 order by id`, [
    owner.account.accountId,
  ])
const told = async (owner: Caller) =>
  (await owner.all<{ type: string; data: { object: Account } }>('/events', 'events')).filter(
    ({ type }) => type === 'account.updated',
  )

test('is shown, changed, audited and told of', async () => {
  const before = await me(caller)
  expect(before).toMatchObject({
    id: caller.account.accountId,
    profile_id: caller.account.profileId,
    livemode: false,
    time_zone: 'UTC',
    default_currency: null,
    settings: { refunds_at_once: true, retries: 0, fallback_channels: [], transfer_expires_in: null },
    cors_origins: [],
    sites: [],
  })
  const changed = await change(caller, {
    name: 'Reyes Trading',
    time_zone: 'Asia/Manila',
    default_currency: 'php',
    settings: { retries: 2, fallback_channels: ['instapay'] },
    cors_origins: ['https://shop.example'],
    sites: ['https://shop.example', 'https://shop.example'],
  })
  const after = accountIn(changed)
  expect(after).toMatchObject({
    name: 'Reyes Trading',
    time_zone: 'Asia/Manila',
    default_currency: 'PHP',
    settings: { ...before.settings, retries: 2, fallback_channels: ['instapay'] },
    cors_origins: ['https://shop.example'],
    sites: ['https://shop.example'],
  })
  expect(await me(caller)).toEqual(after)
  expect((await told(caller)).at(-1)?.data.object).toEqual(after)
  expect((await entries(caller)).at(-1)).toMatchObject({
    action: 'account.updated',
    actor_kind: 'key',
    before: { retries: 0, sites: [], default_currency: null },
    after: { retries: 2, sites: ['https://shop.example'], default_currency: 'PHP' },
  })
  // What it read may be sent back: nothing changes, and nothing is written.
  const count = (await entries(caller)).length
  expect(accountIn(await change(caller, after))).toEqual(after)
  expect((await entries(caller)).length).toBe(count)
})

test.each([
  [{ time_zone: 'Asia/Nowhere' }, 'invalid_time_zone'],
  [{ time_zone: '+08:00' }, 'invalid_time_zone'],
  [{ name: '' }, 'invalid_name'],
  [{ name: '   ' }, 'invalid_name'],
  [{ default_currency: 'XXX' }, 'invalid_default_currency'],
  [{ settings: { retries: 6 } }, 'invalid_settings_retries'],
  [{ settings: { fallback_channels: ['nowhere'] } }, 'invalid_settings_fallback_channels'],
  [{ settings: { transfer_expires_in: 0 } }, 'invalid_settings_transfer_expires_in'],
  [{ settings: { payment_expires_in: 2_592_001 } }, 'invalid_settings_payment_expires_in'],
  [{ settings: { retry: 1 } }, 'unknown_parameter'],
  [{ cors_origins: ['shop.example'] }, 'invalid_cors_origins'],
  [{ sites: ['http://shop.example'] }, 'invalid_sites'],
  [{ owner: 'me' }, 'unknown_parameter'],
])('%j is refused as %s, and changes nothing', async (body, code) => {
  const before = await me(caller)
  expect((await change(caller, body)).error.code).toBe(code)
  expect(await me(caller)).toEqual(before)
})

test('contracts that say no time of their own can be paid as long as the account says', async () => {
  const expiry = (contract: unknown) => {
    const { created_at, expires_at } = contract as { created_at: string; expires_at: string }
    return (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  }
  const made = async (path: string, body: object) => (await caller.ask('POST', path, { body })).data['contract']
  const draft = { amount: 1, currency: 'PHP' }
  expect(expiry(await made('/contracts/transfer', draft))).toBe(14 * 86_400)
  await change(caller, { settings: { transfer_expires_in: 7200, payment_expires_in: 600 } })
  expect(expiry(await made('/contracts/transfer', draft))).toBe(7200)
  expect(expiry(await made('/contracts/payment', draft))).toBe(600)
  expect(expiry(await made('/contracts/transfer', { ...draft, expires_in: 60 }))).toBe(60)
  await change(caller, { settings: { transfer_expires_in: null, payment_expires_in: null } })
  expect(expiry(await made('/contracts/payment', draft))).toBe(1800)
})

test('a key of live money adds no sites and no origins and changes no name; it may take away', async () => {
  const [row] = await world.sql<{ lane: number }>('select lane from accounts where account_id = $1', [
    live.account.accountId,
  ])
  const session = openSession({ connection: world.lanesOwner, parameters: {} })
  const ids = { nowMs: Date.now, randomHex: world.gateway.deps.randomHex }
  const sites = ['https://shop.example', 'https://www.shop.example']
  const deps = { reader: session, writer: session, channels: world.gateway.deps.channels, ids }
  const account = { lane: row?.lane ?? -1, accountId: live.account.accountId }
  const settled = await settleAccount(deps, account, { sites, corsOrigins: ['https://shop.example'] }, 'Ana Cruz')
  await session.close()
  expect(settled).toMatchObject({ sites })
  expect((await entries(live)).at(-1)).toMatchObject({
    action: 'account.updated',
    actor_kind: 'operator',
    after: { sites },
  })
  expect((await told(live)).at(-1)?.data.object).toMatchObject({ sites, livemode: true })
  const refused: [unknown, string][] = [
    [{ sites: [...sites, 'https://evil.example'] }, 'sites'],
    [{ sites: ['https://evil.example'] }, 'sites'],
    [{ sites: [] }, 'sites'],
    [{ cors_origins: ['https://evil.example'] }, 'cors_origins'],
    [{ name: 'GCash' }, 'name'],
  ]
  for (const [body, param] of refused) {
    const reply = await change(live, body)
    expect([reply.status, reply.error.code, reply.error.param]).toEqual([403, 'person_required', param])
  }
  expect((await change(live, { sites: ['https://shop.example'], cors_origins: [] })).status).toBe(200)
  expect((await change(live, { time_zone: 'Asia/Manila', settings: { retries: 1 } })).status).toBe(200)
  expect((await change(live, { settings: { transfer_expires_in: 1 } })).error.code).toBe(
    'invalid_settings_transfer_expires_in',
  )
})
