// What is paid becomes available, and what is given back: by the rail itself, in parts, refused, before settlement, and held
// where the account wants a person to decide.
import { afterAll, describe, expect, test } from 'vitest'
import { press } from '../../sandbox/payers.ts'
import { control } from '../../sandbox/rails.ts'
import { looked, openPayStage, type PaymentBody, told } from './payments-stage.ts'

const stage = await openPayStage()
afterAll(() => stage.close())
const { world, open, choose, until, ends, refund, truth, advance } = stage
const { caller } = world

type Pockets = { available: number; pending: number; suspense: number; held: number; in_transit: number }
const wallet = async () => (await caller.wallet('PHP')) as unknown as Pockets
const isBack = ({ refunds }: PaymentBody) => refunds.length > 0 && refunds.every(({ status }) => status === 'done')

/** A contract that somebody has paid by GCash, on a channel that settles as its name says. */
async function paid(amount: number, channel = 'gcash'): Promise<PaymentBody> {
  const waiting = await choose(await open({ amount, channel }), { type: 'gcash' })
  await press(waiting.next_action?.url, 'pay')
  return ends(waiting.id, channel === 'gcash' ? 'completed' : 'paid')
}

const asked = (id: string, body: unknown) => caller.ask('POST', `/contracts/payment/${id}/refunds`, { body })

