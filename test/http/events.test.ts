// The feed of events: nothing is missing, nothing comes twice, nothing turns up behind a reader, whatever is written
// meanwhile.
import { afterAll, expect, test } from 'vitest'
import { type Caller, type ContractBody, openWorld } from '../world.ts'

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
  timeout: 60_000,
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
