// A receiver that hangs delays nobody else: the healthy ones hear as soon as they do without it, with one of fifty
// hanging on a long queue, and with half of them. The figures are printed; the bounds leave room for a busy machine.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointOf, NEAR, newEndpoint, quantile, until } from '../rig/receiver/endpoints.ts'
import { type Receiver, startReceiver } from '../rig/receiver/receiver.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const ACCOUNTS = 5
const ENDPOINTS_EACH = 10
const CONTRACTS_EACH = 16
const PAUSE_MS = 60
const QUEUED = 5000

type Endpoint = { readonly caller: Caller; readonly id: string; readonly path: string }

let world: World
let receiver: Receiver

beforeAll(async () => {
  world = await openWorld({ config: { ...NEAR, webhookTimeoutMs: 1500, webhookRetryScale: 0.05 } })
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

async function openEndpoints(callers: readonly Caller[]): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = []
  for (const caller of callers)
    for (let i = 0; i < ENDPOINTS_EACH; i++) {
      const path = `/fair-${endpoints.length}`
      endpoints.push({ caller, path, id: (await newEndpoint(caller, receiver.url + path)).id })
    }
  return endpoints
}

/** Contracts at an even pace in all accounts; how long each event took to each of these endpoints, in milliseconds. */
async function delays(callers: readonly Caller[], healthy: readonly Endpoint[]): Promise<number[]> {
  await receiver.forget()
  const ids: string[] = []
  await Promise.all(
    callers.map(async (caller) => {
      for (let i = 0; i < CONTRACTS_EACH; i++) {
        ids.push((await caller.issued()).id)
        await sleep(PAUSE_MS)
      }
    }),
  )
  const rows = await world.sql<{ contract: string; at_ms: number }>(
    `select replace(contract_id::text, '-', '') as contract, extract(epoch from at)::float8 * 1000 as at_ms
       from contract_versions where event = 'contract.issued' and contract_id = any($1)`,
    [ids],
  )
  const began = new Map(rows.map((row) => [row.contract, row.at_ms]))
  const paths = new Set(healthy.map(({ path }) => path))
  const wanted = healthy.length * CONTRACTS_EACH
  const heard = new Map<string, number>()
  await until('the healthy have heard it all', 60_000, async () => {
    for (const { path, id, atMs } of await receiver.arrivals()) {
      const beganMs = began.get(contractOf(id))
      if (!paths.has(path) || beganMs === undefined || heard.has(path + id)) continue
      heard.set(path + id, atMs - beganMs)
    }
    return heard.size >= wanted
  })
  return [...heard.values()]
}

const contractOf = (eventId: string) => eventId.slice(4, 36)

/** Lets endpoints hang with a queue of deliveries that are due, written by the database itself. */
async function hang(endpoints: readonly Endpoint[], queued: number): Promise<void> {
  for (const { path, id } of endpoints) {
    await receiver.behave(path, { kind: 'hang' })
    await world.sql(
      `insert into deliveries (lane, account_id, endpoint_id, position, replay, status, tries, due_at, created_at, updated_at)
       select e.lane, e.account_id, e.id, h.position, 1000 + i, 'pending', 0, now(), now(), now()
         from webhook_endpoints e
         join lateral (select position from contract_versions h where h.lane = e.lane and h.account_id = e.account_id
                          and h.event = 'contract.issued' order by position limit 20) h on true
        cross join generate_series(1, $2::int / 20) i
        where e.id = $1`,
      [id, queued],
    )
    await world.sql('update webhook_progress set next_due_at = now() where endpoint_id = $1', [id])
  }
  for (const { caller, id, path } of endpoints)
    await until(`${path} hangs`, 60_000, async () => {
      const { delivery } = await endpointOf(caller, id)
      return (await receiver.count(path)) > 0 || delivery.failures > 0
    })
}

test('with one of fifty hanging on a long queue, and with half of them, the others hear as soon', {
  timeout: 180_000,
}, async () => {
  const callers = [world.caller, world.other]
  while (callers.length < ACCOUNTS) callers.push(await world.newCaller())
  const endpoints = await openEndpoints(callers)
  // Code that has not run yet is slow.
  await delays(callers, endpoints)

  const figures: [hanging: number, p50: number, p99: number][] = []
  for (const hanging of [0, 1, 25]) {
    // Spread over the accounts: each has healthy ones beside those that hang.
    const hung = endpoints.filter((_, index) => index % 2 === 0).slice(0, hanging)
    const already = figures.at(-1)?.[0] ?? 0
    await hang(hung.slice(already), hanging === 1 ? QUEUED : 200)
    const healthy = endpoints.filter((endpoint) => !hung.includes(endpoint))
    const measured = await delays(callers, healthy)
    figures.push([hanging, quantile(measured, 0.5), quantile(measured, 0.99)])
  }
  for (const [hanging, p50, p99] of figures)
    console.log(`fairness: ${hanging} of ${endpoints.length} hang: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
  const baseline = figures[0]?.[2] ?? Number.NaN
  for (const [hanging, , p99] of figures)
    expect(p99, `with ${hanging} hanging`).toBeLessThan(10 * Math.max(baseline, 30))
})
