// Exact amounts: bigint minor units beside a currency code; reading, writing, and the only rounding in the system.
// It must not know fees, contracts or messages. No amount is ever multiplied, divided or added as a float.

import { withoutTrailing } from '../text/texts.ts'
import { digitsOf, minorDigits } from './currencies.ts'

export type DecimalFault =
  | 'not_a_number'
  | 'not_finite'
  | 'negative'
  | 'too_large'
  | 'too_many_digits'
  | 'too_many_decimals'

export type AmountFault = Exclude<DecimalFault, 'negative'> | 'not_positive'

const FAULT_WORDS: Record<AmountFault, (currency: string) => string> = {
  not_a_number: () => 'amount must be a JSON number',
  not_finite: () => 'amount is too large',
  not_positive: () => 'amount must be above 0',
  too_many_digits: () => 'amount has more than 15 significant digits',
  too_many_decimals: (currency) =>
    `amount has more decimals than ${currency} has (${minorDigits(currency)}); it is never rounded`,
  too_large: () => 'amount is above 999,999,999,999.99',
}

/** Why an amount is refused, in a sentence for the caller. */
export function amountFaultWords(fault: AmountFault, currency: string): string {
  return `${FAULT_WORDS[fault](currency)}.`
}

// A double carries any decimal of 15 significant digits there and back; of 16 the digits that were sent may be lost.
const SIGNIFICANT_DIGITS_MAX = 15
// A number only to be compared with, never to be computed with.
const MAJOR_MAX = 999_999_999_999.99

// How many of the smallest units make a whole, by decimals. Currencies use 0, 2 and 3; percent points use 4.
const SCALES: readonly bigint[] = [1n, 10n, 100n, 1_000n, 10_000n]

/**
 * An amount in major units, as JSON gave it, to minor units. Greater than 0, at most 999,999,999,999.99, at most 15
 * significant digits of its shortest decimal string, at most the currency's decimals; more is refused, never rounded.
 * Throws for a code outside the table: the currency is checked before its amount.
 */
export function parseAmount(value: unknown, currency: string): { amountMinor: bigint } | { fault: AmountFault } {
  const parsed = parseDecimal(value, digitsOf(currency))
  if ('fault' in parsed) return { fault: parsed.fault === 'negative' ? 'not_positive' : parsed.fault }
  return parsed.scaled === 0n ? { fault: 'not_positive' } : { amountMinor: parsed.scaled }
}

/** The largest amount of a currency, in minor units: no caller can send more, and no balance has room for it. */
export function amountMinorMax(currency: string): bigint {
  const { digits, decimals } = shortestDecimal(MAJOR_MAX)
  return (BigInt(digits) * scaleOf(digitsOf(currency))) / scaleOf(decimals)
}

/**
 * A JSON number, 0 allowed, as a whole count of its last allowed decimal: 19.99 with 2 decimals is 1999n.
 * The other limits are those of `parseAmount`; `decimalsMax` is 0 to 4.
 */
export function parseDecimal(value: unknown, decimalsMax: number): { scaled: bigint } | { fault: DecimalFault } {
  if (typeof value !== 'number') return { fault: 'not_a_number' }
  if (!Number.isFinite(value)) return { fault: 'not_finite' }
  if (value < 0) return { fault: 'negative' }
  if (value > MAJOR_MAX) return { fault: 'too_large' }
  // Most amounts are whole: of twelve digits at most, so they keep every limit and need no text.
  if (Number.isInteger(value)) return { scaled: BigInt(value) * scaleOf(decimalsMax) }

  const { digits, decimals } = shortestDecimal(value)
  if (significantDigits(digits) > SIGNIFICANT_DIGITS_MAX) return { fault: 'too_many_digits' }
  if (decimals > decimalsMax) return { fault: 'too_many_decimals' }
  return { scaled: BigInt(digits) * scaleOf(decimalsMax - decimals) }
}

/** Shortest decimal text of the amount in major units, fit for a JSON number: "100", "100.5", "0.07", "-0.07". */
export function majorText(amountMinor: bigint, currency: string): string {
  return decimalText(amountMinor, digitsOf(currency))
}

/** The amount in major units for a JSON reply. Exact up to 15 significant digits; beyond them use `majorText`. */
export function majorNumber(amountMinor: bigint, currency: string): number {
  const minor = Number(amountMinor)
  // Two whole doubles divide to the double nearest to the true quotient, which is what the decimal text reads as.
  if (Number.isSafeInteger(minor)) return minor / Number(scaleOf(digitsOf(currency)))
  return Number(majorText(amountMinor, currency))
}

/** The amount in major units with all decimals of its currency, as rails want it: "100.00", "1000" for yen. */
export function fixedText(amountMinor: bigint, currency: string): string {
  const { sign, whole, fraction } = split(amountMinor, digitsOf(currency))
  return `${sign}${whole}${fraction && `.${fraction}`}`
}

/** The amount for a sentence that people read: "PHP 1,234.50", "JPY 1,200", "PHP -0.05". */
export function displayText(amountMinor: bigint, currency: string): string {
  const { sign, whole, fraction } = split(amountMinor, digitsOf(currency))
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${currency} ${sign}${grouped}${fraction && `.${fraction}`}`
}

/** Shortest text of `scaled` ten-to-the-minus-`decimals`ths: 29_250n with 4 decimals is "2.925". */
export function decimalText(scaled: bigint, decimals: number): string {
  const { sign, whole, fraction } = split(scaled, decimals)
  const kept = withoutTrailing(fraction, '0')
  return `${sign}${whole}${kept && `.${kept}`}`
}

/**
 * That part of an amount, to the minor unit, half up (away from zero below zero). `ppm`: 29_250n is 2.925 %.
 * The only rounding in the system. There is no form that adds a sum before it rounds: such a sum is whole minor units,
 * and adding it after gives the same.
 */
export function portion(amountMinor: bigint, ppm: bigint): bigint {
  const scaled = amountMinor * ppm
  const half = scaled < 0n ? -500_000n : 500_000n
  return (scaled + half) / 1_000_000n
}

/** The shortest text that reads back as this fraction: its digits, and how many are decimals. 19.99 is 1999 and 2. */
function shortestDecimal(value: number): { digits: string; decimals: number } {
  const text = String(value)
  // An exponent ("1.5e-7") appears only below 0.000001: what is too large to print plainly was refused by size.
  const end = value < 0.000_001 ? text.indexOf('e') : text.length
  const exponent = Number(text.slice(end + 1))
  const mantissa = text.slice(0, end)
  const point = mantissa.indexOf('.')
  if (point < 0) return { digits: mantissa, decimals: -exponent }
  const digits = mantissa.slice(0, point) + mantissa.slice(point + 1)
  return { digits, decimals: mantissa.length - point - 1 - exponent }
}

/** Leading zeros say where the point is, not how exact the number is. A fraction's shortest text ends in no zero. */
function significantDigits(digits: string): number {
  return digits.startsWith('0') ? digits.replace(/^0+/, '').length : digits.length
}

function split(scaled: bigint, decimals: number): { sign: string; whole: string; fraction: string } {
  const sign = scaled < 0n ? '-' : ''
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return { sign, whole: digits.slice(0, point), fraction: digits.slice(point) }
}

function scaleOf(decimals: number): bigint {
  const scale = SCALES[decimals]
  if (scale === undefined) throw new Error(`decimals out of range: ${decimals}`)
  return scale
}
