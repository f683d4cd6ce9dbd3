// The server of the lanes comes back older, and home, which notes what was seen on chains, does not: what was booked in the lost time is
// booked again after the resume, and what the books still have is booked once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resume } from '../../../src/app/operator/resume.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'
import { type CryptoStage, newAddress, openCryptoStage } from '../../http/crypto/crypto-payments-stage.ts'
import type { PaymentBody } from '../../http/payments/payments-stage.ts'
import { keepRows } from '../../rig/servers/older-lanes.ts'
import { connectedTo, whileAway } from '../../rig/servers/other-server.ts'
import type { World } from '../../world.ts'

let at: CryptoStage
let reader: Session
beforeAll(async () => {
  at = await openCryptoStage('receives and pays out', { lanesElsewhere: ALL_LANES })
  reader = openPlannedSession(at.world.operators)
})
afterAll(async () => {
  await reader.close()
  await at.close()
})

const is = (status: PaymentBody['status']) => (payment: PaymentBody) => payment.status === status
const isBack = ({ refunds }: PaymentBody) => refunds.length > 0 && refunds.every(({ status }) => status === 'done')
const statusOf = async (id: string) => (await at.get(id)).status

/** Each of the payments that came to these contracts, as home has it. */
async function seenOf(...payments: readonly PaymentBody[]): Promise<string[]> {
  const rows = await at.world.sql<{ status: string }>(
    `select p.status from chain_payments p where left(p.reference, 32) = any($1) order by p.created_at`,
    [payments.map(({ id }) => id.replaceAll('-', ''))],
  )
  return rows.map(({ status }) => status)
}

/** All that is written of contracts, with the transfers that give back what came to them. */
async function booksOf(...payments: readonly PaymentBody[]) {
  const ids = payments.flatMap(({ id, refunds }) => [id, ...refunds.map(({ transfer_id: transferId }) => transferId)])
  const tables = ['contract_versions', 'ledger', 'payment_events', 'jobs']
  const rows = tables.map((table) =>
    at.world.sqlElsewhere(`select to_jsonb(t) as row from ${table} t where t.contract_id = any($1) order by 1`, [ids]),
  )
  return Promise.all(rows)
}

/** Two operators end a recovery for which nothing was compared. */
async function recovered(number: number): Promise<void> {
  for (const sql of [at.world.sql, at.world.sqlElsewhere])
    await sql(`insert into epochs (number, reason) values ($1, 'declared')`, [number])
  await resumed()
}

async function resumed(): Promise<void> {
  const { channels, nowMs, randomHex } = at.world.gateway.deps
  const desk = { reader, ids: { nowMs, randomHex }, channels }
  const without = channels.all().map(({ id }) => id)
  for (const operator of ['ana', 'ben']) await resume(desk, { operator, evidence: 'ticket 4711' }, without)
}

async function paidAndBooked(opened: PaymentBody): Promise<PaymentBody> {
  await at.pay(opened)
  return at.minedUntil(opened.id, is('completed'))
}

test('what was booked in the lost time is booked again, and what the books have stays as it is', async () => {
  const home = newAddress()
  const long = await paidAndBooked(await at.open('TUSD'))
  const before = await paidAndBooked(await at.open('TUSD', { refund_address: home }))
  const path = `/contracts/payment/${before.id}/refunds`
  expect((await at.world.caller.ask('POST', path, { body: {} })).status).toBe(200)
  const refunded = await at.minedUntil(before.id, isBack)
  const late = await at.open('TUSD', { refund_address: home })
  await at.cancelled(late.id)
  await at.pay(late)
  const returned = await at.minedUntil(late.id, isBack)
  const [lost, ended] = [await at.open('TUSD'), await at.open('ETH', { refund_address: home })]
  await at.cancelled(ended.id)
  await at.settled()
  await at.world.sql(`update chain_payments set reported_at = reported_at - interval '2 hours' where id in
    (select p.id from chain_payments p order by p.reported_at limit 1)`)
  const giveBack = await keepRows(at.world.sqlElsewhere)
  await paidAndBooked(lost)
  await at.pay(ended)
  await at.minedUntil(ended.id, ({ amount_received: received }) => received > 0)
  await at.settled()

  await at.stopWorkers()
  await giveBack()
  expect([await statusOf(lost.id), (await at.get(ended.id)).amount_received]).toEqual(['issued', 0])
  const kept = await booksOf(long, refunded, returned)
  await recovered(2)
  expect(await seenOf(long)).toEqual(['reported'])
  expect(await seenOf(before, late, lost, ended)).toEqual(['final', 'final', 'final', 'final'])
  await at.startWorkers()
  await at.until(lost.id, is('completed'))
  await at.until(ended.id, ({ amount_received: received }) => received > 0)
  await at.settled()
  expect(await seenOf(long, before, late, lost, ended)).toEqual(Array.from({ length: 5 }, () => 'reported'))
  expect(await booksOf(long, refunded, returned)).toEqual(kept)
  expect(await at.get(lost.id)).toMatchObject({ amount_received: 100, amount_in_suspense: 0 })
})

test('where a server is away that could say where its books end, all that was reported is looked at once more', async () => {
  const opened = await paidAndBooked(await at.open('TUSD'))
  await at.settled()
  await at.stopWorkers()
  await at.world.sql(`update chain_payments set reported_at = reported_at - interval '2 hours'`)
  const neighbour = await connectedTo(at.world.database.owner)
  const atHome: World['sql'] = async (text, values = []) => (await neighbour.query(text, [...values])).rows
  await whileAway(at.world.sqlElsewhere, atHome, async () => {
    await at.world.sql(`insert into epochs (number, reason) values (3, 'declared')`)
    await resumed()
  })
  await neighbour.end()
  expect(await seenOf(opened)).toEqual(['final'])
  await at.startWorkers()
  await at.settled()
  expect(await seenOf(opened)).toEqual(['reported'])
  expect((await at.get(opened.id)).amount_received).toBe(100)
})
