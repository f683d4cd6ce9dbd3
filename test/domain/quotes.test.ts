// Amounts of an asset: exact, rounded down once, and refused where rounding would cost more than a thousandth.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assetAmount,
  isRate,
  type Quote,
  type QuoteConfig,
  quoteConfigFault,
  quoteFrom,
} from '../../src/domain/quotes.ts'

const CONFIG: QuoteConfig = {
  network: 'eip155:1',
  asset: 'USDC',
  token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  decimals: 6,
  rates: { PHP: '56.40', JPY: '149.5', KWD: '0.307' },
  validForMs: 60_000,
}

const quote = (currency: string, rate: string, decimals: number): Quote => ({
  ...CONFIG,
  currency,
  rate,
  decimals,
  expiresAt: 0,
  source: 'fixed',
})

/** amount in minor units, currency, rate, decimals, units, text */
test.each([
  [100_00n, 'PHP', '56.40', 6, 1_773_049n, '1.773049'],
  [56_40n, 'PHP', '56.40', 6, 1_000_000n, '1'],
  [56_39n, 'PHP', '56.40', 6, 999_822n, '0.999822'],
  [1_000n, 'JPY', '149.5', 6, 6_688_963n, '6.688963'],
  [1_000n, 'KWD', '0.307', 6, 3_257_328n, '3.257328'],
  [12_50n, 'USD', '2000.00', 18, 6_250_000_000_000_000n, '0.00625'],
  [
    999_999_999_999_99n,
    'USD',
    '0.000000000000000001',
    18,
    999_999_999_999_990_000_000_000_000_000_000_000_000_000_000_000n,
    '999999999999990000000000000000',
  ],
  [1n, 'USD', '10', 6, 1_000n, '0.001'],
])('%s minor units of %s at %s with %s decimals are %s', (amountMinor, currency, rate, decimals, units, text) => {
  expect(assetAmount(amountMinor, currency, quote(currency, rate, decimals))).toEqual({ units, text })
})

test.each([
  [1n, 'USD', '10.01', 6],
  [100_00n, 'USD', '100', 2],
  [1n, 'JPY', '999999999999999999', 18],
])('%s minor units of %s at %s with %s decimals are dust', (amountMinor, currency, rate, decimals) => {
  expect(assetAmount(amountMinor, currency, quote(currency, rate, decimals))).toEqual({ fault: 'dust' })
})

test('a quote for other money is no quote', () => {
  expect(assetAmount(100n, 'USD', quote('PHP', '56.40', 6))).toEqual({ fault: 'currency' })
})

test('what is paid out is never worth more than the money, and less by under a unit', () => {
  const rates = fc.tuple(fc.bigInt(1n, 10n ** 20n), fc.integer({ min: 0, max: 18 }))
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 14n),
      rates,
      fc.integer({ min: 0, max: 18 }),
      (amountMinor, [scaled, places], decimals) => {
        const digits = scaled.toString().padStart(places + 1, '0')
        const rate = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
        fc.pre(isRate(rate))
        const amount = assetAmount(amountMinor, 'USD', quote('USD', rate, decimals))
        if ('fault' in amount) return amount.fault === 'dust'
        // Both sides in ten-to-the-minus-so-many cents, without a division.
        const worth = (units: bigint) => units * scaled * 100n
        const money = amountMinor * 10n ** BigInt(decimals + places)
        return worth(amount.units) <= money && money < worth(amount.units + 1n)
      },
    ),
  )
})

test('a fixed quote holds for its time, and names all that a payout needs', () => {
  const { rates, validForMs, ...asset } = CONFIG
  expect(quoteFrom(CONFIG, 'PHP', 1_000)).toEqual({
    ...asset,
    currency: 'PHP',
    rate: rates['PHP'],
    expiresAt: 1_000 + validForMs,
    source: 'fixed',
  })
  expect(quoteFrom(CONFIG, 'USD', 1_000)).toBeNull()
})

test.each([
  ['1', true],
  ['0.000000000000000001', true],
  ['999999999999999999.5', true],
  ['0', false],
  ['0.00', false],
  ['-1', false],
  ['01', false],
  ['1.', false],
  ['.5', false],
  ['1e3', false],
  ['1,5', false],
  ['1234567890123456789', false],
  ['1.1234567890123456789', false],
  ['', false],
  [1.5, false],
])('%j as a rate: %s', (text, expected) => {
  expect(isRate(text)).toBe(expected)
})

test.each([
  [{ network: 'mainnet' }, 'network'],
  [{ decimals: 1.5 }, 'decimals'],
  [{ decimals: 37 }, 'decimals'],
  [{ validForMs: 0 }, 'validForMs'],
  [{ rates: { PHP: '56,40' } }, 'PHP'],
])('a configuration with %j is told', (change, fault) => {
  expect(quoteConfigFault({ ...CONFIG, ...change } as QuoteConfig)).toContain(fault)
  expect(quoteConfigFault(CONFIG)).toBeNull()
})
