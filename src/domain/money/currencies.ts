// ISO 4217: which codes are money here, and how many decimals each has.
// Own table, because Intl answers with CLDR's digits (IQD 0), not with the standard's (IQD 3).
// It must not know which currencies an account or a channel has enabled.

// Active codes only. Left out: funds and accounting units (CLF, COU, XDR …), metals, the codes for tests and for none.
const CODES_BY_DIGITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
    CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY
    TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
]

const DIGITS: ReadonlyMap<string, number> = new Map(
  CODES_BY_DIGITS.flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, digits] as const)),
)

/** Every code of the table, in alphabetical order. */
export const CURRENCIES: readonly string[] = [...DIGITS.keys()].sort()

/** What an installation takes when its configuration says nothing. */
export const DEFAULT_CURRENCIES: readonly string[] = 'PHP USD EUR GBP JPY SGD HKD AUD IDR MYR THB VND KWD'.split(' ')

/** Decimals of a currency by ISO 4217 (JPY 0, PHP 2, KWD 3); undefined outside the table. Upper case only. */
export function minorDigits(code: string): number | undefined {
  return DIGITS.get(code)
}

/** The same for a code that was checked before: one outside the table is our own fault, and throws. */
export function digitsOf(code: string): number {
  const digits = DIGITS.get(code)
  if (digits === undefined) throw new Error(`no such currency: ${code}`)
  return digits
}

/** Whether the code is an active ISO 4217 currency. Upper case only: the edge upper-cases it first. */
export function isCurrency(code: string): boolean {
  return DIGITS.has(code)
}
