// GCash against the provider's own process: signed requests, what is believed, and the suite of every rail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gcashConnector } from '../../src/connectors/gcash/gcash.ts'
import { heard, heardBy, openRail, type Rail, requestOf, type Said, TIMEOUT_MS } from './rail-bench.ts'
import { conformanceOf, newsStories, noticeStories, statementStories } from './rail-stories.ts'

const RECIPIENT = { name: 'Ana "Annie" Peña', mobile: '+639171234567' }
const SETTINGS = { timeoutMs: TIMEOUT_MS, nowMs: Date.now, clientId: 'sandbox-client', secret: 'sandbox-secret' }
const WORDS = {
  accountClosed: 'PAYEE_ACCOUNT_CLOSED',
  returned: 'PAYOUT_RETURNED',
  afterReturn: 'returned',
  firstWord: 'delivered',
} as const

let rail: Rail<ReturnType<typeof gcashConnector>>
beforeAll(async () => {
  rail = await openRail({
    name: 'gcash',
    connectorAt: (outbound, baseUrl) => gcashConnector({ ...SETTINGS, outbound, baseUrl }),
    recipient: RECIPIENT,
    limits: ['0.01', '0.10', '49999.99', '50000.00', '999999999999.99'],
  })
})
afterAll(() => rail.close())

conformanceOf(() => rail)
newsStories(() => rail, WORDS)
noticeStories(() => rail, 'gcash', WORDS)
statementStories(() => rail)

test('the order is in the request, its amount in minor units as text', async () => {
  const order = rail.order('1234.50')
  const request = await requestOf(rail, (connector) => connector.send(order))
  expect(JSON.parse(request.slice(request.indexOf('{')))).toEqual({
    requestId: order.reference,
    payee: { mobile: '+639171234567', name: 'Ana "Annie" Peña' },
    amount: { currency: 'PHP', value: '123450' },
    memo: 'Rice <5 kg> & fish',
  })
})

test.each([
  ['another secret', { secret: 'guessed' }],
  ['another client', { clientId: 'somebody' }],
])('with %s nothing is done, and nothing is known', async (_, wrong) => {
  const { outbound, url: baseUrl } = rail
  const connector = gcashConnector({ ...SETTINGS, outbound, baseUrl, ...wrong })
  const order = rail.order('1.00')
  expect(await connector.send(order)).toMatchObject({ kind: 'unknown' })
  expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'unknown' })
  expect(await rail.truth(order.reference)).toBeNull()
})

test.each([
  ['no number', { ...RECIPIENT, mobile: null }, 'PHP', 'invalid_mobile'],
  ['a number of another country', { ...RECIPIENT, mobile: '+15551234567' }, 'PHP', 'invalid_mobile'],
  ['another currency', RECIPIENT, 'USD', 'wrong_currency'],
])('an order with %s never leaves', async (_, recipient, currency, code) => {
  const order = rail.order('1.00', { recipient, currency })
  expect(await rail.connector.send(order)).toMatchObject({ kind: 'failed', code })
  expect(await rail.truth(order.reference)).toBeNull()
})

describe('believes nothing', () => {
  const order = () => rail.order('100.00', { reference: 'f'.repeat(32).concat('001') })
  const success = { status: 'S', code: 'SUCCESS', message: 'Done.' }
  const refused = (code: unknown) => ({ result: { status: 'F', code, message: 'No.' } })

  function said(change: object = {}, status = 200, type = 'application/json'): Said {
    const amount = { currency: 'PHP', value: '10000' }
    const body = { result: success, payoutId: 'p1', requestId: 'f'.repeat(32).concat('001'), amount, ...change }
    return { status, type, body: JSON.stringify(body) }
  }

  test.each<[string, Said, string]>([
    ['the truth', said(), 'delivered'],
    ['the truth with a character set', said({}, 200, 'application/json; charset=utf-8'), 'delivered'],
    ['in process', said({ result: { status: 'U', code: 'PAYMENT_IN_PROCESS' } }), 'accepted'],
    ['unknown to the provider itself', said({ result: { status: 'U', code: 'UNKNOWN_EXCEPTION' } }), 'unknown'],
    ['a known refusal', said(refused('PAYEE_NOT_EXIST')), 'failed'],
    ['money that came back', said(refused('PAYOUT_RETURNED')), 'returned'],
    ['another payout under the reference', said(refused('REPEAT_REQ_INCONSISTENT')), 'unknown'],
    ['a refusal for no reason', said(refused('PROCESS_FAIL')), 'unknown'],
    ['a refusal nobody has read about', said(refused('NEW_CODE')), 'unknown'],
    ['a code that is a list', said(refused(['PAYEE_NOT_EXIST'])), 'unknown'],
    ['a success with the code of a refusal', said({ result: { ...success, code: 'PAYEE_NOT_EXIST' } }), 'unknown'],
    ['a status nobody has read about', said({ result: { ...success, status: 'A' } }), 'unknown'],
    ['no result', said({ result: null }), 'unknown'],
    ['another reference', said({ requestId: 'another' }), 'unknown'],
    ['no reference', said({ requestId: undefined }), 'unknown'],
    ['another amount', said({ amount: { currency: 'PHP', value: '10001' } }), 'unknown'],
    ['an amount that is a number', said({ amount: { currency: 'PHP', value: 10000 } }), 'unknown'],
    ['an amount in major units', said({ amount: { currency: 'PHP', value: '100.00' } }), 'unknown'],
    ['another currency', said({ amount: { currency: 'USD', value: '10000' } }), 'unknown'],
    ['no amount', said({ amount: undefined }), 'unknown'],
    ['a text that breaks off', { ...said(), body: said().body.slice(0, -5) }, 'unknown'],
    ['a list', { ...said(), body: `[${said().body}]` }, 'unknown'],
    ['another type', said({}, 200, 'text/html'), 'unknown'],
    ['no type', said({}, 200, ''), 'unknown'],
    ['a refusal of the request', said(refused('PAYEE_NOT_EXIST'), 400), 'unknown'],
    ['no credentials', said(refused('PAYEE_NOT_EXIST'), 401), 'unknown'],
    ['a conflict', said(refused('PAYEE_NOT_EXIST'), 409), 'unknown'],
    ['too many requests', said(refused('PAYEE_NOT_EXIST'), 429), 'unknown'],
    ['an error with the truth in it', said({}, 500), 'unknown'],
    ['a redirect', said({}, 302), 'unknown'],
    ['a 404 of a proxy', said(refused('ORDER_NOT_EXIST'), 404, 'text/html'), 'unknown'],
    ['a 404 for another reason', said(refused('NO_ROUTE'), 404), 'unknown'],
    ['an absence that says all is well', said(refused('ORDER_NOT_EXIST'), 200), 'unknown'],
  ])('%s', async (_, answer, kind) => {
    expect(await heard(rail, order(), answer)).toEqual([kind, kind])
  })

  test('an absence in its own words is one, for an inquiry alone', async () => {
    const absent = said(refused('ORDER_NOT_EXIST'), 404)
    const inquire = heardBy(rail, absent, (connector) => connector.check(order().reference, order()))
    expect(await inquire).toEqual({ kind: 'not_found' })
    expect(await heardBy(rail, absent, (connector) => connector.send(order()))).toMatchObject({ kind: 'unknown' })
  })
})
