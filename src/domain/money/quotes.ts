// What an amount of money is in a crypto asset: a quoted rate with an end, and exact arithmetic on it. Pure.
// It must not know where rates come from.
import { digitsOf } from './currencies.ts'
import { decimalText } from './money.ts'

/** A price that was promised. It is frozen with the contract, and so names all that the payout will need. */
export type Quote = {
  /** CAIP-2: "eip155:1". */
  readonly network: string
  /** The asset's short name, for people: "USDC". */
  readonly asset: string
  /** The token's contract; null for the chain's own coin. */
  readonly token: `0x${string}` | null
  /** Decimals of the asset's whole unit: 6 for USDC, 18 for ether. */
  readonly decimals: number
  /** The money that the asset is priced in, ISO 4217. */
  readonly currency: string
  /** What one whole unit of the asset costs in major units of the currency, as decimal text. */
  readonly rate: string
  /** The first moment at which it no longer holds, in milliseconds since the epoch. */
  readonly expiresAt: number
  readonly source: string
}

/** One asset with rates that an operator wrote down: for test mode, and for coins that follow a currency. */
export type QuoteConfig = Pick<Quote, 'network' | 'asset' | 'token' | 'decimals'> & {
  /** By currency, as in {@link Quote}. */
  readonly rates: Readonly<Record<string, string>>
  readonly validForMs: number
}

type AssetIdentity = Pick<Quote, 'network' | 'token' | 'decimals'>

export type AssetAmount = {
  /** In the smallest unit of the asset. */
  readonly units: bigint
  /** In whole units, as decimal text: "1.773049". */
  readonly text: string
}

/**
 * `dust`: so small in the asset that rounding alone could cost more than a thousandth. `currency`: the quote prices
 * other money.
 */
export type AssetAmountFault = 'currency' | 'dust'

// Rounding down costs less than one unit, so that a thousand of them lose less than a thousandth.
const UNITS_MIN = 1000n
const DECIMALS_MAX = 36
const RATE = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/

/**
 * The amount of the asset for an amount of money. Rounded down to the asset's smallest unit, in favour of who pays it
 * out: the sender never gives more of the asset than the money was worth at the rate.
 */
export function assetAmount(
  amountMinor: bigint,
  currency: string,
  quote: Quote,
): AssetAmount | { readonly fault: AssetAmountFault } {
  if (quote.currency !== currency) return { fault: 'currency' }
  const { perUnit, scale } = worthOf(quote)
  const units = (amountMinor * scale) / perUnit
  return units < UNITS_MIN ? { fault: 'dust' } : { units, text: decimalText(units, quote.decimals) }
}

/**
 * The amount of the asset that is due for an amount of money. Rounded up to the asset's smallest unit: a payer who pays
 * exactly this has paid all of it.
 */
export function assetDue(
  amountMinor: bigint,
  currency: string,
  quote: Quote,
): AssetAmount | { readonly fault: AssetAmountFault } {
  if (quote.currency !== currency) return { fault: 'currency' }
  const { perUnit, scale } = worthOf(quote)
  const units = (amountMinor * scale + perUnit - 1n) / perUnit
  return units < UNITS_MIN ? { fault: 'dust' } : { units, text: decimalText(units, quote.decimals) }
}

/**
 * What came in of the asset, as money at the quote, in minor units. Exactly `amountMinor` for the `dueUnits` of {@link
 * assetDue}; more and less by what the difference is worth, rounded down. For several payments call it with their sum:
 * what each adds is the difference to the sum before it.
 */
export function moneyOf(unitsTotal: bigint, dueUnits: bigint, amountMinor: bigint, quote: Quote): bigint {
  const { perUnit, scale } = worthOf(quote)
  if (unitsTotal >= dueUnits) return amountMinor + ((unitsTotal - dueUnits) * perUnit) / scale
  return (unitsTotal * perUnit) / scale
}

/** A quote at a fixed rate; null where the currency has none. */
export function quoteFrom(config: QuoteConfig, currency: string, nowMs: number): Quote | null {
  const rate = config.rates[currency]
  if (rate === undefined) return null
  const { network, asset, token, decimals, validForMs } = config
  return { network, asset, token, decimals, currency, rate, expiresAt: nowMs + validForMs, source: 'fixed' }
}

/** Whether two name the same asset, whatever it costs. */
export function isSameAsset(one: AssetIdentity, other: AssetIdentity): boolean {
  return (
    one.network === other.network &&
    one.token?.toLowerCase() === other.token?.toLowerCase() &&
    one.decimals === other.decimals
  )
}

/** What is wrong with an asset as an operator wrote it down, in a sentence; null when nothing is. */
export function quoteConfigFault(config: QuoteConfig): string | null {
  if (!/^eip155:[1-9]\d*$/.test(config.network)) return `network must be eip155 and a chain id, not "${config.network}"`
  if (!Number.isInteger(config.decimals) || config.decimals < 0 || config.decimals > DECIMALS_MAX)
    return `decimals must be a whole number from 0 to ${DECIMALS_MAX}`
  if (!Number.isInteger(config.validForMs) || config.validForMs <= 0) return 'validForMs must be a whole number over 0'
  const wrong = Object.entries(config.rates).find(([, rate]) => !isRate(rate))
  return wrong ? `the rate for ${wrong[0]} must be decimal text over 0, such as "56.40"` : null
}

/** Whether a text is a price: over 0, at most 18 digits before the point and 18 after it. */
export function isRate(text: unknown): text is string {
  return typeof text === 'string' && parsedRate(text) !== null
}

/** One unit of the asset is worth `perUnit / scale` minor units of the quote's money. */
function worthOf({ rate, decimals, currency }: Quote): { readonly perUnit: bigint; readonly scale: bigint } {
  const parsed = parsedRate(rate)
  if (parsed === null) throw new Error(`a quote without a rate: ${rate}`)
  const perUnit = parsed.scaled * 10n ** BigInt(digitsOf(currency))
  return { perUnit, scale: 10n ** BigInt(decimals) * parsed.scale }
}

function parsedRate(text: string): { readonly scaled: bigint; readonly scale: bigint } | null {
  const match = RATE.exec(text)
  if (!match) return null
  const fraction = match[2] ?? ''
  const scaled = BigInt(`${match[1]}${fraction}`)
  return scaled === 0n ? null : { scaled, scale: 10n ** BigInt(fraction.length) }
}
