// The currency table: the standard's digits, nothing missing, nothing that is not money.

import { describe, expect, test } from 'vitest'
import {
  CURRENCIES,
  DEFAULT_CURRENCIES,
  digitsOf,
  isCurrency,
  minorDigits,
} from '../../../src/domain/money/currencies.ts'

const codes = (text: string): string[] => text.split(' ')

describe('the table', () => {
  test('has each of the 155 active codes once', () => {
    expect(CURRENCIES).toHaveLength(155)
    expect(new Set(CURRENCIES).size).toBe(155)
    expect(CURRENCIES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
    expect(CURRENCIES).toEqual([...CURRENCIES].sort())
  })

  test.each([
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
  ])('gives %i decimals to exactly these', (digits, expected) => {
    expect(CURRENCIES.filter((code) => minorDigits(code) === digits)).toEqual(codes(expected))
  })

  test('gives 2 to all the others, also where everyday use or other tables say something else', () => {
    expect(CURRENCIES.filter((code) => minorDigits(code) === 2)).toHaveLength(155 - 16 - 7)
    for (const code of codes('PHP USD EUR HUF IDR LAK MGA MRU COP IRR AFN'))
      expect([code, minorDigits(code)]).toEqual([code, 2])
  })

  test.each(codes('XCG ZWG SLE VED VES MRU STN BYN'))('has the newcomer %s', (code) => {
    expect(isCurrency(code)).toBe(true)
  })

  test.each([
    ['funds and accounting units', 'BOV CHE CHW CLF COU MXV USN UYI UYW XAD XBA XBB XBC XBD XDR XSU XUA'],
    ['metals, tests and none', 'XAG XAU XPD XPT XTS XXX'],
    ['withdrawn codes', 'ANG BGN HRK SLL ZWL CUC BYR MRO STD VEF LTL'],
    ['what is no code', 'php Php PH PHPP BTC ABC toString __proto__'],
  ])('refuses %s', (_what, refused) => {
    for (const code of [...codes(refused), '', ' PHP']) {
      expect([code, isCurrency(code), minorDigits(code)]).toEqual([code, false, undefined])
    }
  })
})

test('the defaults are all in the table', () => {
  expect(DEFAULT_CURRENCIES).toEqual(codes('PHP USD EUR GBP JPY SGD HKD AUD IDR MYR THB VND KWD'))
  expect(DEFAULT_CURRENCIES.filter((code) => !isCurrency(code))).toEqual([])
})

test('digitsOf answers for a known code and throws for an unknown one', () => {
  expect(codes('JPY PHP KWD').map(digitsOf)).toEqual([0, 2, 3])
  expect(() => digitsOf('CLF')).toThrow('no such currency: CLF')
})
