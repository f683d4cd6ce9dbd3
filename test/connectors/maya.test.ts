// Maya against the provider's own process: numbers to the last digit, what is believed, and the suite of every rail.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digitsOf, parseExact } from '../../src/connectors/exact-json.ts'
import { mayaConnector } from '../../src/connectors/maya/maya.ts'
import { heard, heardBy, openRail, type Rail, requestOf, type Said, TIMEOUT_MS } from './rail-bench.ts'
import { conformanceOf, newsStories, noticeStories, statementStories } from './rail-stories.ts'

const RECIPIENT = { name: 'Ana "Annie" Peña', mobile: '+639171234567' }
const WORDS = {
  accountClosed: 'RECIPIENT_ACCOUNT_CLOSED',
  returned: 'DISBURSEMENT_RETURNED',
  afterReturn: 'returned',
  firstWord: 'delivered',
} as const

let rail: Rail<ReturnType<typeof mayaConnector>>
beforeAll(async () => {
  rail = await openRail({
    name: 'maya',
    connectorAt: (outbound, baseUrl) =>
      mayaConnector({ outbound, baseUrl, timeoutMs: TIMEOUT_MS, apiKey: 'sandbox-key' }),
    recipient: RECIPIENT,
    limits: ['0.01', '0.10', '99999.99', '100000.00', '999999999999.99'],
  })
})
afterAll(() => rail.close())

conformanceOf(() => rail)
newsStories(() => rail, WORDS)
noticeStories(() => rail, 'maya', WORDS)
statementStories(() => rail)

test.each(['0.10', '1234.50', '999999999999.99'])('%s is in the request as this very number', async (amount) => {
  const order = rail.order(amount)
  const request = await requestOf(rail, (connector) => connector.send(order))
  expect(request).toContain(`"totalAmount":{"value":${amount},"currency":"PHP"}}`)
  expect(JSON.parse(request.slice(request.indexOf('{')))).toMatchObject({
    requestReferenceNumber: order.reference,
    recipient: { type: 'MOBILE', value: '+639171234567', name: 'Ana "Annie" Peña' },
  })
  expect(request.toLowerCase()).toContain(`idempotency-key\n${order.reference}`)
})

test('with another key nothing is done, and nothing is known', async () => {
  const { outbound, url: baseUrl } = rail
  const connector = mayaConnector({ outbound, baseUrl, timeoutMs: TIMEOUT_MS, apiKey: 'guessed' })
  const order = rail.order('1.00')
  expect(await connector.send(order)).toMatchObject({ kind: 'unknown' })
  expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'unknown' })
  expect(await rail.truth(order.reference)).toBeNull()
})

test.each([
  ['no number', { ...RECIPIENT, mobile: null }, 'PHP', 'invalid_mobile'],
  ['a number that is too short', { ...RECIPIENT, mobile: '+63917123456' }, 'PHP', 'invalid_mobile'],
  ['another currency', RECIPIENT, 'USD', 'wrong_currency'],
])('an order with %s never leaves', async (_, recipient, currency, code) => {
  const order = rail.order('1.00', { recipient, currency })
  expect(await rail.connector.send(order)).toMatchObject({ kind: 'failed', code })
  expect(await rail.truth(order.reference)).toBeNull()
})

