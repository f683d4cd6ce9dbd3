// Money that a wallet was credited from another wallet of this gateway left that one, across lanes, or the proofs name the row.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { verifyBetween } from '../../src/app/operator/verify-between.ts'
import { attemptReference } from '../../src/domain/contract/ids.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const LEFT = 'ledger.credit left another wallet'

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
