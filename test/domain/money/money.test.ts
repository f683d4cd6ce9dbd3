// Amounts: what is read, what is refused and why, how they are written, and the one rounding.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decimalText,
  displayText,
  majorNumber,
  majorText,
  parseAmount,
  parseDecimal,
  portion,
} from '../../../src/domain/money/money.ts'

/** The largest amount of each kind of currency, in minor units: 999,999,999,999.99 or the last whole unit below it. */
const LARGEST: readonly (readonly [currency: string, digits: number, largestMinor: bigint])[] = [
  ['JPY', 0, 999_999_999_999n],
  ['PHP', 2, 99_999_999_999_999n],
  ['KWD', 3, 999_999_999_999_990n],
]

describe('parseAmount', () => {
  test.each([
    ['0.07', 'PHP', 7n],
    ['19.99', 'PHP', 1_999n],
    ['4.35', 'PHP', 435n],
    ['1.1', 'PHP', 110n],
    ['100', 'PHP', 10_000n],
    ['100.00', 'PHP', 10_000n],
    ['100.5', 'USD', 10_050n],
    ['1e2', 'PHP', 10_000n],
    ['1.5e1', 'PHP', 1_500n],
    ['0.01', 'PHP', 1n],
    ['1e-2', 'PHP', 1n],
    ['1', 'JPY', 1n],
    ['120000000000', 'JPY', 120_000_000_000n],
    ['999999999999', 'JPY', 999_999_999_999n],
    ['0.001', 'KWD', 1n],
    ['1.005', 'KWD', 1_005n],
    ['999999999999.99', 'PHP', 99_999_999_999_999n],
    ['999999999999.99', 'KWD', 999_999_999_999_990n],
  ])('reads %s %s exactly', (json, currency, amountMinor) => {
    expect(parseAmount(JSON.parse(json), currency)).toEqual({ amountMinor })
  })

  test.each([
    ['"100"', 'PHP', 'not_a_number'],
    ['null', 'PHP', 'not_a_number'],
    ['true', 'PHP', 'not_a_number'],
    ['[100]', 'PHP', 'not_a_number'],
    ['{}', 'PHP', 'not_a_number'],
    ['1e400', 'PHP', 'not_finite'],
    ['-1e400', 'PHP', 'not_finite'],
    ['0', 'PHP', 'not_positive'],
    ['-0', 'PHP', 'not_positive'],
    ['0.00', 'JPY', 'not_positive'],
    ['1e-400', 'PHP', 'not_positive'],
    ['-0.01', 'PHP', 'not_positive'],
    ['-100', 'PHP', 'not_positive'],
    ['0.001', 'PHP', 'too_many_decimals'],
    ['1.005', 'PHP', 'too_many_decimals'],
    ['0.1', 'JPY', 'too_many_decimals'],
    ['0.0001', 'KWD', 'too_many_decimals'],
    ['1e-7', 'KWD', 'too_many_decimals'],
    ['1.5e-7', 'PHP', 'too_many_decimals'],
    ['5e-324', 'PHP', 'too_many_decimals'],
    ['123456789012.345', 'PHP', 'too_many_decimals'],
    ['0.123456789012345', 'PHP', 'too_many_decimals'],
    ['0.000000123456789012345', 'PHP', 'too_many_decimals'],
    ['0.30000000000000004', 'PHP', 'too_many_digits'],
    ['0.1234567890123456', 'PHP', 'too_many_digits'],
    ['1.234567890123456e-7', 'PHP', 'too_many_digits'],
    ['123456789012.3456', 'KWD', 'too_many_digits'],
    ['1000000000000', 'PHP', 'too_large'],
    ['1000000000000', 'JPY', 'too_large'],
    ['999999999999.991', 'KWD', 'too_large'],
    ['9007199254740993', 'PHP', 'too_large'],
    ['1e20', 'JPY', 'too_large'],
    ['1e21', 'JPY', 'too_large'],
    ['1.7976931348623157e308', 'PHP', 'too_large'],
  ])('refuses %s %s: %s', (json, currency, fault) => {
    expect(parseAmount(JSON.parse(json), currency)).toEqual({ fault })
  })

  test('refuses what JSON cannot carry', () => {
    expect(parseAmount(undefined, 'PHP')).toEqual({ fault: 'not_a_number' })
    expect(parseAmount(100n, 'PHP')).toEqual({ fault: 'not_a_number' })
    expect(parseAmount(Number.NaN, 'PHP')).toEqual({ fault: 'not_finite' })
  })

  test('throws for a currency that nobody checked', () => {
    expect(() => parseAmount(1, 'XXX')).toThrow('no such currency: XXX')
    expect(() => majorText(1n, 'php')).toThrow('no such currency: php')
  })

  test.each(LARGEST)(
    'takes each %s of %i decimals that it writes, up to the largest, and not one more',
    (currency, digits, largest) => {
      const amounts = fc.oneof(fc.bigInt({ min: 1n, max: largest }), fc.bigInt({ min: 1n, max: 20_000n }))
      fc.assert(
        fc.property(amounts, (amountMinor) => {
          const sent = JSON.stringify({ amount: majorNumber(amountMinor, currency) })
          expect(sent).toBe(`{"amount":${majorText(amountMinor, currency)}}`)
          expect(parseAmount(JSON.parse(sent).amount, currency)).toEqual({ amountMinor })
        }),
        { numRuns: 20_000 },
      )
      expect(parseAmount(majorNumber(largest, currency), currency)).toEqual({ amountMinor: largest })
      expect(parseAmount(Number(decimalText(largest + 1n, digits)), currency)).toEqual({ fault: 'too_large' })
    },
  )

  test.each(LARGEST)('refuses each %s that has more than %i decimals', (currency, digits) => {
    const amounts = fc.tuple(fc.nat(999_999_999), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(amounts, ([kept, last]) => {
        const oneTooMany = Number(decimalText(BigInt(kept) * 10n + BigInt(last), digits + 1))
        expect(parseAmount(oneTooMany, currency)).toEqual({ fault: 'too_many_decimals' })
      }),
    )
  })
})

