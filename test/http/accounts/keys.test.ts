// API keys over HTTP: made, shown, changed, rolled and revoked; what each may do, from where and how much; the tries of a key to
// make something stronger than itself, all refused.
import { afterAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { type Caller, type Method, openWorld, type Reply } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

type KeyBody = {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly scopes: readonly string[]
  readonly addresses: readonly string[] | null
  readonly transfer_max: readonly { readonly currency: string; readonly amount: number }[] | null
  readonly expires_at: string | null
  readonly last_used_on: string | null
}
type Made = { readonly key: KeyBody; readonly apiKey: string }
type Fields = Readonly<Record<string, unknown>>

const keyIn = ({ data }: Reply) => data['key'] as KeyBody
const coded = ({ status, error }: Reply) => [status, error.code, error.param]

async function make(owner: Pick<Caller, 'ask'>, fields: Fields): Promise<Made> {
  const reply = await owner.ask('POST', '/keys', { body: { name: 'Made', scopes: ['accounts:read'], ...fields } })
  if (reply.status !== 200) throw new Error(reply.text)
  return { key: keyIn(reply), apiKey: String(reply.data['api_key']) }
}

/** Whoever holds a key, from an address. */
const holder = ({ apiKey }: { readonly apiKey: string }, from?: string): Pick<Caller, 'ask'> => ({
  ask: (method, url, sent = {}) =>
    world.ask(method, url, { ...sent, ...(from && { from }), headers: { 'x-api-key': apiKey, ...sent.headers } }),
})

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

describe('a cap', () => {
  const MOVER = [
    'contracts:read',
    'contracts:write',
    'transfers:issue',
    'transfers:pay',
    'transfers:cancel',
    'payments:refund',
  ]

  test('holds for what leaves at a time, fee included, and for every other currency', async () => {
    const capped = await make(caller, { scopes: MOVER, transfer_max: [{ currency: 'PHP', amount: 110.5 }] })
    const pay = (id: string) => holder(capped).ask('PUT', `/contracts/transfer/${id}/pay`)
    // 100 and its fee of 10.50 are the cap to the centavo.
    expect((await pay((await caller.issued()).id)).status).toBe(200)
    const above = await caller.issued({ amount: 100.01 })
    const refused = await pay(above.id)
    expect(coded(refused)).toEqual([403, 'transfer_above_cap', 'amount'])
    expect(refused.error.message).toContain('PHP 110.50')
    const dollars = await caller.issued({ amount: 1, currency: 'USD' })
    expect((await pay(dollars.id)).error.message).toContain('no USD may leave')
    expect((await caller.get(above.id)).status).toBe('issued')
    await world.ledgerHolds()
  })

  test('binds from the moment on at which it is set, however many pay at once', async () => {
    const free = await make(caller, { scopes: MOVER })
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await caller.issued()).id))
    const pays = ids.map((id) => holder(free).ask('PUT', `/contracts/transfer/${id}/pay`))
    const set = await caller.ask('PATCH', `/keys/${free.key.id}`, {
      body: { transfer_max: [{ currency: 'PHP', amount: 1 }] },
    })
    expect(set.status).toBe(200)
    const late = (await caller.issued()).id
    expect((await holder(free).ask('PUT', `/contracts/transfer/${late}/pay`)).error.code).toBe('transfer_above_cap')
    // Each was decided before or after: paid whole, or not at all.
    for (const reply of await Promise.all(pays)) expect([200, 403]).toContain(reply.status)
    await world.ledgerHolds()
  })
})

