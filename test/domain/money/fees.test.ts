// Fees: the rules as a table, the configuration, and many random cases against an independent reference:
// FEE_CASES=1000000 for the long form.

import { describe, expect, test } from 'vitest'
import {
  type Charge,
  chargeOf,
  type FeeSchedule,
  feeBreakdown,
  feeOf,
  parseFeeSchedule,
} from '../../../src/domain/money/fees.ts'
import { parseAmount, portion } from '../../../src/domain/money/money.ts'
import { drawFrom, feeCaseFrom } from './fees.cases.ts'
import { expectedCharge, type FeeCase, type Met } from './fees.reference.ts'

const CASES = Number(process.env['FEE_CASES'] ?? 60_000)
const SEED = Number(process.env['FEE_SEED'] ?? 20_260_101)

const NO_FEE: FeeSchedule = { pctPpm: 0n, addMinor: 0n, minMinor: 0n, maxMinor: 0n, fixedMinor: 0n }

describe('feeOf', () => {
  test.each<[what: string, schedule: Partial<FeeSchedule>, amountMinor: bigint, feeMinor: bigint]>([
    ['nothing configured', {}, 10_000n, 0n],
    ['a percentage', { pctPpm: 10_000n }, 10_000n, 100n],
    ['half a unit goes up', { pctPpm: 29_250n }, 10_000n, 293n],
    ['less than half goes down', { pctPpm: 29_249n }, 10_000n, 292n],
    ['add', { addMinor: 500n }, 10_000n, 500n],
    ['percentage and add', { pctPpm: 29_250n, addMinor: 1_500n }, 10_000n, 1_793n],
    ['raised to min', { pctPpm: 10_000n, minMinor: 101n }, 10_000n, 101n],
    ['already min', { pctPpm: 10_000n, minMinor: 100n }, 10_000n, 100n],
    ['cut to max', { pctPpm: 10_000n, maxMinor: 99n }, 10_000n, 99n],
    ['already max', { pctPpm: 10_000n, maxMinor: 100n }, 10_000n, 100n],
    ['add counts before min', { pctPpm: 10_000n, addMinor: 50n, minMinor: 120n }, 10_000n, 150n],
    ['add counts before max', { pctPpm: 10_000n, addMinor: 50n, maxMinor: 120n }, 10_000n, 120n],
    ['min equal to max', { pctPpm: 10_000n, minMinor: 7n, maxMinor: 7n }, 10_000n, 7n],
    ['min alone', { minMinor: 25n }, 10_000n, 25n],
    ['max alone takes nothing', { maxMinor: 25n }, 10_000n, 0n],
    [
      'fixed wins over all',
      { pctPpm: 500_000n, addMinor: 1n, minMinor: 50n, maxMinor: 60n, fixedMinor: 10n },
      10_000n,
      10n,
    ],
    ['the whole amount', { pctPpm: 1_000_000n }, 10_000n, 10_000n],
  ])('%s', (_what, schedule, amountMinor, feeMinor) => {
    expect(feeOf({ ...NO_FEE, ...schedule }, amountMinor)).toBe(feeMinor)
  })
})

describe('chargeOf', () => {
  const schedule = { ...NO_FEE, fixedMinor: 1_500n }
  test.each<['payer' | 'recipient', bigint, Charge]>([
    ['payer', 10_000n, { feeMinor: 1_500n, debitMinor: 11_500n, receiveMinor: 10_000n }],
    ['recipient', 10_000n, { feeMinor: 1_500n, debitMinor: 10_000n, receiveMinor: 8_500n }],
    ['recipient', 1_500n, { feeMinor: 1_500n, debitMinor: 1_500n, receiveMinor: 0n }],
    ['recipient', 1_000n, { feeMinor: 1_500n, debitMinor: 1_000n, receiveMinor: -500n }],
    ['payer', 1_000n, { feeMinor: 1_500n, debitMinor: 2_500n, receiveMinor: 1_000n }],
  ])('the %s bears the fee on %d', (bearer, amountMinor, charge) => {
    expect(chargeOf(schedule, amountMinor, bearer)).toEqual(charge)
  })
})

