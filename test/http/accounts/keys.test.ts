// API keys over HTTP: made, shown, changed, rolled and revoked; and where each may be used from.
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { holderIn, type KeyBody, keyIn, make } from './key-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
const holder = holderIn(world)
afterAll(() => world.stop())

const coded = ({ status, error }: Reply) => [status, error.code, error.param]

const told = async (owner: Caller) => {
  const events = await owner.all<{ type: string; data: { object: { id: string } } }>('/events', 'events')
  return events.filter(({ type }) => type.startsWith('key.')).map(({ type, data }) => [type, data.object.id])
}

describe('a key', () => {
  test('is shown once, acts at once, is told of and stands in the audit list', async () => {
    const reply = await caller.ask('POST', '/keys', {
      body: { name: 'Back office', scopes: ['contracts:read', 'contracts:read'], expires_in: 3600 },
    })
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store'])
    const key = keyIn(reply)
    const text = String(reply.data['api_key'])
    expect(text).toMatch(new RegExp(`^gck_test_${key.id}_`))
    expect(key).toMatchObject({ name: 'Back office', state: 'active', scopes: ['contracts:read'], addresses: null })
    expect((await holder({ apiKey: text }).ask('GET', '/contracts/transfer')).status).toBe(200)
    const one = await caller.ask('GET', `/keys/${key.id}`)
    expect(keyIn(one)).toEqual(key)
    expect(one.text).not.toContain(text)
    expect(await told(caller)).toContainEqual(['key.created', key.id])
    const stored = await world.sql('select * from audit_entries where object_id = $1', [key.id])
    expect(stored).toMatchObject([{ action: 'key.created', actor_kind: 'key', actor_id: caller.keyId, before: null }])
    const kept = await world.sql<{ all: string }>(
      `select (select json_agg(e)::text from account_events e) || (select json_agg(a)::text from audit_entries a) as all`,
    )
    expect(kept[0]?.all).not.toContain(text.slice(-20))
  })

  test('asked for twice under one idempotency key is made once, and answered alike', async () => {
    const asked = { body: { name: 'Once', scopes: ['accounts:read'] }, headers: { 'idempotency-key': 'key once' } }
    const [first, again] = [await caller.ask('POST', '/keys', asked), await caller.ask('POST', '/keys', asked)]
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const [row] = await world.sql<{ n: number }>(`select count(*)::int as n from api_keys where name = 'Once'`)
    expect(row?.n).toBe(1)
  })

  test('is listed, newest first, page by page, with those that have ended and no other account’s', async () => {
    const made = [await make(caller, { name: 'a' }), await make(caller, { name: 'b' })]
    await caller.ask('DELETE', `/keys/${made[0]?.key.id}`)
    await make(other, { name: 'theirs' })
    const listed = await caller.all<KeyBody>('/keys', 'keys', 2)
    expect(listed.slice(0, 2).map(({ name, state }) => [name, state])).toEqual([
      ['b', 'active'],
      ['a', 'revoked'],
    ])
    expect(listed.some(({ name }) => name === 'theirs')).toBe(false)
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
  })

  test('that is revoked is refused everywhere, and revoking it again changes nothing', async () => {
    const made = await make(caller, { scopes: ['contracts:write', 'contracts:read'] })
    const revoked = await caller.ask('DELETE', `/keys/${made.key.id}`)
    expect(keyIn(revoked).state).toBe('revoked')
    expect((await caller.ask('DELETE', `/keys/${made.key.id}`)).text).toBe(revoked.text)
    const refused = await holder(made).ask('POST', '/contracts/transfer', { body: { amount: 1, currency: 'PHP' } })
    expect(refused.error.code).toBe('invalid_api_key')
    expect(coded(await caller.ask('PATCH', `/keys/${made.key.id}`, { body: { name: 'x' } }))).toEqual([
      409,
      'key_ended',
      'id',
    ])
    expect(coded(await caller.ask('POST', `/keys/${made.key.id}/roll`))).toEqual([409, 'key_ended', 'id'])
    const told2 = (await told(caller)).filter(([type, id]) => type === 'key.revoked' && id === made.key.id)
    expect(told2).toHaveLength(1)
  })

  test('is rolled into one like it: both act until the overlap is over', async () => {
    const made = await make(caller, {
      name: 'Rolled',
      scopes: ['contracts:read'],
      addresses: ['127.0.0.1'],
      transfer_max: [{ currency: 'PHP', amount: 5 }],
    })
    const reply = await caller.ask('POST', `/keys/${made.key.id}/roll`, { body: { overlap_seconds: 60 } })
    const fresh = { key: keyIn(reply), apiKey: String(reply.data['api_key']) }
    const { name, scopes, addresses, transfer_max } = made.key
    expect(fresh.key).toMatchObject({ name, scopes, addresses, transfer_max, expires_at: null })
    for (const each of [made, fresh]) expect((await holder(each).ask('GET', '/contracts/transfer')).status).toBe(200)
    const old = keyIn(await caller.ask('GET', `/keys/${made.key.id}`))
    const left = Date.parse(String(old.expires_at)) - Date.now()
    expect(left > 0 && left <= 61_000).toBe(true)
    const now = await caller.ask('POST', `/keys/${fresh.key.id}/roll`, { body: { overlap_seconds: 0 } })
    expect(now.status).toBe(200)
    expect(keyIn(await caller.ask('GET', `/keys/${fresh.key.id}`)).state).toBe('revoked')
    expect((await told(caller)).slice(-2)).toEqual([
      ['key.rolled', fresh.key.id],
      ['key.created', keyIn(now).id],
    ])
  })

  test('says on which day it was used last, written off the path of requests', async () => {
    const made = await make(caller, { scopes: ['contracts:read'] })
    const { keyUses } = world.gateway.deps
    const lastUsed = async () => keyIn(await caller.ask('GET', `/keys/${made.key.id}`)).last_used_on
    await keyUses.flush()
    expect(await lastUsed()).toBeNull()
    for (let i = 0; i < 3; i++) await holder(made).ask('GET', '/contracts/transfer')
    await keyUses.flush()
    const [row] = await world.sql<{ xmin: string; today: string }>(
      `select xmin::text, (now() at time zone 'utc')::date::text as today from api_keys where key_id = $1`,
      [made.key.id],
    )
    expect(await lastUsed()).toBe(row?.today)
    await holder(made).ask('GET', '/contracts/transfer')
    await keyUses.flush()
    // Once a day: the row is not written again.
    const [after] = await world.sql('select xmin::text from api_keys where key_id = $1', [made.key.id])
    expect(after).toEqual({ xmin: row?.xmin })
  })

  test('there are a hundred of at most', async () => {
    const owner = await world.newCaller({ funds: {} })
    for (let i = 1; i < 100; i++) await make(owner, { name: `${i}` })
    const full = await owner.ask('POST', '/keys', { body: { name: 'x', scopes: ['accounts:read'] } })
    expect([full.status, full.error.code]).toEqual([409, 'keys_full'])
    const { id } = (await owner.all<KeyBody>('/keys', 'keys'))[0] ?? { id: '' }
    expect((await owner.ask('POST', `/keys/${id}/roll`, { body: { overlap_seconds: 1 } })).error.code).toBe('keys_full')
    expect((await owner.ask('POST', `/keys/${id}/roll`, { body: { overlap_seconds: 0 } })).status).toBe(200)
  })

  test.each([
    [{}, 'missing_name'],
    [{ name: '', scopes: ['accounts:read'] }, 'invalid_name'],
    [{ name: 'x' }, 'missing_scopes'],
    [{ name: 'x', scopes: [] }, 'invalid_scopes'],
    [{ name: 'x', scopes: ['everything'] }, 'invalid_scopes'],
    [{ name: 'x', scopes: ['accounts:read'], addresses: ['10.0.0.0/40'] }, 'invalid_addresses'],
    [{ name: 'x', scopes: ['accounts:read'], addresses: ['shop.example'] }, 'invalid_addresses'],
    [{ name: 'x', scopes: ['accounts:read'], addresses: [] }, 'invalid_addresses'],
    [
      { name: 'x', scopes: ['accounts:read'], transfer_max: [{ currency: 'XXX', amount: 1 }] },
      'invalid_transfer_max_currency',
    ],
    [
      { name: 'x', scopes: ['accounts:read'], transfer_max: [{ currency: 'PHP', amount: -1 }] },
      'invalid_transfer_max_amount',
    ],
    [
      {
        name: 'x',
        scopes: ['accounts:read'],
        transfer_max: [
          { currency: 'PHP', amount: 1 },
          { currency: 'php', amount: 2 },
        ],
      },
      'invalid_transfer_max',
    ],
    [{ name: 'x', scopes: ['accounts:read'], expires_in: 0 }, 'invalid_expires_in'],
    [{ name: 'x', scopes: ['accounts:read'], livemode: true }, 'unknown_parameter'],
  ])('%j is refused as %s', async (body, code) => {
    expect((await caller.ask('POST', '/keys', { body })).error.code).toBe(code)
  })
})

