// Who gets money that goes back: the rail, or the very account that paid. Anybody else is paid by a transfer like any other,
// with the right to pay, out of settled money, at the channel's price and within its bounds.
import { afterAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { diceOf } from '../../rig/dice.ts'
import { press } from '../../sandbox/payers.ts'
import { control } from '../../sandbox/rails.ts'
import type { Caller } from '../../world.ts'
import { openPayStage, type PaymentBody } from './payments-stage.ts'

const stage = await openPayStage()
const { world, open, choose, ends, until } = stage
const { caller } = world
afterAll(() => stage.close())
const refunder = await world.withKey(caller, { scopes: SCOPES.filter((scope) => scope !== 'transfers:pay') })

const PAYER = { name: 'Ben Cruz', wallet: '000777666555', tag: 'BOPIPHMM' }
const STRANGER = { name: 'Mal Lory', wallet: '000111222333', tag: 'BOPIPHMM' }
const back = { channel: 'instapay', recipient: PAYER }
const elsewhere = { channel: 'instapay', recipient: STRANGER }

/** Paid by a QR code, by an account that the rail tells of. */
async function paidByCode(amount = 100): Promise<PaymentBody> {
  const code = await choose(await open({ amount }), { type: 'qr' })
  await control(world.sandboxUrl, 'POST', '/qrph/pay', { code: code.next_action?.data, payer: PAYER })
  return ends(code.id, 'completed')
}
async function paidByWallet(channel: string): Promise<PaymentBody> {
  const waiting = await choose(await open({ channel }), { type: 'gcash' })
  await press(waiting.next_action?.url, 'pay')
  return ends(waiting.id, channel === 'gcash' ? 'completed' : 'paid')
}
const refund = (by: Caller, { id }: PaymentBody, body: object) =>
  by.ask('POST', `/contracts/payment/${id}/refunds`, { body })
const newest = async ({ id }: PaymentBody) => {
  const { refunds } = await stage.get(id)
  return caller.get(refunds.at(-1)?.transfer_id ?? '')
}
const pockets = async () => {
  const { available, pending } = (await caller.wallet('PHP')) as unknown as { available: number; pending: number }
  return { available, pending }
}

describe('a key without the right to pay', () => {
  test('gives back by the rail, and to the account that paid, whether it is named or not', async () => {
    const payment = await paidByCode()
    for (const body of [
      { amount: 10 },
      { amount: 20, ...back },
      { amount: 5, ...back, recipient: { ...PAYER, name: 'B.' } },
    ]) {
      expect((await refund(refunder, payment, body)).status).toBe(200)
      const transfer = await newest(payment)
      expect(transfer).toMatchObject({ amount: body.amount, recipient: PAYER, preview: { fees: { total: 0 } } })
    }
    const byRail = await paidByWallet('gcash')
    expect((await refund(refunder, byRail, {})).status).toBe(200)
  })

  test.each([
    ['another account', elsewhere],
    ['the same number at another bank', { ...back, recipient: { ...PAYER, tag: 'MBTCPHMM' } }],
    ['another number at the same bank', { ...back, recipient: { ...PAYER, wallet: '000777666556' } }],
    ['the same number on another channel', { ...back, channel: 'pesonet' }],
    ['no number at all', { ...back, recipient: { name: PAYER.name } }],
  ])('is refused %s, and nothing moves', async (_, body) => {
    const payment = await paidByCode()
    const before = await pockets()
    const { status, error } = await refund(refunder, payment, { amount: 10, ...body })
    expect([status, error.code, error.param]).toEqual([403, 'scope_missing', 'recipient'])
    expect(error.message).toMatch(/transfers:pay/)
    expect(await stage.get(payment.id)).toMatchObject({ amount_refunded: 0, refunds: [] })
    expect(await pockets()).toEqual(before)
  })

  test('is refused another recipient where the rail itself could give it back', async () => {
    const payment = await paidByWallet('gcash')
    const { status, error } = await refund(refunder, payment, elsewhere)
    expect([status, error.code]).toEqual([403, 'scope_missing'])
  })

  test('is refused another recipient of money in suspense', async () => {
    const payment = await suspended()
    const path = `/contracts/payment/${payment.id}/returns`
    const { status, error } = await refunder.ask('POST', path, { body: elsewhere })
    expect([status, error.code]).toEqual([403, 'scope_missing'])
    expect((await stage.get(payment.id)).amount_in_suspense).toBeGreaterThan(0)
    const own = await refunder.ask('POST', path)
    expect(own.status, own.text).toBe(200)
  })
})

/** Paid with another amount than was asked for; it waits for a person. */
async function suspended(channel = 'gcash'): Promise<PaymentBody> {
  await returnsAtOnce(false)
  try {
    const waiting = await choose(await open({ amount: 100.64, channel }), { type: 'gcash' })
    await press(waiting.next_action?.url, 'pay')
    return await until(waiting.id, ({ amount_in_suspense: amount }) => amount > 0)
  } finally {
    await returnsAtOnce(true)
  }
}
const returnsAtOnce = (how: boolean) =>
  world.sql('update accounts set returns_at_once = $2 where account_id = $1', [caller.account.accountId, how])

describe('a key that may pay sends it elsewhere as a transfer', () => {
  test('at the price of the channel, out of the wallet', async () => {
    const payment = await paidByCode()
    const before = await pockets()
    const { status, text } = await refund(caller, payment, { amount: 40, ...elsewhere })
    expect(status, text).toBe(200)
    const transfer = await newest(payment)
    const price = await caller.draft({ amount: 40, channel: 'instapay', recipient: STRANGER })
    const { fees, amount } = price.preview
    expect(fees.total).toBeGreaterThan(0)
    expect(transfer).toMatchObject({ recipient: STRANGER, preview: { fees: { total: fees.total }, amount } })
    expect((await pockets()).available).toBeCloseTo(before.available - amount, 2)
    await until(payment.id, ({ refunds }) => refunds.every(({ status: each }) => each === 'done'))
    expect((await stage.get(payment.id)).amount_refunded).toBe(40)
    const books = await control(world.sandboxUrl, 'GET', `/instapay/books/${transfer.transfer.reference}`)
    expect(books).toMatchObject({ account: STRANGER.wallet, executions: 1 })
  })

  test('and has all of it back where the rail refuses: the amount can be refunded again', async () => {
    const payment = await paidByCode()
    const before = await pockets()
    expect((await refund(caller, payment, { amount: 40.21, ...elsewhere })).status).toBe(200)
    await until(payment.id, ({ refunds }) => refunds[0]?.status === 'failed')
    expect(await pockets()).toEqual(before)
    expect(await stage.get(payment.id)).toMatchObject({ amount_refunded: 0 })
    expect((await refund(caller, payment, { amount: 100 })).status).toBe(200)
  })

  test('not of what is pending, which goes back alone', async () => {
    const payment = await paidByWallet('gcash-day')
    const before = await pockets()
    expect((await refund(caller, payment, { amount: 30, ...elsewhere })).status).toBe(200)
    const after = await pockets()
    expect(after.pending).toBe(before.pending)
    expect(after.available).toBeLessThan(before.available - 29.99)
  })

  test.each([
    [
      'less than the channel asks of a recipient',
      { channel: 'instapay', recipient: { name: 'Ana' } },
      'missing_recipient_wallet',
    ],
    ['a bank that there is not', { ...elsewhere, recipient: { ...STRANGER, tag: 'nobank' } }, 'invalid_recipient_tag'],
  ])('not with %s', async (_, body, code) => {
    const payment = await paidByCode()
    const { status, error } = await refund(caller, payment, body)
    expect([status, error.code]).toEqual([400, code])
  })

  test('not of more than the channel moves', async () => {
    const card = { type: 'card', card: { token: 'tok_visa' } }
    const payment = await choose(await open({ amount: 60_000 }), card)
    const { status, error } = await refund(caller, payment, elsewhere)
    expect([status, error.code]).toEqual([400, 'invalid_amount'])
    expect((await refund(caller, payment, { amount: 50_000, ...elsewhere })).status).toBe(200)
  })

  test('of money in suspense only when it has settled', async () => {
    const early = await suspended('gcash-day')
    const refused = await caller.ask('POST', `/contracts/payment/${early.id}/returns`, { body: elsewhere })
    expect([refused.status, refused.error.code]).toEqual([402, 'insufficient_funds'])
    expect(refused.error.message).toMatch(/settles at/)
    const before = await pockets()
    const settled = await suspended()
    const { status, text } = await caller.ask('POST', `/contracts/payment/${settled.id}/returns`, { body: elsewhere })
    expect(status, text).toBe(200)
    const transfer = await newest(settled)
    expect(transfer).toMatchObject({ recipient: STRANGER, amount: 101.64 })
    // The fee on top is not of the stray money.
    expect((await pockets()).available).toBeCloseTo(before.available - transfer.preview.fees.total, 2)
    await until(settled.id, ({ refunds }) => refunds[0]?.status === 'done')
    const own = await caller.ask('POST', `/contracts/payment/${early.id}/returns`)
    expect(own.status, own.text).toBe(200)
  })
})

test('whatever is asked by whom: never more than was paid, and nobody else without the right to pay', async () => {
  const dice = diceOf(20_261_121)
  const payments = await Promise.all([paidByCode(), paidByCode(250), paidByCode(99.99)])
  const allowed = new Set<string>()
  for (let asked = 0; asked < 60; asked++) {
    const payment = dice.pick(payments)
    const [by, where] = [dice.pick([caller, refunder]), dice.pick([{}, back, elsewhere])]
    const amount = dice.pick([1, 10, 33.33, 60, 250])
    const known = (await stage.get(payment.id)).refunds.length
    const reply = await refund(by, payment, { amount, ...where })
    const { status } = reply
    const { refunds, amount_refunded: refunded } = await stage.get(payment.id)
    expect(refunded).toBeLessThanOrEqual(payment.amount)
    expect(refunds.length - known).toBe(status === 200 ? 1 : 0)
    if (status === 200 && where === elsewhere) allowed.add(refunds.at(-1)?.transfer_id ?? '')
    const isForbidden = by === refunder && where === elsewhere
    const code = status === 200 ? 'done' : reply.error.code
    expect(isForbidden ? ['scope_missing', 'refund_exceeds_payment'] : ['done', 'refund_exceeds_payment']).toContain(
      code,
    )
  }
  expect(allowed.size).toBeGreaterThan(0)
  for (const { id } of payments)
    for (const { transfer_id: transferId } of (await stage.get(id)).refunds) {
      const { recipient, preview } = await caller.get(transferId)
      expect(recipient?.wallet === PAYER.wallet).toBe(!allowed.has(transferId))
      expect(preview.fees.total > 0).toBe(allowed.has(transferId))
    }
})
