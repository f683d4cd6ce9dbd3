// A gateway at work looks at each chain of seals now and then: what was sealed since the last look is proved, and what was seen then
// must still be there. Damage is done by the owner in a transaction that is rolled back.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { followSeals, type SeenSeals } from '../../src/app/seals/follow-seals.ts'
import { sealKeysHere } from '../../src/main/database/sealing-keys.ts'
import { databaseFiguresFrom, readDatabaseFigures } from '../../src/store/operator/database-figures.ts'
import { openBookProofs } from '../../src/workers/sweeps/prove-books.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import type { Finding } from '../../src/ledger/verify.ts'
import { insideOf, sealed } from '../rig/sealed.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let seen: SeenSeals
const look = (goesOn = () => Promise.resolve(true)) =>
  followSeals(
    insideOf(world),
    world.caller.account.lane,
    sealKeysHere(world.config.sealingKeys, world.config.dataDir),
    seen,
    goesOn,
  )

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  for (const caller of [world.caller, world.other])
    for (let stretch = 0; stretch < 3; stretch++) {
      await caller.paid()
      await sealed(world, caller)
    }
})
afterAll(() => world.stop())
beforeEach(() => {
  seen = new Map()
})

test('books that nobody touched have nothing to be found, whatever is sealed between two looks', async () => {
  expect(await look()).toEqual([])
  const { accountId } = world.caller.account
  expect(seen.get(accountId)?.number).toBe(3)
  await world.caller.paid()
  await sealed(world, world.caller)
  expect(await look()).toEqual([])
  expect(seen.get(accountId)?.number).toBe(4)
  // One that is ended goes on where it stood.
  seen = new Map()
  expect(await look(() => Promise.resolve(false))).toEqual([])
  expect(seen.get(accountId)?.number).toBe(1)
  expect(await look()).toEqual([])
  expect(seen.get(accountId)?.number).toBe(4)
})

const CUT = 'delete from seals where account_id = $1 and number >= 4'

test.each([
  [
    'an end cut off under it, with every note of it',
    'seal 4',
    /is not any more/,
    [CUT, 'update seal_progress set number = 3 where account_id = $1'],
  ],
  [
    'all seals gone',
    'seal 4',
    /is not any more/,
    ['delete from seals where account_id = $1', 'delete from seal_progress where account_id = $1'],
  ],
  [
    'another seal in place of the one that was seen',
    'seal 4',
    /another one was in its place/,
    [`update seals set text = text || ' ' where account_id = $1 and number = 4`],
  ],
])('%s is found once it was seen, and of that account alone', async (_, row, words, damage) => {
  expect(await look()).toEqual([])
  const { accountId, lane } = world.caller.account
  await world.sql('begin')
  try {
    for (const sql of damage) await world.sql(sql, [accountId])
    const found = { lane, accountId, row, problem: expect.stringMatching(words) }
    expect(await look()).toMatchObject([found])
    // It does not go away by being looked at.
    expect(await look()).toMatchObject([found])
  } finally {
    await world.sql('rollback')
  }
  expect(await look()).toEqual([])
})

test('a row behind the newest seals that was rewritten is found by the first look', async () => {
  const { accountId } = world.caller.account
  await world.sql('begin')
  try {
    await world.sql(
      `update contract_versions set document = (document::jsonb || '{"forged":true}')::json where account_id = $1
          and position = (select max(to_position) from seals where account_id = $1)`,
      [accountId],
    )
    expect(await look()).toMatchObject([{ accountId, proof: 'history = seal' }])
  } finally {
    await world.sql('rollback')
  }
})

test('the sweep counts accounts whose chain is broken, apart from the other proofs', async () => {
  const session = openAuditSession(world.operators)
  const told: Finding[] = []
  const proofs = openBookProofs({
    session,
    sealKeys: { known: () => null },
    ownLanes: () => ALL_LANES,
    monotonicMs: () => performance.now(),
    onFinding: (finding) => told.push(finding),
  })
  // A lane a round, from the first.
  for (let lane = 0; lane <= world.caller.account.lane; lane++) await proofs.round()
  await session.close()
  const chains = told.filter(({ proof }) => proof === 'seal.key known')
  expect(chains.length).toBeGreaterThan(0)
  expect(proofs.brokenChains()).toBe(chains.length)
  expect(proofs.findings()).toBe(told.length - chains.length)
})

test('how far sealing is behind is looked up: steps of all accounts, and since when the oldest waits', async () => {
  const read = async () => {
    return databaseFiguresFrom(await insideOf(world).send(readDatabaseFigures()))
  }
  const before = await read()
  const { id } = await world.caller.draft()
  expect((await read()).unsealed).toBe(before.unsealed + 1)
  await world.sql('begin')
  try {
    await world.sql(`update contract_versions set at = now() - interval '2 hours' where contract_id = $1`, [id])
    expect((await read()).unsealedSeconds).toBeGreaterThan(7000)
    // A hole does not hide what waits behind it.
    await world.sql('update accounts set position = position + 5 where account_id = $1', [
      world.caller.account.accountId,
    ])
    await world.sql(`update contract_versions set position = position + 5 where contract_id = $1`, [id])
    expect((await read()).unsealedSeconds).toBeGreaterThan(7000)
  } finally {
    await world.sql('rollback')
  }
  await sealed(world, world.caller)
  expect((await read()).unsealed).toBe(before.unsealed)
})

test('contracts are counted as they come into a status, and what a wallet lacks for', async () => {
  const valueOf = async (figure: string) => {
    const line = (await world.gateway.figures()).split('\n').find((each) => each.startsWith(`${figure} `))
    return Number(line?.split(' ')[1] ?? 0)
  }
  const OF = (status: string) => `gateway_contracts_total{kind="transfer",status="${status}"}`
  const names = [OF('draft'), OF('issued'), OF('paid'), 'gateway_floor_refusals_total']
  const before = await Promise.all(names.map(valueOf))
  const { id } = await world.caller.draft({ amount: 99_999_999 })
  await world.caller.ask('PATCH', `/contracts/transfer/${id}`, { body: { amount: 99_999_998 } })
  await world.caller.issue(id)
  expect((await world.caller.ask('PUT', `/contracts/transfer/${id}/pay`)).status).toBe(402)
  await world.caller.paid()
  const after = await Promise.all(names.map(valueOf))
  expect(after.map((value, i) => value - (before[i] ?? 0))).toEqual([2, 2, 1, 1])
})
