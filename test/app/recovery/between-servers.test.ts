// One of two servers comes back older, and money had gone between wallets on both: what the other one knows of it is made good, each
// movement once, and no money is made or lost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveTransfer } from '../../../src/app/operator/operator-actions.ts'
import { openLines, type RecoveryReport } from '../../../src/app/operator/recovery-report.ts'
import { resume } from '../../../src/app/operator/resume.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { openWalletDesk, type WalletDesk } from '../../rig/restored/wallet-desk.ts'
import { EAST } from '../../rig/servers/other-server.ts'
import { keepRows } from '../../rig/servers/older-lanes.ts'
import { getPayment } from '../../http/payments/receiver-world.ts'
import { contractIn, type PaymentBody, tokenOf } from '../../http/payments/payments-stage.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

const DEED = { operator: 'ana', evidence: 'ticket 4711' }

let world: World
let home: Caller
let east: Caller
let desk: WalletDesk
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  home = await world.newCaller({ lane: 17 })
  east = await world.newCaller({ lane: 200 })
  desk = openWalletDesk(world)
})
afterAll(async () => {
  await desk.close()
  await world.stop()
})

const kindOf = ({ lines }: RecoveryReport, contractId: string) =>
  lines.find((line) => line.contractId === contractId)?.kind
const balances = async () => [await home.balance('PHP'), await east.balance('PHP')]

async function transferTo(payer: Caller, receiver: Caller, amount: number) {
  const { id } = await receiver.wallet('PHP')
  return payer.issued({ amount, channel: 'wallet', recipient: { wallet: id } })
}

const openPayment = async (payee: Caller, amount: number) =>
  contractIn(await payee.ask('POST', '/contracts/payment', { body: { amount, currency: 'PHP' } }))

async function payContract(payer: Caller, payment: PaymentBody): Promise<string> {
  const paymentId = payment.id
  const body = { type: 'wallet', wallet: { wallet_id: (await payer.wallet('PHP')).id } }
  const headers = { authorization: `Bearer ${tokenOf(payment)}` }
  const reply = await payer.ask('PUT', `/contracts/payment/${paymentId}/pay`, { body, headers })
  expect(reply.status).toBe(200)
  const { data } = await payer.ask('GET', `/contracts/transfer?reference_id=${paymentId}`)
  return (data['contracts'] as { id: string }[])[0]!.id
}

test('what one server lost of payments between wallets is there again, each once', async () => {
  const known = await transferTo(east, home, 30)
  const [ofEast, ofHome] = [await openPayment(east, 7), await openPayment(home, 5)]
  const giveBack = await keepRows(world.sqlElsewhere)

  const credited = await transferTo(home, east, 100)
  const unknown = await transferTo(east, home, 20)
  for (const [payer, { id }] of [
    [home, credited],
    [east, known],
    [east, unknown],
  ] as const)
    await payer.pay(id)
  await desk.deliverQueued()
  const paidToEast = await payContract(home, ofEast)
  const paidToHome = await payContract(east, ofHome)
  // Its receiver's server was away when it was sent first.
  await world.sql(`update jobs set submitted_at = submitted_at - interval '5 hours' where contract_id = $1`, [
    credited.id,
  ])
  const before = await balances()

  await giveBack()
  expect((await balances())[1]).not.toBe(before[1])
  for (const sql of [world.sql, world.sqlElsewhere])
    await sql(`insert into epochs (number, reason) values (2, 'declared')`)
  const report = await desk.compared()
  expect(report.channels).toMatchObject([
    { channelId: 'wallet', state: 'complete', words: expect.stringContaining('compared') as string },
  ])
  const expected = {
    [credited.id]: 'adopted',
    [paidToEast]: 'adopted',
    [known.id]: 'adopted',
    [unknown.id]: 'in_review',
    [paidToHome]: 'in_review',
  }
  for (const each of [report, await desk.compared()])
    expect(Object.fromEntries(Object.keys(expected).map((id) => [id, kindOf(each, id)]))).toEqual(expected)
  expect(await balances()).toEqual(before)
  expect(report.lines).toHaveLength(5)
  expect((await getPayment(east, ofEast.id)).status).toBe('completed')
  expect((await east.get(known.id)).status).toBe('completed')
  for (const id of [unknown.id, paidToHome])
    expect(await resolveTransfer(desk.deps, id, 'delivered', DEED)).toMatchObject({ contract: { status: 'completed' } })

  const after = await desk.compared()
  expect([openLines(after), await balances()]).toEqual([0, before])
  const credits = await world.sqlElsewhere<{ reference: string }>(
    `select reference from ledger where debit = 'clearing:wallet' and position is null`,
  )
  expect(credits).toEqual([{ reference: attemptReference(credited.id, 1) }])
  expect(await resume(desk.deps, DEED)).toMatchObject({ proposedBy: 'ana' })
  await world.ledgerHolds()
})

test('what no wallet can take again is for people, and a wallet that had no money for what it paid keeps the recovery', async () => {
  const giveBack = await keepRows(world.sqlElsewhere)
  const fresh = await world.newCaller({ lane: 201 })
  const poor = await transferTo(east, home, 20)
  const toFresh = await transferTo(home, fresh, 40)
  for (const [payer, { id }] of [
    [east, poor],
    [home, toFresh],
  ] as const)
    await payer.pay(id)
  await desk.deliverQueued()
  await giveBack()
  await world.sqlElsewhere(`update wallets set available_minor = 0 where account_id = $1`, [east.account.accountId])
  const report = await desk.compared()
  expect([kindOf(report, toFresh.id), kindOf(report, poor.id)]).toEqual(['differs', 'lacking'])
  expect(await resume(desk.deps, { ...DEED, operator: 'ben' })).toMatchObject({ code: 'recovery_not_compared' })
})
