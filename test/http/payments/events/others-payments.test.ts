// A rail refunds a payment by its own id of it, whoever asks, and several accounts may use one rail. Whoever tells that another
// account's payment came for a contract of theirs has it booked, but can have none of it refunded.
import { afterAll, expect, test } from 'vitest'
import { press } from '../../../sandbox/payers.ts'
import type { Json } from '../../../sandbox/rails.ts'
import { openPayStage, type PaymentBody } from '../payments-stage.ts'
import { CONFIRMED, eventOf, knowsNoneForGood, makeProvider, tell } from '../receiver-world.ts'

// Its rails may tell of a payment a minute before their lists show it.
const stage = await openPayStage({ refundAbsentForMs: 60_000 })
afterAll(() => stage.close())
const { world, open, choose, asPayer, get, until, truth } = stage
const { other: mallory } = world
// Of all channels: whoever has its secret may tell anything.
const provider = await makeProvider(world, mallory)

/** What a payer types at the page of a card's provider; other pages ask for nothing. */
const TYPED = { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }

type Rail = 'gcash' | 'maya' | 'card'
const METHODS: Readonly<Record<Rail, Json>> = {
  gcash: { type: 'gcash' },
  maya: { type: 'maya' },
  card: { type: 'card', card: { hosted: true } },
}

const referenceOf = ({ attempts }: PaymentBody) => attempts[0]?.reference
const refundedIn = async (rail: Rail, payment: PaymentBody) =>
  (await truth(rail, payment)).map(({ totals }) => (totals as Record<string, Json>)['PHP']?.['refunded_minor'])

/** What a payer has paid an account by the rail, and its id there. */
async function paidByAnother(rail: Rail) {
  const waiting = await choose(await open(), METHODS[rail])
  await press(waiting.next_action?.url, 'pay', TYPED)
  const payment = await until(waiting.id, ({ status }) => status === 'completed')
  const paid = payment.activities.find(({ type }) => type === 'paid')
  return { payment, id: (paid?.resource as { data?: { reference?: string } })?.data?.reference }
}

/** A contract of the other account, whose payer has chosen the rail. */
async function chosen(rail: Rail, fields: Json = {}): Promise<PaymentBody> {
  const opened = await open(fields, mallory)
  await asPayer(opened, 'PUT', `/contracts/payment/${opened.id}/pay`, METHODS[rail])
  return get(opened.id, mallory)
}

async function refusedForGood({ id }: PaymentBody): Promise<PaymentBody> {
  const { refunds } = await until(id, ({ refunds: [first] }) => first?.status === 'open', mallory)
  await knowsNoneForGood(world, refunds[0]?.transfer_id ?? '')
  return until(id, ({ refunds: [first] }) => first?.status === 'failed', mallory)
}

test.each(['gcash', 'maya', 'card'] as const)(
  'at %s, by hand, of a contract that seems to be paid by it',
  async (rail) => {
    const theirs = await paidByAnother(rail)
    const own = await chosen(rail)
    const event = eventOf({
      id: theirs.id,
      reference: referenceOf(own),
      amount: theirs.payment.amount_received,
      channel: rail,
    })
    expect(await tell(world, provider, event)).toEqual(CONFIRMED)
    await until(own.id, ({ status }) => status === 'completed', mallory)
    const begun = await mallory.ask('POST', `/contracts/payment/${own.id}/refunds`, { body: {} })
    expect(begun.status, begun.text).toBe(200)
    const failed = await refusedForGood(own)
    expect(failed.amount_refunded).toBe(0)
    const transfer = await mallory.get(failed.refunds[0]?.transfer_id ?? '')
    expect(transfer).toMatchObject({ status: 'cancelled', transfer: { failure: { code: 'payment_not_known' } } })
    expect(await refundedIn(rail, theirs.payment)).toEqual(['0'])
  },
)

test('of itself, of money that fits no contract', async () => {
  const theirs = await paidByAnother('gcash')
  const own = await chosen('gcash', { amount: 30 })
  const event = eventOf({ id: theirs.id, reference: referenceOf(own), amount: 100, channel: 'gcash' })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  const failed = await refusedForGood(own)
  expect(failed).toMatchObject({ amount_in_suspense: 100 })
  expect(await refundedIn('gcash', theirs.payment)).toEqual(['0'])
})

test('by nobody’s attempt', async () => {
  const theirs = await paidByAnother('gcash')
  const own = await open({ amount: 30 }, mallory)
  const event = eventOf({ id: theirs.id, contract_id: own.id, amount: 100, channel: 'gcash' })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  await refusedForGood(own)
  expect(await refundedIn('gcash', theirs.payment)).toEqual(['0'])
})

test('what came by an attempt that its event does not name goes back all the same', async () => {
  const own = await chosen('maya')
  await press(own.next_action?.url, 'pay', TYPED)
  const [paid] = (await truth('maya', own)).flatMap(({ payments }) => payments as { id: string; amount: string }[])
  const event = eventOf({ id: paid?.id, contract_id: own.id, amount: Number(paid?.amount), channel: 'maya' })
  expect(await tell(world, provider, event)).toEqual(CONFIRMED)
  const isPaid = await until(own.id, ({ status }) => status === 'completed', mallory)
  const [, paidBy] = isPaid.activities.filter(({ type }) => type === 'paid')
  expect(paidBy).toBeUndefined()
  const begun = await mallory.ask('POST', `/contracts/payment/${own.id}/refunds`, { body: {} })
  expect(begun.status, begun.text).toBe(200)
  await until(own.id, ({ refunds: [first] }) => first?.status === 'done', mallory)
})
