// Payments in crypto assets from the contract to the books, on a real chain and with a gateway that has no private key: what
// is paid counts when it is final, once, and whatever else comes is kept apart.
import { formatUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONFIRMATIONS, type CryptoStage, linkOf, newAddress, openCryptoStage } from './crypto-payments-stage.ts'
import { type PaymentBody, told } from '../payments/payments-stage.ts'

let at: CryptoStage
beforeAll(async () => {
  at = await openCryptoStage('receives')
})
afterAll(() => at.close())

const balance = () => at.world.caller.balance('PHP')
const attemptOf = ({ attempts }: PaymentBody, number = attempts.length) => attempts[number - 1]
const isDepth = (confirmations: number) => (payment: PaymentBody) =>
  attemptOf(payment)?.details['confirmations'] === String(confirmations)
const is = (status: PaymentBody['status']) => (payment: PaymentBody) => payment.status === status
const suspense = (amount: number) => (payment: PaymentBody) => payment.amount_in_suspense === amount

/** 100 PHP in the smallest unit, rounded up: who pays this has paid all of it. */
const DUE = { ETH: 10n ** 21n / 1_128_005n + 1n, TUSD: 1_773_050n }
const DECIMALS = { ETH: 18, TUSD: 6 }

describe.each(['ETH', 'TUSD'] as const)('in %s', (asset) => {
  test('an address, a link and a price; seen, final, completed, with exact amounts', async () => {
    const before = await balance()
    const opened = await at.open(asset)
    const { address, units } = linkOf(opened)
    expect(units).toBe(DUE[asset])
    expect(opened.next_action).toMatchObject({
      type: 'display_address',
      address,
      amount: formatUnits(DUE[asset], DECIMALS[asset]),
      asset,
      network: 'eip155:31337',
      confirmations: CONFIRMATIONS,
      svg: expect.stringContaining('<svg'),
    })
    // The price holds for ten minutes of the contract's thirty.
    const endsAt = Date.parse(opened.next_action?.expires_at ?? '')
    expect(endsAt - Date.parse(opened.created_at)).toBe(600_000)
    expect(opened.preview.asset?.amount).toBe(opened.next_action?.amount)
    // Who has the seed can move it: the address is one of the account's.
    expect(at.addresses()).toContain(address)
    await at.pay(opened)
    await at.mine(1)
    const seen = await at.until(opened.id, isDepth(1))
    expect(seen).toMatchObject({ status: 'issued', amount_received: 0, attempts: [{ status: 'processing' }] })
    expect(attemptOf(seen)?.details['confirmations_needed']).toBe(String(CONFIRMATIONS))
    await at.mine(1)
    expect((await at.until(opened.id, isDepth(2))).status).toBe('issued')
    await at.mine(1)
    const done = await at.until(opened.id, is('completed'))
    expect(done).toMatchObject({ amount_received: 100, amount_in_suspense: 0, refunds: [], next_action: null })
    expect(attemptOf(done)).toMatchObject({ status: 'succeeded', amount: 100, fee: 1 })
    expect(attemptOf(done)?.details['transaction']).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await balance()).toBe(before + 99)
    const events = await at.world.caller.all<{ type: string; data: { object: { id: string } } }>('/events', 'events')
    const own = events.filter((each) => each.data.object.id === opened.id)
    expect(own.map(({ type }) => type)).toEqual(['contract.issued', 'contract.paid', 'contract.completed'])
  })

  test('too little and then the rest count together', async () => {
    const before = await balance()
    const opened = await at.open(asset)
    await at.pay(opened, (due) => due / 3n)
    const part = await at.minedUntil(opened.id, ({ amount_received }) => amount_received > 0)
    expect(part).toMatchObject({ status: 'issued', amount_received: 33.33, amount_in_suspense: 33.33, refunds: [] })
    expect(part.next_action).toEqual(opened.next_action)
    expect(attemptOf(part)?.status).toBe('pending')
    await at.pay(opened, (due) => due - due / 3n)
    const done = await at.minedUntil(opened.id, is('completed'))
    expect(done).toMatchObject({ amount_received: 100, amount_in_suspense: 0, refunds: [] })
    expect(await balance()).toBe(before + 99)
  })

  test('undone by a re-org before it is final: nothing is booked; mined again, it is booked once', async () => {
    const before = await balance()
    const opened = await at.open(asset)
    const hash = await at.pay(opened)
    const raw = await rawOf(hash)
    await at.mine(2)
    await at.until(opened.id, isDepth(2))
    await at.chain.reorg(2)
    const undone = await at.until(opened.id, isDepth(0))
    expect(undone).toMatchObject({ status: 'issued', amount_received: 0, attempts: [{ status: 'pending' }] })
    expect(undone.next_action).toEqual(opened.next_action)
    await at.settled()
    expect(await at.get(opened.id)).toMatchObject({ status: 'issued', amount_received: 0 })
    await at.chain.client.sendRawTransaction({ serializedTransaction: raw })
    const done = await at.minedUntil(opened.id, is('completed'))
    expect(done.amount_received).toBe(100)
    expect(attemptOf(done)?.details['transaction']).toBe(hash)
    await at.settled()
    expect((await at.get(opened.id)).amount_received).toBe(100)
    expect(await balance()).toBe(before + 99)
  })

  test('more than asked: paid, and the surplus is kept apart where there is no way back', async () => {
    const opened = await at.open(asset, { refund_address: newAddress() })
    await at.pay(opened, (due) => 2n * due)
    const done = await at.minedUntil(opened.id, is('completed'))
    expect(done.amount_received).toBeCloseTo(200, 1)
    await at.settled()
    const held = await at.until(opened.id, (each) => told(each).includes('refund_failed'))
    expect(held.amount_in_suspense).toBe(held.amount_received - 100)
  })
})

