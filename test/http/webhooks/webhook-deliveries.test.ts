// What became of an endpoint's deliveries: pages of them, filters, and the tries of one with what was sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Reply } from '../../world.ts'
import { makeEndpoint, tried } from './webhook-world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

type Delivery = { id: string; event_id: string; type: string; status: string; replay: number } & Record<string, unknown>
type Event = { id: string; type: string; sequence: number; data: { object: { id: string } } }
const coded = ({ status, error }: Reply) => [status, error.code, error.param]

let id = ''
let feed: Event[] = []
const list = `/webhook-endpoints/${'{id}'}/deliveries`
const path = () => list.replace('{id}', id)

// Twelve events: 1-3 dead, 4-6 delivered, 7-9 waiting, 10-12 held; then 2, 3 and 9 once more and 3 a third time.
beforeAll(async () => {
  for (let i = 0; i < 4; i++) await caller.paid()
  feed = await caller.all<Event>('/events', 'events')
  id = (await makeEndpoint(caller, { url: 'https://receiver.example/hooks', events: ['*'] })).id
  await tried(world, id, [1, 2, 3], 'dead')
  await tried(world, id, [4, 5, 6], 'delivered')
  await tried(world, id, [7, 8, 9], 'pending')
  await tried(world, id, [10, 11, 12], 'held')
  for (const places of [[2, 3, 9], [3]]) {
    const body = { events: places.map((place) => feed[place - 1]!.id) }
    await caller.ask('POST', `/webhook-endpoints/${id}/replay`, { body })
  }
})

const NEWEST_FIRST = [
  '12_0',
  '11_0',
  '10_0',
  '9_1',
  '9_0',
  '8_0',
  '7_0',
  '6_0',
  '5_0',
  '4_0',
  '3_2',
  '3_1',
  '3_0',
  '2_1',
  '2_0',
  '1_0',
]
const listed = async (query: string, limit = 100) =>
  (await caller.all<Delivery>(`${path()}${query}`, 'deliveries', limit)).map((delivery) => delivery.id.slice(4))

describe('the list', () => {
  test('shows each delivery, newest event first', async () => {
    const all = await caller.all<Delivery>(path(), 'deliveries')
    expect(all.map((delivery) => delivery.id)).toEqual(NEWEST_FIRST.map((place) => `dlv_${place}`))
    const { created_at, updated_at, next_attempt_at, ...waiting } = all[4]!
    const event = feed[8]!
    expect(waiting).toEqual({
      id: 'dlv_9_0',
      livemode: false,
      event_id: event.id,
      type: event.type,
      contract_id: event.data.object.id,
      sequence: event.sequence,
      status: 'pending',
      replay: 0,
      tries: 1,
    })
    expect(
      [created_at, updated_at, next_attempt_at].map(String).every((at) => Date.parse(at) > Date.now() - 60_000),
    ).toBe(true)
    for (const delivery of all) expect(delivery['next_attempt_at'] === null).toBe(delivery.status !== 'pending')
  })

  test.each([1, 3, 15, 16, 17])('in pages of %d holds everything once', async (limit) => {
    expect(await listed('', limit)).toEqual(NEWEST_FIRST)
  })

  test.each([
    ['?status=dead', ['3_0', '2_0', '1_0']],
    ['?status=delivered', ['6_0', '5_0', '4_0']],
    ['?status=held', ['12_0', '11_0', '10_0']],
    ['?status=pending', ['9_1', '9_0', '8_0', '7_0', '3_2', '3_1', '2_1']],
    ['?event=contract.issued', ['11_0', '8_0', '5_0', '2_1', '2_0']],
    ['?event=contract.issued&status=pending', ['8_0', '2_1']],
    ['?event=contract.returned', []],
  ])('%s', async (query, places) => {
    expect(await listed(query, 2)).toEqual(places)
  })

  test('of one event', async () => {
    expect(await listed(`?event=${feed[2]!.id}`, 2)).toEqual(['3_2', '3_1', '3_0'])
    expect(await listed(`?event=${feed[2]!.id}&status=dead`)).toEqual(['3_0'])
  })

  test('refuses a filter or cursor that is none', async () => {
    await other.draft()
    const [foreign] = await other.all<Event>('/events', 'events')
    const refused = async (query: string) => coded(await caller.ask('GET', `${path()}?${query}`))
    expect(await refused('status=lost')).toEqual([400, 'invalid_status', 'status'])
    for (const event of ['contract.payed', foreign!.id, 'evt_1'])
      expect(await refused(`event=${event}`), event).toEqual([400, 'invalid_event', 'event'])
    for (const after of ['dlv_1', 'dlv_0_0', 'dlv_01_0', 'dlv_1_-1', feed[0]!.id, 'dlv_1_9999999999', 'x'])
      expect(await refused(`after=${after}`), after).toEqual([400, 'invalid_after', 'after'])
    expect(await refused('limit=0')).toEqual([400, 'invalid_limit', 'limit'])
  })

  test('is of one endpoint alone', async () => {
    const another = await makeEndpoint(caller)
    const { data } = await caller.ask('GET', list.replace('{id}', another.id))
    expect(data).toEqual({ deliveries: [], next: null })
  })
})

