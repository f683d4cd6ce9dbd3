// The API of payment contracts to the letter: what is said of every wrong field, what is replayed, what is listed, who may
// read, and what stays the same when the gateway is started again.
import { afterAll, describe, expect, test } from 'vitest'
import { settleAccount } from '../../../src/app/operator/operator-actions.ts'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import type { Caller, Method, Reply } from '../../world.ts'
import { press } from '../../sandbox/payers.ts'
import { contractIn, openPayStage, type PaymentBody, tokenOf, wire } from './payments-stage.ts'

const stage = await openPayStage()
afterAll(() => stage.close())
const { world, open, asPayer, choose, ends, get, address } = stage
const { caller, other } = world

const PAYMENTS = '/contracts/payment'
const create = (body: unknown, headers: Record<string, string> = {}) => caller.ask('POST', PAYMENTS, { body, headers })
type Sent = { readonly headers: Record<string, string>; readonly body: unknown }
type Ask = (method: Method, path: string, sent: Sent) => Promise<Reply>

/** Its operator lists the sites to which the account may send payers. */
async function listSites({ account }: Caller, sites: readonly string[]): Promise<void> {
  const operator = openKeyedSession(world.operators)
  const { deps } = world.gateway
  const desk = { reader: operator, writer: operator, channels: deps.channels, ids: deps }
  expect(await settleAccount(desk, account, { sites }, 'tester')).toMatchObject({ sites })
  await operator.close()
}
const LONG_URL = `https://shop.example/${'x'.repeat(2048)}`

