// Events sent again: by name, of a time, or those that never arrived; each time under a number of its own, and never
// swallowed. Nobody delivers here, so that what was queued can be looked at.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import {
  deliveriesOf,
  endOf,
  getEndpoint,
  leaseTo,
  makeEndpoint,
  patchEndpoint,
  progressOf,
  putEndpoint,
  tried,
} from './webhook-world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

let caller: Caller
beforeEach(async () => {
  caller = await world.newCaller()
})

type Event = { readonly id: string; readonly type: string }
const coded = ({ status, error }: Reply) => [status, error.code, error.param]
const events = (owner: Caller) => owner.all<Event>('/events', 'events')
const ask = (id: string, body: unknown) => caller.ask('POST', `/webhook-endpoints/${id}/replay`, { body })

async function replay(id: string, body: unknown): Promise<Record<string, unknown>> {
  const { status, text, data } = await ask(id, body)
  if (status !== 200) throw new Error(`no replay but ${status}: ${text}`)
  return data['replay'] as Record<string, unknown>
}

/** An endpoint for paid and cancelled, of an account whose history begins with another contract; all of it was tried. */
async function served(): Promise<{ id: string; feed: Event[]; end: number }> {
  await caller.paid()
  const { id } = await makeEndpoint(caller, { events: ['contract.paid', 'contract.cancelled'] })
  await caller.cancel((await caller.paid()).id)
  await caller.paid()
  const end = await endOf(world, caller)
  await leaseTo(world, id, end)
  return { id, feed: await events(caller), end }
}

/** The positions of each of the endpoint's deliveries by their replay. */
async function queued(id: string): Promise<Record<number, number[]>> {
  const found: Record<number, number[]> = {}
  const rows = await deliveriesOf(world, id)
  expect(rows.filter(({ replay: number, status, due }) => number > 0 && (status !== 'pending' || !due))).toEqual([])
  for (const { replay: number, position } of rows) found[number] = [...(found[number] ?? []), position]
  return found
}

