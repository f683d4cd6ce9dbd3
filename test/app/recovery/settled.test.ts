// A recovery of two tenants against what a card's provider settled, with the provider itself: what payers paid is in the books, or
// asked about, or named; what went back of it is taken in once, as the refund of whoever asked for it.
import { afterAll, expect, test } from 'vitest'
import { compareAll, type CompareDeps } from '../../../src/app/operator/compare.ts'
import { resolveTransfer } from '../../../src/app/operator/operator-actions.ts'
import type { RecoveryReport } from '../../../src/app/operator/recovery-report.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { type Connector, fetchesSettlements } from '../../../src/connectors/connector.ts'
import { attemptReference, contractUuid } from '../../../src/domain/contract/ids.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import { card, cardIntent, openCard } from '../../sandbox/payers.ts'
import { type Caller, openWorld } from '../../world.ts'

const DEED = { operator: 'ana', evidence: 'ticket 4711' }

const world = await openWorld({ workers: 'resting', config: { channels: SHIPPED_CHANNELS } })
const { caller, other } = world
const reader = openPlannedSession(world.operators)
const writer = openKeyedSession(world.operators)
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
  await world.stop()
})

function deps(change: (connector: Connector) => Connector = (same) => same): CompareDeps {
  const { channels, callbacks, nowMs, randomHex } = world.gateway.deps
  const rail = callbacks.connectors.get('card')
  if (!rail) throw new Error('there is no such channel')
  const alone = { ...channels, all: () => channels.all().filter(({ id }) => id === 'card') }
  const ids = { nowMs, randomHex }
  return { reader, writer, channels: alone, ids, withConnector: (_, work) => work(change(rail)) }
}

async function compared(change?: (connector: Connector) => Connector): Promise<RecoveryReport> {
  const report = await compareAll(deps(change), null, DEED)
  if (isRefusal(report)) throw new Error(report.message)
  return report
}

/** Of the time that the books lost: the id of a contract of a tenant. */
const lostOf = ({ account }: Caller) => contractUuid(account, Date.now(), world.gateway.deps.randomHex(), null)

/** Somebody paid by card under a reference, at the provider; its id of that. */
async function paidUnder(reference: string): Promise<unknown> {
  const { body } = await openCard(world.sandboxUrl, cardIntent(reference, 'tok_visa', { amount: 30_000 }))
  return body['id']
}

const refundedAtProvider = (payment: unknown, amount: number, reference: string) =>
  card(world.sandboxUrl, 'POST', '/card/v1/refunds', { payment_intent: payment, amount, reference })

type Payment = {
  readonly id: string
  readonly status: string
  readonly attempts: readonly { readonly reference: string }[]
  readonly next_action: { readonly url: string } | null
  readonly refunds: readonly { readonly transfer_id: string }[]
}

const paymentIn = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) => data['contract'] as Payment

async function payment(who: Caller, token: string | null): Promise<Payment> {
  const method = token === null ? {} : { payment: { type: 'card', card: { token } } }
  const body = { amount: 300, currency: 'PHP', channel: 'card', ...method }
  return paymentIn(await who.ask('POST', '/contracts/payment', { body }))
}

test('what a card’s provider settled is booked, asked about, taken in or named', async () => {
  const booked = await payment(caller, 'tok_visa')
  expect(booked.status).toBe('paid')
  const open = await payment(other, 'tok_3ds')
  const form = new URLSearchParams({ action: 'pay', code: '123456' })
  await fetch(open.next_action?.url ?? '', { method: 'POST', redirect: 'manual', body: form })
  const unchosen = await payment(caller, null)
  const unchosenReference = attemptReference(unchosen.id, 1)
  await paidUnder(unchosenReference)
  const [forgotten, theirs] = [attemptReference(lostOf(caller), 1), attemptReference(lostOf(other), 1)]
  await paidUnder(forgotten)
  const theirPayment = await paidUnder(theirs)
  await paidUnder('TILL-7-0001')
  // The books have the one refund waiting, and have forgotten the other tenant's.
  const refund = await caller.ask('POST', `/contracts/payment/${booked.id}/refunds`, { body: { amount: 20 } })
  const transferId = paymentIn(refund).refunds[0]?.transfer_id ?? ''
  const [queued, lost] = [attemptReference(transferId, 1), lostOf(other)]
  const ours = booked.attempts[0]?.reference ?? ''
  const { body } = await card(world.sandboxUrl, 'GET', `/card/v1/payment_intents?reference=${ours}`)
  const [intent] = body['data'] as readonly { readonly id: string }[]
  await refundedAtProvider(intent?.id, 2000, queued)
  await refundedAtProvider(theirPayment, 1500, attemptReference(lost, 1))
  await world.sql(`insert into epochs (number, reason) values (2, 'declared')`)

  const silent = (connector: Connector) => ({ ...connector, fetchSettlement: () => Promise.resolve(null) })
  expect((await compared(silent)).channels).toMatchObject([{ channelId: 'card', state: 'failed' }])

  const report = await compared()
  expect(report.channels).toMatchObject([{ channelId: 'card', state: 'complete', matched: 1 }])
  expect(Object.fromEntries(report.lines.map(({ reference, kind }) => [reference, kind]))).toEqual({
    [open.attempts[0]?.reference ?? '']: 'open',
    [unchosenReference]: 'differs',
    [forgotten]: 'differs',
    [theirs]: 'differs',
    [queued]: 'settled',
    [attemptReference(lost, 1)]: 'in_review',
  })
  expect(report.lines.find(({ reference }) => reference === forgotten)?.words).toMatch(/payer paid.*forgotten/)
  expect((await caller.get(transferId)).status).toBe('completed')
  expect(await other.get(lost)).toMatchObject({ status: 'paid', amount: 15, transfer: { status: 'unknown' } })
  expect(await resolveTransfer(deps(), lost, 'delivered', DEED)).toMatchObject({ contract: { status: 'completed' } })
  await world.ledgerHolds()
})

test('a settlement that is not whole, not of its day or not exact is none', async () => {
  const rail = world.gateway.deps.callbacks.connectors.get('card')
  if (!rail || !fetchesSettlements(rail)) throw new Error('cards are settled')
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  expect((await rail.fetchSettlement(day))?.length).toBe(8)
  expect(await rail.fetchSettlement('2020-01-01')).toEqual([])
  expect(await rail.fetchSettlement('2999-01-01')).toBeNull()
})
