// Amounts of an asset: exact, rounded down once, and refused where rounding would cost more than a thousandth.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assetAmount,
  assetDue,
  isRate,
  moneyOf,
  type Quote,
  type QuoteConfig,
  quoteConfigFault,
  quoteFrom,
} from '../../../src/domain/money/quotes.ts'

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

/** amount in minor units, currency, rate, decimals, units due, text */
test.each([
  [100_00n, 'PHP', '56.40', 6, 1_773_050n, '1.77305'],
  [56_40n, 'PHP', '56.40', 6, 1_000_000n, '1'],
  [56_39n, 'PHP', '56.40', 6, 999_823n, '0.999823'],
  [1_000n, 'KWD', '0.307', 6, 3_257_329n, '3.257329'],
  [12_50n, 'USD', '2000.00', 18, 6_250_000_000_000_000n, '0.00625'],
])('%s minor units of %s at %s with %s decimals ask for %s', (amountMinor, currency, rate, decimals, units, text) => {
  const priced = quote(currency, rate, decimals)
  expect(assetDue(amountMinor, currency, priced)).toEqual({ units, text })
  expect(moneyOf(units, units, amountMinor, priced)).toBe(amountMinor)
  expect(moneyOf(units - 1n, units, amountMinor, priced)).toBe(amountMinor - 1n)
})

test('what is asked is dust below a thousand units; a quote for other money is no quote', () => {
  expect(assetDue(1n, 'USD', quote('USD', '10.02', 6))).toEqual({ fault: 'dust' })
  expect(assetDue(1n, 'USD', quote('USD', '10', 6))).toEqual({ units: 1_000n, text: '0.001' })
  expect(assetDue(100n, 'USD', quote('PHP', '56.40', 6))).toEqual({ fault: 'currency' })
})

/** What came in, what was due, the amount, rate, decimals, the money that it is */
test.each([
  [0n, 1_773_050n, 100_00n, '56.40', 6, 0n],
  [886_525n, 1_773_050n, 100_00n, '56.40', 6, 50_00n],
  [1_773_050n + 177n, 1_773_050n, 100_00n, '56.40', 6, 100_00n],
  [1_773_050n + 178n, 1_773_050n, 100_00n, '56.40', 6, 100_01n],
  [3_546_100n, 1_773_050n, 100_00n, '56.40', 6, 200_00n],
  // One unit of the asset is worth many minor units of the money.
  [1_001n, 1_001n, 100_050n, '1', 0, 100_050n],
  [1_002n, 1_001n, 100_050n, '1', 0, 100_150n],
])('%s units of %s due for %s at %s with %s decimals are %s', (units, due, amountMinor, rate, decimals, money) => {
  expect(moneyOf(units, due, amountMinor, quote('USD', rate, decimals))).toBe(money)
})

test('money for what came in: exact when paid, never more than it is worth, never less for more', () => {
  const rates = fc.tuple(fc.bigInt(1n, 10n ** 20n), fc.integer({ min: 0, max: 18 }))
  const places = fc.integer({ min: 0, max: 18 })
  const parts = fc.array(fc.bigInt(0n, 10n ** 30n), { maxLength: 6 })
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 14n), rates, places, parts, (amountMinor, [scaled, scale], decimals, given) => {
      const digits = scaled.toString().padStart(scale + 1, '0')
      const rate = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
      fc.pre(isRate(rate))
      const priced = quote('USD', rate, decimals)
      const due = assetDue(amountMinor, 'USD', priced)
      if ('fault' in due) return
      const money = (units: bigint) => moneyOf(units, due.units, amountMinor, priced)
      // Both sides in ten-to-the-minus-so-many cents, without a division.
      const worth = (units: bigint) => units * scaled * 100n
      const inParts = (minor: bigint) => minor * 10n ** BigInt(decimals + scale)
      expect(money(due.units)).toBe(amountMinor)
      expect(worth(due.units - 1n) < inParts(amountMinor)).toBe(true)
      const around = [0n, 1n, 2n].flatMap((step) => [due.units - step, due.units + step])
      let [sum, before] = [0n, 0n]
      for (const units of [...around, ...given.map((part) => part % (3n * due.units))].toSorted(byValue)) {
        sum = money(units)
        expect(sum >= before && inParts(sum) <= worth(units)).toBe(true)
        expect(units >= due.units).toBe(sum >= amountMinor)
        before = sum
      }
    }),
  )
})

const byValue = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0)

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