describe('a replay', () => {
  test('of named events queues them, whatever the endpoint hears, and again each time it is asked for', async () => {
    const { id, feed } = await served()
    const { fence } = await progressOf(world, id)
    // Made, then issued, then paid before the endpoint; the next contract follows.
    const named = [feed[0]!.id, feed[4]!.id, feed[0]!.id]
    expect(await replay(id, { events: named })).toEqual({ number: 1, events: 2, more: false, next_from: null })
    expect(await replay(id, { events: named })).toMatchObject({ number: 2, events: 2 })
    expect(await replay(id, { events: [feed[4]!.id] })).toMatchObject({ number: 3, events: 1 })
    expect(await queued(id)).toEqual({ 1: [1, 5], 2: [1, 5], 3: [5] })
    expect(await progressOf(world, id)).toMatchObject({ due: true, fence, leased: true })
    expect((await getEndpoint(caller, id)).delivery).toMatchObject({ waiting: 5 })
  })

  test('of a time queues what the endpoint hears, from before it was there as well', async () => {
    const { id, feed, end } = await served()
    const times = await world.sql<{ position: number; at: Date }>(
      'select position::int, at from contract_versions where account_id = $1 order by position',
      [caller.account.accountId],
    )
    const heard = feed.flatMap(({ type }, i) => (['contract.paid', 'contract.cancelled'].includes(type) ? [i + 1] : []))
    expect(heard).toEqual([3, 6, 7, 10])
    const between = (from: Date, to: Date) =>
      heard.filter((position) => times.some((row) => row.position === position && row.at >= from && row.at <= to))
    const [first, fifth, last] = [times[0]!.at, times[4]!.at, times.at(-1)!.at]
    const zoned = first.toISOString().replace('Z', '+00:00')
    expect(await replay(id, { from: zoned })).toEqual({ number: 1, events: 4, more: false, next_from: null })
    expect((await queued(id))[1]).toEqual(heard)
    const ranges = [
      [fifth, last],
      [first, fifth],
      [fifth, fifth],
      [first, last],
    ] as const
    for (const [from, to] of ranges) {
      const { number, events } = await replay(id, { from: from.toISOString(), to: to.toISOString() })
      const expected = between(from, to)
      const found = expected.length > 0 ? (await queued(id))[Number(number)] : []
      expect([events, found]).toEqual([expected.length, expected])
    }
    expect(await replay(id, { to: last.toISOString() })).toMatchObject({ events: 4 })
    const years = { from: '1970-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' }
    expect(await replay(id, years)).toMatchObject({ events: heard.length })
    for (const none of [{ to: '2020-01-01T00:00:00Z' }, { from: '2999-01-01T00:00:00Z' }])
      expect(await replay(id, none)).toMatchObject({ events: 0, more: false })
    expect(end).toBe(10)
  })

  test('of what was missed leaves out what arrived, in whatever delivery, and what came before the endpoint', async () => {
    const { id } = await served()
    await tried(world, id, [6], 'delivered')
    await tried(world, id, [7], 'dead')
    expect(await replay(id, { missed: true })).toEqual({ number: 1, events: 2, more: false, next_from: null })
    expect(await queued(id)).toEqual({ 0: [6, 7], 1: [7, 10] })
    // Both wait; asked for again, they are queued again.
    expect(await replay(id, { missed: true })).toMatchObject({ number: 2, events: 2 })
    await world.sql(
      `update deliveries set status = 'delivered', due_at = null where endpoint_id = $1 and position = 7`,
      [id],
    )
    expect(await replay(id, { missed: true })).toMatchObject({ number: 3, events: 1 })
    expect((await deliveriesOf(world, id)).flatMap((row) => (row.replay === 3 ? [row.position] : []))).toEqual([10])
    expect(await replay(id, { missed: true, to: '2020-01-01T00:00:00Z' })).toMatchObject({ events: 0 })
    expect(await replay(id, { missed: true, from: '2020-01-01T00:00:00Z' })).toMatchObject({ events: 1 })
  })

  test('of what was missed while it was disabled finds all of it', async () => {
    const { id } = await makeEndpoint(caller, { events: ['*'] })
    await caller.paid()
    await leaseTo(world, id, 3)
    await tried(world, id, [1], 'delivered')
    await tried(world, id, [2, 3], 'pending')
    await patchEndpoint(caller, id, { status: 'disabled' })
    await caller.issued()
    await putEndpoint(caller, id, 'resume')
    expect(await queued(id)).toEqual({ 0: [1, 2, 3] })
    expect((await getEndpoint(caller, id)).delivery).toMatchObject({ behind: 0, waiting: 0, held: 2 })
    expect(await replay(id, { missed: true })).toMatchObject({ number: 1, events: 4 })
    expect((await queued(id))[1]).toEqual([2, 3, 4, 5])
  })

  test('leaves out what the endpoint is about to hear anyway', async () => {
    const { id } = await makeEndpoint(caller, { events: ['*'] })
    await caller.paid()
    await leaseTo(world, id, 2)
    expect(await replay(id, { missed: true })).toMatchObject({ events: 2 })
    expect(await replay(id, { from: '2020-01-01T00:00:00Z' })).toMatchObject({ events: 2 })
  })

  test('that is asked for many times at once has a number of its own each time', async () => {
    const { id } = await served()
    const neighbour = await world.beside()
    const headers = { 'x-api-key': caller.apiKey }
    const asked = Array.from({ length: 12 }, (_, i) =>
      (i % 2 === 0 ? world : neighbour).ask('POST', `/webhook-endpoints/${id}/replay`, {
        headers,
        body: { missed: true },
      }),
    )
    const replies = await Promise.all(asked)
    await neighbour.stop()
    const numbers = replies.map(({ data }) => (data['replay'] as { number: number }).number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    expect(Object.values(await queued(id))).toEqual(Array.from({ length: 12 }, () => [6, 7, 10]))
  })

  test('takes a hundred thousand events, and says where to go on', { timeout: 180_000 }, async () => {
    const { id: contract } = await caller.draft()
    const { id } = await makeEndpoint(caller, { events: ['contract.updated'] })
    const MORE = 100_500
    // A second apart, one of another type in between.
    await world.sql(
      `insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
       select h.lane, h.account_id, 1 + i, gen_random_uuid(), 1, 1,
              case when i % 1000 = 0 then 'contract.paid' else 'contract.updated' end, h.at + i * interval '1 second', h.document
         from contract_versions h, generate_series(1, $2) i where h.contract_id = $1`,
      [contract, MORE],
    )
    await world.sql('update accounts set position = $2 where account_id = $1', [caller.account.accountId, MORE + 1])
    await leaseTo(world, id, MORE + 1)
    const [begin] = await world.sql<{ at: Date }>('select at from contract_versions where contract_id = $1', [contract])
    const atOf = (i: number) => new Date(begin!.at.getTime() + i * 1000).toISOString()

    const first = await replay(id, { missed: true })
    expect(first).toEqual({ number: 1, events: 100_000, more: true, next_from: atOf(100_101) })
    const rest = await replay(id, { missed: true, from: first['next_from'] })
    expect(rest).toEqual({ number: 2, events: 400, more: false, next_from: null })
    const part = await replay(id, { from: atOf(70_000), to: atOf(70_999) })
    expect(part).toMatchObject({ number: 3, events: 999 })
    const [row] = await world.sql(
      `select count(*)::int as all, count(distinct position)::int as events, min(position) filter (where replay = 3)::int as first,
              max(position) filter (where replay = 3)::int as last from deliveries where endpoint_id = $1`,
      [id],
    )
    expect(row).toEqual({ all: 101_399, events: 100_400, first: 70_002, last: 71_000 })

    await patchEndpoint(caller, id, { status: 'disabled' })
    expect((await putEndpoint(caller, id, 'resume')).delivery).toMatchObject({ waiting: 0, held: 101_399 })
  })
})

describe('a replay is refused', () => {
  test.each<[string, unknown, string, string, RegExp]>([
    ['that says nothing', {}, 'invalid_body', 'body', /events, or from and to .* or missed: true/],
    ['that says no', { missed: false }, 'invalid_body', 'body', /missed: true/],
    ['of events and what was missed', { events: ['evt_1'], missed: true }, 'invalid_events', 'events', /either events/],
    [
      'of events of a time',
      { events: ['evt_1'], from: '2026-01-01T00:00:00Z' },
      'invalid_events',
      'events',
      /either events/,
    ],
    ['of no events', { events: [] }, 'invalid_events', 'events', /1/],
    ['of too many events', { events: Array.from({ length: 101 }, () => 'evt_1') }, 'invalid_events', 'events', /100/],
    ['of what is no event', { events: ['evt_1'] }, 'invalid_events', 'events.0', /evt_…/],
    ['of no time', { from: 'yesterday' }, 'invalid_from', 'from', /a day or a time in UTC/],
    ['of a time that never was', { to: '2026-02-30T00:00:00' }, 'invalid_to', 'to', /a day or a time in UTC/],
    [
      'of a time that ends before it begins',
      { from: '2026-02-02T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      'invalid_to',
      'to',
      /earlier/,
    ],
    [
      'of an event that is not there',
      { events: [`evt_${'0'.repeat(36)}`] },
      'event_not_found',
      'events',
      /Nothing was queued/,
    ],
  ])('%s', async (_name, body, code, param, mend) => {
    const { id } = await makeEndpoint(caller)
    const reply = await ask(id, body)
    expect(coded(reply)).toEqual([code === 'event_not_found' ? 404 : 400, code, param])
    expect(reply.error.message).toMatch(mend)
  })

  test('of another account’s event, and of one’s own beside it', async () => {
    await world.other.draft()
    await caller.draft()
    const { id } = await makeEndpoint(caller)
    const [mine, theirs] = [(await events(caller))[0]!.id, (await events(world.other))[0]!.id]
    expect(coded(await ask(id, { events: [mine, theirs] }))).toEqual([404, 'event_not_found', 'events'])
    expect(await queued(id)).toEqual({})
    expect(await replay(id, { events: [mine] })).toMatchObject({ number: 1, events: 1 })
  })

  test.each(['paused', 'disabled'])('to an endpoint that is %s', async (status) => {
    const { id, feed } = await served()
    if (status === 'paused') await putEndpoint(caller, id, 'pause')
    else await patchEndpoint(caller, id, { status })
    for (const body of [{ missed: true }, { from: '2020-01-01T00:00:00Z' }, { events: [feed[0]!.id] }]) {
      const reply = await ask(id, body)
      expect(coded(reply)).toEqual([409, 'webhook_endpoint_disabled', 'id'])
      expect(reply.error.message).toMatch(new RegExp(`is ${status}\\. .*/resume`))
    }
    expect(await queued(id)).toEqual({})
  })
})
