// The e-wallet rails of the sandbox provider: signatures and keys, exact amounts, each rail's own words, no double.
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, call, gcash, maya, openProvider, parsed, truth } from './rails.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string
const newId = () => randomUUID().replaceAll('-', '')
const MOBILE = '+639171234567'

beforeAll(async () => {
  provider = await openProvider()
  url = provider.url
})
afterAll(() => provider.close())

describe('gcash', () => {
  const PATH = '/gcash/v1/payouts'
  const payout = (requestId: string, value = '10000', mobile = MOBILE, name = 'Ana Peña') => ({
    requestId,
    payee: { mobile, name },
    amount: { currency: 'PHP', value },
    memo: 'rice',
  })
  const post = (body: unknown) => gcash(url, 'POST', PATH, body)
  const ask = (id: string) => gcash(url, 'GET', `${PATH}/${id}`)

  test.each([
    ['10000', MOBILE, 'S', 'SUCCESS', { status: 'completed', amount: '100.00', executions: 1 }],
    ['7', MOBILE, 'S', 'SUCCESS', { status: 'completed', amount: '0.07', executions: 1 }],
    ['111', MOBILE, 'U', 'PAYMENT_IN_PROCESS', { status: 'accepted', executions: 0 }],
    ['100', 'sandbox-late', 'U', 'PAYMENT_IN_PROCESS', { status: 'accepted', executions: 0 }],
    ['121', MOBILE, 'F', 'PAYEE_ACCOUNT_CLOSED', { status: 'refused', executions: 0 }],
    ['122', MOBILE, 'F', 'PAYEE_NOT_EXIST', { status: 'refused', executions: 0 }],
  ])('%s to %s is %s %s', async (value, mobile, status, code, books) => {
    const id = newId()
    const { status: answered, body } = await post(payout(id, value, mobile))
    expect([answered, body]).toMatchObject([
      200,
      { result: { status, code }, requestId: id, amount: { currency: 'PHP', value } },
    ])
    expect(await ask(id)).toEqual({ status: 200, body })
    expect(await post(payout(id, value, mobile))).toEqual({ status: 200, body })
    expect(await truth(url, 'gcash', id)).toMatchObject({ account: mobile, ...books })
  })

  test('a requestId for another payout is refused and moves nothing', async () => {
    const id = newId()
    await post(payout(id))
    for (const other of [payout(id, '10001'), payout(id, '10000', '+639170000000'), payout(id, '10000', MOBILE, 'Ben')])
      expect((await post(other)).body['result']).toMatchObject({ status: 'F', code: 'REPEAT_REQ_INCONSISTENT' })
    expect(await truth(url, 'gcash', id)).toMatchObject({ amount: '100.00', executions: 1 })
  })

  test('what happens later is told in its own words', async () => {
    const [late, back] = [newId(), newId()]
    await advance(url, 10)
    const { body: before } = parsed(await call(url, 'GET', '/gcash/events?after=0'))
    await post(payout(late, '111'))
    await post(payout(back, '151'))
    await advance(url, 10)
    expect((await ask(late)).body['result']).toMatchObject({ status: 'S' })
    expect((await ask(back)).body['result']).toMatchObject({ status: 'F', code: 'PAYOUT_RETURNED' })
    const next = Number(before['next'])
    const { body } = parsed(await call(url, 'GET', `/gcash/events?after=${next}`))
    expect(body['events']).toMatchObject([
      { number: next + 1, reference: late, status: 'completed', code: null, amount: '1.11' },
      { number: next + 2, reference: back, status: 'returned', code: 'PAYOUT_RETURNED' },
    ])
  })

  test('only what is signed with the secret is listened to', async () => {
    const id = newId()
    const refused = [401, { result: { status: 'F', code: 'INVALID_SIGNATURE' } }]
    const body = JSON.stringify(payout(id))
    const time = new Date().toISOString()
    const sign = (text: string) => createHmac('sha256', 'sandbox-secret').update(text).digest('base64')
    const good = {
      'client-id': 'sandbox-client',
      'request-time': time,
      signature: `algorithm=HMAC-SHA256, signature=${sign(`POST ${PATH}\nsandbox-client.${time}.${body}`)}`,
    }
    const { signature, ...unsigned } = good
    for (const headers of [
      {},
      unsigned,
      { ...good, 'client-id': 'other' },
      { ...good, 'request-time': new Date(0).toISOString() },
      { ...unsigned, signature: signature.replace('SHA256', 'SHA1') },
      { ...unsigned, signature: `algorithm=HMAC-SHA256, signature=${sign(body)}` },
    ])
      expect(Object.values(parsed(await call(url, 'POST', PATH, { headers, body })))).toMatchObject(refused)
    const changed = body.replace('10000', '90000')
    expect(parsed(await call(url, 'POST', PATH, { headers: good, body: changed })).status).toBe(401)
    expect((await gcash(url, 'POST', PATH, payout(id), 'wrong')).status).toBe(401)
    expect((await gcash(url, 'GET', `${PATH}/${id}`, undefined, 'wrong')).status).toBe(401)
    expect(await truth(url, 'gcash', id)).toBeNull()
    expect(parsed(await call(url, 'POST', PATH, { headers: good, body })).body['result']).toMatchObject({ status: 'S' })
  })

  test.each([
    ['no requestId', { requestId: '' }],
    ['no mobile', { payee: { name: 'Ana' } }],
    ['a local number', { payee: { mobile: '09171234567', name: 'Ana' } }],
    ['decimals', { amount: { currency: 'PHP', value: '100.00' } }],
    ['a number for money', { amount: { currency: 'PHP', value: 10_000 } }],
    ['nothing to pay', { amount: { currency: 'PHP', value: '0' } }],
  ])('a payout with %s is refused before anything is written', async (_, change) => {
    const id = newId()
    const { status, body } = await post({ ...payout(id), ...change })
    expect([status, body]).toMatchObject([400, { result: { status: 'F', code: 'PARAM_ILLEGAL' } }])
    expect(await truth(url, 'gcash', id)).toBeNull()
  })

  test('what is not known, and another currency', async () => {
    const { status, body } = await ask('never-sent')
    expect([status, body]).toMatchObject([404, { result: { status: 'F', code: 'ORDER_NOT_EXIST' } }])
    const dollars = { ...payout(newId()), amount: { currency: 'USD', value: '100' } }
    expect((await post(dollars)).body['result']).toMatchObject({ status: 'F', code: 'CURRENCY_NOT_SUPPORTED' })
  })
})