describe('what is wrong is named, with its mend', () => {
  test.each<[Record<string, unknown>, string, string, RegExp]>([
    [{ amount: undefined }, 'missing_amount', 'amount', /is missing/],
    [{ currency: undefined }, 'missing_currency', 'currency', /is missing/],
    [{ amount: 0 }, 'invalid_amount', 'amount', /above 0/],
    [{ amount: 0.001 }, 'invalid_amount', 'amount', /more decimals than PHP has/],
    [{ amount: 1e15 }, 'invalid_amount', 'amount', /digits|above 999/],
    [{ amount: '100' }, 'invalid_amount', 'amount', /number/],
    [{ currency: 'XXX' }, 'invalid_currency', 'currency', /Choose one of/],
    [{ channel: 'pigeon' }, 'invalid_channel', 'channel', /brings no money in\. Choose one of: .*gcash/],
    [{ channel: 'instapay' }, 'invalid_channel', 'channel', /brings no money in\. Choose one of/],
    [{ channel: 'gcash', currency: 'USD' }, 'invalid_currency', 'currency', /PHP/],
    [{ channel: 'gcash', amount: 100_000.01 }, 'invalid_amount', 'amount', /100,000/],
    [{ channel: 'card', amount: 19 }, 'invalid_amount', 'amount', /20/],
    [{ expires_in: 0 }, 'invalid_expires_in', 'expires_in', /1 to 2592000 seconds/],
    [{ expires_in: 2_592_001 }, 'invalid_expires_in', 'expires_in', /1 to 2592000 seconds/],
    [{ return_url: 'shop.example' }, 'invalid_return_url', 'return_url', /whole http or https URL/],
    [{ return_url: 'javascript:alert(1)' }, 'invalid_return_url', 'return_url', /whole http or https URL/],
    [{ return_url: LONG_URL }, 'invalid_return_url', 'return_url', /2,?048/],
    [{ status: 'paid' }, 'invalid_status', 'status', /draft/],
    [{ deliverable: { type: 'Order!' } }, 'invalid_deliverable_type', 'deliverable.type', /./],
    [{ recipient: { mobile: '123' } }, 'invalid_recipient_mobile', 'recipient.mobile', /\+639171234567/],
    [{ payment: {} }, 'missing_payment_type', 'payment.type', /is missing/],
    [{ payment: 'gcash' }, 'invalid_payment', 'payment', /object/],
    [{ payment: { type: 'cash' } }, 'invalid_payment_type', 'payment.type', /must be one of: gcash, maya, qr/],
    [
      { payment: { type: 'wallet', wallet: {} } },
      'missing_payment_wallet_wallet_id',
      'payment.wallet.wallet_id',
      /missing/,
    ],
    [
      { payment: { type: 'crypto', crypto: { asset: 'BTC', network: 'eip155:1' } } },
      'invalid_payment_type',
      'payment.type',
      /No channel takes payments by crypto here\. There are: /,
    ],
    [{ payment: { type: 'crypto' } }, 'missing_payment_crypto_asset', 'payment.crypto.asset', /./],
    [{ payment: { type: 'card' } }, 'missing_payment_card_token', 'payment.card.token', /token of your card provider/],
    [
      { payment: { type: 'card', card: { token: '!' } } },
      'invalid_payment_card_token',
      'payment.card.token',
      /never a card number/,
    ],
    [
      { payment: { type: 'card', card: { token: 'tok_visa', return_url: 'x' } } },
      'invalid_payment_card_return_url',
      'payment.card.return_url',
      /whole http or https URL/,
    ],
    [{ payment: { type: 'qr', qr: { scheme: 'pix' } } }, 'invalid_payment_qr_scheme', 'payment.qr.scheme', /qrph/],
    [
      { payment: { type: 'gcash', gcash: { success_url: '//x' } } },
      'invalid_payment_gcash_success_url',
      'payment.gcash.success_url',
      /whole http or https URL/,
    ],
    [
      { payment: { type: 'maya', maya: { mobile: '+15550100' } } },
      'invalid_payment_maya_mobile',
      'payment.maya.mobile',
      /of the Philippines, such as \+639171234567/,
    ],
    [
      { channel: 'maya', payment: { type: 'gcash' } },
      'invalid_payment_type',
      'payment.type',
      /paid through channel maya: use maya/,
    ],
    [{ currency: 'USD', payment: { type: 'gcash' } }, 'invalid_currency', 'currency', /PHP/],
  ])('%j', async (change, code, param, mend) => {
    const { status, error } = await create({ amount: 100, currency: 'PHP', ...change })
    expect([status, error.type, error.code, error.param]).toEqual([400, 'invalid_request_error', code, param])
    expect(error.message).toMatch(mend)
  })

  test.each([
    ['a number alone', { number: '4242 4242 4242 4242' }],
    ['a member of its own', { number: '4242 4242 4242 4242', token: 'tok_visa' }],
    ['a number of JSON', { token: 'tok_visa', pin: 4242424242424242 }],
    ['the token', { token: '4242424242424242' }],
    ['the name of card data', { token: 'tok_visa', cvc: '123' }],
  ])('a card as %s of its payload is refused, and said nowhere', async (_where, card) => {
    const { status, error, text } = await create({ amount: 100, currency: 'PHP', payment: { type: 'card', card } })
    expect([status, error.code]).toEqual([400, 'card_data_not_allowed'])
    expect(error.message).toMatch(/never accepted/)
    expect(text).not.toContain('4242')
  })

  test('several faults are told at once, the first on top', async () => {
    const { error } = await create({ amount: 0, currency: 'PHP', expires_in: 0 })
    expect(error.errors?.map(({ param }) => param)).toEqual(['amount', 'expires_in'])
  })

  test('in a payer’s choice the names are those of the body', async () => {
    const opened = await open()
    const path = `${PAYMENTS}/${opened.id}/pay`
    const said = async (body: unknown) => (await asPayer(opened, 'PUT', path, body)).body['error']
    expect(await said({})).toMatchObject({ code: 'missing_type', param: 'type' })
    expect(await said({ type: 'gcash', gcash: { mobile: '1' } })).toMatchObject({
      code: 'invalid_gcash_mobile',
      param: 'gcash.mobile',
    })
    expect(await said({ payment: { type: 'gcash', gcash: { mobile: '1' } } })).toMatchObject({
      param: 'payment.gcash.mobile',
    })
    expect((await get(opened.id)).attempts).toEqual([])
  })

  test('unknown fields are refused by name, and beside a choice too', async () => {
    const body = { amount: 5, currency: 'PHP', amout: 5, recipient: { nmae: 'x' } }
    const { error } = await create(body)
    expect(error.errors?.map(({ code, message }) => [code, message])).toEqual([
      ['unknown_parameter', 'amout is not known. Did you mean amount?'],
      ['unknown_parameter', 'recipient.nmae is not known. Did you mean recipient.name?'],
    ])
    const opened = await open()
    const choice = { payment: { type: 'gcash' }, preveiw: {} }
    const beside = await asPayer(opened, 'PUT', `${PAYMENTS}/${opened.id}/pay`, choice)
    expect(beside.body['error']).toMatchObject({ code: 'unknown_parameter', param: 'preveiw' })
  })

  test('free text keeps no card number', async () => {
    const { description } = await open({ description: 'paid with 4242 4242 4242 4242' })
    expect(description).not.toContain('4242 4242 4242')
  })
})

