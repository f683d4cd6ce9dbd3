// Receivers that do everything a receiver should not: each attempt ends in time and is told as it was, memory stays flat,
// and once they are well again every event arrives.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AttemptBody,
  attemptsOf,
  deliveriesOf,
  type DeliveryBody,
  eachOf,
  endpointOf,
  eventsOf,
  NEAR,
  newEndpoint,
  patchEndpoint,
  until,
  untilServed,
} from '../rig/receiver/endpoints.ts'
import { type Behaviour, type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const CONTRACTS = 6
const TIMEOUT_MS = 800
/** What the machine may add to the deadline of a call. */
const LATE_MS = 700
const MISBEHAVING_MS = 1500
const HEALED_WITHIN_MS = 60_000
const RSS_GROWTH_MAX = 64 << 20

type Place = 'plain' | 'tls' | 'plain behind https' | 'closed'
type Outcome = AttemptBody['outcome']
type Case = readonly [
  name: string,
  does: Behaviour,
  outcome: Outcome,
  statusCode: number | null,
  place?: Exclude<Place, 'plain'>,
]

const OK: Behaviour = { kind: 'ok' }
const status = (code: number, headers: Readonly<Record<string, string>> = {}): Behaviour => ({
  kind: 'status',
  status: code,
  headers,
})

const ANSWERS: readonly Case[] = [
  ['ok', OK, 'delivered', 200],
  ['no-content', status(204), 'delivered', 204],
  ['accepted', status(202), 'delivered', 202],
  ['page', { kind: 'page' }, 'delivered', 200],
  ['slow', { kind: 'slow', ms: 300 }, 'delivered', 200],
  ['flood', { kind: 'flood', bytes: 2 ** 30 }, 'delivered', 200],
  ['bomb', { kind: 'bomb' }, 'delivered', 200],
  ['odd-headers', { kind: 'odd headers' }, 'delivered', 200],
  ['bad-request', status(400), 'refused', 400],
  ['not-found', status(404), 'refused', 404],
  ['too-many', status(429, { 'retry-after': '1' }), 'refused', 429],
  ['error', status(500), 'refused', 500],
  ['unavailable', status(503, { 'retry-after': '86400' }), 'refused', 503],
  ...[301, 302, 303, 307, 308].map((code): Case => {
    const location = '/canary'
    return [`redirect-${code}`, status(code, { location }), 'refused', code]
  }),
]

const SILENCES: readonly Case[] = [
  ['hang', { kind: 'hang' }, 'no_answer', null],
  ['drip', { kind: 'drip' }, 'no_answer', null],
  ['close', { kind: 'close' }, 'no_answer', null],
  ['garbage', { kind: 'garbage' }, 'no_answer', null],
  ['reset-at-once', { kind: 'reset', when: 'at once' }, 'no_answer', null],
  ['reset-after-reading', { kind: 'reset', when: 'after reading' }, 'no_answer', null],
  ['reset-while-answering', { kind: 'reset', when: 'while answering' }, 'no_answer', null],
  ['junk-headers', { kind: 'junk headers' }, 'no_answer', null],
  ['endless-headers', { kind: 'endless headers' }, 'no_answer', null],
  ['self-signed', OK, 'not_sent', null, 'tls'],
  ['no-tls-at-all', OK, 'not_sent', null, 'plain behind https'],
  ['nobody-there', OK, 'not_sent', null, 'closed'],
]

type Placed = { readonly of: Case; readonly caller: Caller; readonly id: string; readonly path: string }

let world: World
let receiver: Receiver
let absent: Receiver

beforeAll(async () => {
  const timings = { webhookTimeoutMs: TIMEOUT_MS, webhookRetryScale: 0.002 }
  world = await openWorld({ config: { ...NEAR, ...timings } })
  receiver = await startReceiver()
  absent = await startReceiver()
  await absent.closePort()
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
  await absent.stop()
})

const addressOf = (place: Place): string =>
  ({
    plain: receiver.url,
    tls: receiver.tlsUrl,
    'plain behind https': receiver.url.replace('http:', 'https:'),
    closed: absent.url,
  })[place]

/** An endpoint for each case, half of them on either account: an account has 16 at most. */
async function place(): Promise<Placed[]> {
  const placed: Placed[] = []
  for (const [caller, cases] of [
    [world.caller, ANSWERS.slice(0, 15)],
    [world.other, [...ANSWERS.slice(15), ...SILENCES]],
  ] as const)
    for (const each of cases) {
      const path = `/${each[0]}`
      await receiver.behave(path, each[1])
      const { id } = await newEndpoint(caller, addressOf(each[4] ?? 'plain') + path)
      placed.push({ of: each, caller, id, path })
    }
  return placed
}

/** The most memory that this process has had above what it has now. */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  return () => {
    clearInterval(timer)
    return peak - before
  }
}

