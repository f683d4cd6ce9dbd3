// What becomes of events: money is booked once however often and in whatever order it is told, for the account whose
// provider tells it and for nobody else; and what no contract fits waits until one does.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Correction, takeUnallocated } from '../../../src/app/payments/unallocated-events.ts'
import { attemptReference, shortReference } from '../../../src/domain/contract/ids.ts'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import { rematchRound } from '../../../src/workers/sweeps/rematch-events.ts'
import { genuine } from '../../webhooks/receiver-corpus.ts'
import { openWorld } from '../../world.ts'
import {
  CONFIRMED,
  eventCount,
  eventOf,
  eventRow,
  getPayment,
  makeProvider,
  newId,
  openPayment,
  post,
  tell,
  type Told,
} from './receiver-world.ts'

const world = await openWorld({ workers: 'resting' })
// Connections of two operators beside the gateway's.
const writers = [openKeyedSession(world.operators), openKeyedSession(world.operators)] as const
afterAll(async () => {
  await world.ledgerHolds()
  await Promise.all(writers.map((each) => each.close()))
  await world.stop()
})
const { caller, other } = world
const { deps } = world.gateway
const provider = await makeProvider(world, caller)
const stranger = await makeProvider(world, other)

const statusOf = async (id: string) => (await getPayment(caller, id)).status
const isPaid = (status: string) => status === 'paid' || status === 'completed'
const idOf = (event: Told) => String(event['id'])
const failed = (object: Told) => eventOf({ status: 'failed', ...object }, { type: 'payment_intent.failed' })

/** As the worker looks at them, as if their time had come. */
async function rematch(): Promise<number> {
  await world.sql('update payment_events set due_at = now() where due_at is not null')
  return rematchRound({ ...deps, lanes: [caller.account.lane] })
}

test('an amount of more digits than a number keeps pays nothing, and is not taken for a nearby one', async () => {
  const { id } = await openPayment(caller)
  const event = eventOf({ contract_id: id })
  const body = Buffer.from(JSON.stringify(event).replace('"amount":100.5,', '"amount":100.500000000000000001,'))
  expect(body.toString()).toContain('100.500000000000000001')
  expect(await post(world, genuine(provider, body), body)).toEqual(CONFIRMED)
  expect(await statusOf(id)).toBe('issued')
  expect((await getPayment(caller, id)).amount_received).toBe(0)
})

describe('an event is matched', () => {
  test('by the id of the contract', async () => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect(isPaid(await statusOf(id))).toBe(true)
    expect(await eventRow(world, caller, idOf(event))).toMatchObject({
      status: 'applied',
      contract_id: id,
      amount_minor: '10050',
    })
  })

  test.each([
    ['our reference', (id: string) => attemptReference(id, 1)],
    ['our reference, in capitals', (id: string) => attemptReference(id, 1).toUpperCase()],
    ['our short reference', (id: string) => shortReference(id, 1)],
  ])('by %s', async (_what, referenceOf) => {
    const { id } = await openPayment(caller)
    expect(await tell(world, provider, eventOf({ reference: referenceOf(id) }))).toEqual(CONFIRMED)
    expect(isPaid(await statusOf(id))).toBe(true)
  })

  test('by the reference of the caller’s own, where one contract has it', async () => {
    const named = { deliverable: { reference_id: 'INV-7' } }
    const { id } = await openPayment(caller, named)
    const one = eventOf({ reference: 'INV-7', amount: '100.50' })
    expect(await tell(world, provider, one)).toEqual(CONFIRMED)
    expect(isPaid(await statusOf(id))).toBe(true)
    await openPayment(caller, named)
    const two = eventOf({ reference: 'INV-7' })
    expect(await tell(world, provider, two)).toEqual(CONFIRMED)
    expect(await eventRow(world, caller, idOf(two))).toMatchObject({
      status: 'unmatched',
      contract_id: null,
      due: true,
    })
  })

  test('by the name of a transfer contract never', async () => {
    const transfer = await caller.issued()
    const event = eventOf({ contract_id: transfer.id, reference: attemptReference(transfer.id, 1) })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect((await eventRow(world, caller, idOf(event)))?.status).toBe('unmatched')
    expect(await caller.get(transfer.id)).toEqual(transfer)
  })
})

