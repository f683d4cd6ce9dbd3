// What bounds an API key: what may leave at a time by it, and that nobody gives more than they have. The tries of a key to make
// something stronger than itself are all refused, and change nothing.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { type Caller, type Method, openWorld, type Reply } from '../../world.ts'
import { type Fields, holderIn, keyIn, make } from './key-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
const holder = holderIn(world)
afterAll(() => world.stop())

const coded = ({ status, error }: Reply) => [status, error.code, error.param]

// Each test has room for its keys.
beforeEach(async () => {
  await world.sql(`update api_keys set revoked_at = now() where name <> 'Test' and revoked_at is null`)
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
