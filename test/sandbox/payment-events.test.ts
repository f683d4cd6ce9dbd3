// What the sandbox provider tells about money that comes in: signed, to the receiver that it is for, until it is confirmed,
// also after a crash.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { compileProvider, newFolder, spawnProvider } from '../connectors/provider.ts'
import { advance, call, control, gcash, type Json, openProvider } from './rails.ts'
import { cardIntent, codeFor, gcashPayment, openCard, openGcash, openReceiver, press, type Told } from './payers.ts'

const { webhooks } = new Stripe('sk_test_x')

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string
let receiver: Awaited<ReturnType<typeof openReceiver>>

beforeAll(async () => {
  provider = await openProvider()
  url = provider.url
})
afterAll(() => provider.close())
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  for (const { id } of (await control(url, 'GET', '/payment-receivers'))['receivers'] as { id: string }[])
    await control(url, 'DELETE', `/payment-receivers/${id}`)
  await receiver.close()
})

let count = 0
/** A payment over GCash that its payer answers. */
async function answered(value: string, action = 'pay'): Promise<{ reference: string; paymentId: unknown }> {
  const reference = `n-${(count += 1)}`
  const { body } = await openGcash(url, gcashPayment(reference, value))
  await press(body['checkoutUrl'], action)
  return { reference, paymentId: body['paymentId'] }
}

const quiet = () => new Promise((resolve) => setTimeout(resolve, 150))
/** As another library reads it; throws where the signature does not hold. */
const verified = (told: Told | undefined, secret = 'whsec') =>
  webhooks.constructEvent(told?.text ?? '', String(told?.headers['service-signature']), secret)
const objectOf = (told: Told | undefined) => told?.body.data.object

test('a success is told in the words of the receiver, with its key, under a signature that holds', async () => {
  await receiver.register(url)
  const { reference, paymentId } = await answered('10050')
  await expect.poll(() => receiver.told.length).toBe(1)
  const [told] = receiver.told
  expect(told?.headers['x-api-key']).toBe('gck_1')
  expect(told?.body).toEqual({
    id: `evt_${String(paymentId)}_1`,
    type: 'payment_intent.succeeded',
    created_at: expect.any(Number),
    data: {
      object: {
        id: paymentId,
        contract_id: 'c-1',
        amount: 100.5,
        currency: 'PHP',
        status: 'succeeded',
        channel: 'gcash',
        reference,
      },
    },
  })
  expect(Number.isInteger(told?.body['created_at'])).toBe(true)
  expect(verified(told)).toMatchObject({ type: 'payment_intent.succeeded' })
  expect(() => verified(told, 'guessed')).toThrow('No signatures found')
})

test.each([
  ['10011', 'pay', ['processing', 'succeeded'], null],
  ['10012', 'pay', ['processing', 'failed'], 'PAYMENT_FAILED'],
  ['10021', 'pay', ['failed'], 'PAYMENT_DECLINED'],
  ['10000', 'decline', ['failed'], 'PAYER_DECLINED'],
  ['10061', 'pay', ['succeeded', 'succeeded', 'succeeded'], null],
  ['10062', 'pay', ['succeeded', 'failed'], 'PAYMENT_DECLINED'],
])('%s, %s: %o', async (value, action, types, code) => {
  await receiver.register(url)
  const { reference, paymentId } = await answered(value, action)
  await expect.poll(() => receiver.told.length).toBeGreaterThan(0)
  await advance(url, 4)
  const wanted = types.map((type) => `payment_intent.${type}`)
  await expect.poll(() => receiver.typesOf(reference), { timeout: 30_000 }).toEqual(wanted)
  await quiet()
  expect(receiver.typesOf(reference)).toEqual(wanted)
  // One payment, one id; one event, one id, and the same bytes.
  expect(new Set(receiver.told.map((told) => objectOf(told)?.['id']))).toEqual(new Set([paymentId]))
  expect(new Set(receiver.told.map(({ body }) => body['id'])).size).toBe(new Set(types).size)
  expect(new Set(receiver.told.map(({ text }) => text)).size).toBe(new Set(types).size)
  const failure = receiver.told.map(objectOf).find((object) => object?.['status'] === 'failed')?.['failure']
  expect((failure as Json | undefined)?.['code'] ?? null).toBe(code)
  expect(receiver.told.map((told) => verified(told).type)).toEqual(wanted)
})

test('less, more, and money after the end are told as what came in', async () => {
  await receiver.register(url)
  await answered('10063')
  await answered('10064')
  const late = `n-${(count += 1)}`
  await openGcash(url, gcashPayment(late, '10065'))
  await gcash(url, 'POST', `/gcash/v1/payments/${late}/cancel`, {})
  await quiet()
  expect(receiver.typesOf(late)).toEqual([])
  await advance(url, 3)
  await expect
    .poll(() => receiver.told.map((told) => objectOf(told)?.['amount']).sort())
    .toEqual([100.65, 101.64, 99.63])
  expect(receiver.typesOf(late)).toEqual(['payment_intent.succeeded'])
})

test('who expired is told as a failure', async () => {
  await receiver.register(url)
  const expiresAt = new Date(Date.now() + 30_000).toISOString()
  await openGcash(url, gcashPayment('n-expired', '10000', { expiresAt }))
  await advance(url, 31)
  await expect.poll(() => receiver.typesOf('n-expired')).toEqual(['payment_intent.failed'])
  expect(objectOf(receiver.told[0])?.['failure']).toMatchObject({ code: 'EXPIRED' })
})

