// A server came back from before a lane was moved to it, or home from before it went on from there: nobody is told that an account of the lane is not there, and whoever proves the
// books or ends a recovery hears of it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRestored } from '../../../src/app/accounts/restored.ts'
import { compareAll } from '../../../src/app/operator/compare.ts'
import { resume } from '../../../src/app/operator/resume.ts'
import { verifyBooksBy } from '../../../src/app/operator/verify.ts'
import { openAuditSession } from '../../../src/main/database/database.ts'
import { seePlacement } from '../../../src/main/database/servers.ts'
import { openWalletDesk } from '../../rig/restored/wallet-desk.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { cameThere, loseLane } from '../../rig/servers/lost-lane.ts'
import { EAST } from '../../rig/servers/other-server.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

const LANE = 200
/** That of a release which notes nothing. */
const OLD_LANE = 202
const CAME = '2026-01-05T12:00:00.000001Z'
const DEED = { operator: 'ana', evidence: 'ticket 4711' }

let world: World
let payer: Caller
let caller: Caller
let beside: Caller
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST })
  payer = await world.newCaller({ lane: 17 })
  caller = await world.newCaller({ lane: LANE })
  beside = await world.newCaller({ lane: 201 })
  await cameThere(world, LANE, CAME)
  await cameThere(world, OLD_LANE, null)
})
afterAll(() => world.stop())

/** As the runbook ends it: the server has the lane from now on. */
const told = (cameAt: string) => world.sqlElsewhere('update lanes set came_at = $2 where lane = $1', [LANE, cameAt])

/** As a server is that a lane was taken from. */
const noRow = ({ sqlElsewhere }: World, lane: number) =>
  sqlElsewhere(`begin; set local session_replication_role = replica; delete from lanes where lane = ${lane}; commit`)

async function proved() {
  const auditor = openAuditSession(world.operators)
  const seePlaces = () => seePlacement(world.operators)
  const verdict = verifyBooksBy([auditor], { onLane: () => undefined, seePlaces })
  await Promise.allSettled([verdict]).then(() => auditor.close())
  return (await verdict).findings
}

const statusOf = async (asked: Caller) => (await asked.ask('GET', '/wallets')).status

// Longer than after which an inquiry between wallets that finds nothing is definite.
const UNKNOWN_MS = 9000

test('callers of the lane are told to come again, and money on its way there waits and arrives once', async () => {
  const { id: wallet, available } = await caller.wallet('PHP')
  const { id } = await payer.issued({ channel: 'wallet', recipient: { wallet } })
  const unasked = await world.newCaller({ lane: LANE })
  const bringBack = await loseLane(world, LANE)
  expect([await statusOf(unasked), await statusOf(beside)]).toEqual([503, 200])
  await payer.pay(id)
  for (const until = Date.now() + UNKNOWN_MS; Date.now() < until; await sleep(300))
    expect((await payer.get(id)).status).toBe('paid')
  await bringBack()
  await told(CAME)
  expect(await world.settle(id)).toBe('completed')
  expect((await caller.wallet('PHP')).available).toBe(available + 100)
  expect(await statusOf(unasked)).toBe(200)
  await world.ledgerHolds()
}, 120_000)

test('the proof of the books names it, and proves the other lanes', async () => {
  const bringBack = await loseLane(world, LANE)
  const findings = await proved()
  expect(findings).toMatchObject([{ lane: LANE, proof: 'lane on its server', accountId: '', row: 'lane 200' }])
  expect(findings[0]?.problem).toMatch(
    /^the server east is from before lane 200 came to it.* in those of home from before/,
  )
  await bringBack()
  // The rows of an earlier stay there are no newer for being there.
  await told('2026-01-05T11:00:00Z')
  expect(await proved()).toMatchObject([{ lane: LANE, proof: 'lane on its server' }])
  await told(CAME)
  expect(await proved()).toEqual([])
})

test('a server from after the move is not taken for older, nor one that a release has moved a lane to which notes nothing', async () => {
  await told('2026-01-06T00:00:00Z')
  expect(await proved()).toEqual([])
  for (const lane of [LANE, OLD_LANE]) {
    const gone = await world.newCaller({ lane })
    await world.sqlElsewhere('delete from api_keys where account_id = $1', [gone.account.accountId])
    expect(await statusOf(gone)).toBe(401)
  }
})

test.each([
  [LANE, 'by a move that home knows'],
  [OLD_LANE, 'by none that home knows'],
])(
  'a lane that has gone on from where home, restored to before that, says it is (lane %s, there %s): the server is not said to be older',
  async (lane) => {
    const bringBack = await loseLane(world, lane)
    await noRow(world, lane)
    const expected = `^home says that lane ${lane} is on east, which has no row of it, .*“Home from before a move”`
    const findings = await proved()
    expect(findings).toMatchObject([{ lane, proof: 'lane on its server' }])
    expect(findings[0]?.problem).toMatch(new RegExp(expected))
    expect(findings[0]?.problem).not.toContain('backups of east')
    await world.sqlElsewhere('insert into lanes (lane, came_at) values ($1, $2)', [lane, CAME])
    await bringBack()
    expect(await proved()).toEqual([])
  },
)