describe('believes nothing', () => {
  const reference = 'f'.repeat(32).concat('001')
  const order = () => rail.order('100.50', { reference })
  const total = { value: 'VALUE', currency: 'PHP' }

  /** The answer to a sending, and as the one of its list the answer to an inquiry. */
  function said(change: object = {}, value = '100.50'): { sent: string; listed: string } {
    const body = { id: 'd1', requestReferenceNumber: reference, status: 'COMPLETED', error: null, totalAmount: total }
    const sent = JSON.stringify({ ...body, ...change }).replace('"VALUE"', value)
    return { sent, listed: `{"data":[${sent}]}` }
  }

  async function kindsOf({ sent, listed }: { sent: string; listed: string }, status = 200, type = 'application/json') {
    const answer = (body: string): Said => ({ status, type, body })
    const sending = await heardBy(rail, answer(sent), (connector) => connector.send(order()))
    const inquiry = await heardBy(rail, answer(listed), (connector) => connector.check(reference, order()))
    return [sending?.kind, inquiry?.kind]
  }

  const failed = (code: unknown) => said({ status: 'FAILED', error: { code, message: 'No.' } })

  test.each<[string, ReturnType<typeof said>, string]>([
    ['the truth', said(), 'delivered'],
    ['the truth in fewer digits', said({}, '100.5'), 'delivered'],
    ['the truth in more digits', said({}, '100.5000'), 'delivered'],
    ['pending', said({ status: 'PENDING' }), 'accepted'],
    ['a known refusal', failed('RECIPIENT_NOT_FOUND'), 'failed'],
    ['money that came back', failed('DISBURSEMENT_RETURNED'), 'returned'],
    ['a refusal nobody has read about', failed('NEW_CODE'), 'unknown'],
    ['a code that is a list', failed(['RECIPIENT_NOT_FOUND']), 'unknown'],
    ['a refusal without an error', said({ status: 'FAILED' }), 'unknown'],
    ['a status nobody has read about', said({ status: 'DONE' }), 'unknown'],
    ['another reference', said({ requestReferenceNumber: 'another' }), 'unknown'],
    ['another amount', said({}, '100.51'), 'unknown'],
    ['an amount that only a float takes for ours', said({}, '100.50000000000000001'), 'unknown'],
    ['an amount with an exponent', said({}, '1005e-1'), 'unknown'],
    ['a debt', said({}, '-100.50'), 'unknown'],
    ['an amount that is a text', said({}, '"100.50"'), 'unknown'],
    ['a text that passes for a number', said({}, String.raw`"\u0000100.50"`), 'unknown'],
    ['another currency', said({ totalAmount: { ...total, currency: 'USD' } }), 'unknown'],
    ['no amount', said({ totalAmount: null }), 'unknown'],
    ['a text that breaks off', { sent: said().sent.slice(0, -5), listed: said().listed.slice(0, -3) }, 'unknown'],
    [
      'two under one reference',
      { sent: `[${said().sent}]`, listed: `{"data":[${said().sent},${said().sent}]}` },
      'unknown',
    ],
    ['no list', { sent: '{}', listed: said().sent }, 'unknown'],
    ['a list of nothing', { sent: 'null', listed: '{"data":[null]}' }, 'unknown'],
  ])('%s', async (_, answer, kind) => {
    expect(await kindsOf(answer)).toEqual([kind, kind])
  })

  test.each([400, 401, 404, 409, 429, 500, 503, 302])('the truth under the status %s', async (status) => {
    expect(await kindsOf(said(), status)).toEqual(['unknown', 'unknown'])
    expect(await kindsOf({ sent: '{"data":[]}', listed: '{"data":[]}' }, status)).toEqual(['unknown', 'unknown'])
  })

  test('another type', async () => {
    expect(await kindsOf(said(), 200, 'text/html')).toEqual(['unknown', 'unknown'])
    expect(await kindsOf(said(), 200, '')).toEqual(['unknown', 'unknown'])
    expect(await heard(rail, order(), { status: 200, type: 'text/html', body: '{"data":[]}' })).toEqual([
      'unknown',
      'unknown',
    ])
  })

  test('an empty list is an absence', async () => {
    expect(await kindsOf({ sent: '{"data":[]}', listed: '{"data":[]}' })).toEqual(['unknown', 'not_found'])
  })
})

describe('exact JSON', () => {
  const numbers = fc.tuple(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n })).map(([whole, part]) => `${whole}.${part}`)

  const holds = <T>(values: fc.Arbitrary<T>, check: (value: T) => void) =>
    fc.assert(
      fc.property(values, (value) => {
        check(value)
      }),
    )

  /** What a reader makes of it who is content with floats. */
  function inFloats(value: unknown): unknown {
    const digits = digitsOf(value)
    if (digits !== null) return Number(digits)
    if (Array.isArray(value)) return value.map(inFloats)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inFloats(each)]))
  }

  test('a number keeps its digits, however many', () => {
    holds(numbers, (digits) => expect(digitsOf(parseExact(digits))).toBe(digits))
  })

  test('is the value of JSON.parse but for the digits', () => {
    const texts = fc.json({ maxDepth: 4 }).filter((text) => !text.includes(String.raw`\u0000`))
    holds(texts, (text) => expect(inFloats(parseExact(text))).toEqual(JSON.parse(text)))
  })

  test('texts are never numbers, whatever they hold', () => {
    holds(fc.string(), (text) => expect(digitsOf(parseExact(JSON.stringify(text)))).toBeNull())
    expect(parseExact(String.raw`"\"1\\\" 2"`)).toBe(String.raw`"1\" 2`)
  })

  test.each(['', '01', '1.', '.5', '+1', '1 2', '{"a":1', '{"a":--1}', '1e', 'nul', String.raw`"\u0000"`])(
    '%s is no value',
    (text) => {
      expect(parseExact(text)).toBeUndefined()
    },
  )
})