describe('nobody gives more than they have', () => {
  const OWN = ['accounts:read', 'keys:write', 'contracts:read', 'contracts:write', 'transfers:issue'] as const
  const BOUND = { addresses: ['127.0.0.0/24'], transfer_max: [{ currency: 'PHP', amount: 100 }], expires_in: 3600 }
  const like = (fields: Fields) => ({ name: 'x', scopes: ['contracts:read'], ...fields })
  const stronger: readonly [string, Fields][] = [
    ...SCOPES.filter((scope) => !(OWN as readonly string[]).includes(scope)).map((scope): [string, Fields] => [
      `the scope ${scope}`,
      like({ scopes: ['contracts:read', scope] }),
    ]),
    ['every scope', like({ scopes: [...SCOPES] })],
    ['no end', like({ expires_in: null })],
    ['a second longer', like({ expires_in: 3602 })],
    ['ten years', like({ expires_in: 315_360_000 })],
    ['any address', like({ addresses: null })],
    ['another address', like({ addresses: ['10.0.0.1'] })],
    ['an own address and another', like({ addresses: ['127.0.0.1', '127.0.1.1'] })],
    ['a wider range', like({ addresses: ['127.0.0.0/16'] })],
    ['all of IPv4', like({ addresses: ['0.0.0.0/0'] })],
    ['all of IPv6', like({ addresses: ['::/0'] })],
    ['all of IPv4 as IPv6 spells it', like({ addresses: ['::ffff:0.0.0.0/96'] })],
    ['no cap', like({ transfer_max: null })],
    ['a centavo more', like({ transfer_max: [{ currency: 'PHP', amount: 100.01 }] })],
    [
      'another currency',
      like({
        transfer_max: [
          { currency: 'PHP', amount: 1 },
          { currency: 'USD', amount: 0.01 },
        ],
      }),
    ],
  ]

  test.each(stronger)('a key makes no other with %s', async (_, body) => {
    const weak = await make(caller, { scopes: OWN, ...BOUND })
    const before = await keysOf(caller)
    const refused = await holder(weak).ask('POST', '/keys', { body })
    expect([refused.status, refused.error.code]).toEqual([403, 'exceeds_own_access'])
    expect(await keysOf(caller)).toBe(before)
  })

  test('what is left out is as with the maker', async () => {
    const weak = await make(caller, { scopes: OWN, ...BOUND })
    const { key } = await make(holder(weak), { scopes: ['contracts:read'] })
    const { addresses, transfer_max, expires_at } = weak.key
    expect(key).toMatchObject({ addresses, transfer_max, expires_at, scopes: ['contracts:read'] })
    const less = { addresses: ['127.0.0.1/32'], transfer_max: [{ currency: 'PHP', amount: 99.99 }] }
    expect((await make(holder(weak), { ...less, expires_in: 60 })).key).toMatchObject(less)
  })

  const freely: Fields = { scopes: OWN }
  test.each<[string, Fields, Method, string, Fields]>([
    ['rolls one with another scope', { scopes: [...OWN, 'transfers:pay'] }, 'POST', '/roll', {}],
    ['rolls one without an end', freely, 'POST', '/roll', {}],
    ['rolls itself into one that lives longer', BOUND, 'POST', '/roll', { expires_in: 7200 }],
    ['rolls itself into one without an end', BOUND, 'POST', '/roll', { expires_in: null }],
    ['rolls one without addresses', { ...BOUND, addresses: null }, 'POST', '/roll', {}],
    ['rolls one without caps', { ...BOUND, transfer_max: null }, 'POST', '/roll', {}],
    ['frees itself of its addresses', BOUND, 'PATCH', '', { addresses: null }],
    ['widens its own addresses', BOUND, 'PATCH', '', { addresses: ['127.0.0.0/8'] }],
    ['frees itself of its caps', BOUND, 'PATCH', '', { transfer_max: null }],
    ['raises its own cap', BOUND, 'PATCH', '', { transfer_max: [{ currency: 'PHP', amount: 101 }] }],
    [
      'opens a stronger one to its own addresses',
      { scopes: SCOPES, addresses: ['192.0.2.1'] },
      'PATCH',
      '',
      { addresses: ['127.0.0.1'] },
    ],
    [
      'opens a stronger one to its own cap',
      { scopes: SCOPES, transfer_max: [{ currency: 'PHP', amount: 1 }] },
      'PATCH',
      '',
      { transfer_max: [{ currency: 'PHP', amount: 100 }] },
    ],
  ])('no key %s', async (_, target, method, path, body) => {
    const weak = await make(caller, { scopes: OWN, ...BOUND })
    const isItself = target === BOUND
    const { key } = isItself ? weak : await make(caller, { scopes: OWN, ...target })
    const before = await keysOf(caller)
    const refused = await holder(weak).ask(method, `/keys/${key.id}${path}`, { body })
    expect([refused.status, refused.error.code]).toEqual([403, 'exceeds_own_access'])
    expect(await keysOf(caller)).toBe(before)
  })

  test('a weak key names a stronger one anew and revokes it, for that gives nothing', async () => {
    const weak = await make(caller, { scopes: OWN, ...BOUND })
    const strong = await make(caller, { scopes: SCOPES })
    const named = await holder(weak).ask('PATCH', `/keys/${strong.key.id}`, { body: { name: 'Found in a log' } })
    expect(keyIn(named)).toMatchObject({ name: 'Found in a log', scopes: [...SCOPES] })
    expect(keyIn(await holder(weak).ask('DELETE', `/keys/${strong.key.id}`)).state).toBe('revoked')
  })

  test('a key that is revoked while it asks makes nothing any more', async () => {
    const maker = await make(caller, { scopes: OWN })
    expect((await holder(maker).ask('GET', '/keys')).status).toBe(200)
    await world.sql('update api_keys set revoked_at = now() where key_id = $1', [maker.key.id])
    const before = await keysOf(caller)
    expect((await holder(maker).ask('POST', '/keys', { body: like({}) })).error.code).toBe('invalid_api_key')
    expect(await keysOf(caller)).toBe(before)
  })

  test('a token makes none, nor does a key of the other account', async () => {
    const { body } = await caller.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
    const bearer = { authorization: `Bearer ${String(body['access_token'])}` }
    expect((await world.ask('POST', '/keys', { headers: bearer, body: like({}) })).error.code).toBe('api_key_required')
    const { key } = await make(other, {})
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/roll'],
    ] as const)
      expect(coded(await caller.ask(method, `/keys/${key.id}${path}`))).toEqual([404, 'key_not_found', 'id'])
  })
})

/** All keys of the account, as text. */
async function keysOf({ account }: Caller): Promise<string> {
  const [row] = await world.sql<{ rows: string }>(
    `select json_agg(k order by k.key_id)::text as rows from
       (select key_id, name, scopes, addresses, transfer_max, expires_at, revoked_at from api_keys where account_id = $1) k`,
    [account.accountId],
  )
  return row?.rows ?? ''
}