test('a contract that is no payment of the account does not stand in the way of a reference that is', async () => {
  for (const wrong of [await caller.issued(), await openPayment(other)]) {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: wrong.id, reference: attemptReference(id, 1) })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect(isPaid(await statusOf(id))).toBe(true)
  }
})

describe('what fits no contract is kept, and fits', () => {
  test('once the contract is made with that reference', async () => {
    const event = eventOf({ reference: 'ORDER-99' })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect(await rematch()).toBeGreaterThan(0)
    expect(await eventRow(world, caller, idOf(event))).toMatchObject({ status: 'unmatched', tries: 1, due: true })
    const { id } = await openPayment(caller, { deliverable: { reference_id: 'ORDER-99' } })
    await rematch()
    expect(await eventRow(world, caller, idOf(event))).toMatchObject({ status: 'applied', contract_id: id, due: false })
    expect(isPaid(await statusOf(id))).toBe(true)
    // The provider may tell it again: the bytes are those of the first time.
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect((await getPayment(caller, id)).amount_received).toBe(100.5)
  })

  test('once the provider’s name of the attempt is known', async () => {
    const { id } = await openPayment(caller)
    const name = newId('intent')
    const event = eventOf({ id: name })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    await world.sql(
      'insert into provider_payment_ids (lane, account_id, provider_id, contract_id, attempt) values ($1, $2, $3, $4, 1)',
      [caller.account.lane, caller.account.accountId, name, id],
    )
    await rematch()
    expect(isPaid(await statusOf(id))).toBe(true)
  })

  test('or is left to a person after 72 hours', async () => {
    const event = eventOf({ reference: 'NEVER-1' })
    await tell(world, provider, event)
    await world.sql(`update payment_events set at = now() - interval '73 hours' where id = $1`, [idOf(event)])
    await rematch()
    expect(await eventRow(world, caller, idOf(event))).toMatchObject({ status: 'needs_review', due: false })
  })
})

describe('an event that was left to a person', () => {
  const evidence = { operator: 'Ana', evidence: 'statement of the provider, ticket 4711' }
  const NOTHING_KNOWN = { contractId: null, amount: null, currency: null }
  const take = (id: string, known: Partial<Correction> = {}, account = caller.account, writer = writers[0]) =>
    takeUnallocated({ ...deps, writer, ids: deps }, account, id, { ...NOTHING_KNOWN, ...known }, evidence)
  const actionsOn = (target: string) =>
    world.sql('select operator, action, evidence from operator_actions where target = $1', [target])

  test('is taken in for the contract that an operator names, once, with the evidence on the record', async () => {
    const event = eventOf({ reference: 'NEVER-2' })
    await tell(world, provider, event)
    await world.sql(`update payment_events set at = now() - interval '73 hours' where id = $1`, [idOf(event)])
    await rematch()
    expect(await take(idOf(event))).toMatchObject({ reception: 'needs_review' })
    const { id } = await openPayment(caller)
    expect(await take(idOf(event), { contractId: id })).toMatchObject({ reception: 'applied', contract: { id } })
    expect(await eventRow(world, caller, idOf(event))).toMatchObject({ status: 'applied', body: JSON.stringify(event) })
    expect(await getPayment(caller, id)).toMatchObject({ amount_received: 100.5, amount_in_suspense: 0 })
    expect(isPaid(await statusOf(id))).toBe(true)
    // By now nothing waits.
    expect(await take(idOf(event), { contractId: id })).toMatchObject({ code: 'event_not_found' })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect((await getPayment(caller, id)).amount_received).toBe(100.5)
    expect(await actionsOn(idOf(event))).toEqual([
      { ...evidence, action: 'take event' },
      { ...evidence, action: 'take event' },
    ])
  })

  test('is read as an operator says where it cannot be read', async () => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id, amount: '100,50', currency: 'PESO' })
    await tell(world, provider, event)
    expect(await take(idOf(event), { currency: 'PHP' })).toMatchObject({ reception: 'needs_review' })
    expect(await take(idOf(event), { amount: 100.5, currency: 'PHP' })).toMatchObject({ reception: 'applied' })
    expect(isPaid(await statusOf(id))).toBe(true)
  })

  test('by two operators at once, is taken in once', async () => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id, amount: 'ten' })
    await tell(world, provider, event)
    const known = { amount: 100.5, currency: 'PHP' }
    const both = await Promise.all(writers.map((each) => take(idOf(event), known, caller.account, each)))
    expect(both.map((each) => ('reception' in each ? each.reception : each.code)).toSorted()).toEqual([
      'applied',
      'duplicate',
    ])
    expect((await getPayment(caller, id)).amount_received).toBe(100.5)
  })

  test('of another account, or for a contract of another account, is not taken', async () => {
    const event = eventOf({ reference: 'NEVER-3' })
    await tell(world, provider, event)
    const { id } = await openPayment(other)
    expect(await take(idOf(event), {}, other.account)).toMatchObject({ code: 'event_not_found' })
    expect(await take(idOf(event), { contractId: id })).toMatchObject({ code: 'contract_not_found' })
    expect(await getPayment(other, id)).toMatchObject({ status: 'issued', amount_received: 0 })
  })
})