describe('parseFeeSchedule', () => {
  test('reads percent points and major units, absent and null fields as 0', () => {
    const config = { pct: 2.925, add: 15, min: 0.07, max: 19.99, fixed: null }
    expect(parseFeeSchedule(config, 'PHP')).toEqual({
      pctPpm: 29_250n,
      addMinor: 1_500n,
      minMinor: 7n,
      maxMinor: 1_999n,
      fixedMinor: 0n,
    })
    expect(parseFeeSchedule({}, 'PHP')).toEqual(NO_FEE)
    expect(parseFeeSchedule({ pct: 100, min: 5 }, 'JPY')).toEqual({ ...NO_FEE, pctPpm: 1_000_000n, minMinor: 5n })
    expect(parseFeeSchedule({ pct: 0.0001, fixed: 0.001 }, 'KWD')).toEqual({ ...NO_FEE, pctPpm: 1n, fixedMinor: 1n })
    expect(parseFeeSchedule({ min: 2, max: 2 }, 'JPY')).toEqual({ ...NO_FEE, minMinor: 2n, maxMinor: 2n })
  })

  test.each([
    [{ pct: '1' }, 'PHP', 'not_a_number', 'pct'],
    [{ pct: -1 }, 'PHP', 'negative', 'pct'],
    [{ pct: 0.00001 }, 'PHP', 'too_many_decimals', 'pct'],
    [{ pct: 100.0001 }, 'PHP', 'too_large', 'pct'],
    [{ pct: Number.NaN }, 'PHP', 'not_finite', 'pct'],
    [{ add: -0.01 }, 'PHP', 'negative', 'add'],
    [{ add: 0.5 }, 'JPY', 'too_many_decimals', 'add'],
    [{ min: 0.001 }, 'PHP', 'too_many_decimals', 'min'],
    [{ max: 1e12 }, 'PHP', 'too_large', 'max'],
    [{ fixed: 0.1 + 0.2 }, 'PHP', 'too_many_digits', 'fixed'],
    [{ fixed: true }, 'PHP', 'not_a_number', 'fixed'],
    [{ min: 2, max: 1.99 }, 'PHP', 'min_above_max', 'min'],
    [{ min: 2, max: 1, fixed: 5 }, 'PHP', 'min_above_max', 'min'],
    [{ add: -1, min: -1 }, 'PHP', 'negative', 'add'],
  ])('refuses %o in %s: %s of %s', (config, currency, fault, param) => {
    expect(parseFeeSchedule(config, currency)).toEqual({ fault, param })
  })

  test('throws for a currency that nobody checked', () => {
    expect(() => parseFeeSchedule({}, 'XXX')).toThrow('no such currency: XXX')
  })

  test('feeBreakdown gives back the numbers that were configured', () => {
    const draw = drawFrom(SEED)
    for (let index = 0; index < 2_000; index += 1) {
      const feeCase = feeCaseFrom(draw)
      expect(feeBreakdown(scheduleOf(feeCase), feeCase.currency)).toEqual(configOf(feeCase))
    }
  })
})

type Charger = (schedule: FeeSchedule, amountMinor: bigint, bearer: FeeCase['bearer']) => Charge

