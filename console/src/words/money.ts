// An amount in the digits that the gateway gave, grouped as a locale groups them. Intl only finds the places of the sign, the currency
// and the marks: it would round by CLDR's digits (IDR 0), where the standard has others (IDR 2), and people approve what they read.

// ISO 4217; every other currency has two (test/console/pure/money.test.ts holds them to the gateway's own table).
const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const THREE = 'BHD IQD JOD KWD LYD OMR TND'

/** Decimals of a currency. */
export const decimalsOf = (currency: string): number => (NONE.includes(currency) ? 0 : THREE.includes(currency) ? 3 : 2)

/** 1234.5 PHP as ₱1,234.50. What is no currency of the standard, such as USDC, is written with its code, and all the digits that it has. */
export function moneyIn(locale: string, amount: number | string, currency: string): string {
  const digits = digitsOf(String(amount))
  if (digits === null) return `${amount} ${currency}`
  const { sign, whole, fraction } = digits
  const isCurrency = /^[A-Z]{3}$/.test(currency)
  const shown = isCurrency ? fraction.padEnd(decimalsOf(currency), '0') : fraction
  const decimals = shown === '' ? 0 : 1
  const format = new Intl.NumberFormat(locale, {
    ...(isCurrency ? { style: 'currency', currency } : {}),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // No integer has a sign beside nothing.
  const given = sign === '-' && BigInt(whole) === 0n ? -0 : BigInt(sign + whole)
  const text = format.formatToParts(given).map(({ type, value }) => (type === 'fraction' ? shown : value))
  return isCurrency ? text.join('') : `${text.join('')} ${currency}`
}

/** A sum of amounts has no more decimals than they have: what is beyond is of the addition. */
export const sumIn = (currency: string, amounts: readonly number[]): number =>
  Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(decimalsOf(currency)))

/** Of a decimal, or of a number as JavaScript writes it: 1e-7, too. Null for what is neither. */
function digitsOf(text: string): { readonly sign: string; readonly whole: string; readonly fraction: string } | null {
  const [, sign = '', before = '', after = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text.trim()) ?? []
  if (before === '') return null
  const point = before.length + Number(exponent)
  const all = (before + after).padEnd(point, '0')
  return point > 0
    ? { sign, whole: all.slice(0, point), fraction: all.slice(point) }
    : { sign, whole: '0', fraction: '0'.repeat(-point) + all }
}