test.each(['09171234567', '0917-123-4567', '+63 917 123 4567', '(0917) 123.4567'])(
  'a mobile written as %s is +639171234567',
  async (mobile) => {
    const { attempts } = await open({ payment: { type: 'gcash', gcash: { mobile } } })
    expect(attempts[0]?.details['mobile']).toBe('+639171234567')
  },
)

describe('under one idempotency key', () => {
  const headers = (key: string) => ({ 'idempotency-key': key })

  test('a contract with its payment is made once, and the same bytes come again, with what the payer does next', async () => {
    const body = { amount: 100, currency: 'PHP', payment: { type: 'gcash' } }
    const one = await create(body, headers('create-1'))
    const two = await create(body, headers('create-1'))
    expect(two.headers['idempotent-replayed']).toBe('true')
    expect(two.text).toBe(one.text)
    expect((contractIn(two).next_action as { url: string }).url).toContain('/payer/gcash/')
    const other = await create({ ...body, amount: 101 }, headers('create-1'))
    expect([other.status, other.error.code]).toEqual([422, 'idempotency_key_reused'])
  })

  test('two requests at once make one contract, and both are told what the payer does next', async () => {
    const body = { amount: 100, currency: 'PHP', payment: { type: 'maya' } }
    const replies = await Promise.all([1, 2, 3].map(() => create(body, headers('create-2'))))
    const contracts = replies.filter(({ status }) => status === 200).map(contractIn)
    expect(new Set(contracts.map(({ id }) => id)).size).toBe(1)
    expect(contracts.map(({ next_action: action }) => action?.type)).toEqual(contracts.map(() => 'redirect'))
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map(({ error }) => error.code)).toEqual(refused.map(() => 'idempotency_in_progress'))
    expect((await create(body, headers('create-2'))).text).toBe(replies.find(({ status }) => status === 200)?.text)
  })

  test('a choice is made once, and a paid contract does not change what was answered', async () => {
    const opened = await open()
    const path = `${PAYMENTS}/${opened.id}/pay`
    const ask = () => caller.ask('PUT', path, { body: { type: 'maya' }, headers: headers('pay-1') })
    const one = await ask()
    await press(contractIn(one).next_action?.url, 'pay')
    await ends(opened.id, 'completed')
    const two = await ask()
    expect([two.headers['idempotent-replayed'], two.text]).toEqual(['true', one.text])
  })

  test('a payment whose site is listed no more is not made again, nor refused as if it had not been', async () => {
    const mine = await world.newCaller()
    let asked: Ask = mine.ask
    const post = (sent: object, key: string) => asked('POST', PAYMENTS, { body: sent, headers: headers(key) })
    const card = { type: 'card', card: { token: 'tok_visa', return_url: 'https://shop.example/card' } }
    const body = { amount: 100, currency: 'PHP', return_url: 'https://shop.example/thanks', payment: card }
    const one = await post(body, 'site-1')
    const opened = await open({}, mine)
    const pay = (key: string) => asked('PUT', `${PAYMENTS}/${opened.id}/pay`, { body: card, headers: headers(key) })
    const chosen = await pay('site-2')
    expect([contractIn(one).attempts.length, contractIn(chosen).attempts.length]).toEqual([1, 1])

    await listSites(mine, ['https://new.example'])
    // This gateway has the account's sites in memory for a while; another one looks them up.
    const neighbour = await world.beside()
    asked = (method, path, { headers: sent, body: what }) =>
      neighbour.ask(method, path, { headers: { ...sent, 'x-api-key': mine.apiKey }, body: what })
    const [two, chosenAgain] = [await post(body, 'site-1'), await pay('site-2')]
    expect([two.headers['idempotent-replayed'], two.text]).toEqual(['true', one.text])
    expect([chosenAgain.headers['idempotent-replayed'], chosenAgain.text]).toEqual(['true', chosen.text])
    for (const [each, code] of [
      [await post({ ...body, amount: 101 }, 'site-1'), 'idempotency_key_reused'],
      [await post(body, 'site-3'), 'invalid_payment_card_return_url'],
      [await pay('site-4'), 'invalid_card_return_url'],
    ] as const)
      expect(each.error.code).toBe(code)
    expect(await mine.all(PAYMENTS, 'contracts')).toHaveLength(2)
    for (const { id } of [contractIn(one), opened]) expect((await get(id, mine)).attempts).toHaveLength(1)
    await neighbour.stop()
  })

  test('a cancellation is made once', async () => {
    const { id } = await open({ payment: { type: 'gcash' } })
    const ask = () => caller.ask('DELETE', `${PAYMENTS}/${id}`, { body: { reason: 'x' }, headers: headers('cancel-1') })
    const [one, two] = [await ask(), await ask()]
    expect(contractIn(one).status).toBe('cancelled')
    expect([two.headers['idempotent-replayed'], two.text]).toEqual(['true', one.text])
    // And without a key the same again changes nothing.
    const three = await caller.ask('DELETE', `/contracts/transfer/${id}`)
    expect(contractIn(three)).toEqual(contractIn(one))
  })
})

