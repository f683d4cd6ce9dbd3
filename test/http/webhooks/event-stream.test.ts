// The event stream over real sockets: every event once and in order, from wherever a client left off, whoever wrote it.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openSignals } from '../../../src/app/webhooks/signals.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { openStreams } from '../../../src/http/routes/open-streams.ts'
import { type Caller, openWorld } from '../../world.ts'
import { connectedTo } from '../../rig/servers/other-server.ts'
import { callerOf } from '../../world-caller.ts'
import { follow, type Follower, until } from './stream-follower.ts'

// Batches of three commands and two writers: many transactions that overlap.
const world = await openWorld({ undoSeconds: 3600, config: { batchMax: 3, writers: 2 } })
const url = await world.listen()
afterAll(() => world.stop())

const feedOf = (caller: Caller) => caller.all<{ id: string; type: string }>('/events', 'events')
const idsOf = async (caller: Caller) => (await feedOf(caller)).map(({ id }) => id)
const heard = (follower: Follower, count: number, withinMs = 20_000) =>
  until(() => follower.events.length >= count, withinMs, `${count} events, but ${follower.events.length}`)

test('events as they happen, each with the very JSON of the feed', async () => {
  const caller = await world.newCaller()
  await caller.draft()
  const stream = await follow(url, caller)
  expect(stream.status).toBe(200)
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'request-id': expect.stringMatching(/^req_/),
    'service-version': '2026-11-01',
  })
  const contract = await caller.issued({ description: 'two\r\nlines\n\nand\u2028more' })
  await caller.cancel(contract.id)
  await heard(stream, 3)
  const [before, ...feed] = await feedOf(caller)
  // It begins by naming the event that it comes after: whoever is cut off here has missed nothing.
  expect(stream.other).toEqual([`retry: 2000\nid: ${before?.id}`])
  expect(stream.events).toEqual(feed.map((event) => ({ id: event.id, type: event.type, data: JSON.stringify(event) })))
  stream.cut()
})

test('a signal is quicker than the next look', async () => {
  const caller = await world.newCaller()
  const stream = await follow(url, caller)
  const waits: number[] = []
  // Each round is several commits, some of them while the stream is reading the one before.
  for (let round = 1; round <= 10; round++) {
    await Promise.all(Array.from({ length: 8 }, () => caller.draft()))
    waits.push(await heard(stream, round * 8))
  }
  // Looks come each second: rounds that wait for one take half a second on average.
  expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(2000)
  stream.cut()
})

test('a signal that comes before a stream rests is not lost', async () => {
  const { account } = world.caller
  const signals = openSignals()
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const stream = openStreams(signals, world.gateway.deps.reader).open(
    { ...account, keyId: world.caller.keyId, memberId: null },
    response,
  )
  if (isRefusal(stream)) throw new Error(stream.message)
  const rested = async (longestMs: number) => {
    const from = performance.now()
    await stream.rest(longestMs)
    return performance.now() - from
  }
  signals.notify([account.accountId])
  expect(await rested(20_000)).toBeLessThan(10_000)
  expect(await rested(200)).toBeGreaterThan(190)
  setTimeout(() => signals.notify([account.accountId]), 50)
  expect(await rested(20_000)).toBeLessThan(10_000)
  response.destroy()
  response.emit('close')
})

test('any event’s id goes on after it, in Last-Event-ID before all else', async () => {
  const caller = await world.newCaller()
  for (let i = 0; i < 40; i++) await caller.issued()
  const ids = await idsOf(caller)
  for (const [lastEventId, after, start] of [
    [ids[0], undefined, 1],
    [undefined, ids[11], 12],
    [ids[58], ids[3], 59],
    ['', ids[65], 66],
    [ids[79], undefined, 80],
  ] as const) {
    const stream = await follow(url, caller, { lastEventId, after })
    // Page after page, without a rest between them.
    await heard(stream, 80 - start, 1500)
    await sleep(30)
    expect(stream.ids()).toEqual(ids.slice(start))
    stream.cut()
  }
})

test('streams that come and go while others write hear everything once, in order', { timeout: 180_000 }, async () => {
  const caller = await world.newCaller()
  await caller.draft()
  const [start] = await idsOf(caller)
  let left = 200
  const writer = async () => {
    for (let number = left--; number > 0; number = left--) {
      const { id } = await caller.issued()
      if (number % 2 === 0) await caller.cancel(id)
    }
  }
  const writing = Promise.all(Array.from({ length: 4 }, writer))
  const total = 200 * 2 + 100
  const reader = async (patience: number): Promise<{ ids: string[]; comings: number }> => {
    const ids: string[] = []
    let comings = 0
    for (; ids.length < total; comings++) {
      const stream = await follow(url, caller, { lastEventId: ids.at(-1) ?? start })
      const wanted = Math.min(1 + ((ids.length * 7) % patience), total - ids.length)
      await heard(stream, wanted, 60_000)
      // All that came is taken, also what came with the last one that was waited for.
      stream.cut()
      ids.push(...stream.ids())
    }
    return { ids, comings }
  }
  const readers = await Promise.all([reader(20), reader(60), reader(150)])
  await writing
  const feed = (await idsOf(caller)).slice(1)
  expect(feed).toHaveLength(total)
  for (const { ids, comings } of readers) {
    expect(ids).toEqual(feed)
    expect(comings).toBeGreaterThan(3)
  }
})

