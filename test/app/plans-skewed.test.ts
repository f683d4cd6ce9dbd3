// The plans of a large account in a book of many: each row by its whole key. The planner expects few rows of an account there, for most
// have few, and was seen to look at a hundred thousand versions for each step that it counted.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '../../src/platform/db.ts'
import { stepsToCount } from '../../src/store/accounts/figures.ts'
import { findApprovals } from '../../src/store/contracts/approvals.ts'
import { contractWithJob } from '../../src/store/contracts/explained.ts'
import { documentsToEmpty, endsToEmpty } from '../../src/store/contracts/leaving-documents.ts'
import { listSentContracts } from '../../src/store/contracts/sent-contracts.ts'
import { stepsToRemove } from '../../src/store/resources/leaving-terms.ts'
import type { World } from '../world.ts'
import { openLargeAccount } from '../rig/plans/large-account.ts'
import { genericPlanOf, planByKey, playedPlanOf } from '../rig/plans/keyed-plans.ts'

let world: World
let client: pg.Client

beforeAll(async () => {
  const opened = await openLargeAccount('october-0042')
  world = opened.world
  client = opened.client
  await planByKey(client)
})

afterAll(async () => {
  await client.end()
  await world.stop()
})

const STATEMENTS = (): readonly Statement[] => {
  const key = world.caller.account
  const ids = ['00000000-0000-0000-0000-000000000000']
  const sent = { channelIds: ['sandbox'], contractId: null, after: null, limit: 25 }
  return [
    stepsToCount(key, 250),
    contractWithJob({ ...key, id: ids[0] as string }),
    findApprovals(key, ids),
    listSentContracts(key, sent),
    documentsToEmpty(key, ids),
    endsToEmpty(key, ['completed'], 30, 250),
    stepsToRemove(key, ['completed'], 30, 250),
  ]
}

test('versions and contracts are found by their whole keys', async () => {
  for (const { name, text } of STATEMENTS()) {
    const plan = await genericPlanOf(client, text)
    // What a filter of a join compares was not looked up: it is compared with each row of the account.
    expect(plan, name).not.toMatch(/Join Filter: .*\b(position|contract_id|version)"? = /)
  }
})

test('a page of a history of thousands reads as many rows as it has', async () => {
  const { lane, accountId } = world.caller.account
  await world.sql(
    `insert into figures_progress (lane, account_id, position, time_zone) values ($1, $2, 0, 'UTC')
     on conflict (lane, account_id) do update set position = 0`,
    [lane, accountId],
  )
  const plan = await playedPlanOf(client, stepsToCount(world.caller.account, 250))
  const read = [...plan.matchAll(/rows=(\d+)(?:\.\d+)? loops=(\d+)/g)].map(
    ([, each, loops]) => Number(each) * Number(loops),
  )
  expect(Math.max(...read), plan).toBe(250)
  expect(plan).not.toMatch(/Rows Removed by (Join )?Filter: \d{3,}/)
})
