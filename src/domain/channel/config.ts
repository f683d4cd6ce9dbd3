// Channels as an operator writes them -> facts. Pure; an invalid channel is refused by name.
import { PAYMENT_KINDS, type PaymentKind } from '../payment/kinds.ts'
import type {
  ChannelFacts,
  ChannelMode,
  ChannelTerms,
  CollectFacts,
  RecipientCheck,
  RecipientField,
  RecipientRule,
} from './channel.ts'
import { minorDigits } from '../money/currencies.ts'
import { type FeeConfig, parseFeeSchedule } from '../money/fees.ts'
import { parseAmount } from '../money/money.ts'
import { payableAddress } from '../text/evm-address.ts'
import { wholePattern } from '../contract/preview.ts'
import { type QuoteConfig, quoteConfigFault } from '../money/quotes.ts'
import { parseWindows, type Windows, type WindowsConfig } from './windows.ts'

/** A channel as an operator writes it: prices and bounds in major units for each currency. */
export type ChannelConfig = {
  readonly id: string
  readonly service: string
  readonly name: string
  readonly description: string
  /** True: the payer pays the fee on top; false: it is taken out of the amount. */
  readonly covered: boolean
  readonly undo_seconds: number
  /** When a batch rail takes what is sent; without it the rail is always open. */
  readonly windows?: WindowsConfig
  /** How long the money takes at most, from the cut-off where there is one. */
  readonly arrival_seconds?: number
  /** Whether an accepted transfer can be recalled. */
  readonly recall?: boolean
  /** Whether a delivered transfer may bounce. */
  readonly bounces?: boolean
  /** The mode that the operator expects: start-up fails where the connector that moves its money is of the other mode. */
  readonly mode?: 'test' | 'live'
  /** What moves the money: the connector of this name. By default the channel's own id. */
  readonly connector?: string
  /** The crypto asset that leaves, with what one unit of it costs in each currency. */
  readonly asset?: AssetConfig
  /** How it brings money in; without it the channel only pays out. One without `currencies` of its own only brings in. */
  readonly collect?: CollectConfig
  readonly currencies: Readonly<
    Record<string, { readonly min?: number; readonly max?: number; readonly fees?: FeeConfig }>
  >
  readonly recipient: readonly {
    readonly field: RecipientField
    readonly pattern?: string
    readonly check?: 'evm_address'
    readonly mend: string
  }[]
}

/** How a channel brings money in, as an operator writes it. */
export type CollectConfig = {
  readonly kind: PaymentKind
  readonly covered: boolean
  /** From paid to available, in seconds; 0 for at once. */
  readonly settle_after_seconds: number
  /** Whether payments that are each too small count together; by default those of crypto assets do. */
  readonly accumulates?: boolean
  /** Whether the rail itself refunds what was paid on it; by default what its connector declares. */
  readonly refunds?: boolean
  /** Whether payers can give their card on a page of the rail's own; by default what its connector declares. */
  readonly hosted?: boolean
  readonly currencies: ChannelConfig['currencies']
}

/** A crypto asset as an operator writes it. */
export type AssetConfig = {
  /** CAIP-2: "eip155:1". */
  readonly network: string
  readonly asset: string
  /** The token's contract; without it the chain's own coin. */
  readonly token?: `0x${string}`
  readonly decimals: number
  /** By currency: what one whole unit costs, as decimal text. */
  readonly rates: Readonly<Record<string, string>>
  /** How long a quote holds. */
  readonly quote_seconds: number
}

/** Thrown at start-up for an invalid channel; names the channel and the field. */
class ChannelMisconfigured extends Error {
  override readonly name = 'ChannelMisconfigured'
}

/** The channel's facts, of the mode of what moves its money; throws {@link ChannelMisconfigured}. */
export function channelFacts(config: ChannelConfig, version: number, mode: ChannelMode): ChannelFacts {
  checkMode(config)
  const terms = new Map<string, ChannelTerms>()
  for (const [currency, priced] of Object.entries(config.currencies))
    terms.set(currency, termsOf(config.id, currency, priced))
  const recipient = config.recipient.map((rule) => ruleOf(config, rule))
  const { id, service, name, description, covered, undo_seconds: undoSeconds } = config
  const delivery = { windows: windowsOf(config), arrivalSeconds: config.arrival_seconds ?? null }
  const powers = { canRecall: config.recall ?? false, canBounce: config.bounces ?? false }
  const kind = { mode, asset: assetOf(config) }
  const words = { id, version, service, name, description }
  const collect = collectOf(config)
  return { ...words, covered, undoSeconds, ...delivery, ...powers, ...kind, terms, recipient, collect }
}

