// The sandbox provider collects money: what each rail takes, refuses and remembers, as its customers call it.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLLECT_SCENARIOS } from '../../sandbox/collections/collect-scenarios.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { newFolder } from '../connectors/provider.ts'
import { call, control, gcash, type Json, maya, parsed, script } from './rails.ts'
import {
  card,
  cardIntent,
  codeFor,
  gcashPayment,
  mayaCheckout,
  openCard,
  openGcash,
  openMaya,
  press,
} from './payers.ts'

let sandbox: Awaited<ReturnType<typeof startSandbox>>
let url: string
const folder = newFolder()

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, dataDir: folder })
  url = sandbox.url
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

const resultOf = ({ body }: { body: Json }) => body['result'] as Json
const truth = (rail: string, reference: string) => control(url, 'GET', `/${rail}/collections/${reference}`)

describe('gcash', () => {
  test('a payment waits for its payer, is found again, and is the same when it is asked for again', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const asked = gcashPayment('g-1', '10050', { expiresAt })
    const first = await openGcash(url, asked)
    expect(first).toMatchObject({
      status: 200,
      body: {
        result: { status: 'U', code: 'WAITING_FOR_PAYER' },
        requestId: 'g-1',
        paymentId: expect.stringMatching(/^gcp_[0-9a-f]{24}$/),
        amount: { currency: 'PHP', value: '10050' },
        paidAmount: null,
        checkoutUrl: `${url}/payer/gcash/${String(first.body['paymentId'])}`,
        expiresAt,
      },
    })
    expect(await openGcash(url, asked)).toEqual(first)
    expect(await gcash(url, 'GET', '/gcash/v1/payments/g-1')).toEqual(first)
    await press(first.body['checkoutUrl'], 'pay')
    const { body } = await gcash(url, 'GET', '/gcash/v1/payments/g-1')
    expect(body).toMatchObject({ result: { status: 'S', code: 'SUCCESS' }, paidAmount: { value: '10050' } })
    expect(await truth('gcash', 'g-1')).toMatchObject({
      attempts: 1,
      status: 'succeeded',
      account_id: 'acc-1',
      contract_id: 'c-1',
      payments: [{ id: first.body['paymentId'], amount: '100.50' }],
      totals: { PHP: { payments: 1, paid_minor: '10050', refunded_minor: '0' } },
    })
  })

  test.each<[string, Json]>([
    ['amount', { amount: { currency: 'PHP', value: '10001' } }],
    ['description', { order: { description: 'Beans' } }],
    ['end', { expiresAt: '2099-01-01T00:00:00Z' }],
    ['contract', { metadata: { contract_id: 'c-2', account_id: 'acc-1' } }],
  ])('another %s under a known requestId is inconsistent', async (name, change) => {
    await openGcash(url, gcashPayment(`other-${name}`))
    const said = await openGcash(url, gcashPayment(`other-${name}`, '10000', change))
    expect(resultOf(said)['code']).toBe('REPEAT_REQ_INCONSISTENT')
    expect(await truth('gcash', `other-${name}`)).toMatchObject({ attempts: 1, amount: '100.00' })
  })

  test.each<[string, Json]>([
    ['no amount', { amount: null }],
    ['an amount in major units', { amount: { currency: 'PHP', value: '1.00' } }],
    ['an amount that is a number', { amount: { currency: 'PHP', value: 100 } }],
    ['no page to go back to', { redirectUrls: { success: 'https://shop.example' } }],
    ['a script to go back to', { redirectUrls: { success: 'javascript:1', failure: 'x:', cancel: 'x:' } }],
    ['a time that is none', { expiresAt: 'tomorrow' }],
    ['a long requestId', { requestId: 'x'.repeat(36) }],
  ])('%s is refused', async (_, change) => {
    const said = await openGcash(url, gcashPayment('malformed', '10000', change))
    expect([said.status, resultOf(said)['code']]).toEqual([400, 'PARAM_ILLEGAL'])
    expect((await gcash(url, 'GET', '/gcash/v1/payments/malformed')).status).toBe(404)
  })

  test('only pesos, and only with the signature', async () => {
    const dollars = await openGcash(url, gcashPayment('dollars', '10000', { amount: { currency: 'USD', value: '1' } }))
    expect(resultOf(dollars)).toMatchObject({ status: 'F', code: 'CURRENCY_NOT_SUPPORTED' })
    for (const path of ['/gcash/v1/payments', '/gcash/v1/refunds'])
      expect((await gcash(url, 'POST', path, gcashPayment('unsigned'), 'guessed')).status).toBe(401)
  })

  test('cancelled, it cannot be paid; paid, it cannot be cancelled', async () => {
    const [gone, paid] = await Promise.all(['g-gone', 'g-paid'].map((id) => openGcash(url, gcashPayment(id))))
    const cancel = async (id: string) =>
      resultOf(await gcash(url, 'POST', `/gcash/v1/payments/${id}/cancel`, {}))['code']
    expect(await cancel('g-gone')).toBe('ORDER_IS_CANCELLED')
    await press(gone?.body['checkoutUrl'], 'pay')
    expect(await truth('gcash', 'g-gone')).toMatchObject({ status: 'voided', payments: [] })
    await press(paid?.body['checkoutUrl'], 'pay')
    expect(await cancel('g-paid')).toBe('SUCCESS')
    expect(await cancel('nobody')).toBe('ORDER_NOT_EXIST')
  })
})

