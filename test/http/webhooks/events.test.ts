// The feed of events: nothing is missing, nothing comes twice, nothing turns up behind a reader, whatever is written
// meanwhile.
import { afterAll, expect, test } from 'vitest'
import { type Caller, type ContractBody, openWorld } from '../../world.ts'

// Batches of three commands and two writers: many transactions that overlap.
const world = await openWorld({ undoSeconds: 3600, config: { batchMax: 3, writers: 2 } })
afterAll(() => world.stop())

type Event = {
  id: string
  type: string
  event: string
  kind: string
  sequence: number
  created_at: number
  data: { object: ContractBody }
}

const feedOf = (caller: Caller, limit = 100) => caller.all<Event>('/events', 'events', limit)

test('one contract’s life, oldest first, each event with the contract as it stood', async () => {
  const caller = await world.newCaller()
  const draft = await caller.draft()
  const updated = await caller.update(draft.id, { description: 'shoes' })
  const issued = await caller.issue(draft.id)
  const paid = await caller.pay(draft.id)
  const cancelled = await caller.cancel(draft.id)
  const feed = await feedOf(caller)
  expect(feed.map(({ type, event, kind, sequence }) => [type, event, kind, sequence])).toEqual([
    ['contract.created', 'created', 'transfer', 1],
    ['contract.updated', 'updated', 'transfer', 2],
    ['contract.issued', 'issued', 'transfer', 3],
    ['contract.paid', 'paid', 'transfer', 4],
    ['contract.cancelled', 'cancelled', 'transfer', 5],
  ])
  expect(feed.map(({ data }) => data.object)).toEqual([draft, updated, issued, paid, cancelled])
  expect(feed.map((each) => each.created_at)).toEqual(
    feed.map(({ data }) => Math.floor(Date.parse(data.object.updated_at) / 1000)),
  )
})

test('what changes nothing is no event', async () => {
  const caller = await world.newCaller()
  const contract = await caller.paid()
  const before = await feedOf(caller)
  await caller.pay(contract.id)
  await caller.issue(contract.id)
  await caller.get(contract.id)
  await caller.ask('PATCH', `/contracts/transfer/${contract.id}`, { body: { amount: 1 } })
  await caller.ask('POST', '/contracts/transfer', { body: {} })
  expect(await feedOf(caller)).toEqual(before)
})

test('a reader that follows concurrent writers sees every event once, gapless for each contract', {
  timeout: 180_000,
}, async () => {
  const caller = await world.newCaller({ funds: { PHP: 100_000_000_00n } })
  const WRITERS = 12
  const ROUNDS = 6
  let writing = true
  const written: string[] = []
  const writer = async () => {
    for (let i = 0; i < ROUNDS; i++) {
      const { id } = await caller.draft()
      await caller.update(id, { description: `round ${i}` })
      await caller.issue(id)
      if (i % 2 === 0) await caller.pay(id)
      await caller.cancel(id)
      written.push(id)
    }
  }
  const read: Event[] = []
  const readOn = async () => {
    const after = read.at(-1)?.id
    const { status, data } = await caller.ask('GET', `/events?limit=17${after === undefined ? '' : `&after=${after}`}`)
    expect(status).toBe(200)
    const page = data['events'] as Event[]
    read.push(...page)
    return page.length
  }
  const reader = async () => {
    while (writing || (await readOn()) > 0) await readOn()
  }
  const reading = reader()
  await Promise.all(Array.from({ length: WRITERS }, writer))
  writing = false
  await reading

  expect(new Set(read.map(({ id }) => id)).size).toBe(read.length)
  for (const id of written) {
    const own = read.filter(({ data }) => data.object.id === id)
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, i) => i + 1))
    expect(own.at(-1)?.type).toBe('contract.cancelled')
  }
  expect(read).toHaveLength(WRITERS * (3 * 4 + 3 * 5))
  expect(await feedOf(caller)).toEqual(read)
})

test('any event’s id resumes the feed after it', async () => {
  const caller = await world.newCaller()
  for (let i = 0; i < 4; i++) await caller.issued()
  const feed = await feedOf(caller, 3)
  expect(feed).toHaveLength(8)
  for (const [i, { id }] of feed.entries()) {
    const { data } = await caller.ask('GET', `/events?after=${id}`)
    expect((data['events'] as Event[]).map((event) => event.id)).toEqual(feed.slice(i + 1).map((event) => event.id))
    expect(data['next']).toBeNull()
  }
})

test('the newest first, page by page, and only some types', async () => {
  const own = await world.newCaller()
  for (let count = 0; count < 3; count += 1) await own.issued()
  type Fed = { id: string; type: string }
  const feed = await own.all<Fed>('/events', 'events')
  const newest = await own.all<Fed>('/events?order=newest', 'events', 2)
  expect(newest.map(({ id }) => id)).toEqual(feed.map(({ id }) => id).toReversed())
  const issued = await own.all<Fed>('/events?order=newest&types=contract.issued', 'events', 1)
  expect(issued.map(({ type }) => type)).toEqual(['contract.issued', 'contract.issued', 'contract.issued'])
  expect(await own.all<Fed>('/events?types=contract.issued,wallet.low', 'events')).toEqual(
    feed.filter(({ type }) => type === 'contract.issued'),
  )
  const refusal = async (query: string) => (await own.ask('GET', `/events?${query}`)).error.code
  expect(await refusal('order=up')).toBe('invalid_order')
  expect(await refusal('types=contract.isued')).toBe('invalid_types')
  // A type that the key may not read is not there, and no refusal.
  const reader = await world.withKey(own, { scopes: ['events:read'] })
  expect(await reader.all<Fed>('/events?types=contract.issued,member.joined', 'events')).toEqual(
    (await reader.all<Fed>('/events', 'events')).filter(({ type }) => type === 'contract.issued'),
  )
})

