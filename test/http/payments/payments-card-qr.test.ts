// Payments by card and by QR code, and a second method while the first is open, as a payer and the provider play them.
import { randomUUID } from 'node:crypto'
import jsqr from 'jsqr'
import { parse } from 'promptparse'
import { afterAll, describe, expect, test } from 'vitest'
import { choosePayment, declineOf } from '../../../src/app/payments/payments.ts'
import { press } from '../../sandbox/payers.ts'
import { control } from '../../sandbox/rails.ts'
import { openPayStage, type PaymentBody } from './payments-stage.ts'

const stage = await openPayStage()
afterAll(() => stage.close())
const { world, open, choose, asPayer, until, ends, get, truth, advance } = stage

const balance = () => world.caller.balance('PHP')
const statuses = ({ attempts }: PaymentBody) => attempts.map(({ status }) => status)
const card = (token: string) => ({ type: 'card', card: { token } })
const hosted = { type: 'card', card: { hosted: true } }
const TYPED = { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }

/** A choice whose process died before the rail was called: what it knew beside the database is gone. */
async function chosenAndForgotten(payment: PaymentBody, details: Record<string, string>): Promise<void> {
  const { lane, accountId } = world.caller.account
  const method = { kind: 'card', details, secret: null } as const
  const command = { verb: 'choose', id: payment.id, method, actor: 'payer', leaseMs: 1 } as const
  const { deps } = world.gateway
  expect(await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })).toMatchObject({
    contract: { attempts: [{ status: 'starting' }] },
  })
}

describe('a request whose first process died is answered, when it comes again,', () => {
  const again = async (details: Record<string, string>) => {
    const payment = await open()
    const { lane, accountId } = world.caller.account
    const idempotency = { keyHash: randomUUID(), fingerprint: randomUUID() }
    const requester = { lane, accountId, keyId: null, idempotency }
    const method = { kind: 'card', details, secret: null } as const
    const command = { verb: 'choose', id: payment.id, method, actor: 'payer', leaseMs: 1 } as const
    const { deps } = world.gateway
    await deps.execute({ ...requester, command })
    await until(payment.id, ({ attempts }) => attempts[0]?.status !== 'starting')
    return choosePayment(deps, requester, payment.id, method, 'payer')
  }

  test('with the step that a worker got from the rail since', async () => {
    const answer = await again({ hosted: 'yes' })
    expect(answer).toMatchObject({ replayed: true, contract: { attempts: [{ nextAction: { type: 'redirect' } }] } })
  })

  test('with the refusal, where the worker’s call came to nothing', async () => {
    const answer = await again({ card: 'b5bb9d8014a0f9b1' })
    const contract = 'contract' in answer ? answer.contract : null
    expect(contract && declineOf(contract)).toMatchObject({ code: 'payment_declined' })
  })
})

describe('by a card that is typed at its provider', () => {
  test('the payer is sent to the provider’s page, and pays there', async () => {
    const before = await balance()
    const waiting = await choose(await open(), hosted)
    expect(waiting.next_action).toMatchObject({ type: 'redirect', url: expect.stringContaining('/payer/card/') })
    // The same choice again is the same attempt.
    expect((await choose(waiting, hosted)).next_action).toEqual(waiting.next_action)
    expect((await press(waiting.next_action?.url, 'pay', TYPED)).status).toBe(303)
    const over = await ends(waiting.id, 'completed')
    expect(statuses(over)).toEqual(['succeeded'])
    expect(await balance()).toBe(before + 81.5)
    expect(JSON.stringify(await get(waiting.id))).not.toMatch(/4242 ?4242|hosted/)
  })

  test.concurrent.each(['100.41', '100.43'])(
    'over %s, whose reply is lost, is opened and paid once',
    async (amount) => {
      const opened = await open({ amount: Number(amount) })
      await asPayer(opened, 'PUT', `/contracts/payment/${opened.id}/pay`, hosted)
      const waiting = await until(opened.id, ({ next_action: next }) => next !== null)
      await press(waiting.next_action?.url, 'pay', TYPED)
      const over = await until(opened.id, ({ amount_received: received }) => received > 0)
      expect([over.amount_received, statuses(over)]).toEqual([Number(amount), ['succeeded']])
    },
  )

  test('a process that dies before it asks the provider loses nothing; a token it had is lost, and asked for again', async () => {
    const [typed, tokenized] = [await open(), await open()]
    await chosenAndForgotten(typed, { hosted: 'yes' })
    await chosenAndForgotten(tokenized, { card: 'b5bb9d8014a0f9b1' })
    const waiting = await until(typed.id, ({ next_action: next }) => next !== null)
    expect(waiting.next_action?.url).toContain('/payer/card/')
    const failed = await until(tokenized.id, (each) => statuses(each)[0] === 'failed')
    expect(failed.attempts[0]?.failure?.code).toBe('card_token_needed')
    await press(waiting.next_action?.url, 'pay', TYPED)
    expect((await ends(typed.id, 'completed')).attempts).toHaveLength(1)
  })

  test('one of token and page is asked for, and only where there is a page', async () => {
    const opened = await open()
    const pay = (sent: object) =>
      asPayer(opened, 'PUT', `/contracts/payment/${opened.id}/pay`, { type: 'card', card: sent })
    const refusalOf = async (sent: object) => ((await pay(sent)).body['error'] as { code?: string } | undefined)?.code
    expect(await refusalOf({ hosted: true, token: 'tok_visa' })).toBe('invalid_card_hosted')
    expect(await refusalOf({ hosted: false })).toBe('missing_card_token')
    expect(await refusalOf({})).toBe('missing_card_token')
    expect(await refusalOf({ hosted: true, number: '4242424242424242' })).toBe('card_data_not_allowed')
    expect((await get(opened.id)).attempts).toEqual([])
  })
})