describe('the tries', () => {
  const tries = (place: string) => caller.ask('GET', `${path()}/${place}/attempts`)

  test('of a delivery, first to last, with what was sent and what came back', async () => {
    await world.sql(
      `insert into delivery_attempts (lane, account_id, endpoint_id, position, replay, number, at, duration_ms, outcome,
                                      status_code, fault, response_body)
       select e.lane, e.account_id, e.id, 4, 0, x.number, x.at::timestamptz, x.ms, x.outcome, x.code, x.fault, x.body
         from webhook_endpoints e,
              (values (2, '2026-11-02T00:00:05.999Z', 12, 'delivered', 200, null, '{}'),
                      (1, '2026-11-02T00:00:00Z', 15000, 'no_answer', null, 'No whole answer came in time.', null))
              x (number, at, ms, outcome, code, fault, body)
        where e.id = $1`,
      [id],
    )
    const { data } = await tries('dlv_4_0')
    expect(data['next']).toBeNull()
    const [first, second] = data['attempts'] as Record<string, { headers: Record<string, string>; body: string }>[]
    expect(first).toMatchObject({
      number: 1,
      at: '2026-11-02T00:00:00.000Z',
      duration_ms: 15_000,
      outcome: 'no_answer',
      status_code: null,
      fault: 'No whole answer came in time.',
      response: { body: null },
    })
    expect(second).toMatchObject({
      number: 2,
      outcome: 'delivered',
      status_code: 200,
      fault: null,
      response: { body: '{}' },
    })
    const { body, ...request } = second!['request']!
    expect(request).toEqual({
      method: 'POST',
      url: 'https://receiver.example/hooks',
      headers: {
        'content-type': 'application/json',
        'webhook-id': feed[3]!.id,
        'webhook-timestamp': '1793577605',
        'webhook-attempt': '2',
      },
    })
    const sent = JSON.stringify(feed[3])
    expect(Buffer.byteLength(body)).toBe(Math.min(2048, Buffer.byteLength(sent)))
    expect(sent.startsWith(body)).toBe(true)
    expect(JSON.stringify(data)).not.toMatch(/bearer|signature|whsec_|whb_/i)
  })

  test('are cut between characters', async () => {
    const mine = await world.newCaller()
    for (let shift = 0; shift < 4; shift++) {
      const description = `${'x'.repeat(shift)}${'€'.repeat(900)}`
      await mine.draft({ description, deliverable: { description: '€'.repeat(900) } })
    }
    const endpoint = await makeEndpoint(mine)
    const places = [1, 2, 3, 4]
    await tried(world, endpoint.id, places, 'dead')
    await world.sql(
      `insert into delivery_attempts (lane, account_id, endpoint_id, position, replay, number, at, duration_ms, outcome)
       select lane, account_id, endpoint_id, position, replay, 1, now(), 1, 'not_sent' from deliveries where endpoint_id = $1`,
      [endpoint.id],
    )
    const lengths = new Set<number>()
    for (const place of places) {
      const { data } = await mine.ask('GET', `/webhook-endpoints/${endpoint.id}/deliveries/dlv_${place}_0/attempts`)
      const [attempt] = data['attempts'] as { request: { body: string } }[]
      expect(attempt!.request.body).not.toContain('\uFFFD')
      lengths.add(Buffer.byteLength(attempt!.request.body))
    }
    expect([...lengths].every((length) => length > 4093 && length <= 4096)).toBe(true)
    expect(lengths.size).toBeGreaterThan(1)
  })

  test('of a delivery that has not been tried are none', async () => {
    expect((await tries('dlv_3_2')).data).toEqual({ attempts: [], next: null })
  })

  test.each(['dlv_99_0', 'dlv_1_1', 'dlv_1', 'x', 'dlv_1_0x', '%00'])('of %s are not found', async (place) => {
    expect(coded(await tries(place))).toEqual([404, 'delivery_not_found', 'delivery'])
  })
})
