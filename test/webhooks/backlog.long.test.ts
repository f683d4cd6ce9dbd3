// However much waits, each statement of the delivery worker reads about as many pages as where little does: with many
// rows of every endpoint, and with half a million of one endpoint that is not called.
// In full: BACKLOG_ROWS=1000000 npx vitest run --config vitest.long.config.ts test/webhooks/backlog.long.test.ts
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimWork, readWork, recordServed, type Served, type ServingDeps } from '../../src/app/webhooks/deliveries.ts'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import type { Session, Statement } from '../../src/platform/db.ts'
import { MANY_LANES } from '../../src/platform/scope.ts'
import { type Caller, openWorld, type World } from '../world.ts'
import { planByKey } from '../rig/plans/keyed-plans.ts'

const ROWS = Number(process.env['BACKLOG_ROWS'] ?? 200_000)
const BLOCKED_ROWS = 500_000
const ACCOUNTS = 4
const ENDPOINTS_EACH = 4
/** History that each account has before anything waits: more than the worker reads at a time. */
const HISTORY = 2000
const LIMITS = { history: 32, due: 64 }
const GROWTH_MAX = 2
/** Small numbers of pages grow by one for each level of an index. */
const LEVELS = 12
const URL = 'https://receiver.example/hook'

type Cost = { readonly pages: number; readonly ms: number }
type Turn = { readonly claimed: number; readonly costs: ReadonlyMap<string, Cost> }

let world: World
let client: pg.Client
let callers: Caller[]
const endpoints: string[] = []

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  client = new pg.Client(world.database.owner)
  await client.connect()
  callers = [world.caller, world.other]
  while (callers.length < ACCOUNTS) callers.push(await world.newCaller())
  for (const caller of callers) {
    await caller.issued()
    endpoints.push(...(await addEndpoints(caller)))
  }
  // Statistics are as old as the start, as they are right after a receiver's bad hour.
  for (const table of ['contract_versions', 'deliveries', 'webhook_progress', 'accounts'])
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`)
  await addHistory(HISTORY)
  await addWaiting(endpoints, LIMITS.due * 2, 0)
})
afterAll(async () => {
  await client.end()
  await world.stop()
})

/** Endpoints that are never called: what is sealed of them stays so. */
async function addEndpoints({ account }: Caller): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with made as (
       insert into webhook_endpoints (lane, account_id, id, url, events, api_version, in_flight_max, status, secrets_sealed,
                                      bearer_sealed, sealing_key_id, since_position, livemode)
       select $1, $2, gen_random_uuid(), $3, '{*}', '2026-11-01', 4, 'enabled', '[]', '', '', 0, false
         from generate_series(1, $4::int)
       returning lane, account_id, id)
     insert into webhook_progress (lane, account_id, endpoint_id, position) select lane, account_id, id, 0 from made
     returning endpoint_id as id`,
    [account.lane, account.accountId, URL, ENDPOINTS_EACH],
  )
  return rows.map(({ id }) => id)
}

/** So many more rows in the history of each account: copies of its newest. */
async function addHistory(rows: number): Promise<void> {
  await client.query(
    `with news as (
       insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
       select h.lane, h.account_id, h.position + i, gen_random_uuid(), 1, 1, h.event, h.at, h.document
         from accounts a
         join contract_versions h on h.lane = a.lane and h.account_id = a.account_id and h.position = a.position
        cross join generate_series(1, $1::int) i
        where a.position > 0)
     update accounts set position = position + $1 where position > 0`,
    [rows],
  )
}

/** So many due deliveries of each endpoint, of events at the beginning of its account's history. */
async function addWaiting(ids: readonly string[], rows: number, replayFrom: number): Promise<void> {
  const positions = Math.min(HISTORY / 2, rows)
  await client.query(
    `insert into deliveries (lane, account_id, endpoint_id, position, replay, status, tries, due_at, created_at, updated_at)
     select e.lane, e.account_id, e.id, 1 + (i % $2), $3 + i / $2, 'pending', 1, now() - interval '1 s', now(), now()
       from webhook_endpoints e cross join generate_series(0, $4::int - 1) i
      where e.id = any($1)`,
    [ids, positions, replayFrom, rows],
  )
  await client.query(
    `update webhook_progress set position = $2, next_due_at = now() - interval '1 s', leased_until = null where endpoint_id = any($1)`,
    [ids, HISTORY / 2],
  )
}