describe('an event counts once', () => {
  test('told a thousand times', async () => {
    const { id } = await openPayment(caller)
    const balance = await caller.balance('PHP')
    const event = eventOf({ contract_id: id })
    const body = Buffer.from(JSON.stringify(event))
    const before = await eventCount(world)
    for (let round = 0; round < 10; round++) {
      const headers = genuine(provider, body)
      const said = await Promise.all(Array.from({ length: 100 }, () => post(world, headers, body)))
      expect(said).toEqual(said.map(() => CONFIRMED))
    }
    const payment = await getPayment(caller, id)
    expect(payment.activities.filter(({ type }) => type === 'paid')).toHaveLength(1)
    expect(payment.amount_received).toBe(100.5)
    expect(await eventCount(world)).toBe(before + 1)
    expect(await caller.balance('PHP')).toBeLessThanOrEqual(balance + 100.5)
    console.log('receiver: one event told 1,000 times, 1 effect')
  })

  test('and the same money under another event is the same money', async () => {
    const { id } = await openPayment(caller)
    const object = { id: newId('pi'), contract_id: id }
    for (let i = 0; i < 3; i++) expect(await tell(world, provider, eventOf(object))).toEqual(CONFIRMED)
    expect((await getPayment(caller, id)).amount_received).toBe(100.5)
  })

  test('and its id with other bytes is refused', async () => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    const changed = { ...event, data: { object: { contract_id: id, id: 'pi_x', amount: 900, currency: 'PHP' } } }
    for (const each of [changed, { ...event, extra: 1 }])
      expect(await tell(world, provider, each)).toMatchObject({ status: 409, code: 'event_id_reused' })
    expect((await getPayment(caller, id)).amount_received).toBe(100.5)
  })
})