function collectOf({ id, collect, asset }: ChannelConfig): CollectFacts | null {
  if (collect === undefined) return null
  const wrong = (fault: string) => new ChannelMisconfigured(`channel ${id}: collect.${fault}`)
  if (!PAYMENT_KINDS.includes(collect.kind)) throw wrong(`kind must be one of ${PAYMENT_KINDS.join(', ')}`)
  if ((collect.kind === 'crypto') !== (asset !== undefined)) throw wrong('kind must be crypto where there is an asset')
  const { kind, covered, settle_after_seconds: settleAfterSeconds } = collect
  if (typeof covered !== 'boolean') throw wrong('covered must be true or false')
  if (!Number.isInteger(settleAfterSeconds) || settleAfterSeconds < 0 || settleAfterSeconds > SETTLE_SECONDS_MAX)
    throw wrong(`settle_after_seconds must be a whole number from 0 to ${SETTLE_SECONDS_MAX}`)
  const terms = new Map<string, ChannelTerms>()
  for (const [currency, priced] of Object.entries(collect.currencies)) {
    if (asset && asset.rates[currency] === undefined) throw wrong(`currencies: asset.rates must name ${currency}`)
    terms.set(currency, termsOf(`${id}, collect`, currency, priced))
  }
  const accumulates = collect.accumulates ?? kind === 'crypto'
  const powers = { refunds: collect.refunds ?? false, hosted: collect.hosted ?? false }
  return { kind, covered, settleAfterSeconds, accumulates, ...powers, terms }
}

const SETTLE_SECONDS_MAX = 90 * 86_400

function checkMode({ id, mode }: ChannelConfig): void {
  if (mode === undefined || mode === 'test' || mode === 'live') return
  throw new ChannelMisconfigured(`channel ${id}: mode must be test or live, or left out`)
}

function assetOf({ id, asset, currencies, recipient }: ChannelConfig): QuoteConfig | null {
  if (asset === undefined) return null
  const wrong = (fault: string) => new ChannelMisconfigured(`channel ${id}: ${fault}`)
  const malformed = malformedIn(asset)
  if (malformed !== null) throw wrong(`asset.${malformed}`)
  const { network, decimals, rates, quote_seconds: quoteSeconds } = asset
  const quoted = { network, asset: asset.asset, token: asset.token ?? null, decimals, rates }
  const config: QuoteConfig = { ...quoted, validForMs: quoteSeconds * 1000 }
  const fault = quoteConfigFault(config)
  if (fault !== null) throw wrong(`asset: ${fault}`)
  const unpriced = Object.keys(currencies).find((currency) => rates[currency] === undefined)
  if (unpriced !== undefined) throw wrong(`asset.rates must name ${unpriced}, which the channel takes`)
  const paysOut = Object.keys(currencies).length > 0
  // Without the check a mistyped address would only be noticed once the contract is paid.
  if (paysOut && !recipient.some(({ field, check }) => field === 'wallet' && check === 'evm_address'))
    throw wrong('recipient must ask for a wallet, with "check": "evm_address"')
  return config
}

/** Why an operator's configuration is no asset; the figures are checked by {@link quoteConfigFault}. */
function malformedIn({ asset, token, rates, quote_seconds: seconds }: AssetConfig): string | null {
  if (typeof asset !== 'string' || asset.trim() === '') return 'asset must be its short name, such as "USDC"'
  if (typeof rates !== 'object' || rates === null) return 'rates must be an object, such as {"PHP": "56.40"}'
  if (!Number.isInteger(seconds) || seconds <= 0) return 'quote_seconds must be a whole number over 0'
  const address = token === undefined ? null : payableAddress(String(token), [])
  return address && 'fault' in address ? `token must be the address of its contract. ${address.fault}` : null
}

function ruleOf(
  { id, asset }: ChannelConfig,
  { field, pattern, check, mend }: ChannelConfig['recipient'][number],
): RecipientRule {
  if (pattern !== undefined && !isPattern(pattern))
    throw new ChannelMisconfigured(`channel ${id}: recipient.${field}.pattern is no regular expression of ECMA-262`)
  if (check !== undefined && check !== 'evm_address')
    throw new ChannelMisconfigured(`channel ${id}: recipient.${field}.check must be evm_address, or left out`)
  const checked = check === undefined ? null : evmAddressCheck(asset)
  return { field, pattern: pattern ?? null, check: checked, format: check ?? null, mend }
}

/** An address that money can be sent to, and that is not the token's own. */
function evmAddressCheck(asset: AssetConfig | undefined): RecipientCheck {
  const taken = asset?.token ? [{ address: asset.token, whose: "the token's own contract" }] : []
  return (value) => {
    const judged = payableAddress(value, taken)
    return 'fault' in judged ? judged.fault : null
  }
}

function isPattern(pattern: string): boolean {
  try {
    wholePattern(pattern)
    return true
  } catch {
    return false
  }
}

function windowsOf({ id, windows }: ChannelConfig): Windows | null {
  if (windows === undefined) return null
  const parsed = parseWindows(windows)
  if ('fault' in parsed) throw new ChannelMisconfigured(`channel ${id}: windows.${parsed.param} ${parsed.fault}`)
  return parsed
}

function termsOf(id: string, currency: string, priced: ChannelConfig['currencies'][string]): ChannelTerms {
  const wrong = (field: string, why: string) => new ChannelMisconfigured(`channel ${id}, ${currency}: ${field} ${why}`)
  if (minorDigits(currency) === undefined) throw wrong('currency', 'is not in ISO 4217')
  const fees = parseFeeSchedule(priced.fees ?? {}, currency)
  if ('fault' in fees) throw wrong(`fees.${fees.param}`, fees.fault)
  const bound = (field: 'min' | 'max'): bigint | null => {
    const value = priced[field]
    if (value === undefined) return null
    const parsed = parseAmount(value, currency)
    if ('fault' in parsed) throw wrong(field, parsed.fault)
    return parsed.amountMinor
  }
  return { minMinor: bound('min'), maxMinor: bound('max'), fees }
}