describe('by card', () => {
  // 3.5 % and 15.
  test('that its bank passes at once is paid with the answer', async () => {
    const before = await balance()
    const paid = await choose(await open(), card('tok_visa'))
    expect(paid).toMatchObject({ status: 'completed', next_action: null, amount_received: 100 })
    expect(paid.attempts[0]).toMatchObject({ status: 'succeeded', fee: 18.5 })
    expect(paid.attempts[0]?.details).toEqual({
      brand: 'visa',
      last4: '4242',
      expiry: expect.stringMatching(/^\d\d\/\d\d$/),
    })
    expect(await balance()).toBe(before + 81.5)
    expect(JSON.stringify(await get(paid.id))).not.toContain('tok_')
  })

  test.each([
    ['123', 'succeeded', 'completed', undefined],
    ['000', 'failed', 'issued', 'authentication_failed'],
  ])('whose bank wants to see the payer: the code %s, and it is %s', async (code, status, contract, why) => {
    const waiting = await choose(await open(), card('tok_3ds'))
    expect(waiting.next_action).toMatchObject({ type: 'redirect' })
    const page = await fetch(waiting.next_action?.url ?? '')
    expect(await page.text()).toContain('PHP 100.00')
    expect((await press(waiting.next_action?.url, 'pay', { code })).status).toBe(303)
    const over = await until(waiting.id, (each) => statuses(each)[0] === status)
    expect([over.status, over.attempts[0]?.failure?.code]).toEqual([contract, why])
  })

  test.each([
    ['tok_declined', 'card_declined'],
    ['tok_insufficient', 'insufficient_funds'],
    ['tok_nobodys', 'token_not_found'],
  ])('%s is answered with 402 and %s, and another card pays', async (token, code) => {
    const opened = await open()
    const path = `/contracts/payment/${opened.id}/pay`
    const { status, body } = await asPayer(opened, 'PUT', path, card(token))
    expect(status).toBe(402)
    expect(body['error']).toMatchObject({
      type: 'payment_error',
      code: 'payment_declined',
      param: 'payment',
      contract_id: opened.id,
    })
    expect((body['error'] as { message: string }).message).toMatch(new RegExp(`\\(${code}\\).*Try another method`))
    const failed = await get(opened.id)
    expect([failed.status, failed.attempts[0]?.failure?.code]).toEqual(['issued', code])
    const paid = await choose(failed, card('tok_visa'))
    expect([paid.status, statuses(paid)]).toEqual(['completed', ['failed', 'succeeded']])
  })

  test('declined with the contract itself: 402, and the same key repeats the answer', async () => {
    const body = { amount: 100, currency: 'PHP', payment: card('tok_declined'), deliverable: { reference_id: 'ORD-1' } }
    const sent = { body, headers: { 'idempotency-key': 'declined-1' } }
    const first = await world.caller.ask('POST', '/contracts/payment', sent)
    const again = await world.caller.ask('POST', '/contracts/payment', sent)
    expect([first.status, first.error.code]).toEqual([402, 'payment_declined'])
    expect([again.status, again.error.message]).toEqual([402, first.error.message])
    const { data } = await world.caller.ask('GET', '/contracts/payment?reference_id=ORD-1')
    const [made, ...others] = data['contracts'] as PaymentBody[]
    expect([others, made && statuses(made)]).toEqual([[], ['failed']])
    // The error names it, so that the caller goes on with it instead of making another.
    expect([first.error.contract_id, again.error.contract_id]).toEqual([made?.id, made?.id])
    const path = `/contracts/payment/${first.error.contract_id}/pay`
    const paid = await world.caller.ask('PUT', path, { body: card('tok_visa') })
    expect([paid.status, (paid.data['contract'] as PaymentBody).status]).toEqual([200, 'completed'])
  })

  test('in another currency than it settles in stays in its own', async () => {
    const before = await world.caller.balance('USD')
    const paid = await choose(await open({ amount: 20, currency: 'USD' }), card('tok_visa'))
    expect(paid.status).toBe('completed')
    expect(await world.caller.balance('USD')).toBe(before + 19)
  })
})