describe('an event says', () => {
  test('something else: then it is only kept', async () => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id }, { type: 'payment_intent.amount_capturable_updated' })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect(await eventRow(world, caller, idOf(event))).toMatchObject({ status: 'ignored', body: JSON.stringify(event) })
    expect(await statusOf(id)).toBe('issued')
  })

  test.each([
    ['an amount that cannot be read', { amount: '1,000.00' }],
    ['more decimals than there are', { amount: 100.505 }],
    ['no amount', { amount: null }],
    ['a currency that there is not', { currency: 'PESO' }],
  ])('%s: a person looks at it, and the sender is not asked again', async (_what, fields) => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id, ...fields })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect(await eventRow(world, caller, idOf(event))).toMatchObject({
      status: 'needs_review',
      contract_id: id,
      due: false,
    })
    expect(await statusOf(id)).toBe('issued')
  })

  test.each([
    ['a centavo less', { amount: 100.49 }],
    ['a centavo more', { amount: 100.51 }],
    ['another currency', { currency: 'USD' }],
  ])('%s: it is not paid, and the money is in suspense', async (_what, fields) => {
    const { id } = await openPayment(caller)
    const event = eventOf({ contract_id: id, ...fields })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    expect(await statusOf(id)).toBe('issued')
    const [row] = await world.sql<{ whole: boolean }>(
      'select suspense_minor = amount_minor as whole from payment_events where id = $1',
      [idOf(event)],
    )
    expect(row).toEqual({ whole: true })
  })

  test('failed after succeeded, and succeeded after failed: paid both times', async () => {
    const [first, second] = [await openPayment(caller), await openPayment(caller)]
    const paid = (id: string) => eventOf({ contract_id: id, reference: attemptReference(id, 1) })
    const lost = (id: string) =>
      failed({ contract_id: id, reference: attemptReference(id, 1), failure: { code: 'declined' } })
    for (const event of [paid(first.id), lost(first.id), lost(second.id), paid(second.id)])
      expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    for (const { id } of [first, second]) expect(isPaid(await statusOf(id))).toBe(true)
  })

  test('that a cancelled contract was paid: it stays cancelled, and the money is kept', async () => {
    const { id } = await openPayment(caller)
    await caller.ask('DELETE', `/contracts/payment/${id}`)
    expect(await tell(world, provider, eventOf({ contract_id: id }))).toEqual(CONFIRMED)
    expect(await getPayment(caller, id)).toMatchObject({ status: 'cancelled', amount_received: 100.5 })
  })
})

test('money by a way that nobody configured is settled a day later', async () => {
  const { id } = await openPayment(caller)
  expect(await tell(world, provider, eventOf({ contract_id: id, channel: 'nobodys' }))).toEqual(CONFIRMED)
  const { status, settles_at: settlesAt } = await getPayment(caller, id)
  expect([status, Date.parse(String(settlesAt)) - Date.now() > 23 * 3_600_000]).toEqual(['paid', true])
})

test('the provider of another account touches nothing, whatever it names', async () => {
  const { id } = await openPayment(caller, { deliverable: { reference_id: 'MINE-1' } })
  const before = await getPayment(caller, id)
  const events = [
    { contract_id: id },
    { reference: attemptReference(id, 1) },
    { reference: shortReference(id, 1) },
    { reference: 'MINE-1' },
  ]
  for (const object of events) {
    const event = eventOf(object)
    expect(await tell(world, stranger, event)).toEqual(CONFIRMED)
    expect((await eventRow(world, other, idOf(event)))?.status).toBe('unmatched')
    expect(await eventRow(world, caller, idOf(event))).toBeUndefined()
    // An id is its account's own: the other provider may use it too.
    expect(await tell(world, provider, { ...event, type: 'ping' })).toEqual(CONFIRMED)
  }
  await world.sql('update payment_events set due_at = now() where due_at is not null')
  await rematchRound({ ...deps, lanes: [other.account.lane] })
  expect(await getPayment(caller, id)).toEqual(before)
})

test('where the workers run, an event finds its contract by itself', async () => {
  await tell(world, provider, eventOf({ reference: 'SOON-1' }))
  const { id } = await openPayment(caller, { deliverable: { reference_id: 'SOON-1' } })
  world.gateway.startWorkers()
  for (let i = 0; i < 200 && !isPaid(await statusOf(id)); i++) await sleep(50)
  expect(isPaid(await statusOf(id))).toBe(true)
})

test('the books hold after all of it', async () => {
  await world.ledgerHolds()
})