test('maya: a checkout by numbers to the last digit, and its refunds', async () => {
  const first = await openMaya(url, mayaCheckout('m-1', '100.10'))
  expect(first.body).toMatchObject({ status: 'CREATED', requestReferenceNumber: 'm-1', paymentId: null })
  expect((await openMaya(url, mayaCheckout('m-1', '100.1'))).body).toEqual(first.body)
  expect((await openMaya(url, mayaCheckout('m-1', '100.11'))).status).toBe(409)
  await press(first.body['redirectUrl'], 'pay')
  const listed = await maya(url, 'GET', '/maya/checkouts?requestReferenceNumber=m-1')
  expect(listed.text).toContain('"totalAmount":{"value":100.10,"currency":"PHP"},"paidAmount":{"value":100.10,')
  const [paid] = parsed(listed).body['data'] as Json[]
  const refund = async (reference: string, value: string) =>
    parsed(
      await maya(
        url,
        'POST',
        `/maya/payments/${String(paid?.['paymentId'])}/refunds`,
        `{"requestReferenceNumber":"${reference}","totalAmount":{"value":${value},"currency":"PHP"}}`,
      ),
    )
  expect((await refund('r-1', '100.00')).body).toMatchObject({ status: 'COMPLETED', paymentId: paid?.['paymentId'] })
  expect((await refund('r-1', '100.00')).body).toMatchObject({ status: 'COMPLETED' })
  expect((await refund('r-1', '0.05')).status).toBe(409)
  expect((await refund('r-2', '0.25')).body).toMatchObject({ error: { code: 'REFUND_EXCEEDS_PAYMENT' } })
  expect(await truth('maya', 'm-1')).toMatchObject({
    refunds: [{ reference: 'r-1' }, { reference: 'r-2', status: 'failed' }],
    totals: { PHP: { paid_minor: '10010', refunded_minor: '10000' } },
  })
  const { text } = await maya(url, 'GET', '/maya/refunds?requestReferenceNumber=nobody')
  expect(text).toBe('{"data":[]}')
  expect((await maya(url, 'GET', '/maya/checkouts', undefined, { authorization: 'Basic x' })).status).toBe(401)
})