test('the envelope’s status is a number, and in a cancellation text; every success is 200', async () => {
  const opened = await open()
  const said = async (method: Method, path: string, body?: unknown) =>
    (await caller.ask(method, path, body === undefined ? {} : { body })).body['status']
  expect(await said('GET', `${PAYMENTS}/${opened.id}`)).toBe(200)
  expect(await said('GET', PAYMENTS)).toBe(200)
  expect(await said('PUT', `${PAYMENTS}/${opened.id}/pay`, { type: 'qr' })).toBe(200)
  expect(await said('DELETE', `/contracts/transfer/${opened.id}`)).toBe('200')
  expect((await create({ amount: 1, currency: 'PHP' })).body['status']).toBe(200)
})

test('a transfer’s paths know no payment, and the other way round', async () => {
  const opened = await open()
  const asks: [Method, string][] = [
    ['GET', `/contracts/transfer/${opened.id}`],
    ['PUT', `/contracts/transfer/${opened.id}/issue`],
    ['PUT', `/contracts/transfer/${opened.id}/pay`],
    ['GET', `${PAYMENTS}/${(await caller.draft()).id}`],
    ['GET', `${PAYMENTS}/not-an-id`],
  ]
  for (const [method, path] of asks) {
    const { status, error } = await caller.ask(method, path)
    expect([path, status, error.code]).toEqual([path, 404, 'contract_not_found'])
  }
})

