// Money that a wallet was credited from another wallet of this gateway left that one, and what left one came to the other, across lanes, or
// the proofs name the row.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { verifyBetween } from '../../src/app/operator/verify-between.ts'
import { attemptReference } from '../../src/domain/contract/ids.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const LEFT = 'ledger.credit left another wallet'
const CAME = 'attempt.delivered came to its receiver'

let world: World
let payer: Caller
beforeAll(async () => {
  world = await openWorld()
  payer = await world.newCaller({ lane: 3 })
})
afterAll(() => world.stop())

async function proved() {
  const auditor = openAuditSession(world.operators)
  try {
    return (await verifyBooks(auditor, () => undefined)).findings
  } finally {
    await auditor.close()
  }
}

async function paidTo(receiver: Caller, amount = 5): Promise<{ id: string; walletId: string }> {
  const { id: walletId } = await receiver.wallet('PHP')
  const { id } = await payer.paid({ channel: 'wallet', recipient: { wallet: walletId }, amount })
  return { id, walletId }
}

/** Money from nowhere, as the gateway's own login could write it. */
async function credited({ account }: Caller, walletId: string, minor: number, reference: string | null): Promise<void> {
  const { lane } = account
  await world.sql(
    `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, held_after_minor,
       in_transit_after_minor, pending_after_minor, suspense_after_minor, reference, at)
     select w.lane, w.account_id, w.id, w.sequence + 1, 'clearing:wallet', 'available', $3::bigint, w.available_minor + $3::bigint, w.held_minor,
            w.in_transit_minor, w.pending_minor, w.suspense_minor, $4, '2026-01-01'::timestamptz
       from wallets w where w.lane = $1 and w.id = $2`,
    [lane, walletId, minor, reference],
  )
  await world.sql(
    `update wallets set available_minor = available_minor + $3::bigint, sequence = sequence + 1 where lane = $1 and id = $2`,
    [lane, walletId, minor],
  )
}

test('sound books have no finding, whatever lane the payer is in', async () => {
  const receiver = await world.newCaller({ lane: 90 })
  const sent = await Promise.all(Array.from({ length: 12 }, () => paidTo(receiver)))
  for (const { id } of [...sent, await paidTo(world.caller)]) expect(await world.settle(id)).toBe('completed')
  expect(await proved()).toEqual([])
})

test('pages follow each other to the last row, and none is read twice', async () => {
  const receiver = await world.newCaller({ lane: 91 })
  const sent = await Promise.all(Array.from({ length: 6 }, () => paidTo(receiver)))
  for (const { id } of sent) expect(await world.settle(id)).toBe('completed')
  const auditor = openAuditSession(world.operators)
  onTestFinished(() => auditor.close())
  expect(await verifyBetween(auditor, 91, 3)).toEqual([])
  await credited(receiver, sent[0]!.walletId, 100, 'the last one')
  for (const atOnce of [1, 3, 6, 7]) expect(await verifyBetween(auditor, 91, atOnce)).toMatchObject([{ proof: LEFT }])
})

test('a credit that no transfer sent is named, and so is one of another wallet, amount or attempt', async () => {
  const lanes = [101, 102, 103, 104, 105]
  const receivers = await Promise.all(lanes.map((lane) => world.newCaller({ lane })))
  const wallets = await Promise.all(receivers.map((each) => each.wallet('PHP')))
  const issued = await payer.issued({ channel: 'wallet', recipient: { wallet: wallets[1]!.id }, amount: 5 })
  const paid = await paidTo(world.caller)
  expect(await world.settle(paid.id)).toBe('completed')
  const given = [
    [500, 'from nowhere'],
    [500, attemptReference(issued.id, 1)],
    [500, attemptReference(paid.id, 1)],
    [500, attemptReference(paid.id, 2)],
    [500, null],
  ] as const
  for (const [place, [minor, reference]] of given.entries())
    await credited(receivers[place]!, wallets[place]!.id, minor, reference)
  const found = await proved()
  const named = found.filter(({ lane }) => lanes.includes(lane)).map(({ lane, proof }) => [lane, proof])
  expect(named).toEqual([
    [101, LEFT],
    [102, LEFT],
    [103, LEFT],
    [104, LEFT],
    [105, 'ledger.origin named'],
  ])
  expect(found.map(({ problem }) => problem).join('\n')).toMatch(
    /no transfer[\s\S]*did not send it[\s\S]*another wallet/,
  )
})

/** As if it had never come: the newest row of the wallet. */
async function forgetNewest({ account }: Caller, walletId: string): Promise<void> {
  const { lane } = account
  await world.sql(
    `with newest as (
       delete from ledger g using wallets w
        where w.lane = $1 and w.id = $2 and g.lane = $1 and g.account_id = w.account_id and g.wallet_id = w.id and g.sequence = w.sequence
        returning g.wallet_id, g.amount_minor)
     update wallets w set available_minor = available_minor - n.amount_minor, sequence = sequence - 1
       from newest n where w.lane = $1 and w.id = n.wallet_id`,
    [lane, walletId],
  )
}

test('what was delivered to a wallet that does not have it is named, on whichever page it is', async () => {
  const sender = await world.newCaller({ lane: 110 })
  const receivers = await Promise.all([111, 112, 113, 114].map((lane) => world.newCaller({ lane })))
  const wallets = await Promise.all(receivers.map((each) => each.wallet('PHP')))
  const paid = await Promise.all(
    wallets.map(({ id: wallet }) => sender.paid({ channel: 'wallet', recipient: { wallet }, amount: 5 })),
  )
  for (const { id } of paid) expect(await world.settle(id)).toBe('completed')
  // To a channel outside there is no receiver to ask.
  const { id: outside } = await sender.paid()
  expect(await world.settle(outside)).toBe('completed')
  const auditor = openAuditSession(world.operators)
  onTestFinished(() => auditor.close())
  expect(await verifyBetween(auditor, 110)).toEqual([])

  const places = paid.map(({ id }, place) => ({ id, place })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const last = places.at(-1)!
  await forgetNewest(receivers[last.place]!, wallets[last.place]!.id)
  const named = { proof: CAME, lane: 110, accountId: sender.account.accountId, row: `attempt 1 of transfer ${last.id}` }
  for (const atOnce of [1, 2, 3, 4, 5]) expect(await verifyBetween(auditor, 110, atOnce)).toMatchObject([named])
  const ofThese = (await proved()).filter(({ lane }) => lane >= 110)
  expect(ofThese).toMatchObject([{ ...named, problem: expect.stringContaining(wallets[last.place]!.id) as string }])
})