describe('by QR code', () => {
  const shown = async (amount = 100, fields = {}) => choose(await open({ amount, ...fields }), { type: 'qr' })
  const scan = (code: unknown, more = {}) => control(world.sandboxUrl, 'POST', '/qrph/pay', { code, ...more })

  test('another reader reads it, from the picture too, and the bank of a payer pays it', async () => {
    const before = await balance()
    const waiting = await shown(250.75)
    const { type, data = '', svg = '' } = waiting.next_action ?? {}
    expect(type).toBe('display_qr')
    expect(scanned(svg)).toBe(data)
    const code = parse(data, true, true)
    expect(code?.getTagValue('54')).toBe('250.75')
    expect(code?.getTagValue('53')).toBe('608')
    await scan(data)
    const done = await ends(waiting.id, 'completed')
    expect(done).toMatchObject({
      amount_received: 250.75,
      attempts: [{ type: 'qr', channel: 'qrph', status: 'succeeded' }],
    })
    // 1 %, rounded half up.
    expect(await balance()).toBeCloseTo(before + 250.75 - 2.51, 6)
  })

  test('scanned on the page of a bank', async () => {
    const waiting = await shown()
    const body = new URLSearchParams({ code: waiting.next_action?.data ?? '' })
    expect((await fetch(`${world.sandboxUrl}/payer/qrph`, { method: 'POST', body })).status).toBe(200)
    await ends(waiting.id, 'completed')
  })

  test('scanned twice, it is paid once, and the second payment goes back to the account that it came from', async () => {
    const before = await balance()
    const waiting = await shown()
    await scan(waiting.next_action?.data)
    await scan(waiting.next_action?.data, { payer: { wallet: '000999888777' } })
    const done = await until(waiting.id, (each) => each.refunds[0]?.status === 'done')
    expect(done).toMatchObject({ status: 'completed', amount_received: 200, amount_in_suspense: 0 })
    expect(done.refunds).toMatchObject([{ from: 'suspense', amount: 100, status: 'done' }])
    const back = await world.caller.get(done.refunds[0]?.transfer_id ?? '')
    expect(back).toMatchObject({
      status: 'completed',
      amount: 100,
      deliverable: { type: 'refund', reference_id: done.id },
    })
    expect(back.preview.fees.total).toBe(0)
    expect(await balance()).toBe(before + 99)
  })

  test('paid with another amount, it stays open, and the money goes back', async () => {
    const waiting = await shown()
    await scan(waiting.next_action?.data, { amount: '60.00' })
    const back = await until(waiting.id, (each) => each.refunds[0]?.status === 'done')
    expect(back).toMatchObject({ status: 'issued', amount_received: 60, amount_in_suspense: 0 })
    const again = await choose(back, { type: 'qr', qr: { scheme: 'qrph' } })
    await scan(again.next_action?.data)
    expect((await ends(waiting.id, 'completed')).amount_received).toBe(160)
  })

  test('paid after the contract was cancelled, it goes back and nothing comes to life', async () => {
    const waiting = await shown()
    await world.caller.ask('DELETE', `/contracts/payment/${waiting.id}`)
    await ends(waiting.id, 'cancelled')
    await scan(waiting.next_action?.data)
    const back = await until(waiting.id, (each) => each.refunds[0]?.status === 'done')
    expect(back).toMatchObject({ status: 'cancelled', amount_received: 100, amount_in_suspense: 0 })
  })

  test('paid after the contract has expired, it goes back', async () => {
    const waiting = await shown(100, { expires_in: 1 })
    await ends(waiting.id, 'expired')
    await scan(waiting.next_action?.data)
    const back = await until(waiting.id, (each) => each.refunds[0]?.status === 'done')
    expect(back).toMatchObject({ status: 'expired', amount_received: 100, amount_in_suspense: 0 })
  })
})