/** A session that runs each statement twice: explained and undone, to count its pages, and then for good. */
function measuring(costs: Map<string, Cost>): Session {
  const run = async ({ name, text, values }: Statement) => {
    await client.query('savepoint explained')
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, [...values])
    await client.query('rollback to savepoint explained')
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
    costs.set(name, { pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], ms })
    return client.query(text, [...values])
  }
  const all = async (statements: readonly Statement[]) => {
    const results = []
    for (const statement of statements) results.push(await run(statement))
    return results.map(({ rows, rowCount, command }) => ({ rows, rowCount: rowCount ?? 0, command }))
  }
  return {
    send: all,
    transaction: async (load, decide) => {
      let decided = decide(await all(load))
      while ('load' in decided) decided = decided.decide(await all(decided.load))
      await all(decided.statements)
      return decided.value
    },
    close: async () => undefined,
  }
}

/** One turn of the worker as it would be, undone afterwards: claim, read, and record a page of tries. */
async function turn(): Promise<Turn> {
  const costs = new Map<string, Cost>()
  const deps: ServingDeps = {
    session: measuring(costs),
    leaseMs: 30_000,
    leasedBy: randomUUID(),
    retryScale: 1,
    chance: () => 0.5,
  }
  await client.query('begin')
  // Planned freely, the read takes hundreds of times the pages on tables that nobody analysed yet.
  await planByKey(client, 'transaction')
  try {
    const claimed = await claimWork(deps, { lanes: ALL_LANES, accounts: [] }, 1024)
    const { history, due, held } = await readWork(deps, MANY_LANES, {
      history: claimed.map((each) => ({ ...each, limit: LIMITS.history })),
      due: claimed.map((each) => ({ ...each, limit: LIMITS.due })),
      held: claimed,
    })
    expect(held.size).toBe(claimed.length)
    expect([history.length, due.length]).toEqual([claimed.length * LIMITS.history, claimed.length * LIMITS.due])
    const served = claimed.map((endpoint): Served => {
      const fresh = history.filter(({ endpointId }) => endpointId === endpoint.id)
      const again = due.filter(({ endpointId }) => endpointId === endpoint.id)
      const tried = [
        ...fresh.map(({ position }) => ({ position, replay: 0, number: 1, createdAt: Date.now() })),
        ...again.map(({ position, replay, createdAt }) => ({ position, replay, number: 2, createdAt })),
      ].map((each) => ({ ...each, at: Date.now(), body: null, result: DELIVERED }))
      return { ...endpoint, position: endpoint.position + fresh.length, tried, next: 'let go' }
    })
    expect((await recordServed(deps, MANY_LANES, served, Date.now())).lost.size).toBe(0)
    expect(served.length).toBe(claimed.length)
    return { claimed: claimed.length, costs }
  } finally {
    await client.query('rollback')
  }
}

const DELIVERED = {
  outcome: 'delivered',
  statusCode: 200,
  retryAfterMs: null,
  durationMs: 5,
  fault: null,
  responseBody: '{}',
} as const

function expectFlat(what: string, before: Turn, now: Turn): void {
  expect(now.claimed).toBe(before.claimed)
  let worst = { name: '', growth: 0 }
  for (const [name, { pages }] of now.costs) {
    const known = before.costs.get(name)?.pages ?? 0
    if (pages / known > worst.growth) worst = { name, growth: pages / known }
    expect.soft(pages, `${what}: ${name}`).toBeLessThanOrEqual(GROWTH_MAX * known + LEVELS)
  }
  const total = ({ costs }: Turn) => [...costs.values()].reduce((sum, { ms }) => sum + ms, 0).toFixed(0)
  console.log(
    `backlog, ${what}: most pages more ${worst.growth.toFixed(2)} × (${worst.name}), a turn ${total(before)} -> ${total(now)} ms`,
  )
}

test('the cost of a turn does not grow with what waits', { timeout: 300_000 }, async () => {
  const [blocked, ...others] = endpoints
  await client.query(`update webhook_progress set open_until = now() + interval '1 hour' where endpoint_id = $1`, [
    blocked,
  ])
  const notAnalysed = await turn()
  await client.query('analyze')
  const few = await turn()
  expect(few.claimed).toBe(others.length)
  expectFlat('little of all, not analysed', few, notAnalysed)

  await addHistory(Math.ceil(ROWS / ACCOUNTS))
  await addWaiting(others, Math.ceil(ROWS / others.length), 1000)
  expectFlat(`${ROWS} of all, not analysed`, few, await turn())

  await addWaiting([blocked!], BLOCKED_ROWS, 1000)
  expectFlat(`${BLOCKED_ROWS} of one, not analysed`, few, await turn())

  await client.query('analyze')
  expectFlat('the same, analysed', few, await turn())
})
