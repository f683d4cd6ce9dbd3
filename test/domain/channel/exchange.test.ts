// What is cut out of what is kept of a call to a channel: accounts, cards and secrets, in JSON, XML, forms and addresses.
import { expect, test } from 'vitest'
import { accountsOf, isWorthKeeping, redacted } from '../../../src/domain/channel/exchange.ts'

const plain = { accounts: [], secrets: [] }
const REFERENCE = '0198a3f24b5e7c319d0a6f2b8e4a1c55001'

test.each([
  ['{"token":"tok_1234","amount":"100.00"}', '{"token":"[redacted]","amount":"100.00"}'],
  ['{"access_token": "a\\"b", "x":1}', '{"access_token": "[redacted]", "x":1}'],
  ['{"clientSecret":"abc', '{"clientSecret":"[redacted]"'],
  ['{"otp":123456}', '{"otp":"[redacted]"}'],
  ['<Signature Id="a">abc==</Signature>', '<Signature Id="a">[redacted]</Signature>'],
  ['grant_type=x&client_secret=abc&a=b', 'grant_type=x&client_secret=[redacted]&a=b'],
  ['/v1/pay?api_key=abc&reference=1', '/v1/pay?api_key=[redacted]&reference=1'],
  ['{"wallet":"000123456789"}', '{"wallet":"••••6789"}'],
  ['<Id>00012 3456 789</Id>', '<Id>••••6789</Id>'],
  ['{"mobile":"+639171234567"}', '{"mobile":"••••4567"}'],
  ['{"pan":"4111 1111 1111 1111"}', '{"pan":"[card ending 1111]"}'],
  [`{"reference":"${REFERENCE}"}`, `{"reference":"${REFERENCE}"}`],
  [
    '{"at":"2026-11-01T10:00:00.000Z","amount":"1000000.00"}',
    '{"at":"2026-11-01T10:00:00.000Z","amount":"1000000.00"}',
  ],
])('%s', (text, expected) => {
  expect(redacted(text, plain)).toBe(expected)
})

test('what the order names is cut out, whatever it looks like', () => {
  const accounts = accountsOf({
    wallet: 'AB-77-long-account',
    tag: null,
    name: 'Ana',
    mobile: '123',
    address: '0xAbCdEf0123456789',
  })
  expect(accounts).toEqual(['AB-77-long-account', '0xAbCdEf0123456789'])
  const text = '{"to":"AB-77-long-account","chain":"0xAbCdEf0123456789","card":"tok_visible"}'
  const shown = redacted(text, { accounts, secrets: ['tok_visible'] })
  expect(shown).toBe('{"to":"••••ount","chain":"••••6789","card":"[redacted]"}')
})

test('a long text of one kind takes no long time', () => {
  for (const text of [
    '1'.repeat(4000),
    '"token'.repeat(700),
    '1 '.repeat(2000),
    '<secret'.repeat(570),
    '?pin'.repeat(1000),
  ])
    expect(redacted(text, plain).length).toBeLessThanOrEqual(20_000)
})

test('only what ended in no definite success is worth keeping', () => {
  expect(['accepted', 'delivered', 'open', 'succeeded', 'voided', 'still_open'].filter(isWorthKeeping)).toEqual([])
  expect(['not_sent', 'unknown', 'failed', 'returned', 'not_found'].every(isWorthKeeping)).toBe(true)
})
