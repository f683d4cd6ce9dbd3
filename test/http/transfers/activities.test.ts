// What a contract tells of its past: what changed, who did it with which key, and no more of it than anybody reads at once.
import { afterAll, describe, expect, test } from 'vitest'
import { keyUuid } from '../../../src/platform/credentials.ts'
import { type ContractBody, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

type Activity = ContractBody['activities'][number]
const last = ({ activities }: ContractBody) => activities.at(-1)
const all = ({ id }: ContractBody, limit = 25) =>
  caller.all<Activity>(`/contracts/transfer/${id}/activities`, 'activities', limit)

describe('an update', () => {
  test('names what it changed, from what and to what', async () => {
    const draft = await caller.draft({ description: 'shoes', metadata: { colour: 'red' } })
    const patch = {
      amount: 120.5,
      description: null,
      recipient: { name: 'Ben' },
      metadata: { colour: 'blue', size: '9' },
    }
    const line = last(await caller.update(draft.id, patch))
    expect(line).toMatchObject({
      type: 'updated',
      summary: 'Draft updated: amount, description, recipient.name, metadata.colour, metadata.size',
    })
    expect(line?.resource.data).toEqual({
      changed: ['amount', 'description', 'recipient.name', 'metadata.colour', 'metadata.size'],
      before: {
        amount: 100,
        description: 'shoes',
        'recipient.name': 'Ana Reyes',
        'metadata.colour': 'red',
        'metadata.size': null,
      },
      after: {
        amount: 120.5,
        description: null,
        'recipient.name': 'Ben',
        'metadata.colour': 'blue',
        'metadata.size': '9',
      },
    })
    expect(last(await caller.get(draft.id))).toEqual(line)
  })

  test('of the expiry tells both times', async () => {
    const draft = await caller.draft()
    const updated = await caller.update(draft.id, { expires_in: 3600 })
    expect(last(updated)?.resource.data).toEqual({
      changed: ['expires_at'],
      before: { expires_at: draft.expires_at },
      after: { expires_at: updated.expires_at },
    })
  })

  test('of long texts names them alone, and holds no card number', async () => {
    const draft = await caller.draft({ description: 'charge 4242424242424242' })
    const updated = await caller.update(draft.id, { description: 'x'.repeat(1000) })
    expect(last(updated)?.resource.data).toEqual({ changed: ['description'] })
    const short = await caller.update(draft.id, { description: 'paid by 4242 4242 4242 4242' })
    expect(JSON.stringify(short)).not.toMatch(/4242 ?4242 ?4242/)
  })
})

describe('the key behind an activity', () => {
  test('is its proxy, each its own; what the gateway does has none', async () => {
    const second = await world.withKey(caller, { name: 'second' })
    const draft = await caller.draft()
    await second.update(draft.id, { description: 'by the second' })
    await caller.issue(draft.id)
    const cancelled = await second.cancel(draft.id)
    const [mine, theirs] = [keyUuid(caller.keyId), keyUuid(second.keyId)]
    expect(mine).not.toBe(theirs)
    expect(cancelled.activities.map(({ type, proxy }) => [type, proxy])).toEqual([
      ['created', mine],
      ['updated', theirs],
      ['issued', mine],
      ['cancelled', theirs],
    ])
    expect(await caller.get(draft.id)).toEqual(cancelled)
    expect((await all(cancelled)).map(({ proxy }) => proxy)).toEqual([mine, theirs, mine, theirs])
    const brief = await caller.draft({ expires_in: 1 })
    const { deps } = world.gateway
    const { lane, accountId } = caller.account
    await world.sql(`select pg_sleep(1.1)`)
    const command = { verb: 'expire', id: brief.id } as const
    await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
    expect(last(await caller.get(brief.id))).toMatchObject({ type: 'expired', proxy: null })
  })

  test('of a payment contract too', async () => {
    const made = await caller.ask('POST', '/contracts/payment', { body: { amount: 5, currency: 'PHP' } })
    const payment = made.data['contract'] as ContractBody
    expect(payment.activities.map(({ proxy }) => proxy)).toEqual([keyUuid(caller.keyId), keyUuid(caller.keyId)])
  })
})

describe('after a thousand updates', () => {
  const UPDATES = 1000

  test('a contract shows the newest fifty, and its versions do not grow', { timeout: 180_000 }, async () => {
    const draft = await caller.draft()
    for (let i = 0; i < UPDATES; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, k) => caller.update(draft.id, { description: `version ${i + k}` })),
      )
    const issued = await caller.issue(draft.id)
    expect(issued).toMatchObject({ version: UPDATES + 2, activities_total: UPDATES + 2 })
    expect(issued.activities).toHaveLength(50)
    expect(issued.activities.map(({ type }) => type).slice(-2)).toEqual(['updated', 'issued'])
    const reply = await caller.ask('GET', `/contracts/transfer/${draft.id}`)
    expect(reply.text.length).toBeLessThan(32_000)
    const [row] = await world.sql<{ widest: string }>(
      'select max(length(document::text)) as widest from contract_versions where contract_id = $1',
      [draft.id],
    )
    expect(Number(row?.widest)).toBeLessThan(16_000)
    // All of them are there still, each once, under the id that the contract shows.
    const listed = await all(issued, 100)
    expect(listed.map(({ type }) => type)).toEqual([
      'created',
      ...Array.from({ length: UPDATES }, () => 'updated'),
      'issued',
    ])
    expect(new Set(listed.map(({ id }) => id)).size).toBe(UPDATES + 2)
    expect(listed.slice(-50)).toEqual(issued.activities)
    const told = listed.flatMap(
      ({ resource }) => ((resource.data['after'] ?? {}) as { description?: string }).description ?? [],
    )
    expect(new Set(told).size).toBe(UPDATES)
    expect((await all(issued, 7)).map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
  })
})

