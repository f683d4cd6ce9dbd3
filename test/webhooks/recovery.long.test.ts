// Gateways that die or freeze in the middle of their calls: another one on the same database takes over, nothing is lost,
// nobody writes over what happened since, and no more is sent twice than was on its way.
// Frozen for longer: RECOVERY_STOP_SECONDS=40 npx vitest run --config vitest.long.config.ts test/webhooks/recovery.long.test.ts
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileGateway } from '../rig/built.ts'
import { type Caller, openCaller } from '../rig/caller.ts'
import { eachOf, STEPS, until } from '../rig/receiver/endpoints.ts'
import { type BesideProcess, startBeside } from '../rig/gateway-beside.ts'
import { type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { openWorld, READY, type World } from '../world.ts'

const LEASE_MS = 2000
const RECOVERED_WITHIN_MS = LEASE_MS + 30_000
/** A gateway that is frozen inside a transaction keeps its locks until the database ends it (main/database.ts). */
const FROZEN_LOCKS_MS = 3000
const STOP_MS = Number(process.env['RECOVERY_STOP_SECONDS'] ?? 4) * 1000
const ENDPOINTS = 6
const IN_FLIGHT_MAX = 4
const CONTRACTS = 120
const ANSWER_MS = 60
/** Calls that may be under way at once. */
const CALLS_MAX = ENDPOINTS * IN_FLIGHT_MAX
const SETTINGS = {
  GATEWAY_SEALING_KEYS: randomBytes(32).toString('base64'),
  GATEWAY_WEBHOOK_LEASE_MS: String(LEASE_MS),
  GATEWAY_WEBHOOK_TIMEOUT_MS: '1000',
  GATEWAY_WEBHOOK_RETRY_SCALE: '0.02',
  GATEWAY_RATE_LIMIT: '0',
}

let world: World
let receiver: Receiver
let folder: string
let program: string
let second: BesideProcess
const processes: BesideProcess[] = []

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  receiver = await startReceiver()
  await receiver.behaveElse({ kind: 'slow', ms: ANSWER_MS })
  folder = mkdtempSync('/tmp/gateway-beside-')
  chmodSync(folder, 0o755)
  program = compileGateway(folder)
})
afterAll(async () => {
  for (const each of processes) each.signal('SIGKILL')
  await Promise.all(processes.map(({ ended }) => ended))
  await world.stop()
  await receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(name: string): Promise<BesideProcess> {
  const started = await startBeside(program, folder, name, world.database.owner, SETTINGS)
  processes.push(started)
  return started
}

type Flow = { readonly accountId: string; readonly apiKey: string; readonly paths: readonly string[] }

/** A new account with its endpoints, made through this gateway. */
async function openFlow(gateway: BesideProcess, name: string): Promise<Flow> {
  const { account, apiKey } = await world.newCaller()
  const paths = Array.from({ length: ENDPOINTS }, (_, index) => `/${name}-${index}`)
  await through(gateway, apiKey, async ({ ask }) => {
    for (const path of paths)
      expect(
        await ask('POST', '/webhook-endpoints', {
          url: receiver.url + path,
          events: STEPS,
          in_flight_max: IN_FLIGHT_MAX,
        }),
      ).toMatchObject({ status: 200 })
  })
  return { accountId: account.accountId, apiKey, paths }
}

async function through(gateway: BesideProcess, apiKey: string, use: (caller: Caller) => Promise<void>): Promise<void> {
  const caller = openCaller(gateway.url, apiKey, 8)
  try {
    await use(caller)
  } finally {
    await caller.close()
  }
}

/** Issues contracts, until the gateway answers no more. */
async function flow(gateway: BesideProcess, { apiKey }: Flow, contracts: number): Promise<void> {
  await through(gateway, apiKey, ({ ask }) =>
    eachOf(Array.from({ length: contracts }), 4, async () => {
      const { contract } = await ask('POST', '/contracts/transfer', READY)
      await ask('PUT', `/contracts/transfer/${contract?.id}/issue`)
    }),
  ).catch(() => undefined)
}

type BookRow = { endpoint: string; position: string; status: string; tries: number; updated: string }

const books = ({ accountId }: Flow) =>
  world.sql<BookRow>(
    `select endpoint_id::text as endpoint, position::text, status, tries, updated_at::text as updated
       from deliveries where account_id = $1 order by endpoint_id, position`,
    [accountId],
  )

/** How many of an account's deliveries are in the books as delivered, and how many there must be. */
async function progress({ accountId }: Flow): Promise<{ delivered: number; wanted: number }> {
  const [row] = await world.sql<{ delivered: number; wanted: number }>(
    `select (select count(*) from deliveries where account_id = $1 and status = 'delivered')::int as delivered,
            ${ENDPOINTS} * (select count(*) from contract_versions where account_id = $1 and event = 'contract.issued')::int as wanted`,
    [accountId],
  )
  return row ?? { delivered: 0, wanted: -1 }
}

async function arrivedOf({ paths }: Flow) {
  const own = new Set(paths)
  return (await receiver.arrivals()).filter(({ path }) => own.has(path))
}

const distinct = (arrivals: readonly { readonly path: string; readonly id: string }[]) =>
  new Set(arrivals.map(({ path, id }) => `${path} ${id}`)).size

type Interrupted = {
  /** Calls that had arrived and were not written down. */
  readonly unwritten: number
  /** Calls that were perhaps begun, and had not arrived. */
  readonly underWay: number
  /** What was asked of the gateway has been answered, or never will be. */
  readonly ended: Promise<void>
}

/** Runs until calls are under way, and ends or freezes the gateway in their midst. */
async function interrupt(gateway: BesideProcess, how: 'SIGKILL' | 'SIGSTOP', it: Flow): Promise<Interrupted> {
  const ended = flow(gateway, it, CONTRACTS)
  await until('calls are under way', 60_000, async () => (await arrivedOf(it)).length > 150)
  gateway.signal(how)
  const nowMs = Date.now()
  if (how === 'SIGKILL') await gateway.ended
  // What is on its way to the receiver, and to the database, arrives.
  await sleep(100)
  const arrivals = await arrivedOf(it)
  const { delivered } = await progress(it)
  const unanswered = arrivals.filter(({ atMs }) => atMs > nowMs - ANSWER_MS).length
  return {
    unwritten: distinct(arrivals) - delivered,
    underWay: Math.max(0, CALLS_MAX - unanswered),
    ended,
  }
}

/** Until all of it is delivered: the milliseconds that took. */
const recovered = (it: Flow, withinMs = RECOVERED_WITHIN_MS) =>
  until('everything is delivered', withinMs, async () => {
    const { delivered, wanted } = await progress(it)
    return delivered === wanted
  })

test('killed -9 in the midst of its calls, a gateway is replaced and nothing is lost', {
  timeout: 180_000,
}, async () => {
  const [first, other] = await Promise.all([start('first'), start('second')])
  second = other
  const it = await openFlow(first, 'kill')
  const { unwritten, ended } = await interrupt(first, 'SIGKILL', it)
  await ended
  const ms = await recovered(it)
  const arrivals = await arrivedOf(it)
  const { wanted } = await progress(it)
  const twice = arrivals.length - distinct(arrivals)
  console.log(
    `recovery: killed with ${unwritten} calls under way; ${wanted} deliveries, ${twice} twice, recovered ${Math.round(ms)} ms after the kill`,
  )
  expect(wanted).toBeGreaterThan(150)
  expect(distinct(arrivals)).toBe(wanted)
  expect(unwritten).toBeGreaterThan(0)
  // What has ended is written within a few answers' time.
  expect(unwritten).toBeLessThanOrEqual(4 * CALLS_MAX)
  expect(twice).toBeLessThanOrEqual(unwritten)
})

test('frozen in the midst of its calls and continued, a gateway writes over nothing', {
  timeout: 180_000 + STOP_MS,
}, async () => {
  const third = await start('third')
  const it = await openFlow(second, 'stop')
  const { unwritten, underWay, ended } = await interrupt(second, 'SIGSTOP', it)
  const from = performance.now()
  const ms = await recovered(it, RECOVERED_WITHIN_MS + FROZEN_LOCKS_MS)
  await sleep(Math.max(0, STOP_MS - (performance.now() - from)))
  const before = await books(it)
  second.signal('SIGCONT')
  await sleep(1500)
  const after = await books(it)
  // It takes up the requests that it was frozen with: those are new.
  const known = new Set(before.map(({ endpoint, position }) => `${endpoint}/${position}`))
  expect(after.filter(({ endpoint, position }) => known.has(`${endpoint}/${position}`))).toEqual(before)
  expect([second.isUp(), third.isUp()]).toEqual([true, true])
  await ended
  await flow(second, it, 5)
  await recovered(it)
  const arrivals = await arrivedOf(it)
  const { wanted } = await progress(it)
  const twice = arrivals.length - distinct(arrivals)
  console.log(
    `recovery: frozen with ${unwritten} calls under way; ${wanted} deliveries, ${twice} twice, taken over after ${Math.round(ms)} ms`,
  )
  expect(unwritten).toBeGreaterThan(0)
  expect(unwritten).toBeLessThanOrEqual(4 * CALLS_MAX)
  expect(distinct(arrivals)).toBe(wanted)
  // What was on its way to the receiver when it froze arrives when it goes on.
  expect(twice).toBeLessThanOrEqual(unwritten + underWay)
})
