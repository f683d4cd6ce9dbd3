// What a channel charges for moving an amount, and who bears it.
// It must not know channels, contracts or how a refusal is worded. All sums are minor units of one currency.

import { digitsOf } from './currencies.ts'
import { type DecimalFault, decimalText, majorNumber, parseDecimal, portion } from './money.ts'

/** `pctPpm` in parts per million (29_250n is 2.925 %); in `minMinor`, `maxMinor` and `fixedMinor` 0n means none. */
export type FeeSchedule = {
  readonly pctPpm: bigint
  readonly addMinor: bigint
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly fixedMinor: bigint
}

/** The wire form: `pct` in percent points, the others in major units. */
export type FeeBreakdown = { pct: number; add: number; min: number; max: number; fixed: number }

/** Configuration as it was written, not yet checked; an absent or null field is 0. */
export type FeeConfig = { readonly [field in keyof FeeBreakdown]?: unknown }

export type FeeFault = { fault: DecimalFault | 'min_above_max'; param: keyof FeeBreakdown }

/** `payer`: on top of the amount (`covered: true`). `recipient`: out of the amount (`covered: false`). */
export type FeeBearer = 'payer' | 'recipient'

export type Charge = { readonly feeMinor: bigint; readonly debitMinor: bigint; readonly receiveMinor: bigint }

// A percent point with 4 decimals is exactly one part per million.
const PCT_DECIMALS = 4
const PCT_PPM_MAX = 1_000_000n

/** The fee for an amount: `fixed` where there is one, else amount × pct + add kept within `min` and `max`. */
export function feeOf(schedule: FeeSchedule, amountMinor: bigint): bigint {
  const { pctPpm, addMinor, minMinor, maxMinor, fixedMinor } = schedule
  if (fixedMinor > 0n) return fixedMinor
  const feeMinor = portion(amountMinor, pctPpm) + addMinor
  if (feeMinor < minMinor) return minMinor
  if (maxMinor > 0n && feeMinor > maxMinor) return maxMinor
  return feeMinor
}

/**
 * What the payer is debited and the recipient receives; the difference is always the fee.
 * Where the recipient bears a fee that eats the whole amount, `receiveMinor` is 0n or less: the caller refuses it.
 */
export function chargeOf(schedule: FeeSchedule, amountMinor: bigint, bearer: FeeBearer): Charge {
  const feeMinor = feeOf(schedule, amountMinor)
  const debitMinor = bearer === 'payer' ? amountMinor + feeMinor : amountMinor
  return { feeMinor, debitMinor, receiveMinor: debitMinor - feeMinor }
}

/**
 * Configured numbers to a schedule: `pct` 0 to 100 with at most 4 decimals, the others 0 or more major units of the
 * currency. The first wrong field is named. `min` above `max` is refused, since no fee could keep to both.
 * Throws for a currency outside the table.
 */
export function parseFeeSchedule(config: FeeConfig, currency: string): FeeSchedule | FeeFault {
  const digits = digitsOf(currency)
  const pct = parseDecimal(config.pct ?? 0, PCT_DECIMALS)
  if ('fault' in pct) return { fault: pct.fault, param: 'pct' }
  if (pct.scaled > PCT_PPM_MAX) return { fault: 'too_large', param: 'pct' }
  const add = parseDecimal(config.add ?? 0, digits)
  if ('fault' in add) return { fault: add.fault, param: 'add' }
  const min = parseDecimal(config.min ?? 0, digits)
  if ('fault' in min) return { fault: min.fault, param: 'min' }
  const max = parseDecimal(config.max ?? 0, digits)
  if ('fault' in max) return { fault: max.fault, param: 'max' }
  const fixed = parseDecimal(config.fixed ?? 0, digits)
  if ('fault' in fixed) return { fault: fixed.fault, param: 'fixed' }
  if (max.scaled > 0n && min.scaled > max.scaled) return { fault: 'min_above_max', param: 'min' }

  return {
    pctPpm: pct.scaled,
    addMinor: add.scaled,
    minMinor: min.scaled,
    maxMinor: max.scaled,
    fixedMinor: fixed.scaled,
  }
}

/** Parts per million as percent points: 29_250n is 2.925. */
export const pctText = (pctPpm: bigint): string => decimalText(pctPpm, PCT_DECIMALS)

/** The schedule as the numbers of `fees.breakdown`: what `parseFeeSchedule` read, every field present. */
export function feeBreakdown(schedule: FeeSchedule, currency: string): FeeBreakdown {
  return {
    pct: Number(pctText(schedule.pctPpm)),
    add: majorNumber(schedule.addMinor, currency),
    min: majorNumber(schedule.minMinor, currency),
    max: majorNumber(schedule.maxMinor, currency),
    fixed: majorNumber(schedule.fixedMinor, currency),
  }
}
