// What is read of a provider's event: exactly what is there, and null for all that cannot be relied on.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keptText, type KnownNames, matchOf, paymentReportOf } from '../../../src/domain/payment/provider-events.ts'
import { attemptReference, laneUuid, shortReference } from '../../../src/domain/contract/ids.ts'
import { fixedText, majorNumber } from '../../../src/domain/money/money.ts'

const ID = laneUuid(7, 1_795_000_000_000, '0123456789abcdef0123')
const OTHER = laneUuid(7, 1_795_000_000_001, 'fedcba98765432100123')
const GOOD = { id: 'pi_1', amount: 100.5, currency: 'PHP', status: 'succeeded', channel: 'gcash' }
const told = (object: Record<string, unknown>, type = 'payment_intent.succeeded') =>
  paymentReportOf({ id: 'evt_1', type, object })
const claimOf = (fields: Record<string, unknown>) => told({ ...GOOD, ...fields })?.report
const namesOf = (fields: Record<string, unknown>) => told({ ...GOOD, ...fields })?.names

test('a success is read whole', () => {
  const payer = { channel: 'instapay', recipient: { name: 'Ana', wallet: '000123', tag: 'BPI', address: null } }
  expect(told({ ...GOOD, contract_id: ID, reference: attemptReference(ID, 2), payer })).toEqual({
    report: {
      outcome: 'succeeded',
      objectId: 'pi_1',
      channelId: 'gcash',
      amountMinor: 10050n,
      assetUnits: null,
      currency: 'PHP',
      failure: null,
      payer: { channelId: 'instapay', recipient: { name: 'Ana', wallet: '000123', tag: 'BPI' } },
      shown: {},
    },
    names: {
      contractId: ID,
      providerId: 'pi_1',
      attempt: { contractId: ID, number: 2 },
      reference: attemptReference(ID, 2),
    },
  })
})

test('three types say something of a payment; all others are only kept', () => {
  const outcomes = ['succeeded', 'processing', 'failed', 'cancelled', 'Succeeded', 'succeeded ', ''].map(
    (word) => told(GOOD, `payment_intent.${word}`)?.report.outcome ?? null,
  )
  expect(outcomes).toEqual(['succeeded', 'processing', 'failed', null, null, null, null])
  expect([told(GOOD, 'constructor'), told(GOOD, '__proto__')]).toEqual([null, null])
})

test.each<[amount: unknown, currency: string, minor: bigint | null]>([
  [100, 'PHP', 10_000n],
  [100.5, 'PHP', 10_050n],
  ['100.50', 'PHP', 10_050n],
  ['100.500', 'PHP', 10_050n],
  ['0.01', 'PHP', 1n],
  ['100', 'JPY', 100n],
  ['1.234', 'KWD', 1234n],
  [999_999_999_999.99, 'PHP', 99_999_999_999_999n],
  ['999999999999.99', 'PHP', 99_999_999_999_999n],
  [100, 'php', 10_000n],
  [100.001, 'PHP', null],
  ['100.001', 'PHP', null],
  [0.5, 'JPY', null],
  [0, 'PHP', null],
  ['0.00', 'PHP', null],
  [-1, 'PHP', null],
  ['-1', 'PHP', null],
  ['+1', 'PHP', null],
  ['1e3', 'PHP', null],
  ['1,000', 'PHP', null],
  ['1.', 'PHP', null],
  ['.5', 'PHP', null],
  ['01', 'PHP', null],
  [' 1', 'PHP', null],
  ['0x10', 'PHP', null],
  ['١٠٠', 'PHP', null],
  ['', 'PHP', null],
  ['999999999999.99000001', 'PHP', null],
  [1e15, 'PHP', null],
  [Number.POSITIVE_INFINITY, 'PHP', null],
  [null, 'PHP', null],
  [undefined, 'PHP', null],
  [true, 'PHP', null],
  [[100], 'PHP', null],
  [{ value: 100 }, 'PHP', null],
  [100, 'XXX', null],
  [100, 'PESO', null],
  [100, '', null],
])('the amount %j in %s is %s', (amount, currency, minor) => {
  expect(claimOf({ amount, currency })?.amountMinor).toBe(minor)
})

test('any amount of the currency is read as it was written, as a number and as text', () => {
  const amounts = fc.tuple(fc.bigInt(1n, 99_999_999_999_999n), fc.constantFrom('PHP', 'JPY', 'KWD'))
  fc.assert(
    fc.property(amounts, ([minor, currency]) => {
      fc.pre(currency !== 'JPY' || minor <= 999_999_999_999n)
      expect(claimOf({ amount: majorNumber(minor, currency), currency })?.amountMinor).toBe(minor)
      expect(claimOf({ amount: fixedText(minor, currency), currency })?.amountMinor).toBe(minor)
    }),
  )
})

test.each([null, 1, {}, '', 'x'.repeat(256)])('money without a name (%j) is named after its event', (id) => {
  expect(told({ ...GOOD, id })).toMatchObject({ report: { objectId: 'event:evt_1' }, names: { providerId: null } })
})

test.each([null, 1, '', 'GCash', 'a b', 'clearing:x', '../x', 'x'.repeat(65)])('no channel is called %j', (channel) => {
  expect(claimOf({ channel })?.channelId).toBeNull()
})

