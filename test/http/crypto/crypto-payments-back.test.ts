// Money in crypto assets that goes back, from a gateway that can also send: what does not fit a contract, and refunds, each
// by a transfer contract of its own, on the chain to the last unit, once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CryptoStage, newAddress, openCryptoStage } from './crypto-payments-stage.ts'
import { type PaymentBody, told } from '../payments/payments-stage.ts'
import { eventOf, makeProvider, openPayment, tell } from '../payments/receiver-world.ts'

let at: CryptoStage
beforeAll(async () => {
  at = await openCryptoStage('receives and pays out')
})
afterAll(() => at.close())

const is = (status: PaymentBody['status']) => (payment: PaymentBody) => payment.status === status
const isBack = ({ refunds }: PaymentBody) => refunds.length > 0 && refunds.every(({ status }) => status === 'done')

/** What an amount of pesos is in the smallest unit, rounded down in favour of who sends it back. */
const worth = {
  ETH: (centavos: bigint) => (centavos * 10n ** 18n) / 11_280_050n,
  TUSD: (centavos: bigint) => (centavos * 10n ** 6n) / 5_640n,
}
const received = (asset: 'ETH' | 'TUSD', address: `0x${string}`) =>
  asset === 'ETH' ? at.chain.balance(address) : at.chain.units(address)

test.concurrent('too little until the contract has expired goes back to the address that the payer gave', async () => {
  const home = newAddress()
  const opened = await at.open('TUSD', { refund_address: home }, { expires_in: 2 })
  await at.pay(opened, (due) => due / 2n)
  await at.minedUntil(opened.id, is('expired'))
  const back = await at.minedUntil(opened.id, isBack)
  expect(back).toMatchObject({ status: 'expired', amount_received: 50, amount_in_suspense: 0, amount_refunded: 0 })
  expect(back.refunds).toMatchObject([{ from: 'suspense', amount: 50, currency: 'PHP', status: 'done' }])
  expect(await received('TUSD', home)).toBe(worth.TUSD(50_00n))
  const transfer = await at.world.caller.get(back.refunds[0]?.transfer_id ?? '')
  expect(transfer).toMatchObject({
    status: 'completed',
    amount: 50,
    channel: { id: 'token' },
    deliverable: { type: 'refund', reference_id: opened.id },
    recipient: { wallet: home },
  })
  expect(told(back)).toEqual(
    expect.arrayContaining(['payment_suspended', 'expired', 'return_started', 'payment_returned']),
  )
})

test.concurrent('too late, after the contract was cancelled: all of it goes back, once', async () => {
  const home = newAddress()
  const opened = await at.open('TUSD', { refund_address: home })
  await at.cancelled(opened.id)
  await at.pay(opened)
  const back = await at.minedUntil(opened.id, isBack)
  expect(back).toMatchObject({ status: 'cancelled', amount_received: 100, amount_in_suspense: 0 })
  await at.settled()
  expect(await received('TUSD', home)).toBe(worth.TUSD(100_00n))
})

test.concurrent('parts that never made the amount go back one by one when the contract is cancelled', async () => {
  const home = newAddress()
  const opened = await at.open('TUSD', { refund_address: home })
  await at.pay(opened, (due) => due / 4n)
  await at.minedUntil(opened.id, ({ amount_received }) => amount_received > 20)
  await at.pay(opened, (due) => due / 2n)
  const parts = await at.minedUntil(opened.id, ({ amount_received }) => amount_received > 70)
  expect(parts).toMatchObject({ status: 'issued', refunds: [] })
  expect(parts.amount_received).toBeCloseTo(75, 1)
  // A part is known to be booked a moment later on the chain's side; until then its address is not closed.
  await at.settled()
  await at.cancelled(opened.id)
  const back = await at.minedUntil(opened.id, (each) => each.refunds.length === 2 && isBack(each))
  expect(back.amount_in_suspense).toBe(0)
  const parted = back.refunds.map(({ amount }) => worth.TUSD(BigInt(Math.round(100 * amount))))
  expect(await received('TUSD', home)).toBe((parted[0] ?? 0n) + (parted[1] ?? 0n))
})

