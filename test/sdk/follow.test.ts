// The SDK's stream of events at the beginning of an account: what comes between two connections is told once, though nothing names
// where the first of them ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createGateway } from '../../sdk/src/index.ts'
import { type Caller, openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
const url = await world.listen()
afterAll(() => world.stop())

const DRAFT = { amount: 100, currency: 'PHP' }

/** Follows an account without events; `comesBack` is done before the second connection of its stream is asked for. */
function followed(caller: Caller, comesBack: () => Promise<unknown>) {
  const stop = new AbortController()
  const heard: string[] = []
  const connections: AbortController[] = []
  const openings: number[] = []
  const road: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : input.toString()
    if (!address.includes('/events/stream')) return fetch(input, init)
    const connection = new AbortController()
    connections.push(connection)
    if (connections.length === 2) await comesBack()
    const signals = [connection.signal, ...(init?.signal ? [init.signal] : [])]
    return fetch(input, { ...init, signal: AbortSignal.any(signals) })
  }
  const gateway = createGateway({ url, apiKey: caller.apiKey, fetch: road })
  const ended = (async () => {
    const onOpen = () => openings.push(connections.length)
    for await (const { id } of gateway.events.follow({ signal: stop.signal, onOpen })) heard.push(id)
  })()
  return {
    heard,
    openings,
    cut: () => connections.at(-1)?.abort(),
    end: async () => {
      stop.abort()
      await ended
    },
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !holds() && Date.now() < deadline; ) await sleep(10)
}

test('the first event is told where it comes just before the stream begins anew', async () => {
  const caller = await world.newCaller()
  const own = createGateway({ url, apiKey: caller.apiKey })
  const stream = followed(caller, () => own.transfers.create(DRAFT))
  await until(() => stream.openings.length === 1)
  stream.cut()
  await until(() => stream.openings.length === 2)
  await own.transfers.create(DRAFT)
  await until(() => stream.heard.length === 2)
  await stream.end()
  expect(stream.heard).toEqual((await own.events.list().all()).map(({ id }) => id))
  // The second began after the event, and told nothing of it: the third goes on after it.
  expect(stream.openings).toEqual([1, 3])
})

test('a stream that begins after what its key may not read goes on', async () => {
  const account = await world.newCaller()
  const caller = await world.withKey(account, { scopes: ['events:read'] })
  const own = createGateway({ url, apiKey: account.apiKey })
  const stream = followed(caller, () => own.profiles.create({ name: 'Ana Cruz' }))
  await until(() => stream.openings.length === 1)
  stream.cut()
  await until(() => stream.openings.length === 2)
  await own.transfers.create(DRAFT)
  await until(() => stream.heard.length === 1)
  await stream.end()
  const readable = await createGateway({ url, apiKey: caller.apiKey }).events.list().all()
  expect([readable.length, stream.heard]).toEqual([1, readable.map(({ id }) => id)])
  expect((await own.events.list().all()).length).toBeGreaterThan(1)
  expect(stream.openings).toEqual([1, 2])
})