describe('settlement', () => {
  test('after a second: pending first, then available; the fee is kept at once', async () => {
    const before = await wallet()
    const waiting = await choose(await open({ channel: 'gcash-second' }), { type: 'gcash' })
    await press(waiting.next_action?.url, 'pay')
    const first = await until(waiting.id, ({ status }) => status === 'paid')
    expect(Date.parse(first.settles_at ?? '') - Date.parse(first.paid_at ?? '')).toBe(1000)
    expect(first.preview.arrives_at).toBe(first.settles_at)
    const during = await wallet()
    expect([during.pending - before.pending, during.available - before.available]).toEqual([97.5, 0])
    const done = await ends(waiting.id, 'completed')
    expect(Date.parse(done.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(first.settles_at ?? ''))
    const after = await wallet()
    expect([after.pending - before.pending, after.available - before.available]).toEqual([0, 97.5])
    expect(done.settles_at).toBeNull()
  })

  test('what is paid can no longer be cancelled, nor paid again', async () => {
    const payment = await paid(100, 'gcash-day')
    const { status, error } = await caller.ask('DELETE', `/contracts/payment/${payment.id}`)
    expect([status, error.code]).toEqual([409, 'contract_already_paid'])
    expect(error.message).toMatch(/refunded/)
    expect(await choose(payment, { type: 'gcash' })).toMatchObject({ status: 'paid', version: payment.version })
  })
})

describe('a refund', () => {
  test('of all that was paid goes back by the rail; the fee is the merchant’s', async () => {
    const payment = await paid(100)
    const before = await wallet()
    const begun = await refund(payment.id, { reason: 'sold out' })
    expect(begun).toMatchObject({ amount_refunded: 100, refunds: [{ from: 'payment', amount: 100 }] })
    const back = await until(payment.id, isBack)
    expect(back.status).toBe('completed')
    expect(told(back).slice(-2)).toEqual(['refund_started', 'payment_refunded'])
    const totals = { PHP: { payments: 1, paid_minor: '10000', refunded_minor: '10000' } }
    expect(await truth('gcash', back)).toMatchObject([{ totals }])
    expect((await wallet()).available).toBe(before.available - 100)
  })

  test('in parts, each once; more than is left is refused, with what is left', async () => {
    const payment = await paid(100)
    await refund(payment.id, { amount: 40 })
    await refund(payment.id, { amount: 35.5 })
    const { status, error } = await asked(payment.id, { amount: 24.51 })
    expect([status, error.code, error.param]).toEqual([409, 'refund_exceeds_payment', 'amount'])
    expect(error.message).toMatch(/Only .*24\.50 is left to refund/)
    await refund(payment.id)
    const back = await until(payment.id, isBack)
    expect(back.refunds.map(({ amount }) => amount)).toEqual([40, 35.5, 24.5])
    expect((await asked(payment.id, {})).error.message).toMatch(/Everything that was paid has been refunded/)
    expect(await truth('gcash', back)).toMatchObject([{ totals: { PHP: { refunded_minor: '10000' } } }])
  })

  test('asked for again under the same key is made once', async () => {
    const payment = await paid(100)
    const sent = { body: { amount: 10 }, headers: { 'idempotency-key': `refund ${payment.id}` } }
    const one = await caller.ask('POST', `/contracts/payment/${payment.id}/refunds`, sent)
    const two = await caller.ask('POST', `/contracts/payment/${payment.id}/refunds`, sent)
    expect(two.headers['idempotent-replayed']).toBe('true')
    expect((two.data['contract'] as PaymentBody).refunds.map(({ transfer_id: id }) => id)).toEqual(
      (one.data['contract'] as PaymentBody).refunds.map(({ transfer_id: id }) => id),
    )
    expect((await until(payment.id, isBack)).amount_refunded).toBe(10)
  })

  test('that the rail refuses (.22) puts the money back, and it can be refunded again', async () => {
    const payment = await paid(100)
    const before = await wallet()
    await refund(payment.id, { amount: 50.22 })
    const failed = await until(payment.id, ({ refunds }) => refunds[0]?.status === 'failed')
    expect(failed).toMatchObject({ status: 'completed', amount_refunded: 0, amount_in_suspense: 0 })
    expect(told(failed)).toContain('refund_failed')
    expect(await wallet()).toMatchObject({ available: before.available, held: before.held })
    await refund(payment.id)
    const back = await until(payment.id, ({ refunds }) => refunds[1]?.status === 'done')
    expect([back.amount_refunded, back.refunds.map(({ status }) => status)]).toEqual([100, ['failed', 'done']])
    expect(await truth('gcash', back)).toMatchObject([{ totals: { PHP: { refunded_minor: '10000' } } }])
  })

  test('that the rail works on for a while (.11) is open until it is done', async () => {
    const payment = await paid(100)
    const begun = await refund(payment.id, { amount: 20.11 })
    const transferId = begun.refunds[0]?.transfer_id ?? ''
    await looked(
      () => caller.get(transferId),
      ({ transfer }) => transfer.status === 'accepted',
    )
    expect((await stage.get(payment.id)).refunds).toMatchObject([{ status: 'open' }])
    await advance(3)
    await world.sql(`update jobs set due_at = now() where contract_id = $1 and due_at is not null`, [transferId])
    expect((await until(payment.id, isBack)).amount_refunded).toBe(20.11)
  })

  test('before the money has settled takes what is pending', async () => {
    const payment = await paid(100, 'gcash-day')
    const before = await wallet()
    await refund(payment.id, { amount: 30 })
    const back = await until(payment.id, isBack)
    expect(back).toMatchObject({ status: 'paid', amount_refunded: 30 })
    const after = await wallet()
    expect([after.pending - before.pending, after.available - before.available]).toEqual([-30, 0])
    // The fee was kept of what was paid, so that the rest takes 2.50 of what is available.
    await refund(payment.id)
    await until(payment.id, (each) => each.refunds.length === 2 && isBack(each))
    const end = await wallet()
    expect([end.pending - before.pending, end.available - before.available]).toEqual([-97.5, -2.5])
  })

  test('that was refused while it took what is pending puts it back there', async () => {
    const payment = await paid(100, 'gcash-day')
    const before = await wallet()
    await refund(payment.id, { amount: 30.22 })
    await until(payment.id, ({ refunds }) => refunds[0]?.status === 'failed')
    expect(await wallet()).toMatchObject({ pending: before.pending, available: before.available })
  })

  test('of a card goes back by its bank, and of a QR code to the account that paid', async () => {
    const card = await choose(await open(), { type: 'card', card: { token: 'tok_visa' } })
    await refund(card.id, { amount: 60 })
    expect(await truth('card', await until(card.id, isBack))).toMatchObject([
      { totals: { PHP: { refunded_minor: '6000' } } },
    ])
    const code = await choose(await open(), { type: 'qr' })
    const payer = { name: 'Ben Cruz', wallet: '000777666555', tag: 'BOPIPHMM' }
    await control(world.sandboxUrl, 'POST', '/qrph/pay', { code: code.next_action?.data, payer })
    await ends(code.id, 'completed')
    await refund(code.id)
    const back = await until(code.id, isBack)
    const transfer = await caller.get(back.refunds[0]?.transfer_id ?? '')
    expect(transfer).toMatchObject({ channel: { id: 'instapay' }, recipient: payer, amount: 100 })
    const books = await control(world.sandboxUrl, 'GET', `/instapay/books/${transfer.transfer.reference}`)
    expect(books).toMatchObject({ amount: '100.00', account: payer.wallet, executions: 1 })
  })

  test.each([
    ['of nothing', { amount: 0 }, 400, 'invalid_amount', 'amount'],
    ['of more decimals than pesos have', { amount: 1.001 }, 400, 'invalid_amount', 'amount'],
    ['of text', { amount: '10' }, 400, 'invalid_amount', 'amount'],
    ['to a channel without a recipient', { channel: 'instapay' }, 400, 'invalid_recipient', 'recipient'],
    ['to a recipient without a channel', { recipient: { name: 'Ana' } }, 400, 'invalid_channel', 'channel'],
    [
      'to a channel that there is not',
      { channel: 'carrier-pigeon', recipient: { name: 'Ana' } },
      409,
      'refund_route_missing',
      'recipient',
    ],
  ])('%s is refused', async (_what, body, status, code, param) => {
    const reply = await asked(stillPaid.id, body)
    expect([reply.status, reply.error.code, reply.error.param]).toEqual([status, code, param])
    expect(reply.error.message.length).toBeGreaterThan(20)
  })

  test('of what was never paid is refused', async () => {
    const { status, error } = await asked((await open()).id, {})
    expect([status, error.code]).toEqual([409, 'payment_not_paid'])
  })

  test('of another account’s contract is of a contract that there is not', async () => {
    const { status, error } = await world.other.ask('POST', `/contracts/payment/${stillPaid.id}/refunds`)
    expect([status, error.code]).toEqual([404, 'contract_not_found'])
  })
})
const stillPaid = await paid(100)

describe('where the account wants to decide itself', () => {
  test('money that does not fit is held until a person returns it', async () => {
    const set = (value: boolean) =>
      world.sql('update accounts set returns_at_once = $2 where account_id = $1', [caller.account.accountId, value])
    await set(false)
    try {
      const waiting = await choose(await open({ amount: 100.64 }), { type: 'gcash' })
      await press(waiting.next_action?.url, 'pay')
      const held = await until(waiting.id, ({ amount_in_suspense: amount }) => amount > 0)
      expect(held).toMatchObject({ status: 'issued', amount_in_suspense: 101.64, refunds: [] })
      const reply = await caller.ask('POST', `/contracts/payment/${waiting.id}/returns`)
      expect(reply.status, reply.text).toBe(200)
      const back = await until(waiting.id, isBack)
      expect(back).toMatchObject({ amount_in_suspense: 0, refunds: [{ from: 'suspense', amount: 101.64 }] })
      expect(await truth('gcash', back)).toMatchObject([{ totals: { PHP: { refunded_minor: '10164' } } }])
    } finally {
      await set(true)
    }
  })
})