describe('card', () => {
  const token = (number: string, change: Json = {}) =>
    call(url, 'POST', '/card/v1/tokens', {
      headers: { origin: 'https://pay.example' },
      body: JSON.stringify({ number, exp_month: 9, exp_year: 2032, cvc: '987', ...change }),
    })

  test.each([
    ['4242424242424242', 'visa', 'succeeded'],
    ['5555 5555 5555 4444', 'mastercard', 'succeeded'],
    ['4000000000003220', 'visa', 'requires_action'],
    ['4000000000000002', 'visa', 'requires_payment_method'],
    ['4000000000009995', 'visa', 'requires_payment_method'],
  ])('%s is a %s card: %s', async (number, brand, status) => {
    const { body } = parsed(await token(number))
    expect(body).toEqual({ id: expect.any(String), brand, last4: number.slice(-4), exp_month: 9, exp_year: 2032 })
    const intent = await openCard(url, cardIntent(`c-${number.slice(-4)}`, String(body['id'])))
    expect(intent.body).toMatchObject({ status, card: { last4: number.slice(-4) } })
  })

  test('a number is nowhere in the books, and its page may be of any origin', async () => {
    const said = await call(url, 'OPTIONS', '/card/v1/tokens')
    expect(said.status).toBe(204)
    const response = await fetch(`${url}/card/v1/tokens`, { method: 'OPTIONS' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    await token('4111111111111111')
    await control(url, 'GET', '/clock')
    const journal = readFileSync(join(folder, 'sandbox.jsonl'), 'utf8')
    expect(journal).toContain('"last4":"1111"')
    for (const secret of ['4111111111111111', '4242424242424242', '987"']) expect(journal).not.toContain(secret)
  })

  test.each<[string, string, Json]>([
    ['a number that no card has', '4242424242424241', {}],
    ['letters', 'abcd', {}],
    ['no cvc', '4242424242424242', { cvc: null }],
    ['a month that is none', '4242424242424242', { exp_month: 13 }],
  ])('%s is refused', async (_, number, change) => {
    expect((await token(number, change)).status).toBe(400)
  })

  test('an intent is found by id and reference, and belongs to its key', async () => {
    const made = await openCard(url, cardIntent('c-found'))
    const id = String(made.body['id'])
    expect((await card(url, 'GET', `/card/v1/payment_intents/${id}`)).body).toEqual(made.body)
    expect((await card(url, 'GET', '/card/v1/payment_intents?reference=c-found')).body).toEqual({ data: [made.body] })
    expect((await card(url, 'GET', '/card/v1/payment_intents?reference=nobody')).body).toEqual({ data: [] })
    expect((await card(url, 'POST', `/card/v1/payment_intents/${id}/cancel`, {})).body).toMatchObject({
      status: 'canceled',
      next_action: null,
    })
    expect((await openCard(url, cardIntent('c-found', 'tok_visa'))).status).toBe(409)
    expect((await openCard(url, cardIntent('c-keyless'), 'another')).status).toBe(400)
    const anonymous = await card(url, 'GET', `/card/v1/payment_intents/${id}`, undefined, { authorization: 'Bearer x' })
    expect(anonymous.status).toBe(401)
  })
})

describe('qrph', () => {
  const payCode = async (body: Json) => parsed(await call(url, 'POST', '/qrph/pay', { body: JSON.stringify(body) }))
  const withSum = (text: string) => `${text}${crc(text)}`
  /** A second opinion on the checksum, bit by bit over a table of 16. */
  function crc(text: string): string {
    let sum = 0xffff
    for (const byte of Buffer.from(text))
      for (const bits of [byte >> 4, byte & 15]) sum = ((sum << 4) & 0xffff) ^ (((sum >> 12) ^ bits) * 0x1021)
    return (sum & 0xffff).toString(16).toUpperCase().padStart(4, '0')
  }
  const changed = (code: string, from: string, to: string) => withSum(code.slice(0, -4).replace(from, to))

  test('each payment of a code is one of its own, over what the payer says', async () => {
    const code = codeFor('q-1', '100.00')
    const first = await payCode({ code })
    const second = await payCode({ code, amount: '40.00', payer: { wallet: '555' } })
    expect(first.body).toMatchObject({ reference: 'q-1', amount: '100.00', status: 'succeeded', currency: 'PHP' })
    expect(second.body).toMatchObject({ amount: '40.00', payer: { wallet: '555', tag: 'BOPIPHMM' } })
    expect(second.body['id']).not.toBe(first.body['id'])
    const headers = { authorization: 'Bearer sandbox-key' }
    const listed = parsed(await call(url, 'GET', '/qrph/payments?reference=q-1', { headers })).body
    expect(listed).toEqual({ data: [first.body, second.body] })
    expect((await call(url, 'GET', '/qrph/payments?reference=q-1')).status).toBe(401)
    expect(await truth('qrph', 'q-1')).toMatchObject({
      attempts: 2,
      totals: { PHP: { payments: 2, paid_minor: '14000' } },
    })
  })

  test('a code for ever needs an amount', async () => {
    const code = changed(changed(codeFor('q-static'), '010212', '010211'), '5406100.00', '')
    expect((await payCode({ code })).status).toBe(400)
    expect((await payCode({ code, amount: '12.50' })).body).toMatchObject({ amount: '12.50', status: 'succeeded' })
  })

  const good = codeFor('q-bad')
  test.each<[string, Json]>([
    ['a wrong checksum', { code: good.replace('100.00', '999.00') }],
    ['text after the checksum', { code: `${good}0` }],
    ['another form', { code: changed(good, '000201', '000202') }],
    ['no kind of code', { code: changed(good, '010212', '010213') }],
    ['another country', { code: changed(good, '5802PH', '5802SG') }],
    ['another currency', { code: changed(good, '5303608', '5303840') }],
    ['a code to a person', { code: changed(good, 'ph.ppmi.p2m', 'ph.ppmi.p2p') }],
    ['no reference', { code: changed(good, '0505q-bad', '0705q-bad') }],
    ['no code', {}],
    ['an amount that is none', { code: good, amount: '1.005' }],
  ])('%s is not paid', async (_, body) => {
    const said = await payCode(body)
    expect([said.status, said.body['code']]).toEqual([400, 'invalid_code'])
    expect((await call(url, 'GET', '/qrph/collections/q-bad')).status).toBe(404)
  })
})

test('the list of a rail adds up', async () => {
  const { collections, totals } = (await control(url, 'GET', '/gcash/collections')) as {
    collections: { totals: Record<string, { paid_minor: string }> }[]
    totals: Record<string, { paid_minor: string }>
  }
  const sum = collections.reduce((all, each) => all + BigInt(each.totals['PHP']?.paid_minor ?? '0'), 0n)
  expect(sum).toBeGreaterThan(0n)
  expect(totals['PHP']?.paid_minor).toBe(String(sum))
})

test('the scenarios that are published, the table in the code and the page are one', async () => {
  const { collections } = await control(url, 'GET', '/scenarios')
  const page = readFileSync('docs/sandbox.md', 'utf8')
  expect(collections).toHaveLength(COLLECT_SCENARIOS.length + 2)
  for (const { name, ending, summary } of COLLECT_SCENARIOS) {
    expect(collections).toContainEqual({ name, amount_ends_in: ending, summary })
    expect(page).toContain(`| ${ending === null ? 'any other' : `.${ending}`} | ${summary} |`)
  }
})

test.each(['card', 'qrph', 'gcash'])('an outage of %s is over when its scenario ends', async (rail) => {
  const id = await script(url, { rail, outage: '503' })
  const paths: Record<string, string> = {
    card: '/card/v1/refunds?reference=x',
    qrph: '/qrph/payments',
    gcash: '/gcash/v1',
  }
  expect((await call(url, 'GET', paths[rail] ?? '')).status).toBe(503)
  expect((await call(url, 'GET', `/${rail}/collections`)).status).toBe(200)
  await control(url, 'DELETE', `/scenarios/${id}`)
  expect((await call(url, 'GET', paths[rail] ?? '')).status).not.toBe(503)
})