test.each(['ETH', 'TUSD'] as const)('more than asked in %s: paid, and the surplus goes back', async (asset) => {
  const before = await at.world.caller.balance('PHP')
  const home = newAddress()
  const opened = await at.open(asset, { refund_address: home })
  await at.pay(opened, (due) => 2n * due)
  const back = await at.minedUntil(opened.id, isBack)
  const surplus = back.amount_received - 100
  expect(back).toMatchObject({ status: 'completed', amount_in_suspense: 0, refunds: [{ from: 'suspense' }] })
  expect(back.refunds[0]?.amount).toBeCloseTo(surplus, 6)
  expect(await received(asset, home)).toBe(worth[asset](BigInt(Math.round(surplus * 100))))
  expect(await at.world.caller.balance('PHP')).toBe(before + 99)
})

test('a refund goes to the address that the payer gave, in parts and never more than was paid', async () => {
  const home = newAddress()
  const opened = await at.open('TUSD', { refund_address: home })
  await at.pay(opened)
  await at.minedUntil(opened.id, is('completed'))
  await refund(opened.id, { amount: 30 })
  await refund(opened.id)
  const more = await at.world.caller.ask('POST', `/contracts/payment/${opened.id}/refunds`, { body: { amount: 1 } })
  expect([more.status, more.error.code, more.error.param]).toEqual([409, 'refund_exceeds_payment', 'amount'])
  const back = await at.minedUntil(opened.id, isBack)
  expect(back).toMatchObject({ status: 'completed', amount_refunded: 100 })
  expect(back.refunds.map(({ amount }) => amount)).toEqual([30, 70])
  expect(await received('TUSD', home)).toBe(worth.TUSD(30_00n) + worth.TUSD(70_00n))
})

test('a refund without an address is refused and says the mend, and goes where the merchant says', async () => {
  const opened = await at.open('ETH')
  await at.pay(opened)
  await at.minedUntil(opened.id, is('completed'))
  const path = `/contracts/payment/${opened.id}/refunds`
  const refused = await at.world.caller.ask('POST', path)
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([409, 'refund_route_missing', 'recipient'])
  expect(refused.error.message).toMatch(/Send channel and recipient/)
  const home = newAddress()
  await refund(opened.id, { channel: 'token', recipient: { wallet: home } })
  await at.minedUntil(opened.id, isBack)
  // In the asset of the channel that was named, at its own price.
  expect(await received('TUSD', home)).toBe(worth.TUSD(100_00n))
})

test('a refund in money that no asset has a price in is refused, and not made to wait for ever', async () => {
  const provider = await makeProvider(at.world, at.world.caller)
  const opened = await openPayment(at.world.caller, { amount: 20, currency: 'USD' })
  await tell(at.world, provider, eventOf({ contract_id: opened.id, amount: 20, currency: 'USD' }))
  const body = { channel: 'coin', recipient: { wallet: newAddress() } }
  const refused = await at.world.caller.ask('POST', `/contracts/payment/${opened.id}/refunds`, { body })
  expect([refused.status, refused.error.code]).toEqual([409, 'refund_route_missing'])
})

test('a payment that no book has room for keeps no other from being booked', async () => {
  // Who pays on the test chain.
  await at.chain.fund('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720', 10n ** 34n, 0n)
  const [huge, plain] = [await at.open('ETH'), await at.open('ETH')]
  await at.pay(huge, () => 10n ** 33n)
  await at.mine(1)
  await at.pay(plain)
  expect(await at.minedUntil(plain.id, is('completed'))).toMatchObject({ amount_received: 100 })
  expect((await at.get(huge.id)).amount_received).toBe(0)
  const kept = await at.world.sql(`select status, reason from payment_events where contract_id = $1`, [huge.id])
  expect(kept).toEqual([{ status: 'needs_review', reason: expect.stringContaining('beyond any that is taken') }])
})

async function refund(id: string, body: Record<string, unknown> = {}): Promise<void> {
  const { status, text } = await at.world.caller.ask('POST', `/contracts/payment/${id}/refunds`, { body })
  expect(status, text).toBe(200)
}
