// Payments over the rails that a payer leaves for: chosen over HTTP, agreed to on the provider's pages, told by its signed
// events, and in the books to the centavo.
import { afterAll, describe, expect, test } from 'vitest'
import { press } from '../../sandbox/payers.ts'
import { openPayStage, type PaymentBody, told } from './payments-stage.ts'

const stage = await openPayStage()
afterAll(() => stage.close())
const { world, open, choose, until, ends, truth, advance } = stage

const balance = () => world.caller.balance('PHP')
const statuses = ({ attempts }: PaymentBody) => attempts.map(({ status }) => status)

/** The payer opens the page of the rail and presses a button; where the page sends the browser. */
async function act({ next_action: action }: PaymentBody, button: string, more: Record<string, string> = {}) {
  expect(action?.type).toBe('redirect')
  const reply = await press(action?.url, button, more)
  return { status: reply.status, location: reply.headers.get('location') ?? '' }
}

describe.each([
  { kind: 'gcash', fee: 2.5 },
  { kind: 'maya', fee: 2 },
])('by $kind', ({ kind, fee }) => {
  test('is agreed to on the page of the wallet, told by an event, and completed to the centavo', async () => {
    const before = await balance()
    const opened = await open()
    expect(opened).toMatchObject({ status: 'issued', next_action: null, attempts: [], amount_received: 0 })
    const waiting = await choose(opened, { type: kind, [kind]: { mobile: '0917 123 4567' } })
    expect(waiting.attempts).toMatchObject([
      {
        number: 1,
        type: kind,
        channel: kind,
        status: 'pending',
        amount: 100,
        fee,
        details: { mobile: '+639171234567' },
      },
    ])
    expect(await act(waiting, 'pay')).toEqual({
      status: 303,
      location: `${waiting.checkout_url}/return?attempt=1&result=success`,
    })
    const done = await ends(waiting.id, 'completed')
    expect(done).toMatchObject({ amount_received: 100, amount_in_suspense: 0, refunds: [] })
    expect(told(done)).toEqual(['created', 'issued', 'attempt_started', 'attempt_opened', 'paid', 'completed'])
    expect(await balance()).toBe(before + 100 - fee)
  })

  test('with the addresses of the shop, sends the payer back there', async () => {
    const urls = { success_url: 'https://shop.example/ok', cancel_url: 'https://shop.example/back' }
    const home = { return_url: 'https://shop.example/' }
    const one = await choose(await open(home), { type: kind, [kind]: urls })
    expect((await act(one, 'pay')).location).toBe('https://shop.example/ok')
    const two = await choose(await open(home), { type: kind, [kind]: urls })
    expect((await act(two, 'cancel')).location).toBe('https://shop.example/back')
    const { attempts } = await until(two.id, (each) => statuses(each)[0] === 'failed')
    expect(attempts[0]?.failure?.code).toMatch(/payer_cancelled/i)
  })

  test.each([
    ['decline', /payer_declined/i],
    ['cancel', /payer_cancelled/i],
  ])('that the payer ends with "%s" leaves the contract open for another attempt', async (button, code) => {
    const first = await choose(await open(), { type: kind })
    await act(first, button)
    const failed = await until(first.id, (each) => statuses(each)[0] === 'failed')
    expect(failed).toMatchObject({ status: 'issued', next_action: null })
    expect(failed.attempts[0]?.failure?.code).toMatch(code)
    await act(await choose(failed, { type: kind }), 'pay')
    expect(statuses(await ends(first.id, 'completed'))).toEqual(['failed', 'succeeded'])
  })
})