describe('against the reference', () => {
  test(`${CASES} random cases agree, and each rule is met often`, { timeout: 180_000 }, () => {
    const { disagreement, met } = compare(chargeOf, CASES)
    console.info(`checked ${CASES} fee cases, seed ${SEED}: ${JSON.stringify(met)}`)
    expect(disagreement).toBeUndefined()
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(CASES / 1_000)
  })

  // The comparison is worth something only if it notices these.
  test.each<[what: string, feeOfWrongly: (schedule: FeeSchedule, amountMinor: bigint) => bigint]>([
    ['rounds down', (s, a) => clamped(s, (a * s.pctPpm) / 1_000_000n + s.addMinor)],
    ['rounds up', (s, a) => clamped(s, (a * s.pctPpm + 999_999n) / 1_000_000n + s.addMinor)],
    ['rounds half down', (s, a) => clamped(s, (a * s.pctPpm + 499_999n) / 1_000_000n + s.addMinor)],
    ['rounds half to even', (s, a) => clamped(s, halfToEven(a * s.pctPpm) + s.addMinor)],
    ['multiplies floats', (s, a) => clamped(s, BigInt(Math.round(Number(a) * (Number(s.pctPpm) / 1e6))) + s.addMinor)],
    ['knows no min', (s, a) => feeOf({ ...s, minMinor: 0n }, a)],
    ['knows no max', (s, a) => feeOf({ ...s, maxMinor: 0n }, a)],
    ['takes a max of 0 at its word', (s, a) => (s.fixedMinor === 0n && s.maxMinor === 0n ? s.minMinor : feeOf(s, a))],
    ['knows no fixed', (s, a) => feeOf({ ...s, fixedMinor: 0n }, a)],
    ['puts fixed on top', (s, a) => feeOf({ ...s, fixedMinor: 0n }, a) + s.fixedMinor],
    ['forgets add', (s, a) => feeOf({ ...s, addMinor: 0n }, a)],
    [
      'adds after the bounds',
      (s, a) => (s.fixedMinor > 0n ? s.fixedMinor : feeOf({ ...s, addMinor: 0n }, a) + s.addMinor),
    ],
  ])('an engine that %s is caught', (_what, feeOfWrongly) => {
    const wrong: Charger = (schedule, amountMinor, bearer) =>
      chargeOf({ ...NO_FEE, fixedMinor: feeOfWrongly(schedule, amountMinor) }, amountMinor, bearer)
    expect(compare(wrong, CASES / 10).disagreement).toContain(`seed ${SEED}, case `)
  })

  test('an engine that charges the other side is caught', () => {
    const wrong: Charger = (s, a, bearer) => chargeOf(s, a, bearer === 'payer' ? 'recipient' : 'payer')
    expect(compare(wrong, CASES / 10).disagreement).toContain(`seed ${SEED}, case `)
  })

  test('the bounds of the wrong engines are right, so each is caught for the fault it names', () => {
    const right: Charger = (s, a, bearer) => {
      const fixedMinor = clamped(s, portion(a, s.pctPpm) + s.addMinor)
      return chargeOf({ ...NO_FEE, fixedMinor }, a, bearer)
    }
    expect(compare(right, CASES / 10).disagreement).toBeUndefined()
  })
})

/** The first case, if any, on which the engine and the reference differ, and how often each rule was met until then. */
function compare(
  charger: Charger,
  cases: number,
): { disagreement: string | undefined; met: Record<keyof Met, number> } {
  const draw = drawFrom(SEED)
  const met = { tie: 0, raisedToMin: 0, cutToMax: 0, fixed: 0, nothingLeft: 0 }
  for (let index = 0; index < cases; index += 1) {
    const feeCase = feeCaseFrom(draw)
    const expected = expectedCharge(feeCase)
    for (const rule of Object.keys(met) as (keyof Met)[]) met[rule] += Number(expected.met[rule])
    const got = charger(scheduleOf(feeCase), amountOf(feeCase), feeCase.bearer)
    const isSame =
      got.feeMinor === expected.feeMinor &&
      got.debitMinor === expected.debitMinor &&
      got.receiveMinor === expected.receiveMinor
    if (isSame) continue
    const found = `fee ${got.feeMinor}, debit ${got.debitMinor}, receive ${got.receiveMinor}`
    const wanted = `fee ${expected.feeMinor}, debit ${expected.debitMinor}, receive ${expected.receiveMinor}`
    return {
      disagreement: `seed ${SEED}, case ${index}: ${JSON.stringify(feeCase)}: ${found}; the reference says ${wanted}`,
      met,
    }
  }
  return { disagreement: undefined, met }
}

function configOf({ pct, add, min, max, fixed }: FeeCase): Record<'pct' | 'add' | 'min' | 'max' | 'fixed', number> {
  return { pct: Number(pct), add: Number(add), min: Number(min), max: Number(max), fixed: Number(fixed) }
}

function scheduleOf(feeCase: FeeCase): FeeSchedule {
  const schedule = parseFeeSchedule(configOf(feeCase), feeCase.currency)
  if ('fault' in schedule) throw new Error(`${schedule.param} ${schedule.fault}: ${JSON.stringify(feeCase)}`)
  return schedule
}

function amountOf(feeCase: FeeCase): bigint {
  const parsed = parseAmount(Number(feeCase.amount), feeCase.currency)
  if ('fault' in parsed) throw new Error(`${parsed.fault}: ${JSON.stringify(feeCase)}`)
  return parsed.amountMinor
}

function clamped(schedule: FeeSchedule, feeMinor: bigint): bigint {
  return feeOf({ ...schedule, pctPpm: 0n, addMinor: feeMinor }, 0n)
}

function halfToEven(millionths: bigint): bigint {
  const below = millionths / 1_000_000n
  const leftOver = millionths % 1_000_000n
  if (leftOver === 500_000n) return below % 2n === 0n ? below : below + 1n
  return leftOver > 500_000n ? below + 1n : below
}