test.each([
  [undefined, null],
  ['declined', null],
  [{}, null],
  [{ code: 5 }, null],
  [{ code: 'declined' }, { code: 'declined', message: 'The provider gave no reason.' }],
  [{ message: 'No.' }, { code: 'failed', message: 'No.' }],
  [
    { code: 'x', message: 'Card 4242 4242 4242 4242 declined' },
    { code: 'x', message: 'Card [card ending 4242] declined' },
  ],
  [
    { code: 'x', message: `${'a'.repeat(999)}😀` },
    { code: 'x', message: 'a'.repeat(999) },
  ],
])('the failure %j', (failure, read) => {
  expect(claimOf({ failure })?.failure).toEqual(read)
})

test.each([
  'instapay',
  [],
  { channel: 'instapay' },
  { channel: 'instapay', recipient: {} },
  { channel: 'instapay', recipient: [] },
  { channel: 'InstaPay', recipient: { wallet: '1' } },
  { channel: 'instapay', recipient: { wallet: 1 } },
  { channel: 'instapay', recipient: { wallet: '' } },
  { channel: 'instapay', recipient: { wallet: '1', name: {} } },
  { channel: 'instapay', recipient: { wallet: 'x'.repeat(256) } },
  { channel: 'instapay', recipient: { iban: 'x' } },
])('money goes back to nobody where it says %j', (payer) => {
  expect(claimOf({ payer })?.payer).toBeNull()
})

test('a reference names an attempt of ours in its long form, in capitals too, and in its short one', () => {
  const attempt = { contractId: ID, number: 3 }
  const long = attemptReference(ID, 3)
  for (const reference of [long, long.toUpperCase(), shortReference(ID, 3)])
    expect(namesOf({ reference })).toMatchObject({ attempt, reference })
  for (const reference of ['INV-1', long.slice(1), `${long}0`, `${long} `])
    expect(namesOf({ reference })).toMatchObject({ attempt: null, reference })
  for (const reference of [null, 7, '', 'x'.repeat(129)])
    expect(namesOf({ reference })).toMatchObject({ attempt: null, reference: null })
})

test.each([null, 5, '', 'x', `${ID}0`, ID.replaceAll('-', '')])('%j is no contract', (contract_id) => {
  expect(namesOf({ contract_id })?.contractId).toBeNull()
})

describe('the match', () => {
  const names = { contractId: null, providerId: null, attempt: null, reference: null }
  const nothing: KnownNames = { payments: new Set(), intent: null, byReference: [] }
  const known = (some: Partial<KnownNames>): KnownNames => ({ ...nothing, ...some })

  test('by the contract first, then by our own reference, then by what the provider calls it, then by the merchant’s', () => {
    const all = { ...names, contractId: ID, attempt: { contractId: OTHER, number: 4 } }
    const intent = { contractId: 'intent', number: 2 }
    const both = new Set([ID, OTHER])
    expect(matchOf(all, known({ payments: both, intent, byReference: ['own'] }))).toEqual({
      contractId: ID,
      attempt: null,
    })
    const other = new Set([OTHER])
    expect(matchOf(all, known({ payments: other, intent }))).toEqual({ contractId: OTHER, attempt: 4 })
    expect(matchOf(all, known({ intent, byReference: ['own'] }))).toEqual({ contractId: 'intent', attempt: 2 })
    expect(matchOf(all, known({ byReference: ['own'] }))).toEqual({ contractId: 'own', attempt: null })
    expect(matchOf(all, nothing)).toBeNull()
  })

  test('an attempt is taken from whichever name is of the same contract', () => {
    const payments = new Set([ID])
    const intent = { contractId: ID, number: 2 }
    expect(matchOf({ ...names, contractId: ID }, known({ payments, intent }))?.attempt).toBe(2)
    const attempt = { contractId: ID, number: 3 }
    expect(matchOf({ ...names, contractId: ID, attempt }, known({ payments }))?.attempt).toBe(3)
    expect(matchOf({ ...names, attempt }, known({ payments, intent }))).toEqual({ contractId: ID, attempt: 3 })
  })

  test('a reference of two contracts names none', () => {
    expect(matchOf({ ...names, reference: 'INV-1' }, known({ byReference: ['a', 'b'] }))).toBeNull()
  })
})

describe('what is kept of the bytes', () => {
  const kept = (value: unknown, text = JSON.stringify(value)) => keptText(text, value)

  test('is what came, byte for byte', () => {
    const text = '{ "id":"evt_1",\n "data": {"object": {"amount": 100.50, "note": "\\u00e9 411111111111111"}}}'
    expect(keptText(text, JSON.parse(text))).toBe(text)
  })

  test.each([
    ['4111111111111111', '[card ending 1111]'],
    ['paid with 4111 1111 1111 1111.', 'paid with [card ending 1111].'],
    ['4111-1111-1111-1111', '[card ending 1111]'],
    [4111111111111111, '[card ending 1111]'],
  ])('without a card number: %j', (note, masked) => {
    expect(kept({ data: { note } })).toBe(JSON.stringify({ data: { note: masked } }))
    expect(kept({ data: [note] })).toBe(JSON.stringify({ data: [masked] }))
  })

  test('without one that is written in escapes', () => {
    const text = String.raw`{"note":"\u0034111 1111 1111 1111"}`
    expect(keptText(text, JSON.parse(text))).toBe('{"note":"[card ending 1111]"}')
  })

  test('accounts, references and ids are never judged', () => {
    const text = ['id', 'contract_id', 'reference', 'wallet', 'tag', 'mobile'].map((name) => [name, '4111111111111111'])
    const value = Object.fromEntries(text) as unknown
    expect(kept(value)).toBe(JSON.stringify(value))
  })
})
