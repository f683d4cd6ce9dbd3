// What a recovery asks of books whose lanes are in several places, a cluster's nodes among them: how far each of them knows, and what went
// from a wallet of one lane into that of another.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { creditFromChannel } from '../../../src/app/accounts/credits.ts'
import { booksEnd, lanesTogether } from '../../../src/app/recoveries/books-end.ts'
import type { SendOrder } from '../../../src/domain/channel/outcome.ts'
import { attemptReference, contractUuid } from '../../../src/domain/contract/ids.ts'
import { openWalletDesk, type WalletDesk } from '../../rig/restored/wallet-desk.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

const HOUR_MS = 3_600_000

let world: World
let desk: WalletDesk
let one: Caller
let another: Caller
let groups: Awaited<ReturnType<typeof lanesTogether>>
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  desk = openWalletDesk(world)
  groups = await lanesTogether(desk.reader)
  one = await world.newCaller({ lane: groups[0]![0]! })
  another = await world.newCaller({ lane: groups.at(-1)!.at(-1)! })
})
afterAll(async () => {
  await desk.close()
  await world.stop()
})

async function linesCompared(): Promise<Record<string, string>> {
  const report = await desk.compared()
  expect(report).toMatchObject({ channels: [{ channelId: 'wallet', state: 'complete' }] })
  return Object.fromEntries(report.lines.map(({ reference, kind }) => [reference, kind]))
}

test('a credit that is lost comes again, and one without its debit takes it from the payer, once each', async () => {
  const [payer, receiver] = [one, another]
  const { id: walletId } = await receiver.wallet('PHP')
  const paid = await payer.paid({ amount: 10, channel: 'wallet', recipient: { wallet: walletId } })
  await desk.deliverQueued()
  const before = [await payer.balance('PHP'), await receiver.balance('PHP')] as const
  const lost = attemptReference(paid.id, 1)
  const { lane } = receiver.account
  await world.sql('delete from ledger where lane = $1 and reference = $2', [lane, lost])
  await world.sql(
    `update wallets set available_minor = available_minor - 1000, sequence = sequence - 1 where lane = $1 and id = $2`,
    [lane, walletId],
  )
  const reference = attemptReference(contractUuid(payer.account, Date.now(), world.gateway.deps.randomHex(), null), 1)
  const order = { amountMinor: 700n, currency: 'PHP', reference, notAfter: null } as unknown as SendOrder
  expect(await creditFromChannel(world.gateway.deps, walletId, order)).toBe('credited')
  await world.sql(`insert into epochs (number, reason) values (2, 'declared')`)
  for (let times = 0; times < 2; times++)
    expect(await linesCompared()).toEqual({ [lost]: 'adopted', [reference]: 'in_review' })
  expect([await payer.balance('PHP'), await receiver.balance('PHP')]).toEqual([before[0] - 7, before[1] + 7])
  await world.ledgerHolds()
})

test('the books end where the place that knows least does', async () => {
  for (const caller of [one, another]) await caller.draft()
  const back = new Date(Date.now() - 20 * HOUR_MS)
  const lanes = [...groups[0]!]
  for (const change of [
    'update contract_versions set at = $2::timestamptz where lane = any($1::int[])',
    'update accounts set created_at = $2::timestamptz where lane = any($1::int[])',
    'update lanes set swept_until = $2::timestamptz where lane = any($1::int[])',
  ])
    await world.sql(change, [lanes, back])
  expect(await booksEnd(desk.reader, Date.now())).toBeLessThan(Date.now() - 19 * HOUR_MS)
})