test.each([
  ['no cursor of this list', '?after=x', 400],
  ['too many at once', '?limit=101', 400],
  ['a contract that is not there', '', 404],
])('%s is refused', async (_what, query, status) => {
  const id = status === 404 ? '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55' : (await caller.draft()).id
  expect((await caller.ask('GET', `/contracts/transfer/${id}/activities${query}`)).status).toBe(status)
})

test('another account reads none of them, nor under the other kind', async () => {
  const draft = await caller.draft()
  expect((await world.other.ask('GET', `/contracts/transfer/${draft.id}/activities`)).status).toBe(404)
  expect((await caller.ask('GET', `/contracts/payment/${draft.id}/activities`)).status).toBe(404)
})

test('a contract of the other kind is not found, and the refusal says where it is, to its account alone', async () => {
  const draft = await caller.draft()
  for (const [method, path] of [
    ['GET', `/contracts/payment/${draft.id}`],
    ['GET', `/contracts/payment/${draft.id}/explain`],
    ['GET', `/contracts/payment/${draft.id}/attempts`],
    ['POST', `/contracts/payment/${draft.id}/refunds`],
  ] as const) {
    const own = await caller.ask(method, path)
    expect([own.status, own.error.code, own.error.message], path).toEqual([
      404,
      'contract_not_found',
      `This is the id of a transfer contract: /contracts/transfer/${draft.id}`,
    ])
    expect((await world.other.ask(method, path)).error.message, path).toBe('No contract has this id.')
  }
  expect((await caller.get(draft.id)).status).toBe('draft')
})

describe('metadata', () => {
  test('is kept, shown everywhere, and patched by its names', async () => {
    const draft = await caller.draft({ metadata: { order: '17', note: 'a' } })
    expect(draft.metadata).toEqual({ order: '17', note: 'a' })
    const patched = await caller.update(draft.id, { metadata: { note: null, colour: 'red' } })
    expect(patched.metadata).toEqual({ order: '17', colour: 'red' })
    expect((await caller.issue(draft.id)).metadata).toEqual(patched.metadata)
    expect(
      (await caller.update((await caller.draft({ metadata: { a: 'b' } })).id, { metadata: null })).metadata,
    ).toEqual({})
    const events = await caller.all<{ data: { object: ContractBody } }>('/events', 'events')
    const own = events.filter(({ data }) => data.object.id === draft.id).map(({ data }) => data.object.metadata)
    expect(own.at(-1)).toEqual(patched.metadata)
    const listed = await caller.all<ContractBody>('/contracts/transfer', 'contracts')
    expect(listed.find(({ id }) => id === draft.id)?.metadata).toEqual(patched.metadata)
  })

  test('of a payment contract', async () => {
    const body = { amount: 5, currency: 'PHP', metadata: { cart: 'c-9' } }
    const { data } = await caller.ask('POST', '/contracts/payment', { body })
    const { id, metadata } = data['contract'] as ContractBody
    expect(metadata).toEqual({ cart: 'c-9' })
    const read = await caller.ask('GET', `/contracts/payment/${id}`)
    expect((read.data['contract'] as ContractBody).metadata).toEqual({ cart: 'c-9' })
  })

  test('holds no card number, and any name that is not one of card data', async () => {
    const draft = await caller.draft({
      metadata: { note: 'card 4242 4242 4242 4242', 'größe ☂': '9', constructor: 'x' },
    })
    expect(draft.metadata).toEqual({ note: 'card [card ending 4242]', 'größe ☂': '9', constructor: 'x' })
    const { status, error } = await caller.ask('POST', '/contracts/transfer', {
      body: { amount: 5, currency: 'PHP', metadata: { cvv: '123' } },
    })
    expect([status, error.code]).toEqual([400, 'card_data_not_allowed'])
  })

  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']))

  test('takes fifty pairs, also over two writes, and no more', async () => {
    const draft = await caller.draft({ metadata: pairs(50) })
    expect(Object.keys(draft.metadata)).toHaveLength(50)
    const { status, error } = await caller.ask('PATCH', `/contracts/transfer/${draft.id}`, {
      body: { metadata: { one: 'more' } },
    })
    expect([status, error.code, error.param]).toEqual([400, 'invalid_metadata', 'metadata'])
    const swapped = await caller.update(draft.id, { metadata: { k0: null, one: 'more' } })
    expect(Object.keys(swapped.metadata)).toHaveLength(50)
  })

  test.each<[string, unknown]>([
    ['too many pairs', pairs(51)],
    ['a name too long', { ['k'.repeat(41)]: 'v' }],
    ['no name', { '': 'v' }],
    ['a text too long', { k: 'v'.repeat(501) }],
    ['a number', { k: 1 }],
    ['an object', { k: {} }],
    ['a list', ['a']],
    ['a text', 'a'],
  ])('%s is refused', async (_what, metadata) => {
    const body = { amount: 5, currency: 'PHP', metadata }
    const { status, error } = await caller.ask('POST', '/contracts/transfer', { body })
    expect([status, error.code, error.param]).toEqual([400, 'invalid_metadata', 'metadata'])
  })
})
