// What an overview asks reads ranges of indexes, whatever the planner knows of the tables, and each question a hundred rows at most.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  contractsWaiting,
  deliveriesUnsent,
  endpointsFailing,
  endpointsStopped,
  keysEnding,
  reviewsWaiting,
  walletsLow,
} from '../../src/store/accounts/attention.ts'
import { countedProgress, figuresBetween, stepsToCount } from '../../src/store/accounts/figures.ts'
import { openWorld, type World } from '../world.ts'
import { genericPlanOf, planByKey, playedPlanOf } from '../rig/plans/keyed-plans.ts'

let world: World
let client: pg.Client

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  client = new pg.Client(world.lanesOwner)
  await client.connect()
  await planByKey(client)
})

afterAll(async () => {
  await client.end()
  await world.stop()
})

const STATEMENTS = () => {
  const key = world.caller.account
  return [
    [contractsWaiting(key, 'transfer_failed'), ['contract_matters_since']],
    [
      reviewsWaiting(key, key.accountId),
      ['api_keys_lane_key_id_key', 'contract_versions_number', 'verifications_by_status'],
    ],
    [walletsLow(key), ['wallets_low']],
    [keysEnding(key, 14), ['api_keys_ending']],
    [endpointsStopped(key), ['webhook_endpoints_pkey']],
    [endpointsFailing(key), ['webhook_endpoints_pkey', 'webhook_progress_pkey']],
    [deliveriesUnsent(key), ['deliveries_kept', 'webhook_endpoints_pkey']],
    [figuresBetween(key, { from: '2026-01-01', to: '2026-02-01', currency: null }), ['figures_pkey']],
    [countedProgress(key), ['accounts_pkey', 'figures_progress_pkey']],
    [
      stepsToCount(key, 250),
      // The last two are of a document that has left: its contract as it stands, by its key.
      [
        'account_events_pkey',
        'contract_versions_number',
        'contract_versions_pkey',
        'figures_progress_pkey',
        'contract_versions_pkey',
        'contracts_pkey',
      ].toSorted(),
    ],
  ] as const
}

test('ranges of indexes alone', async () => {
  for (const [statement, indexes] of STATEMENTS()) {
    const plan = await genericPlanOf(client, statement.text)
    const used = [...plan.matchAll(/Index (?:Only )?Scan (?:Backward )?using (\w+)/g)].map((match) => match[1])
    expect(used.toSorted(), `${statement.name}\n${plan}`).toEqual(indexes)
    expect(plan, statement.name).not.toMatch(/Seq Scan|Bitmap/)
  }
})

test('of many that wait a hundred are read', async () => {
  const { lane, accountId } = world.caller.account
  await world.sql(
    `insert into contract_matters (lane, account_id, contract_id, matter, since)
     select $1, $2, gen_random_uuid(), 'transfer_failed', now() - make_interval(secs => n) from generate_series(1, 20000) n`,
    [lane, accountId],
  )
  const plan = await playedPlanOf(client, contractsWaiting({ lane, accountId }, 'transfer_failed'))
  expect(plan).toMatch(/using contract_matters_since .*rows=100/)
  expect(plan).not.toMatch(/rows=20000/)
  const { data } = await world.caller.ask('GET', '/overview')
  const { attention } = data['overview'] as { attention: readonly Record<string, unknown>[] }
  expect(attention[0]).toMatchObject({ kind: 'transfer_failed', count: 99, more: true })
  const others = (await world.other.ask('GET', '/overview')).data['overview'] as typeof data
  expect(others['attention']).toEqual([])
})
