// Tiers of fees: every amount is in one of them, the parts add up to the whole, and nothing is below the channel's own price; for
// currencies of 0, 2 and 3 digits.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chargeOf, feeOf } from '../../../src/domain/money/fees.ts'
import { type FeeOutcome, type FeePrice, pricing, tierOf } from '../../../src/domain/policy/fees.ts'
import { sentenceOf } from '../../../src/domain/policy/sentence.ts'
import { schedules } from './policies.ts'

const amount = fc.bigInt({ min: 1n, max: 10n ** 15n })
const ends = fc.uniqueArray(amount, { maxLength: 6 }).map((all) => all.toSorted((a, b) => (a < b ? -1 : 1)))
const tiers = ends.chain((all) =>
  fc
    .array(schedules, { minLength: all.length + 1, maxLength: all.length + 1 })
    .map((each) => each.map((fees, i) => ({ upToMinor: all[i] ?? null, fees }))),
)
const priceOf = (fees: FeePrice['fees'], tier = 1): FeePrice => {
  return { policyId: 'p', version: 1, name: 'Fees', by: 'amount', tier, measuredMinor: 0n, fees }
}

test('every amount is in one tier, and an end belongs to the tier that it ends', () => {
  fc.assert(
    fc.property(tiers, amount, (all, measured) => {
      const from = (i: number) => all[i - 1]?.upToMinor ?? -1n
      const fitting = all.filter(
        ({ upToMinor }, i) => measured > from(i) && (upToMinor === null || measured <= upToMinor),
      )
      expect(fitting).toHaveLength(1)
      const found = tierOf(all, measured)
      expect(found && all[found.tier - 1]).toBe(fitting[0])
      for (const [i, { upToMinor }] of all.entries()) {
        if (upToMinor === null) continue
        expect(tierOf(all, upToMinor)?.tier).toBe(i + 1)
        expect(tierOf(all, upToMinor + 1n)?.tier).toBe(i + 2)
      }
    }),
  )
})

test('the fee is what stands between debit and arrival, is never negative, and never below the channel’s own', () => {
  fc.assert(
    fc.property(schedules, schedules, amount, fc.constantFrom('payer', 'recipient'), (own, asked, minor, bearer) => {
      const { fees, by } = pricing(own, priceOf(asked), minor)
      const { feeMinor, debitMinor, receiveMinor } = chargeOf(fees, minor, bearer as 'payer' | 'recipient')
      expect(debitMinor - receiveMinor).toBe(feeMinor)
      expect(bearer === 'payer' ? receiveMinor : debitMinor).toBe(minor)
      expect(feeMinor >= 0n && feeMinor >= feeOf(own, minor) && feeMinor >= feeOf(asked, minor)).toBe(true)
      expect([feeOf(own, minor), feeOf(asked, minor)]).toContain(feeMinor)
      expect(by === null).toBe(feeOf(asked, minor) < feeOf(own, minor))
    }),
  )
})

test.each([
  ['JPY', 1_234n, 36n],
  ['PHP', 123_450n, 3_611n],
  ['BHD', 1_234_567n, 36_111n],
])('2.925 %% of an amount in %s is rounded to its minor unit, half away from zero', (_, minor, fee) => {
  const asked = { pctPpm: 29_250n, addMinor: 0n, minMinor: 0n, maxMinor: 0n, fixedMinor: 0n }
  expect(pricing({ ...asked, pctPpm: 0n }, priceOf(asked), minor)).toMatchObject({ fees: asked })
  expect(feeOf(asked, minor)).toBe(fee)
  expect(feeOf({ ...asked, pctPpm: 500_000n }, 1n)).toBe(1n)
})

test('reads as a sentence', () => {
  const none = { pctPpm: 0n, addMinor: 0n, minMinor: 0n, maxMinor: 0n, fixedMinor: 0n }
  const then: FeeOutcome = {
    kind: 'fees',
    channelId: 'gcash',
    currency: 'PHP',
    by: 'amount',
    tiers: [
      { upToMinor: 100_000n, fees: { ...none, pctPpm: 15_000n, addMinor: 1_000n } },
      { upToMinor: null, fees: { ...none, pctPpm: 10_000n, minMinor: 500n, maxMinor: 10_000n } },
    ],
  }
  expect(sentenceOf({ when: [], then })).toBe(
    'Transfers in PHP by the channel gcash cost by their amount up to PHP 1,000.00: 1.5 % + PHP 10.00; above that: 1 %, at least PHP 5.00, at most PHP 100.00; and never less than the channel itself asks.',
  )
})
