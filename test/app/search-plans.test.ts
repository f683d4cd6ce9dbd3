// A search reads ranges of indexes, whatever the planner knows of the tables: as many rows among a hundred thousand as among ten.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsInRange } from '../../src/store/contracts/events.ts'
import {
  accountsWithOldWords,
  deleteTerms,
  documentsOfContracts,
  stepsToRemove,
} from '../../src/store/resources/leaving-terms.ts'
import {
  accountsBehind,
  contractsInRange,
  objectsWithTerm,
  searchProgress,
  stepsToIndex,
} from '../../src/store/resources/terms.ts'
import { openWorld, type World } from '../world.ts'
import { genericPlanOf, planByKey, playedPlanOf } from '../rig/plans/keyed-plans.ts'

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
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
  const range = { first: NEWEST, last: NEWEST, sequence: null }
  return [
    [objectsWithTerm(key, { term: 'cruz', also: ['juan'] }, NEWEST, 26), ['search_terms_pkey', 'search_terms_pkey']],
    [contractsInRange(key, range, NEWEST, 26), ['contracts_pkey']],
    [searchProgress(key), ['accounts_pkey', 'search_progress_pkey']],
    // The last two are of a document that has left: its contract as it stands, by its key.
    [
      stepsToIndex(key, 0, 250),
      ['contract_versions_pkey', 'account_events_pkey', 'contract_versions_pkey', 'contracts_pkey'],
    ],
    [
      stepsToRemove(key, ['cancelled'], 90, 100),
      [
        'search_progress_pkey',
        'search_progress_pkey',
        'contract_versions_pkey',
        'account_events_pkey',
        'contracts_pkey',
      ],
    ],
    [
      accountsWithOldWords([key.lane], 90, 50),
      ['search_progress_pkey', 'contract_versions_pkey', 'account_events_pkey'],
    ],
    [documentsOfContracts(key, [NEWEST]), ['contract_versions_number']],
    [deleteTerms(key, [{ term: 'cruz', objectId: NEWEST, kind: 'contract' }]), ['search_terms_pkey']],
    [
      eventsInRange(key, range, [], { id: NEWEST, sequence: 1 }, 26),
      ['contract_versions_number', 'account_events_lane_account_id_id_key', 'epoch_positions_pkey'],
    ],
  ] as const
}

async function checkPlans(): Promise<void> {
  for (const [statement, indexes] of STATEMENTS()) {
    const plan = await genericPlanOf(client, statement.text)
    const used = [...plan.matchAll(/Index (?:Only )?Scan (?:Backward )?using (\w+)/g)].map((match) => match[1])
    expect(used, `${statement.name}\n${plan}`).toEqual(indexes)
    expect(plan, statement.name).not.toMatch(/Seq Scan|Bitmap/)
  }
  const plan = await genericPlanOf(client, STATEMENTS()[0][0].text)
  expect(plan).toMatch(/Index Only Scan Backward using search_terms_pkey/)
  expect(plan, 'what is sorted is read whole').not.toMatch(/Sort/)
  expect(await genericPlanOf(client, accountsBehind([1], 10).text)).not.toMatch(/contract_versions/)
}

test('ranges of indexes, on empty tables and on full ones that nobody analysed', async () => {
  await checkPlans()
  const { lane, accountId } = world.caller.account
  await world.sql(
    `insert into search_terms (lane, account_id, term, object_id, kind)
     select $1, $2, t, gen_random_uuid(), 'c' from generate_series(1, 25000), unnest(array['cruz', 'juan', '1500', 'php 1500']) t`,
    [lane, accountId],
  )
  await checkPlans()
  const plan = await playedPlanOf(client, objectsWithTerm({ lane, accountId }, { term: 'cruz', also: [] }, NEWEST, 26))
  // Of 25,000 that have the word the newest 26, in a handful of pages.
  expect(plan).toMatch(/rows=26/)
  const touched = [...plan.matchAll(/shared hit=(\d+)(?: read=(\d+))?/g)].map(
    ([, hit, read]) => Number(hit) + Number(read ?? 0),
  )
  expect(Math.max(...touched), plan).toBeLessThan(120)
})
