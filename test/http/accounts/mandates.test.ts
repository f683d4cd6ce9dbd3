// Mandates of keys: what leaves by a key in all, to whom and how; counted in the commit that moves the money, whoever asks at once
// and wherever. A key does not widen its own, and one that is rolled goes on with what has left.
import { afterAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../world-caller.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { type Fields, holderIn, keyIn, make, type Made, PAYING, rolled } from './key-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
const holder = holderIn(world)
afterAll(() => world.stop())

const SCOPES = [...PAYING, 'transfers:cancel', 'payments:refund']
const PHP = (total: number, more: Fields = {}) => ({ limits: [{ currency: 'PHP', total }], ...more })
const given = (mandate: object, more: Fields = {}): Promise<Made> => make(caller, { scopes: SCOPES, mandate, ...more })
const pay = (made: Made, id: string) => holder(made).ask('PUT', `/contracts/transfer/${id}/pay`)
const coded = ({ status, error }: Reply) => [status, error.code, error.param]

type Shown = { limits: { spent: number; remaining: number; transfers: number }[]; until: string | null }
async function own(made: Made): Promise<Shown> {
  const reply = await holder(made).ask('GET', '/keys/current')
  return (keyIn(reply) as unknown as { mandate: Shown }).mandate
}

describe('what leaves', () => {
  test('is counted with its fee, up to the total, and told to the key itself and to the account', async () => {
    const made = await given(PHP(221, { channels: ['sandbox'] }))
    expect((await pay(made, (await caller.issued()).id)).status).toBe(200)
    expect(await own(made)).toMatchObject({ limits: [{ spent: 110.5, remaining: 110.5, transfers: 1 }] })
    expect((await pay(made, (await caller.issued()).id)).status).toBe(200)
    const third = await caller.issued({ amount: 1 })
    const refused = await pay(made, third.id)
    expect(coded(refused)).toEqual([403, 'mandate_exceeded', 'amount'])
    expect(refused.error.message).toContain('Of the PHP 221.00 of its mandate PHP 0.00 remain')
    expect((await caller.get(third.id)).status).toBe('issued')
    const shown = keyIn(await caller.ask('GET', `/keys/${made.key.id}`))
    expect(shown).toMatchObject({ mandate: { limits: [{ spent: 221, remaining: 0, transfers: 2 }] } })
    await world.ledgerHolds()
  })

  test('is not given back by what comes back, and a refused pay costs nothing', async () => {
    const made = await given(PHP(150))
    const { id } = await caller.issued()
    expect((await pay(made, (await caller.issued({ amount: 400 })).id)).status).toBe(403)
    expect((await pay(made, id)).status).toBe(200)
    expect((await caller.cancel(id)).status).toBe('cancelled')
    expect(await own(made)).toMatchObject({ limits: [{ spent: 110.5, transfers: 1 }] })
  })

  test.each<[string, object, Fields, string | null]>([
    ['another currency', PHP(1000), { currency: 'USD' }, 'currency'],
    ['more at a time', { limits: [{ currency: 'PHP', total: 1000, per_transfer: 110.49 }] }, {}, 'amount'],
    ['another channel', PHP(1000, { channels: ['instapay'] }), {}, 'channel'],
    ['another recipient', PHP(1000, { recipients: [{ wallet: '999' }] }), {}, 'recipient'],
    ['after its end', PHP(1000, { until: '2026-01-01T00:00:00Z' }), {}, null],
  ])('%s is refused', async (_what, mandate, fields, param) => {
    const made = await given(mandate)
    expect(coded(await pay(made, (await caller.issued(fields)).id))).toEqual([403, 'mandate_exceeded', param])
    await world.ledgerHolds()
  })

  test('200 pays at once over two gateways never pass the total', async () => {
    const second = await world.beside()
    const made = await given(PHP(5525))
    const ids = await Promise.all(Array.from({ length: 200 }, async () => (await caller.issued()).id))
    const key = { keyId: made.key.id, text: made.apiKey }
    const doors = [holder(made), callerOf(second, caller.account, key)]
    const replies = await Promise.all(
      ids.map((id, i) => (doors[i % 2] as Pick<Caller, 'ask'>).ask('PUT', `/contracts/transfer/${id}/pay`)),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(replies.filter(({ status }) => status !== 200).map(coded)).toEqual(
      Array.from({ length: 150 }, () => [403, 'mandate_exceeded', 'amount']),
    )
    expect(await own(made)).toMatchObject({ limits: [{ spent: 5525, remaining: 0, transfers: 50 }] })
    await second.stop()
    await world.ledgerHolds()
  }, 120_000)
})

describe('a mandate', () => {
  const OWN = [...SCOPES, 'keys:write', 'accounts:read', 'profiles:write']

  test.each<[string, 'POST' | 'PATCH', string, Fields]>([
    ['raises its own total', 'PATCH', '', { mandate: PHP(1_000_000) }],
    ['frees itself of it', 'PATCH', '', { mandate: null }],
    ['rolls itself', 'POST', '/roll', {}],
  ])('no key %s', async (_what, method, path, body) => {
    const made = await given(PHP(100), { scopes: OWN })
    const refused = await holder(made).ask(method, `/keys/${made.key.id}${path}`, { body })
    expect(coded(refused)).toEqual([403, 'exceeds_own_access', 'mandate'])
    expect(await own(made)).toMatchObject({ limits: [{ remaining: 100 }] })
  })

  test('makes no key, with or without one', async () => {
    const made = await given(PHP(100), { scopes: OWN })
    for (const mandate of [undefined, null, PHP(1)]) {
      const body = { name: 'x', scopes: ['contracts:read'], ...(mandate === undefined ? {} : { mandate }) }
      expect(coded(await holder(made).ask('POST', '/keys', { body }))).toEqual([403, 'exceeds_own_access', 'mandate'])
    }
  })

  test('goes on with what has left, when it is changed and when its key is rolled', async () => {
    const made = await given(PHP(150))
    expect((await pay(made, (await caller.issued()).id)).status).toBe(200)
    const path = `/keys/${made.key.id}`
    const changed = await caller.ask('PATCH', path, { body: { mandate: PHP(250) } })
    expect(keyIn(changed)).toMatchObject({ mandate: { limits: [{ total: 250, spent: 110.5, remaining: 139.5 }] } })
    const { data } = await caller.ask('POST', `${path}/roll`, { body: {} })
    const rolled = { ...made, apiKey: String(data['api_key']) }
    // Both live on for a while, and spend from one total.
    const [first, second] = [await caller.issued(), await caller.issued()]
    const replies = await Promise.all([pay(made, first.id), pay(rolled, second.id)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect(await own(rolled)).toMatchObject({ limits: [{ spent: 221 }] })
    await caller.ask('DELETE', path)
    expect((await pay(made, first.id)).status).toBe(401)
  })

  test('goes on with what has left when it was taken off meanwhile, before or after its key was rolled', async () => {
    const made = await given(PHP(150))
    expect((await pay(made, (await caller.issued()).id)).status).toBe(200)
    const change = (id: string, mandate: object | null) => caller.ask('PATCH', `/keys/${id}`, { body: { mandate } })
    const second = await rolled(made, caller)
    expect((await change(second.key.id, null)).status).toBe(200)
    expect((await pay(second, (await caller.issued()).id)).status).toBe(200)
    expect((await change(second.key.id, PHP(150))).status).toBe(200)
    expect(await own(second)).toMatchObject({ limits: [{ spent: 110.5, remaining: 39.5 }] })
    expect((await change(second.key.id, null)).status).toBe(200)
    const third = await rolled(second, caller)
    expect((await change(third.key.id, PHP(150))).status).toBe(200)
    expect(coded(await pay(third, (await caller.issued()).id))).toEqual([403, 'mandate_exceeded', 'amount'])
  })

  test('of a key that an older release rolled goes on, too', async () => {
    const made = await given(PHP(150))
    expect((await pay(made, (await caller.issued()).id)).status).toBe(200)
    const { id } = (await rolled(made, caller)).key
    await world.sql(`update api_keys set origin_key_id = null, mandate_key_id = null where key_id = '${id}'`)
    for (const mandate of [null, PHP(150)]) await caller.ask('PATCH', `/keys/${id}`, { body: { mandate } })
    expect(keyIn(await caller.ask('GET', `/keys/${id}`))).toMatchObject({ mandate: { limits: [{ spent: 110.5 }] } })
  })

  test('is sent back as it was read', async () => {
    const made = await given(PHP(150, { recipients: [{ mobile: '0917 123 4567' }], until: '2030-01-01T00:00:00Z' }))
    const { mandate } = keyIn(await caller.ask('GET', `/keys/${made.key.id}`)) as unknown as { mandate: object }
    expect(mandate).toMatchObject({ recipients: [{ mobile: '+639171234567' }] })
    const again = await caller.ask('PATCH', `/keys/${made.key.id}`, { body: { mandate } })
    expect(keyIn(again)).toMatchObject({ mandate })
  })

  test.each<[string, object, string]>([
    ['of nothing', { limits: [] }, 'mandate.limits'],
    [
      'of a currency twice',
      {
        limits: [
          { currency: 'PHP', total: 1 },
          { currency: 'php', total: 2 },
        ],
      },
      'mandate.limits',
    ],
    ['of a half centavo', PHP(0.005), 'mandate.limits.0.total'],
    ['for a recipient that is nobody', PHP(1, { recipients: [{ tag: 'BPI' }] }), 'mandate.recipients.0'],
    ['for profiles that its key could change', PHP(1, { profiles: [crypto.randomUUID()] }), 'mandate.profiles'],
    ['with a word that is not known', PHP(1, { recipient: [] }), 'mandate.recipient'],
  ])('%s is no mandate', async (_what, mandate, param) => {
    const reply = await caller.ask('POST', '/keys', { body: { name: 'x', scopes: OWN, mandate } })
    expect([reply.status, reply.error.param]).toEqual([400, param])
  })
})

test('a key sees itself and no other; a key of elsewhere sees none of it', async () => {
  const made = await given(PHP(100))
  expect(keyIn(await holder(made).ask('GET', '/keys/current')).id).toBe(made.key.id)
  expect(keyIn(await other.ask('GET', '/keys/current')).id).toBe(other.keyId)
  expect((await other.ask('GET', `/keys/${made.key.id}`)).status).toBe(404)
  expect((await world.ask('GET', '/keys/current')).status).toBe(401)
})