describe('with another method while the first is open', () => {
  test('the first is closed at its rail, and the second pays', async () => {
    const first = await choose(await open(), { type: 'gcash' })
    const second = await choose(first, { type: 'maya' })
    expect(second.next_action?.url).toContain('/payer/maya/')
    const closed = await until(first.id, (each) => statuses(each)[0] === 'cancelled')
    expect(statuses(closed)).toEqual(['cancelled', 'pending'])
    expect(await truth('gcash', { ...closed, attempts: closed.attempts.slice(0, 1) })).toMatchObject([
      { status: 'voided' },
    ])
    expect(await (await fetch(first.next_action?.url ?? '')).text()).toContain('was withdrawn by the merchant')
    await press(second.next_action?.url, 'pay')
    const done = await ends(first.id, 'completed')
    // The preview is that of the method that paid.
    expect(done.preview.fees.total).toBe(2)
    expect(done.channel?.id).toBe('maya')
  })

  test('paid on both, one counts and the other goes back', async () => {
    const before = await balance()
    const first = await choose(await open({ amount: 100.65 }), { type: 'gcash' })
    const second = await choose(first, card('tok_3ds'))
    await until(first.id, (each) => statuses(each)[0] === 'cancelled')
    await press(second.next_action?.url, 'pay', { code: '123' })
    await ends(first.id, 'completed')
    await advance(2)
    const done = await until(first.id, (each) => each.refunds[0]?.status === 'done')
    expect(done).toMatchObject({ status: 'completed', amount_received: 201.3, amount_in_suspense: 0 })
    expect(done.refunds).toMatchObject([{ from: 'suspense', amount: 100.65 }])
    const [gcash] = await truth('gcash', { ...done, attempts: done.attempts.slice(0, 1) })
    expect(gcash).toMatchObject({ totals: { PHP: { paid_minor: '10065', refunded_minor: '10065' } } })
    expect((await balance()) - before).toBeCloseTo(100.65 - 18.52, 6)
  })

  test('a code and a wallet: the code paid last counts as an excess', async () => {
    const first = await choose(await open(), { type: 'qr' })
    const second = await choose(first, { type: 'gcash' })
    await press(second.next_action?.url, 'pay')
    await ends(first.id, 'completed')
    await control(world.sandboxUrl, 'POST', '/qrph/pay', { code: first.next_action?.data })
    const done = await until(first.id, (each) => each.refunds[0]?.status === 'done')
    expect(done).toMatchObject({ status: 'completed', amount_received: 200, amount_in_suspense: 0 })
  })

  test('two methods chosen at the same moment: one is open at the end, and paying it pays the contract', async () => {
    const opened = await open()
    await Promise.all(['gcash', 'maya'].map((type) => choose(opened, { type })))
    const one = await until(opened.id, (each) => statuses(each).join() === 'cancelled,pending')
    await press(one.next_action?.url, 'pay')
    expect((await ends(opened.id, 'completed')).amount_received).toBe(100)
  })

  test('chosen while the contract is cancelled: it ends cancelled, and nobody can pay at the rail', async () => {
    for (let round = 0; round < 4; round++) {
      const opened = await open()
      const path = `/contracts/payment/${opened.id}`
      await Promise.all([asPayer(opened, 'PUT', `${path}/pay`, { type: 'gcash' }), world.caller.ask('DELETE', path)])
      const over = await ends(opened.id, 'cancelled')
      expect(statuses(over).every((status) => status === 'cancelled')).toBe(true)
      for (const books of await truth('gcash', over)) expect(books).toMatchObject({ status: 'voided' })
    }
  })

  test('the same method again is the same attempt, and while one is in process another is refused', async () => {
    const first = await choose(await open({ amount: 100.11 }), { type: 'gcash' })
    const again = await choose(first, { type: 'gcash' })
    expect([again.version, again.attempts, again.next_action]).toEqual([
      first.version,
      first.attempts,
      first.next_action,
    ])
    await press(first.next_action?.url, 'pay')
    await until(first.id, (each) => statuses(each)[0] === 'processing')
    const { status, body } = await asPayer(first, 'PUT', `/contracts/payment/${first.id}/pay`, { type: 'maya' })
    expect([status, (body['error'] as { code: string }).code]).toEqual([409, 'payment_processing'])
    await advance(3)
    await ends(first.id, 'completed')
  })
})

/** What a camera sees of the picture: its strokes alone, three pixels a module, read by a program of somebody else. */
function scanned(svg: string): string | undefined {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const width = side * 3
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  let [x, y] = [0, 0]
  for (const [step] of (/<path d="([^"]*)"/.exec(svg)?.[1] ?? '').matchAll(/[Mmh][\d. ]+/g)) {
    const [first = 0, second = 0] = step.slice(1).split(' ').map(Number)
    if (step.startsWith('M')) [x, y] = [first, Math.floor(second)]
    else x += first
    if (!step.startsWith('h')) continue
    for (let row = 3 * y; row < 3 * y + 3; row++)
      for (let column = 3 * (x - first); column < 3 * x; column++)
        pixels.set([0, 0, 0, 255], (row * width + column) * 4)
  }
  return jsqr.default(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data
}
