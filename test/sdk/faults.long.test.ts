// The SDK on a bad road: what it sends again and under which key, what it never sends again, and when it gives up.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createGateway, type GatewayEvent, type Settings } from '../../sdk/src/index.ts'
import { type Fate, openUnsteadyProxy, type UnsteadyProxy } from '../rig/unsteady-proxy.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
const url = await world.listen()
const direct = createGateway({ url, apiKey: world.caller.apiKey })
const roads: UnsteadyProxy[] = []
afterAll(async () => {
  for (const road of roads) await road.close()
  await world.stop()
})

const DRAFT = { amount: 100, currency: 'PHP' }

/** A client whose first requests meet these fates; what comes after passes. */
async function onRoad(fates: readonly Fate[], settings: Settings = {}) {
  const road = await openUnsteadyProxy(url, (count) => fates[count - 1] ?? 'passes')
  roads.push(road)
  return { road, gateway: createGateway({ url: road.url, apiKey: world.caller.apiKey, ...settings }) }
}

const drafts = () => direct.transfers.list({ status: 'draft' }).all()

test.each<[string, readonly Fate[]]>([
  ['a connection that is cut', ['is cut before it arrives', 'is cut before it arrives']],
  ['an answer that is lost', ['loses its answer', 'loses its answer']],
  ['half an answer', ['gets half of its answer']],
  ['a proxy that finds nobody', [{ status: 502, body: '<h1>Bad Gateway</h1>' }, { status: 504 }]],
  ['a gateway that is busy', [{ status: 503, headers: { 'retry-after': '0' } }]],
  ['one after the other', ['loses its answer', { status: 500 }, 'gets half of its answer']],
])('%s: the same request under one key, and one contract', async (_why, fates) => {
  const { road, gateway } = await onRoad(fates)
  const before = (await drafts()).length
  const contract = await gateway.transfers.create(DRAFT)
  expect(contract.status).toBe('draft')
  expect(road.seen).toHaveLength(fates.length + 1)
  expect(new Set(road.seen.map(({ key, body }) => `${key} ${body}`)).size).toBe(1)
  expect(road.seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect((await drafts()).length).toBe(before + 1)
})

test('a definite refusal is not sent again, and each call has a key of its own', async () => {
  const { road, gateway } = await onRoad([])
  await expect(gateway.transfers.create({ amount: 100, currency: 'XYZ' })).rejects.toMatchObject({ status: 400 })
  await expect(gateway.transfers.pay({ id: randomUUID() })).rejects.toMatchObject({ status: 404 })
  expect(road.seen).toHaveLength(2)
  expect(road.seen[0]?.key).not.toBe(road.seen[1]?.key)
})

test('what a key does not protect is sent once', async () => {
  const { road, gateway } = await onRoad(['loses its answer'])
  const signIn = gateway.sessions.create({ email: 'ana@example.com', password: 'x', code: '000000' })
  await expect(signIn).rejects.toMatchObject({ code: 'no_answer' })
  expect(road.seen).toHaveLength(1)
})

test('it waits as long as it is told, and not for whoever asks too much', async () => {
  const told = await onRoad([{ status: 429, headers: { 'retry-after': '1' } }])
  const from = performance.now()
  await told.gateway.accounts.me()
  expect(performance.now() - from).toBeGreaterThan(900)
  const tooMuch = await onRoad([{ status: 503, headers: { 'retry-after': '3600' } }])
  await expect(tooMuch.gateway.accounts.me()).rejects.toMatchObject({ retryAfterSeconds: 3600, status: 503 })
  expect(tooMuch.road.seen).toHaveLength(1)
})

test('it gives up: after its retries, at its timeout, and when it is told to', async () => {
  const cut = await onRoad(Array<Fate>(9).fill('is cut before it arrives'), { retriesMax: 1 })
  await expect(cut.gateway.accounts.me()).rejects.toMatchObject({ code: 'no_answer', status: 0, mayPass: true })
  expect(cut.road.seen).toHaveLength(2)
  const silent = await onRoad(Array<Fate>(9).fill('is never answered'), { retriesMax: 1, timeoutMs: 200 })
  await expect(silent.gateway.accounts.me()).rejects.toMatchObject({ code: 'timeout' })
  const ended = await onRoad(Array<Fate>(9).fill('is never answered'))
  const stop = new AbortController()
  const call = ended.gateway.transfers.create(DRAFT, { signal: stop.signal })
  for (const deadline = Date.now() + 20_000; ended.road.seen.length === 0 && Date.now() < deadline; ) await sleep(10)
  stop.abort(new Error('the user left'))
  await expect(call).rejects.toThrow('the user left')
  expect(ended.road.seen).toHaveLength(1)
  const gone = createGateway({ url: 'http://127.0.0.1:9', retriesMax: 0 })
  await expect(gone.accounts.me()).rejects.toThrow(/^No gateway answers at http:\/\/127.0.0.1:9/)
})

test('an answer of something else than a gateway is named so', async () => {
  const page = await onRoad([{ status: 200, body: '<html>Welcome</html>' }])
  await expect(page.gateway.accounts.me()).rejects.toMatchObject({ code: 'not_a_gateway', status: 200 })
  const moved = await onRoad([{ status: 301, headers: { location: 'http://127.0.0.1:9/' } }])
  await expect(moved.gateway.accounts.me()).rejects.toMatchObject({ code: 'not_a_gateway', status: 301 })
})

test('a page of a proxy amid an upload leaves the command open, and the same rows go on with it', async () => {
  const { gateway } = await onRoad(['passes', { status: 404, body: 'default backend - 404' }])
  const rows = [DRAFT]
  const made: string[] = []
  const onProgress = ({ command }: { command: { id: string } }) => made.push(command.id)
  const broken = gateway.commands.upload({ type: 'transfers.create', rows }, { onProgress })
  await expect(broken).rejects.toMatchObject({ code: 'not_a_gateway', status: 404 })
  const [id = ''] = made
  expect((await direct.commands.get(id)).command).toMatchObject({ status: 'open', progress: { total: 0 } })
  const whole = await gateway.commands.upload({ type: 'transfers.create', rows, command: id })
  expect(whole).toMatchObject({ id, status: 'open', progress: { total: 1 } })
  await direct.commands.cancel(whole)
})

test('amounts keep their digits or are refused', async () => {
  const { road, gateway } = await onRoad([])
  await gateway.transfers.create({ amount: '123456789012.45', currency: 'PHP', metadata: { amount: '1.0' } })
  expect(road.seen[0]?.body).toContain('"amount":123456789012.45')
  expect(road.seen[0]?.body).toContain('"metadata":{"amount":"1.0"}')
  for (const amount of ['1,000', '12345678901234.567', ' 1', '', 0.1 + 0.2, Number.NaN])
    await expect(call(gateway, amount), String(amount)).rejects.toMatchObject({
      code: 'invalid_amount',
      param: 'amount',
    })
  expect(road.seen).toHaveLength(1)
})

const call = async (gateway: typeof direct, amount: string | number) =>
  gateway.transfers.create({ amount, currency: 'PHP' })

test('events go on where a cut left them, from the first one of an account', { timeout: 60_000 }, async () => {
  const caller = await world.newCaller()
  const road = await openUnsteadyProxy(url, () => 'passes')
  roads.push(road)
  const gateway = createGateway({ url: road.url, apiKey: caller.apiKey })
  const own = createGateway({ url, apiKey: caller.apiKey })
  const stop = new AbortController()
  const heard: GatewayEvent[] = []
  let openings = 0
  let losses = 0
  const following = (async () => {
    const told = { onOpen: () => (openings += 1), onLost: () => (losses += 1) }
    for await (const event of gateway.events.follow({ signal: stop.signal, ...told })) heard.push(event)
  })()
  const until = async (holds: () => boolean) => {
    for (const deadline = Date.now() + 40_000; !holds() && Date.now() < deadline; ) await sleep(20)
  }
  await until(() => openings === 1)
  road.cutAll()
  await until(() => losses === 1)
  // Nothing names where it began: the account had no event then.
  await own.transfers.create(DRAFT)
  await until(() => heard.length === 1)
  await until(() => openings === 2)
  road.cutAll()
  await own.transfers.create(DRAFT)
  await until(() => heard.length === 2)
  stop.abort()
  await following
  expect(heard).toEqual(await own.events.list().all())
})