describe('lists', () => {
  test('by every filter, and page by page', async () => {
    const mine = await world.newCaller()
    const at = (fields: Record<string, unknown>) => open(fields, mine)
    const plain = await at({ deliverable: { reference_id: 'INV-9' } })
    const gcash = await at({ channel: 'gcash' })
    const dollars = await at({ currency: 'USD' })
    const paid = await at({ payment: { type: 'card', card: { token: 'tok_visa' } } })
    await mine.draft()
    const ids = async (query: string) => {
      const { status, text, data } = await mine.ask('GET', `${PAYMENTS}?${query}`)
      expect(status, text).toBe(200)
      return (data['contracts'] as PaymentBody[]).map(({ id }) => id)
    }
    expect(await ids('')).toEqual([paid.id, dollars.id, gcash.id, plain.id])
    expect(await ids('status=completed')).toEqual([paid.id])
    expect(await ids('channel=gcash')).toEqual([gcash.id])
    expect(await ids('channel=card')).toEqual([paid.id])
    expect(await ids('currency=usd')).toEqual([dollars.id])
    expect(await ids('reference_id=INV-9')).toEqual([plain.id])
    expect(await ids(`created_from=${encodeURIComponent(paid.created_at)}`)).toEqual([paid.id])
    expect((await mine.all<PaymentBody>(PAYMENTS, 'contracts', 3)).map(({ id }) => id)).toEqual(await ids('limit=100'))
    const wrong = await mine.ask('GET', `${PAYMENTS}?status=draft`)
    expect([wrong.status, wrong.error.param]).toEqual([400, 'status'])
    expect(await other.ask('GET', `${PAYMENTS}?reference_id=INV-9`)).toMatchObject({ data: { contracts: [] } })
  })
})

describe('the payer’s token', () => {
  test('reads its contract and nothing else', async () => {
    const [one, two] = [await open(), await open()]
    const read = await asPayer(one, 'GET', `${PAYMENTS}/${one.id}`)
    const whole = await get(one.id)
    const seen = (read.body['data'] as { contract: PaymentBody }).contract
    expect(Object.keys(seen)).toEqual(Object.keys(whole))
    expect(seen).toMatchObject({ id: one.id, status: 'issued', amount: whole.amount, checkout_url: null })
    const refused: [Method, string, number][] = [
      ['GET', `${PAYMENTS}/${two.id}`, 403],
      ['GET', PAYMENTS, 401],
      ['GET', '/wallets', 401],
      ['DELETE', `${PAYMENTS}/${one.id}`, 401],
      ['POST', `${PAYMENTS}/${one.id}/refunds`, 401],
      ['GET', '/events', 401],
    ]
    for (const [method, path, status] of refused)
      expect([path, (await asPayer(one, method, path)).status]).toEqual([path, status])
  })

  test('that somebody made up is nobody’s', async () => {
    const opened = await open()
    const token = tokenOf(opened)
    const made = [`${token}x`, token.slice(0, -1), token.replace('.', ''), `${token.slice(0, -2)}AA`]
    for (const each of made) {
      const headers = { authorization: `Bearer ${each}` }
      expect((await wire(`${address}${PAYMENTS}/${opened.id}`, 'GET', undefined, headers)).status).toBe(401)
    }
  })

  test('and its page are the same in every gateway on the database, also after a restart', async () => {
    const opened = await choose(await open(), { type: 'qr' })
    const neighbour = await world.beside()
    try {
      const headers = { authorization: `Bearer ${tokenOf(opened)}` }
      const { data } = await neighbour.ask('GET', `${PAYMENTS}/${opened.id}`, { headers })
      const { next_action: action } = await get(opened.id)
      expect(data['contract']).toMatchObject({ id: opened.id, status: 'issued', next_action: action })
      const whole = await neighbour.ask('GET', `${PAYMENTS}/${opened.id}`, {
        headers: { 'x-api-key': world.caller.apiKey },
      })
      expect((whole.data['contract'] as PaymentBody).checkout_url).toBe(opened.checkout_url)
    } finally {
      await neighbour.stop()
    }
  })
})