describe('addresses', () => {
  test('are judged at the door, for the key and for all that stems from it', async () => {
    const made = await make(caller, {
      scopes: ['contracts:read', 'events:read'],
      addresses: ['203.0.113.9/24', '2001:db8::1/32'],
    })
    expect(made.key.addresses).toEqual(['203.0.113.0/24', '2001:db8::/32'])
    const inside = holder(made, '203.0.113.200')
    for (const from of ['203.0.113.0', '::ffff:203.0.113.5', '2001:db8:ffff::9'])
      expect((await holder(made, from).ask('GET', '/contracts/transfer')).status, from).toBe(200)
    const token = await inside.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
    const bearer = { authorization: `Bearer ${String(token.body['access_token'])}` }
    const outside: [string, () => Promise<Reply>][] = ['203.0.114.1', '127.0.0.1', '2001:db9::1', '::1'].flatMap(
      (from) => [
        [`list from ${from}`, () => holder(made, from).ask('GET', '/contracts/transfer')],
        [`stream from ${from}`, () => holder(made, from).ask('GET', '/events/stream')],
        [
          `token from ${from}`,
          () => holder(made, from).ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } }),
        ],
        [`by token from ${from}`, () => world.ask('GET', '/contracts/transfer', { headers: bearer, from })],
        [
          `by token and a free key from ${from}`,
          () => world.ask('GET', '/contracts/transfer', { headers: { ...bearer, 'x-api-key': caller.apiKey }, from }),
        ],
        [
          `with a claimed address from ${from}`,
          () => holder(made, from).ask('GET', '/contracts/transfer', { headers: { 'x-forwarded-for': '203.0.113.7' } }),
        ],
      ],
    )
    for (const [what, ask] of outside) expect(coded(await ask()), what).toEqual([403, 'address_not_allowed', null])
    expect((await world.ask('GET', '/contracts/transfer', { headers: bearer, from: '203.0.113.1' })).status).toBe(200)
  })

  test('are changed by whoever could have made the key', async () => {
    const made = await make(caller, { scopes: ['accounts:read'], addresses: ['203.0.113.7'] })
    expect((await holder(made).ask('GET', '/keys')).error.code).toBe('address_not_allowed')
    const freed = await caller.ask('PATCH', `/keys/${made.key.id}`, { body: { addresses: null, name: 'Freed' } })
    expect(keyIn(freed)).toMatchObject({ addresses: null, name: 'Freed' })
    const [entry] = await world.sql(
      `select action, before, after from audit_entries where object_id = $1 and action = 'key.updated'`,
      [made.key.id],
    )
    expect(entry).toMatchObject({
      before: { addresses: ['203.0.113.7/32'], name: 'Made' },
      after: { addresses: null, name: 'Freed' },
    })
  })
})