test('parseDecimal takes 0, and four decimals for percent points', () => {
  expect(parseDecimal(0, 4)).toEqual({ scaled: 0n })
  expect(parseDecimal(2.925, 4)).toEqual({ scaled: 29_250n })
  expect(parseDecimal(0.0001, 4)).toEqual({ scaled: 1n })
  expect(parseDecimal(0.00001, 4)).toEqual({ fault: 'too_many_decimals' })
  expect(parseDecimal(-0.0001, 4)).toEqual({ fault: 'negative' })
  expect(() => parseDecimal(1, 5)).toThrow('decimals out of range: 5')
})

describe('texts', () => {
  test.each([
    [10_000n, 'PHP', '100', 'PHP 100.00'],
    [10_050n, 'PHP', '100.5', 'PHP 100.50'],
    [7n, 'PHP', '0.07', 'PHP 0.07'],
    [70n, 'PHP', '0.7', 'PHP 0.70'],
    [0n, 'PHP', '0', 'PHP 0.00'],
    [-7n, 'PHP', '-0.07', 'PHP -0.07'],
    [-123_450n, 'PHP', '-1234.5', 'PHP -1,234.50'],
    [123_450n, 'PHP', '1234.5', 'PHP 1,234.50'],
    [99_999n, 'PHP', '999.99', 'PHP 999.99'],
    [100_000_000n, 'PHP', '1000000', 'PHP 1,000,000.00'],
    [99_999_999_999_999n, 'PHP', '999999999999.99', 'PHP 999,999,999,999.99'],
    [1_200n, 'JPY', '1200', 'JPY 1,200'],
    [5n, 'JPY', '5', 'JPY 5'],
    [-100n, 'JPY', '-100', 'JPY -100'],
    [1_234_500n, 'KWD', '1234.5', 'KWD 1,234.500'],
    [1n, 'KWD', '0.001', 'KWD 0.001'],
    [12_345_678_901_234_567_890n, 'USD', '123456789012345678.9', 'USD 123,456,789,012,345,678.90'],
  ])('%d of %s is written %s and read by people as %s', (amountMinor, currency, major, display) => {
    expect(majorText(amountMinor, currency)).toBe(major)
    expect(displayText(amountMinor, currency)).toBe(display)
  })

  test('majorNumber is the same number, negative too', () => {
    expect(majorNumber(-7n, 'PHP')).toBe(-0.07)
    expect(majorNumber(0n, 'PHP')).toBe(0)
    expect(majorNumber(1_999n, 'USD')).toBe(19.99)
    expect(majorNumber(1_200n, 'JPY')).toBe(1_200)
  })
})

describe('portion', () => {
  test.each([
    [10_000n, 29_250n, 293n], // 292.5
    [10_000n, 29_240n, 292n], // 292.4
    [10_000n, 29_260n, 293n], // 292.6
    [1n, 500_000n, 1n], // 0.5
    [1n, 499_999n, 0n],
    [3n, 500_000n, 2n], // 1.5
    [5n, 500_000n, 3n], // 2.5: up, not to even
    [-1n, 500_000n, -1n], // away from zero
    [-5n, 500_000n, -3n],
    [-1n, 499_999n, 0n],
    [-10_000n, 29_240n, -292n],
    [0n, 29_250n, 0n],
    [12_345n, 0n, 0n],
    [12_345n, 1_000_000n, 12_345n],
    [99_999_999_999_999n, 999_999n, 99_999_899_999_999n], // …999.000001, past what a float can hold
  ])('%d × %d ppm is %d', (amountMinor, ppm, expected) => {
    expect(portion(amountMinor, ppm)).toBe(expected)
  })

  test('is never further than half a minor unit from the exact value, and mirrors below zero', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 24n })
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 0n, max: 1_000_000n }), (amountMinor, ppm) => {
        const rounded = portion(amountMinor, ppm)
        const errorMillionths = rounded * 1_000_000n - amountMinor * ppm
        expect(errorMillionths > -500_000n && errorMillionths <= 500_000n).toBe(true)
        expect(portion(-amountMinor, ppm)).toBe(-rounded)
      }),
      { numRuns: 10_000 },
    )
  })
})