test('a filter tells only its types, and comes past long stretches of others', async () => {
  const caller = await world.newCaller()
  const [stream, one] = await Promise.all([
    follow(url, caller, { types: 'contract.issued,contract.cancelled' }),
    follow(url, caller, { types: 'contract.completed' }),
  ])
  const { id } = await caller.draft()
  for (let i = 0; i < 120; i++) await caller.update(id, { description: `try ${i}` })
  await caller.issue(id)
  await caller.pay(id)
  await caller.cancel(id)
  await heard(stream, 2)
  const feed = await feedOf(caller)
  expect(feed).toHaveLength(124)
  expect(stream.events.map(({ type }) => type)).toEqual(['contract.issued', 'contract.cancelled'])
  expect(one.events).toEqual([])
  // From an event that the filter does not tell, over many pages of such, without a rest between them.
  const again = await follow(url, caller, { types: 'contract.cancelled', lastEventId: feed[0]?.id })
  await heard(again, 1, 60_000)
  expect(again.ids()).toEqual([feed.at(-1)?.id])
  for (const each of [stream, one, again]) each.cut()
})

test('what another process commits is heard, though it tells nobody here', async () => {
  const caller = await world.newCaller()
  const beside = await world.beside()
  const elsewhere = callerOf(beside, caller.account, { keyId: caller.keyId, text: caller.apiKey })
  const stream = await follow(url, caller)
  for (let i = 1; i <= 3; i++) {
    await elsewhere.draft()
    await heard(stream, i, 60_000)
  }
  expect(stream.ids()).toEqual(await idsOf(caller))
  stream.cut()
  await beside.stop()
})

test('a stream outlives the loss of the database’s connections', async () => {
  const caller = await world.newCaller()
  const stream = await follow(url, caller)
  await caller.draft()
  await heard(stream, 1)
  for (let i = 2; i <= 4; i++) {
    // By their own login: an owner need not be one who may end them.
    const own = await connectedTo(world.database.login)
    await own.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'gateway%' and datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    )
    await own.end()
    // The first that finds its connection gone is refused.
    for (let isDone = false; !isDone; )
      isDone = await caller.draft().then(
        () => true,
        () => false,
      )
    await until(() => stream.events.length >= i, 4000, `event ${i}`)
  }
  expect(stream.ids()).toEqual(await idsOf(caller))
  expect(stream.ending()).toBeNull()
  stream.cut()
})

test('another account’s events are neither told nor a place to start from', async () => {
  const { caller, other } = world
  const stream = await follow(url, caller)
  await other.draft()
  const mine = await caller.draft()
  await heard(stream, 1)
  expect(stream.events.map(({ data }) => JSON.parse(data).data.object.id)).toEqual([mine.id])
  stream.cut()
  const [foreign] = await idsOf(other)
  const starts = [foreign!, `evt_${'0'.repeat(36)}`, 'evt_1', mine.id, "'", `${stream.ids()[0]!}, ${foreign!}`]
  const answers = await Promise.all([
    ...starts.map((lastEventId) => follow(url, caller, { lastEventId })),
    ...starts.map((after) => follow(url, caller, { after: after.slice(0, 64) })),
  ])
  await Promise.all(answers.map((answer) => until(() => answer.ending() !== null, 2000, 'a refusal ends')))
  for (const answer of answers) {
    expect(answer.status).toBe(400)
    const { error } = JSON.parse(answer.text())
    expect(error).toMatchObject({ code: 'invalid_after', param: 'after' })
    expect(error.message).toBe(JSON.parse(answers[0]!.text()).error.message)
  }
})

test.each(['contract.nothing', '', 'contract.paid,', 'contract.paid, contract.issued', '*'])(
  'types=%s is refused, and the words name the mend',
  async (types) => {
    const { status, error } = await world.caller.ask('GET', `/events/stream?types=${encodeURIComponent(types)}`)
    expect({ status, code: error.code, param: error.param }).toEqual({
      status: 400,
      code: 'invalid_types',
      param: 'types',
    })
    expect(error.message).toContain('contract.paid')
  },
)
