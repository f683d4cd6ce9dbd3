// Amounts as the console shows them: whatever the currency, the digits shown are the digits given, with all the decimals it has.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalsOf, moneyIn, sumIn } from '../../../console/src/words/money.ts'
import { CURRENCIES, digitsOf } from '../../../src/domain/money/currencies.ts'
import { displayText, majorNumber } from '../../../src/domain/money/money.ts'

const LOCALES = ['en-PH', 'fil-PH'] as const
const locale = fc.constantFrom(...LOCALES)
const currency = fc.constantFrom(...CURRENCIES)

/** What is left of a text without the currency's own marks and the grouping. */
const numberIn = (text: string) =>
  text
    .replace(/[^\d.-]/g, '')
    // An abbreviation has a full stop of its own, as some have.
    .replace(/^(-?)\.+/, '$1')

test('the table of decimals is the gateway’s', () => {
  for (const code of CURRENCIES) expect(decimalsOf(code), code).toBe(digitsOf(code))
})

test('the digits of a JSON number are shown as they came, in every currency', () => {
  fc.assert(
    fc.property(currency, locale, fc.bigInt(-999_999_999_999_999n, 999_999_999_999_999n), (code, where, minor) => {
      const shown = moneyIn(where, majorNumber(minor, code), code)
      const wanted = displayText(minor, code).slice(code.length + 1)
      expect(numberIn(shown)).toBe(wanted.replaceAll(',', ''))
      expect(shown.replace('-', '')).toContain(wanted.replace('-', ''))
    }),
    { numRuns: 3000 },
  )
})

test('every digit of a decimal text is shown, however many they are', () => {
  const decimal = fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.stringMatching(/^\d{0,24}$/), fc.constantFrom('', '-'))
  fc.assert(
    fc.property(currency, locale, decimal, (code, where, [whole, fraction, sign]) => {
      const given = `${sign}${whole}${fraction && `.${fraction}`}`
      const wanted = fraction.padEnd(digitsOf(code), '0')
      expect(numberIn(moneyIn(where, given, code))).toBe(`${sign}${whole}${wanted && `.${wanted}`}`)
    }),
  )
})

const space = '\u00a0'
test.each([
  [1234.56, 'IDR', `IDR${space}1,234.56`],
  [1234, 'IDR', `IDR${space}1,234.00`],
  [0.5, 'COP', `COP${space}0.50`],
  [1.234, 'IQD', `IQD${space}1.234`],
  [1234.5, 'PHP', '₱1,234.50'],
  [0, 'PHP', '₱0.00'],
  [-0.05, 'PHP', '-₱0.05'],
  [-1234.5, 'PHP', '-₱1,234.50'],
  [1200, 'JPY', '¥1,200'],
  ['9007199254740993.01', 'PHP', '₱9,007,199,254,740,993.01'],
  ['10.005', 'PHP', '₱10.005'],
  [0.0000001, 'USDC', '0.0000001 USDC'],
  [1234.5, 'USDC', '1,234.5 USDC'],
  [1e21, 'USDC', '1,000,000,000,000,000,000,000 USDC'],
  ['', 'PHP', ' PHP'],
  ['a lot', 'PHP', 'a lot PHP'],
] as const)('%s %s is shown as %s', (amount, code, text) => {
  expect(moneyIn('en-PH', amount, code)).toBe(text)
})

test('a sum of amounts shows nothing of how it was added', () => {
  expect(moneyIn('en-PH', sumIn('IDR', [999_999_999_999.99, 0.03]), 'IDR')).toBe(`IDR${space}1,000,000,000,000.02`)
  expect(sumIn('PHP', [0.1, 0.2])).toBe(0.3)
})
