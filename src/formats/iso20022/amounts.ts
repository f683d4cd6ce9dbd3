// Amounts as decimal text beside a currency: never a float, never rounded. The standard takes five decimals of any
// currency; that yen have none and pesos two is checked here.
import { minorDigits } from '../../domain/money/currencies.ts'
import { invariant } from '../../domain/invariant.ts'
import { fixedText } from '../../domain/money/money.ts'
import { amountLeaf, type Xml } from './xml-writing.ts'

/** In major units with all decimals of the currency: "100.00", "1000" for yen. */
export type Amount = { readonly amountDecimal: string; readonly currency: string }

const DIGITS_MAX = 18
const TEXT_LENGTH_MAX = 40

/** A decimal as XML Schema writes it, in any of its spellings, to the text above; null for what is no such amount. */
export function amountText(decimal: string, currency: string): string | null {
  const amountMinor = minorOf(decimal, currency)
  return amountMinor === null ? null : fixedText(amountMinor, currency)
}

/** The sum of amounts of one currency, exact. */
export function sumText(amountDecimals: readonly string[], currency: string): string {
  let sumMinor = 0n
  for (const amountDecimal of amountDecimals) sumMinor += minorOf(exactAmount(amountDecimal, currency), currency) ?? 0n
  return fixedText(sumMinor, currency)
}

/** The amount as an element; it must be above zero. */
export function movedAmount(name: string, { amountDecimal, currency }: Amount): Xml {
  invariant(/[1-9]/.test(exactAmount(amountDecimal, currency)), 'an amount to move is above zero')
  return amountLeaf(name, amountDecimal, currency)
}

/** The amount as an element; a balance may be zero. */
export function statedAmount(name: string, { amountDecimal, currency }: Amount): Xml {
  return amountLeaf(name, exactAmount(amountDecimal, currency), currency)
}

function exactAmount(amountDecimal: string, currency: string): string {
  invariant(amountText(amountDecimal, currency) === amountDecimal, `no amount of ${currency}: ${amountDecimal}`)
  return amountDecimal
}

function minorOf(decimal: string, currency: string): bigint | null {
  if (decimal.length > TEXT_LENGTH_MAX) return null
  const digits = minorDigits(currency)
  const match = /^\+?0*(\d*)(?:\.(\d*?)0*)?$/.exec(decimal)
  if (digits === undefined || match === null || !/\d/.test(decimal)) return null
  const [, whole = '', fraction = ''] = match
  if (whole.length + digits > DIGITS_MAX || fraction.length > digits) return null
  return BigInt(whole + fraction.padEnd(digits, '0') || '0')
}