/** What is not so in the books about one delivery. */
async function untruths({ of, caller, id }: Placed, delivery: DeliveryBody): Promise<string[]> {
  const [name, , outcome, statusCode] = of
  const attempts = await attemptsOf(caller, id, delivery.id)
  const [first] = attempts.toSorted((a, b) => a.number - b.number)
  const late = attempts.filter((each) => each.duration_ms > TIMEOUT_MS + LATE_MS)
  const says = JSON.stringify({ outcome: first?.outcome, statusCode: first?.status_code, fault: first?.fault })
  return [
    ...(first?.outcome === outcome && first.status_code === statusCode
      ? []
      : [`${name}: the first attempt is ${says}`]),
    ...(late.length === 0 ? [] : [`${name}: an attempt took ${late[0]?.duration_ms} ms`]),
    ...(attempts.length === delivery.tries ? [] : [`${name}: ${attempts.length} attempts of ${delivery.tries} tries`]),
    ...((first?.fault === null) === (outcome === 'delivered') ? [] : [`${name}: fault ${first?.fault}`]),
    ...(/127\.0\.0\.1|\[::1\]/.test(first?.fault ?? '') ? [`${name}: the fault tells an address`] : []),
  ]
}

test('every kind of misbehaviour is told as it is, and what was kept back arrives in the end', {
  timeout: 180_000,
}, async () => {
  const placed = await place()
  const growth = watchMemory()
  const contracts = Array.from({ length: CONTRACTS }, (_, index) => index)
  for (const caller of [world.caller, world.other]) await eachOf(contracts, 3, () => caller.issued())
  for (const { of, caller, id } of placed)
    await until(`${of[0]} was tried`, 60_000, async () => (await deliveriesOf(caller, id)).length > 0)
  await sleep(MISBEHAVING_MS)
  const grown = growth()

  await receiver.heal()
  await absent.openPort()
  for (const { of, caller, id, path } of placed)
    if (of[4] === 'tls' || of[4] === 'plain behind https') await patchEndpoint(caller, id, { url: receiver.url + path })
  const from = performance.now()
  for (const { caller, id } of placed) await untilServed(caller, [id], HEALED_WITHIN_MS)
  const healedMs = performance.now() - from

  const findings: string[] = []
  for (const each of placed) {
    const { of, caller, id, path } = each
    const events = (await eventsOf(caller, 'contract.issued')).map((event) => event.id).toSorted()
    const deliveries = await deliveriesOf(caller, id)
    expect(deliveries.map((delivery) => delivery.event_id).toSorted(), of[0]).toEqual(events)
    const books = [...(await receiver.arrivals(path)), ...(await absent.arrivals(path))]
    for (const delivery of deliveries) {
      const arrived = books.filter((arrival) => arrival.id === delivery.event_id)
      if (delivery.status !== 'delivered') findings.push(`${of[0]}: ${delivery.id} is ${delivery.status}`)
      if (arrived.length === 0) findings.push(`${of[0]}: ${delivery.id} never arrived`)
      if (arrived.length > delivery.tries)
        findings.push(`${of[0]}: ${delivery.id} arrived more often than it was tried`)
      if (arrived.some(({ attempt }) => attempt < 1 || attempt > delivery.tries))
        findings.push(`${of[0]}: ${delivery.id} came with an attempt that is not in the books`)
    }
    const first = deliveries.at(-1)
    if (first) findings.push(...(await untruths(each, first)))
  }
  const attempts = (await receiver.count()) + (await absent.count())
  console.log(
    `misbehaving: ${placed.length} receivers, ${attempts} requests, memory grew by ${(grown / 2 ** 20).toFixed(0)} MiB, well again ${healedMs.toFixed(0)} ms after the receivers`,
  )
  expect(findings).toEqual([])
  expect(await receiver.count('/canary'), 'a redirect was followed').toBe(0)
  expect(grown).toBeLessThan(RSS_GROWTH_MAX)
})

test('of an endless answer no more is taken than is read', async () => {
  const floods = await receiver.arrivals('/flood')
  expect(floods.length).toBeGreaterThanOrEqual(CONTRACTS)
  // 64 KiB, and what the machine's own buffers take between two processes.
  for (const { sentBytes } of floods) expect(sentBytes ?? 0).toBeLessThan(16 << 20)
})

test('a receiver that is gone for good is left alone, and hears nothing of its own accord', async () => {
  const caller = await world.newCaller()
  await receiver.behave('/gone', status(410))
  const { id } = await newEndpoint(caller, `${receiver.url}/gone`)
  await caller.issued()
  await until('the endpoint is disabled', 60_000, async () => (await endpointOf(caller, id)).status === 'disabled')
  expect((await endpointOf(caller, id)).disabled_because).toBe('gone')
  await receiver.heal()
  const before = await receiver.count('/gone')
  await caller.issued()
  await patchEndpoint(caller, id, { status: 'enabled' })
  await sleep(500)
  expect(await receiver.count('/gone')).toBe(before)
  await caller.issued()
  await until('what happens from now on arrives', 60_000, async () => (await receiver.count('/gone')) === before + 1)
})

test('the cap of an endpoint is never exceeded', async () => {
  const caller = await world.newCaller()
  await receiver.behave('/narrow', { kind: 'slow', ms: 20 })
  await receiver.behave('/wide', { kind: 'slow', ms: 20 })
  const ids = []
  for (const [path, cap] of [
    ['/narrow', 2],
    ['/wide', 16],
  ] as const)
    ids.push((await newEndpoint(caller, receiver.url + path, { in_flight_max: cap, events: ['*'] })).id)
  await eachOf(Array.from({ length: 20 }), 20, () => caller.issued())
  await untilServed(caller, ids, 60_000)
  const peak = async (path: string) => Math.max(...(await receiver.arrivals(path)).map(({ open }) => open))
  expect(await peak('/narrow')).toBe(2)
  expect(await peak('/wide')).toBeGreaterThan(2)
  expect(await peak('/wide')).toBeLessThanOrEqual(16)
})