/** The amount says what the rail does once its payer has agreed (docs/sandbox.md). */
describe.each([
  { kind: 'gcash', method: { type: 'gcash' }, code: {} },
  { kind: 'maya', method: { type: 'maya' }, code: {} },
  { kind: 'card', method: { type: 'card', card: { token: 'tok_3ds' } }, code: { code: '123' } },
])('by $kind, a payment', ({ kind, method, code }) => {
  const chosen = async (amount: number) => choose(await open({ amount }), method)
  const agree = (waiting: PaymentBody) => act(waiting, 'pay', code)

  test('in process for a while (.11): processing, then completed', async () => {
    const waiting = await chosen(100.11)
    await agree(waiting)
    const working = await until(waiting.id, (each) => statuses(each)[0] === 'processing')
    expect(working).toMatchObject({ status: 'issued', amount_received: 0 })
    await advance(3)
    expect((await ends(waiting.id, 'completed')).amount_received).toBe(100.11)
  })

  test('in process and then failed (.12): the contract stays open', async () => {
    const waiting = await chosen(100.12)
    await agree(waiting)
    await until(waiting.id, (each) => statuses(each)[0] === 'processing')
    await advance(3)
    const failed = await until(waiting.id, (each) => statuses(each)[0] === 'failed')
    expect(failed).toMatchObject({ status: 'issued', amount_received: 0 })
  })

  test('declined by the rail (.21): says why, and nothing moved', async () => {
    const before = await balance()
    const waiting = await chosen(100.21)
    await agree(waiting)
    const { attempts, status } = await until(waiting.id, (each) => statuses(each)[0] === 'failed')
    expect([status, attempts[0]?.failure?.code]).toEqual(['issued', expect.stringMatching(/payment_declined/i)])
    expect(await balance()).toBe(before)
  })

  test('told three times (.61) is booked once', async () => {
    const before = await balance()
    const waiting = await chosen(100.61)
    await agree(waiting)
    const done = await ends(waiting.id, 'completed')
    const [{ fee: charged } = { fee: 0 }] = done.attempts
    const [{ payments } = { payments: [] }] = (await truth(kind, done)) as { payments: unknown[] }[]
    expect(payments).toHaveLength(1)
    expect((await balance()) - before).toBeCloseTo(100.61 - charged, 6)
    expect(told(done).filter((type) => type === 'paid')).toHaveLength(1)
  })

  test('whose failure is told after its success (.62) stays paid, and the history says that it was contradicted', async () => {
    const waiting = await chosen(100.62)
    await agree(waiting)
    const done = await until(waiting.id, (each) => told(each).includes('outcome_disputed'))
    expect(done).toMatchObject({ status: 'completed', amount_received: 100.62 })
    expect(statuses(done)).toEqual(['succeeded'])
  })

  test.each([
    ['less (.63)', 100.63, 99.63],
    ['more (.64)', 100.64, 101.64],
  ])(
    'of 1.00 %s is never taken for the amount: it goes back, and the contract stays open',
    async (_what, amount, came) => {
      const before = await balance()
      const waiting = await chosen(amount)
      await agree(waiting)
      const back = await until(waiting.id, (each) => each.refunds[0]?.status === 'done')
      expect(back).toMatchObject({ status: 'issued', amount_received: came, amount_in_suspense: 0, amount_refunded: 0 })
      expect(back.refunds).toMatchObject([{ from: 'suspense', amount: came, currency: 'PHP' }])
      expect(statuses(back)).toEqual(['failed'])
      const minor = (100 * came).toFixed()
      expect(told(back)).toEqual(expect.arrayContaining(['payment_suspended', 'return_started', 'payment_returned']))
      expect(await truth(kind, back)).toMatchObject([{ totals: { PHP: { paid_minor: minor, refunded_minor: minor } } }])
      expect(await balance()).toBe(before)
    },
  )

  test('voided by the cancellation and paid all the same (.65): cancelled for good, and the money goes back', async () => {
    const waiting = await chosen(100.65)
    const reply = await world.caller.ask('DELETE', `/contracts/transfer/${waiting.id}`, {
      body: { reason: 'sold out' },
    })
    expect(reply.body['status']).toBe('200')
    expect(reply.data['cancellation']).toMatchObject({ status: 'done', reason: 'sold out' })
    await ends(waiting.id, 'cancelled')
    await advance(2)
    const back = await until(waiting.id, (each) => each.refunds[0]?.status === 'done')
    expect(back).toMatchObject({ status: 'cancelled', amount_received: 100.65, amount_in_suspense: 0 })
    expect(await truth(kind, back)).toMatchObject([
      { totals: { PHP: { paid_minor: '10065', refunded_minor: '10065' } } },
    ])
  })
})