test('what is not confirmed is told again, the same, and one payment in order', async () => {
  await receiver.register(url)
  receiver.answers.push(500, 302)
  const { reference } = await answered('10062')
  const types = ['succeeded', 'succeeded', 'succeeded', 'failed'].map((type) => `payment_intent.${type}`)
  await expect.poll(() => receiver.typesOf(reference), { timeout: 30_000 }).toEqual(types)
  expect(new Set(receiver.told.slice(0, 3).map(({ text }) => text)).size).toBe(1)
})

test('an account has receivers of its own; the others hear of the rest; a key can be changed', async () => {
  const [own, other] = [await openReceiver(), await openReceiver()]
  await own.register(url, { account_id: 'acc-1' })
  await other.register(url, { account_id: 'acc-2' })
  const { id } = await receiver.register(url)
  expect((await receiver.register(url, { api_key: 'gck_2', secret: 'newer' }))['id']).toBe(id)
  const shown = JSON.stringify(await control(url, 'GET', '/payment-receivers'))
  for (const secret of ['gck_', 'whsec', 'newer']) expect(shown).not.toContain(secret)

  await answered('10000')
  await call(url, 'POST', '/qrph/pay', { body: JSON.stringify({ code: codeFor('n-code', '80.00') }) })
  await expect.poll(() => [own.told.length, receiver.told.length]).toEqual([1, 1])
  await quiet()
  expect([own.told.length, other.told.length, receiver.told.length]).toEqual([1, 0, 1])
  const [told] = receiver.told
  expect(told?.headers['x-api-key']).toBe('gck_2')
  expect(verified(told, 'newer')).toMatchObject({ type: 'payment_intent.succeeded' })
  expect(objectOf(told)).toEqual({
    id: expect.stringMatching(/^qrp_/),
    amount: 80,
    currency: 'PHP',
    status: 'succeeded',
    channel: 'qrph',
    reference: 'n-code',
    payer: { channel: 'instapay', recipient: { name: 'Juan Dela Cruz', wallet: '001234567890', tag: 'BOPIPHMM' } },
  })
  for (const each of [own, other]) await each.close()
})

test('a card that is charged at once is told, too', async () => {
  await receiver.register(url)
  await openCard(url, cardIntent('n-card', 'tok_visa'))
  await openCard(url, cardIntent('n-declined', 'tok_declined'))
  await expect.poll(() => receiver.told.length).toBe(2)
  expect(receiver.typesOf('n-card')).toEqual(['payment_intent.succeeded'])
  expect(receiver.typesOf('n-declined')).toEqual(['payment_intent.failed'])
})

test.each<[string, Json]>([
  ['no address', { url: null }],
  ['an address of another kind', { url: 'file:///etc/passwd' }],
  ['no key', { api_key: '' }],
  ['a key that is no header', { api_key: 'a\nb' }],
  ['no secret', { secret: null }],
])('a receiver with %s is refused', async (_, change) => {
  await expect(receiver.register(url, change)).rejects.toThrow('is 400')
  expect(await control(url, 'GET', '/payment-receivers')).toEqual({ receivers: [] })
})

test('after kill -9 payments, refunds, tokens and what was not confirmed are there as they were', async () => {
  const [program, folder] = [compileProvider(), newFolder()]
  const first = await spawnProvider(program, folder)
  await receiver.register(first.url)
  receiver.answers.push(...Array.from({ length: 100 }, () => 500))
  const { body } = await openGcash(first.url, gcashPayment('r-1'))
  await press(body['checkoutUrl'], 'pay')
  const amount = { currency: 'PHP', value: '4000' }
  const refund = { requestId: 'r-back', paymentId: body['paymentId'], amount }
  const refunded = await gcash(first.url, 'POST', '/gcash/v1/refunds', refund)
  const card = { number: '4000000000003220', exp_month: 1, exp_year: 2030, cvc: '123' }
  const token = await control(first.url, 'POST', '/card/v1/tokens', card)
  await openGcash(first.url, gcashPayment('r-late', '10011')).then((late) => press(late.body['checkoutUrl'], 'pay'))
  const before = await control(first.url, 'GET', '/gcash/collections')
  await expect.poll(() => receiver.told.length).toBeGreaterThan(1)
  await first.end('SIGKILL')

  receiver.answers.length = 0
  const heard = receiver.told.length
  const second = await spawnProvider(program, folder)
  expect(await control(second.url, 'GET', '/gcash/collections')).toEqual(before)
  expect(await gcash(second.url, 'POST', '/gcash/v1/refunds', refund)).toEqual(refunded)
  expect((await openGcash(second.url, gcashPayment('r-1'))).body).toMatchObject({ paymentId: body['paymentId'] })
  expect((await openCard(second.url, cardIntent('r-card', String(token['id'])))).body).toMatchObject({
    status: 'requires_action',
    card: { last4: '3220' },
  })
  await advance(second.url, 4)
  await expect.poll(() => receiver.told.length, { timeout: 30_000 }).toBe(heard + 3)
  const again = receiver.told.slice(heard).filter((told) => objectOf(told)?.['reference'] === 'r-1')
  expect(again.map(({ text }) => text)).toEqual([
    receiver.told.find((told) => objectOf(told)?.['reference'] === 'r-1')?.text,
  ])
  expect(receiver.typesOf('r-late').at(-1)).toBe('payment_intent.succeeded')
  await second.end('SIGTERM')
  for (const each of [dirname(program), folder]) rmSync(each, { recursive: true })
})