const rawOf = async (hash: `0x${string}`) =>
  (await at.chain.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)) as `0x${string}`

test.concurrent('too little until the contract has expired: kept apart, and the contract is not paid', async () => {
  const opened = await at.open('TUSD', { refund_address: newAddress() }, { expires_in: 2 })
  await at.pay(opened, (due) => due / 2n)
  const over = await at.minedUntil(opened.id, is('expired'))
  expect(over.amount_received).toBe(50)
  // Nobody here can send anything.
  const held = await at.until(opened.id, (each) => told(each).includes('refund_failed'))
  expect(held).toMatchObject({ status: 'expired', amount_in_suspense: 50 })
})

test.concurrent('too late, after the contract has expired or was cancelled: kept apart, and neither comes back to life', async () => {
  const expiring = await at.open('TUSD', {}, { expires_in: 3 })
  const cancelled = await at.open('ETH')
  await at.cancelled(cancelled.id)
  await at.until(expiring.id, is('expired'))
  for (const payment of [expiring, cancelled]) await at.pay(payment)
  for (const [{ id }, status] of [
    [expiring, 'expired'],
    [cancelled, 'cancelled'],
  ] as const) {
    const late = await at.minedUntil(id, suspense(100))
    expect(late).toMatchObject({ status, amount_received: 100 })
    expect(told(late)).toContain('payment_suspended')
  }
})

test.concurrent('after the price has ended: kept apart, and a new attempt has a new address and pays', async () => {
  const opened = await at.open('TUSD', {}, { channel: 'brief' })
  const closed = await at.until(opened.id, (each) => attemptOf(each)?.status === 'cancelled')
  expect(closed).toMatchObject({ status: 'issued', next_action: null })
  await at.pay(opened)
  const late = await at.minedUntil(opened.id, suspense(100))
  expect(late).toMatchObject({ status: 'issued', amount_received: 100 })
  const again = await at.choose(late, 'TUSD')
  expect(linkOf(again).address).not.toBe(linkOf(opened).address)
  await at.pay(again)
  const done = await at.minedUntil(opened.id, is('completed'))
  expect(done).toMatchObject({ amount_received: 200, amount_in_suspense: 100 })
})

test('the price may end while a payment that came in time is being confirmed', async () => {
  const opened = await at.open('TUSD', {}, { channel: 'brief' })
  await at.pay(opened)
  await at.mine(1)
  await at.until(opened.id, isDepth(1))
  await at.until(opened.id, ({ next_action: action }) => Date.parse(action?.expires_at ?? '') < Date.now())
  expect((await at.minedUntil(opened.id, is('completed'))).amount_received).toBe(100)
})

test('cancelled while a payment is seen: pending, and then paid, for the money came', async () => {
  const opened = await at.open('TUSD')
  await at.pay(opened)
  await at.mine(1)
  await at.until(opened.id, isDepth(1))
  expect(await at.cancel(opened.id)).toMatchObject({ status: 'issued', cancellation: { status: 'pending' } })
  const done = await at.minedUntil(opened.id, is('completed'))
  expect(done).toMatchObject({ amount_received: 100, cancellation: { status: 'refused' } })
})

test('cancelled while a payment is seen that a re-org takes away: cancelled', async () => {
  const opened = await at.open('TUSD')
  await at.pay(opened)
  await at.mine(1)
  await at.until(opened.id, isDepth(1))
  await at.cancel(opened.id)
  await at.chain.reorg(1)
  const over = await at.minedUntil(opened.id, is('cancelled'))
  expect(over).toMatchObject({ amount_received: 0, cancellation: { status: 'done' } })
})

test('two contracts have two addresses, and each gets its own', async () => {
  const [one, two] = [await at.open('TUSD'), await at.open('TUSD')]
  expect(linkOf(one).address).not.toBe(linkOf(two).address)
  await at.pay(two)
  expect((await at.minedUntil(two.id, is('completed'))).amount_received).toBe(100)
  expect(await at.get(one.id)).toMatchObject({ status: 'issued', amount_received: 0 })
})

test('told again after it was booked, as after a crash between the two, it is booked once', async () => {
  const before = await balance()
  const opened = await at.open('TUSD')
  await at.pay(opened)
  const done = await at.minedUntil(opened.id, is('completed'))
  const { reference = '' } = attemptOf(done) ?? {}
  await at.world.sql(`update chain_payments set status = 'final', reported_at = null where reference = $1`, [reference])
  await at.settled()
  const rows = await at.world.sql('select status from chain_payments where reference = $1', [reference])
  expect(rows).toEqual([{ status: 'reported' }])
  expect(await at.get(opened.id)).toMatchObject({ version: done.version, amount_received: 100 })
  expect(await balance()).toBe(before + 99)
})

test('paid and confirmed while the workers are away: found after their start, and no block is left out', async () => {
  const [seen, unseen] = [await at.open('TUSD'), await at.open('ETH')]
  await at.pay(seen)
  await at.mine(1)
  await at.until(seen.id, isDepth(1))
  await at.stopWorkers()
  await at.pay(unseen)
  await at.mine(2 * CONFIRMATIONS)
  expect(await at.get(seen.id)).toMatchObject({ status: 'issued' })
  await at.startWorkers()
  for (const { id } of [seen, unseen]) expect((await at.until(id, is('completed'))).amount_received).toBe(100)
})

test('what is sent to a shown address by somebody’s contract counts, too', async () => {
  const opened = await at.open('ETH')
  const { address, units } = linkOf(opened)
  await at.chain.payByContract(address, units)
  expect((await at.minedUntil(opened.id, is('completed'))).amount_received).toBe(100)
})