test('a recovery does not end, with channels left out neither, while a lane is nowhere that no move has brought where home says', async () => {
  const resting = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  const desk = openWalletDesk(resting)
  try {
    await resting.newCaller({ lane: LANE })
    const bringBack = await loseLane(resting, LANE)
    await noRow(resting, LANE)
    for (const sql of [resting.sql, resting.sqlElsewhere])
      await sql(`insert into epochs (number, reason) values (2, 'declared')`)
    const refused = await resume(desk.deps, DEED, ['wallet'])
    expect(refused).toMatchObject({ code: 'lane_lost', message: expect.stringContaining('which has no row of it') })
    await resting.sqlElsewhere('insert into lanes (lane) values ($1)', [LANE])
    await bringBack()
    expect(await resume(desk.deps, DEED, ['wallet'])).toMatchObject({ proposedBy: 'ana' })
  } finally {
    await desk.close()
    await resting.stop()
  }
})

test('a recovery is neither compared nor ended before the lane is there, and its accounts hear of it then', async () => {
  const resting = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  const desk = openWalletDesk(resting)
  try {
    const back = await resting.newCaller({ lane: LANE })
    await back.draft()
    await cameThere(resting, LANE, CAME)
    const bringBack = await loseLane(resting, LANE)
    for (const sql of [resting.sql, resting.sqlElsewhere])
      await sql(`insert into epochs (number, reason) values (2, 'declared')`)
    const refusal = { code: 'lane_lost', message: expect.stringContaining('lane 200') as string }
    expect(await compareAll(desk.deps, null, DEED)).toMatchObject(refusal)
    expect(await resume(desk.deps, DEED)).toMatchObject(refusal)
    await bringBack()
    await resting.sqlElsewhere('update lanes set came_at = $2 where lane = $1', [LANE, CAME])
    await desk.compared()
    expect(await resume(desk.deps, DEED)).toMatchObject({ proposedBy: 'ana' })
    expect(await resume(desk.deps, { ...DEED, operator: 'ben' })).toMatchObject({ resumedBy: 'ben' })
    await openRestored({ ...resting.gateway.deps, epoch: () => 2, onUntold: () => undefined }).round()
    const told = await back.all<{ data: { object: object } }>('/events?types=gateway.restored', 'events')
    expect(told.map(({ data }) => data.object)).toMatchObject([{ epoch: 2 }])
  } finally {
    await desk.close()
    await resting.stop()
  }
})

/** Money from nowhere, as the gateway's own login could write it. */
async function credited(walletId: string, reference: string): Promise<void> {
  await world.sql(
    `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, held_after_minor,
       in_transit_after_minor, pending_after_minor, suspense_after_minor, reference, at)
     select w.lane, w.account_id, w.id, w.sequence + 1, 'clearing:wallet', 'available', 100, w.available_minor + 100, w.held_minor,
            w.in_transit_minor, w.pending_minor, w.suspense_minor, $2, '2026-01-01'::timestamptz
       from wallets w where w.id = $1`,
    [walletId, reference],
  )
  await world.sql('update wallets set available_minor = available_minor + 100, sequence = sequence + 1 where id = $1', [
    walletId,
  ])
}

test('what others have done with a missing lane is left out, and hides nothing of what they have done with others', async () => {
  const { id: own } = await payer.wallet('PHP')
  const pay = async (from: Caller, to: string) => {
    const { id } = await from.paid({ channel: 'wallet', recipient: { wallet: to } })
    expect(await world.settle(id)).toBe('completed')
    return id
  }
  for (const [from, to] of [
    [payer, caller],
    [caller, payer],
  ] as const)
    await pay(from, (await to.wallet('PHP')).id)
  const forgotten = await pay(payer, (await beside.wallet('PHP')).id)
  // As the books of the receiver are that came back from before it.
  const never = randomUUID()
  await world.sql('update jobs set reference = $2 where contract_id = $1', [forgotten, attemptReference(never, 1)])
  await credited(own, attemptReference(never, 2))
  const found = [
    { lane: 17, proof: 'attempt.number and reference = document' },
    { lane: 17, proof: 'ledger.credit left another wallet' },
    { lane: 17, proof: 'attempt.delivered came to its receiver', row: `attempt 1 of transfer ${forgotten}` },
  ]
  const before = await proved()
  expect(before).toMatchObject(found)
  const bringBack = await loseLane(world, LANE)
  expect(await proved()).toEqual([...before, expect.objectContaining({ lane: LANE, proof: 'lane on its server' })])
  await bringBack()
  await told(CAME)
  expect(await proved()).toEqual(before)
})
