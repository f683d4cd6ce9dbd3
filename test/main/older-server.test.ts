// One of several servers comes back older than it was: the whole installation is recovered, on each server from where its histories stand.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRestored } from '../../src/app/accounts/restored.ts'
import { declareRecovery } from '../../src/app/operator/resume.ts'
import { openPlannedSession } from '../../src/main/database/database.ts'
import { EAST } from '../rig/servers/other-server.ts'
import { type Caller, callerOf, READY } from '../world-caller.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let home: Caller
let east: Caller
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  home = await world.newCaller({ lane: 17 })
  east = await world.newCaller({ lane: 200 })
  for (const caller of [home, east]) await caller.draft()
})
afterAll(() => world.stop())

type Answer = {
  readonly data?: { readonly contract: { readonly id: string } }
  readonly error?: { readonly code: string }
}
type Beside = Awaited<ReturnType<World['beside']>>
const through = (gateway: Beside, { account, keyId, apiKey }: Caller) =>
  callerOf(gateway, account, { keyId, text: apiKey })
const begun = (sql: World['sql']) =>
  sql<{ number: number; reason: string }>('select number, reason from epochs order by number')

test('where nothing is older, gateways come and go without a recovery', async () => {
  for (let times = 0; times < 2; times++) await (await world.beside()).stop()
  expect(await begun(world.sql)).toEqual([{ number: 1, reason: 'created' }])
})

test('a server that lacks what was noted of it begins a recovery of all, and nothing but drafts is written on either', async () => {
  await world.sqlElsewhere('update installation set marks = 0')
  const gateway = await world.beside()
  try {
    const url = await gateway.listen(0)
    for (const { apiKey } of [home, east]) {
      const ask = async (method: string, path: string, body: object = {}) => {
        const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
        return (await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })).json() as Promise<Answer>
      }
      const { data } = await ask('POST', '/contracts/transfer', READY)
      const refused = await ask('PUT', `/contracts/transfer/${data?.contract.id}/issue`)
      expect(refused.error?.code).toBe('in_recovery')
    }
  } finally {
    await gateway.stop()
  }
  const two = [
    { number: 1, reason: 'created' },
    { number: 2, reason: 'older' },
  ]
  for (const sql of [world.sql, world.sqlElsewhere]) expect(await begun(sql)).toEqual(two)
  const noted = async (sql: World['sql'], caller: Caller) =>
    sql('select 1 from epoch_positions where epoch = 2 and account_id = $1', [caller.account.accountId])
  expect(await noted(world.sql, home)).toHaveLength(1)
  expect(await noted(world.sqlElsewhere, east)).toHaveLength(1)
  expect(await noted(world.sql, east)).toHaveLength(0)
})

test('when home says that it has ended, accounts of both servers go on and are told', async () => {
  await world.sql(
    `update epochs set proposed_by = 'ana', proposed_at = now(), resumed_by = 'ben', resumed_at = now() where number = 2`,
  )
  const gateway = await world.beside()
  try {
    for (const caller of [home, east].map((each) => through(gateway, each))) await caller.paid()
  } finally {
    await gateway.stop()
  }
  const telling = openRestored({ ...world.gateway.deps, epoch: () => 2, onUntold: () => undefined })
  await telling.round()
  for (const caller of [home, east]) {
    const told = await caller.all<{ data: { object: object } }>('/events?types=gateway.restored', 'events')
    expect(told.map(({ data }) => data.object)).toMatchObject([{ epoch: 2 }])
  }
  await world.ledgerHolds()
})

test('a server that comes back as it was before its first account begins a recovery of all, too', async () => {
  await world.sqlElsewhere(
    `begin; set local session_replication_role = replica; delete from accounts; update installation set marks = 0; commit`,
  )
  await (await world.beside()).stop()
  for (const sql of [world.sql, world.sqlElsewhere])
    expect((await begun(sql)).slice(2)).toEqual([{ number: 3, reason: 'older' }])
})

test('of a lane that moves as an epoch begins it is noted once: what it brought stays, and a copy is not noted', async () => {
  const noted = async (lane: number) => {
    const { accountId } = (await world.newCaller({ lane })).account
    const text = 'select position::text from epoch_positions where epoch = 4 and account_id = $1'
    return { accountId, positions: () => world.sqlElsewhere<{ position: string }>(text, [accountId]) }
  }
  const [brought, copied, own] = [await noted(201), await noted(202), await noted(203)]
  await world.sqlElsewhere(
    'insert into epoch_positions (lane, account_id, epoch, position) values (201, $1, 4, 7000)',
    [brought.accountId],
  )
  await world.sqlElsewhere(
    'begin; set local session_replication_role = replica; delete from lanes where lane = 202; commit',
  )
  const reader = openPlannedSession(world.operators)
  const { nowMs, randomHex } = world.gateway.deps
  const deed = { operator: 'ana', evidence: 'ticket 4711' }
  // Known at home alone, until a gateway starts.
  await declareRecovery({ reader, ids: { nowMs, randomHex } }, deed, 3)
  await reader.close()
  expect(await own.positions()).toEqual([])
  await (await world.beside()).stop()
  expect(await brought.positions()).toEqual([{ position: '7000' }])
  expect(await copied.positions()).toEqual([])
  expect(await own.positions()).toHaveLength(1)
})