describe('maya', () => {
  const PATH = '/maya/disbursements'
  const disbursement = (id: string, value = '100.5', mobile = MOBILE) =>
    `{"requestReferenceNumber":"${id}","recipient":{"type":"MOBILE","value":"${mobile}","name":"Ana"},` +
    `"totalAmount":{"value":${value},"currency":"PHP"}}`
  const post = (id: string, body: string) => maya(url, 'POST', PATH, body, { 'idempotency-key': id })
  const list = (id: string) => maya(url, 'GET', `${PATH}?requestReferenceNumber=${id}`)

  test.each([
    ['100.5', MOBILE, 'COMPLETED', null, { status: 'completed', executions: 1 }],
    ['100.50', MOBILE, 'COMPLETED', null, { status: 'completed', executions: 1 }],
    ['100', MOBILE, 'COMPLETED', null, { status: 'completed', executions: 1 }],
    ['900719925474099.91', MOBILE, 'COMPLETED', null, { status: 'completed', executions: 1 }],
    ['1.11', MOBILE, 'PENDING', null, { status: 'accepted', executions: 0 }],
    ['1.21', MOBILE, 'FAILED', 'RECIPIENT_ACCOUNT_CLOSED', { status: 'refused', executions: 0 }],
    ['1', 'sandbox-invalid-account', 'FAILED', 'RECIPIENT_NOT_FOUND', { status: 'refused', executions: 0 }],
  ])('%s to %s is %s %s, digit for digit', async (value, mobile, status, code, books) => {
    const id = newId()
    const said = await post(id, disbursement(id, value, mobile))
    expect(said.text).toContain(`"totalAmount":{"value":${value},"currency":"PHP"}`)
    const error = code === null ? null : { code }
    expect(parsed(said)).toMatchObject({ status: 200, body: { requestReferenceNumber: id, status, error } })
    expect(await list(id)).toEqual({ status: 200, text: `{"data":[${said.text}]}` })
    expect(await post(id, disbursement(id, value, mobile))).toEqual(said)
    expect(await truth(url, 'maya', id)).toMatchObject({ amount: value, ...books })
  })

  test('a reference for another disbursement is refused and moves nothing', async () => {
    const id = newId()
    await post(id, disbursement(id))
    for (const other of [disbursement(id, '100.51'), disbursement(id, '100.5', '+639170000000')]) {
      const { status, body } = parsed(await post(id, other))
      expect([status, body['code']]).toEqual([409, 'DUPLICATE_REFERENCE'])
    }
    // The same money in other digits is the same order.
    expect((await post(id, disbursement(id, '100.50'))).status).toBe(200)
    expect(await truth(url, 'maya', id)).toMatchObject({ executions: 1 })
  })

  test('a return is a failure with a code of its own', async () => {
    const id = newId()
    await post(id, disbursement(id, '1.51'))
    await advance(url, 10)
    const { body } = parsed(await list(id))
    expect(body['data']).toMatchObject([{ status: 'FAILED', error: { code: 'DISBURSEMENT_RETURNED' } }])
    expect(await truth(url, 'maya', id)).toMatchObject({ executions: 1, returns: 1 })
  })

  test('the API key is asked for', async () => {
    const id = newId()
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    for (const headers of [{}, basic('wrong:'), basic('sandbox-key'), { authorization: 'Bearer sandbox-key' }]) {
      const sent = { headers: { 'idempotency-key': id, ...headers }, body: disbursement(id) }
      expect((await call(url, 'POST', PATH, sent)).status).toBe(401)
      expect((await call(url, 'GET', `${PATH}?requestReferenceNumber=${id}`, { headers })).status).toBe(401)
    }
    expect(await truth(url, 'maya', id)).toBeNull()
  })

  test.each([
    ['an amount that is a text', disbursement('bad', '"100.50"')],
    ['an amount that only looks like a number', disbursement('bad', '{"digits":"1"}')],
    ['an exponent', disbursement('bad', '1e2')],
    ['three decimals', disbursement('bad', '1.001')],
    ['nothing to pay', disbursement('bad', '0.00')],
    ['a debt', disbursement('bad', '-1')],
    ['no JSON', '{"requestReferenceNumber":'],
    ['no mobile', disbursement('bad', '1', '12345')],
  ])('a disbursement with %s is refused before anything is written', async (_, body) => {
    expect(parsed(await post('bad', body))).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect(await truth(url, 'maya', 'bad')).toBeNull()
  })

  test('a key that is not the reference is refused; what nobody sent is an empty list', async () => {
    expect((await post('other', disbursement('bad'))).status).toBe(400)
    expect(parsed(await list('never-sent'))).toEqual({ status: 200, body: { data: [] } })
  })
})

test('one reference on two rails is two orders', async () => {
  const id = newId()
  const text = `{"requestReferenceNumber":"${id}","recipient":{"type":"MOBILE","value":"${MOBILE}"},"totalAmount":{"value":1,"currency":"PHP"}}`
  await maya(url, 'POST', '/maya/disbursements', text, { 'idempotency-key': id })
  expect(await truth(url, 'gcash', id)).toBeNull()
  expect(await truth(url, 'maya', id)).toMatchObject({ executions: 1 })
})
