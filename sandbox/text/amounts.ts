// Amounts as the rails write them, in decimals, and as the books count them, in minor units.

/** In major units, as decimal text. */
export type Money = { readonly amount: string; readonly currency: string }

// ISO 4217, as far as money can be sent here; every other code has two decimals.
const OTHER_DIGITS = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

const digitsOf = (currency: string) => OTHER_DIGITS.get(currency) ?? 2

/** "100.01" PHP -> 10001n, "1011" JPY -> 1011n. Null when it is no positive amount of that currency. */
export function minorOf(amount: string, currency: string): bigint | null {
  const digits = digitsOf(currency)
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(amount) ?? []
  if (whole === undefined || fraction.length > digits) return null
  const minor = BigInt(whole + fraction.padEnd(digits, '0'))
  return minor > 0n ? minor : null
}

/** 10001n PHP -> "100.01", with all decimals of the currency and no sign. */
export function decimalOf(minor: bigint, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** For an amount that was read before. */
export function knownMinor({ amount, currency }: Money): bigint {
  const minor = minorOf(amount, currency)
  if (minor === null) throw new Error(`${amount} ${currency} is no amount`)
  return minor
}