test('a cursor that is none, or another account’s, is refused alike', async () => {
  const { caller, other } = world
  const contract = await other.draft()
  const [foreign] = await feedOf(other)
  expect(foreign?.data.object.id).toBe(contract.id)
  const cursors = [foreign!.id, 'evt_1', `evt_${'0'.repeat(36)}`, contract.id, 'null', "'", `${foreign!.id}0`]
  const answers = await Promise.all(
    cursors.map((after) => caller.ask('GET', `/events?after=${encodeURIComponent(after)}`)),
  )
  for (const { status, error } of answers) {
    expect({ status, code: error.code, param: error.param }).toEqual({
      status: 400,
      code: 'invalid_after',
      param: 'after',
    })
    expect(error.message).toBe(answers[0]?.error.message)
  }
})

test('another account’s events are in no feed', async () => {
  const lone = await world.newCaller()
  expect(await feedOf(lone)).toEqual([])
  await world.other.draft()
  expect(await feedOf(lone)).toEqual([])
})

test('an event by its id is the event of the feed', async () => {
  const caller = await world.newCaller()
  const contract = await caller.issued()
  await caller.cancel(contract.id)
  for (const event of await feedOf(caller)) {
    const { status, data } = await caller.ask('GET', `/events/${event.id}`)
    expect(status).toBe(200)
    expect(data).toEqual({ event, deliveries: [] })
  }
})

test('with its deliveries to the account’s endpoints, newest first; those of a deleted endpoint are gone with it', async () => {
  const caller = await world.newCaller()
  await caller.issued()
  const [, issued, ...rest] = await feedOf(caller)
  expect(rest).toEqual([])
  const [first, second, deleted] = [1, 2, 3].map((digit) => `01890000-0000-7000-8000-00000000000${digit}`)
  for (const id of [first, second, deleted])
    await world.sql(
      `insert into webhook_endpoints (lane, account_id, id, url, events, api_version, in_flight_max, status,
                                      secrets_sealed, bearer_sealed, sealing_key_id, since_position, livemode)
       values ($1, $2, $3, 'https://shop.test/', '{*}', '2026-11-01', 4, $4, '[]', '', '', 0, false)`,
      [caller.account.lane, caller.account.accountId, id, id === deleted ? 'deleted' : 'enabled'],
    )
  const rows = [
    [first, 2, 0, 'dead', 12, null, 0],
    [first, 2, 3, 'pending', 1, 90, 60],
    [second, 2, 0, 'delivered', 1, null, 5],
    [second, 1, 0, 'delivered', 1, null, 4],
    [deleted, 2, 0, 'held', 2, null, 3],
  ] as const
  const start = Date.UTC(2026, 10, 1)
  const at = (seconds: number | null) => (seconds === null ? null : new Date(start + seconds * 1000).toISOString())
  for (const [endpoint, position, replay, status, tries, due, made] of rows)
    await world.sql(
      `insert into deliveries (lane, account_id, endpoint_id, position, replay, status, tries, due_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        caller.account.lane,
        caller.account.accountId,
        endpoint,
        position,
        replay,
        status,
        tries,
        at(due),
        at(made),
        at(made + 1),
      ],
    )
  const { data } = await caller.ask('GET', `/events/${issued?.id}`)
  const shown = ([endpoint, position, replay, status, tries, due, made]: (typeof rows)[number]) => ({
    id: `dlv_${position}_${replay}`,
    endpoint_id: endpoint,
    livemode: false,
    status,
    replay,
    tries,
    next_attempt_at: at(due),
    created_at: at(made),
    updated_at: at(made + 1),
  })
  expect(data['event']).toEqual(issued)
  expect(data['deliveries']).toEqual([rows[1], rows[2], rows[0]].map(shown))
})

test('an id that is spelt otherwise names no event', async () => {
  const caller = await world.newCaller()
  await caller.draft()
  const [event] = await feedOf(caller)
  const id = event?.id ?? ''
  expect(id).toMatch(/0001$/)
  for (const other of [
    id.replace(/0001$/, '00001'),
    id.replace(/0001$/, '0002'),
    id.toUpperCase(),
    `${id} `,
    id.slice(4),
  ]) {
    const { status, error } = await caller.ask('GET', `/events/${encodeURIComponent(other)}`)
    expect([status, error.code]).toEqual([404, 'event_not_found'])
    expect((await caller.ask('GET', `/events?after=${encodeURIComponent(other)}`)).error.code).toBe('invalid_after')
  }
})
