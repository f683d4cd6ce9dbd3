// Each statement of the write path finds its rows by exactly one index, whatever the planner knows of the tables:
// prepared on empty tables, then asked again after a bulk fill that nobody analysed.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadContracts } from '../../src/store/contracts/contracts.ts'
import { loadJobs } from '../../src/store/jobs/jobs.ts'
import { liveApiKeys, lockAccounts } from '../../src/store/accounts/accounts.ts'
import { recallAnswers } from '../../src/store/contracts/idempotency.ts'
import { knownReferences, loadWallets } from '../../src/ledger/wallets.ts'
import { MANY_LANES, type Scope } from '../../src/platform/scope.ts'
import { openWorld, READY, type World } from '../world.ts'
import { genericPlanOf, planByKey } from '../rig/plans/keyed-plans.ts'

const CONTRACTS = 20_000
let world: World
let client: pg.Client

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  client = new pg.Client(world.database.owner)
  await client.connect()
  await planByKey(client)
})

afterAll(async () => {
  await client.end()
  await world.stop()
})

const LOADS = [
  ['contracts', (scope: Scope) => loadContracts(scope, []), ['contracts_pkey', 'contract_versions_pkey']],
  ['jobs', (scope: Scope) => loadJobs(scope, []), ['jobs_pkey']],
  // The last look is at an account that could not be locked.
  ['accounts', (scope: Scope) => lockAccounts(scope, []), ['accounts_pkey', 'epoch_positions_pkey', 'accounts_pkey']],
  ['answers', (scope: Scope) => recallAnswers(scope, []), ['idempotency_keys_pkey', 'contract_versions_pkey']],
] as const

const LOADS_BY_ANY_INDEX = [
  ['wallets', (scope: Scope) => loadWallets(scope, [])],
  ['keys', (scope: Scope) => liveApiKeys(scope, [])],
  ['references', (scope: Scope) => knownReferences(scope, [])],
] as const

async function checkPlans(scope: Scope, tables: 'empty' | 'filled'): Promise<number> {
  let checked = 0
  for (const [name, load, indexes] of LOADS) {
    const plan = await genericPlanOf(client, load(scope).text)
    checked += 1
    const used = [...plan.matchAll(/Index (?:Only )?Scan (?:Backward )?using (\w+)/g)].map((match) => match[1])
    expect(used, `${name}\n${plan}`).toEqual(indexes)
    expect(plan, name).not.toMatch(/Seq Scan|Bitmap/)
    if (tables === 'empty') continue
    // The whole key is in the condition of the index, none of it left to a filter.
    expect(plan.match(/Index Cond/g)?.length, `${name}\n${plan}`).toBe(indexes.length)
    expect(plan, name).not.toMatch(/Filter: .*(account_id|position|contract_id|key_hash)/)
  }
  for (const [name, load] of LOADS_BY_ANY_INDEX)
    expect(await genericPlanOf(client, load(scope).text), name).not.toMatch(/Seq Scan|Bitmap/)
  return checked
}

const SCOPES: readonly Scope[] = [MANY_LANES, { kind: 'one lane', lane: 7 }, { kind: 'lanes together', lanes: [7, 8] }]

test.each(SCOPES)('on empty tables, %j', async (scope) => {
  expect(await checkPlans(scope, 'empty')).toBe(LOADS.length)
})

const fill = async (id: string) => {
  await client.query(
    `insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
     select h.lane, h.account_id, h.position + i, gen_random_uuid(), 1, 1, h.event, h.at, h.document
       from contract_versions h, generate_series(1, $2) i where h.contract_id = $1`,
    [id, CONTRACTS],
  )
  await client.query(
    `insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor,
                            channel_id, reference_id, expires_at)
     select c.lane, c.account_id, h.contract_id, c.kind, c.status, 1, h.position, c.currency, c.amount_minor, 0, c.channel_id,
            c.reference_id, c.expires_at
       from contracts c join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position > c.position
      where c.id = $1`,
    [id],
  )
}

test('right after a bulk fill that nobody analysed; and where they were analysed when one contract was in them', async () => {
  const { id } = await world.caller.draft(READY)
  for (const table of ['contracts', 'contract_versions', 'jobs', 'idempotency_keys'])
    await world.sql(`alter table ${table} set (autovacuum_enabled = off)`)
  for (const known of ['nothing', 'one contract'] as const) {
    if (known === 'one contract') await client.query('analyze')
    await client.query('begin')
    await fill(id)
    for (const scope of SCOPES) expect(await checkPlans(scope, 'filled'), `${known}, ${scope.kind}`).toBe(LOADS.length)
    await client.query('rollback')
  }
})
