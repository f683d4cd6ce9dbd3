// Channels as an operator writes them -> facts. Pure; a channel that cannot be believed is refused by name.
import type { ChannelFacts, ChannelTerms, RecipientField, RecipientRule } from './channels.ts'
import { minorDigits } from './currencies.ts'
import { type FeeConfig, parseFeeSchedule } from './fees.ts'
import { parseAmount } from './money.ts'

/** A channel as an operator writes it: prices and bounds in major units for each currency. */
export type ChannelConfig = {
  readonly id: string
  readonly service: string
  readonly name: string
  readonly description: string
  /** True: the payer pays the fee on top; false: it is taken out of the amount. */
  readonly covered: boolean
  readonly undo_seconds: number
  readonly currencies: Readonly<
    Record<string, { readonly min?: number; readonly max?: number; readonly fees?: FeeConfig }>
  >
  readonly recipient: readonly { readonly field: RecipientField; readonly pattern?: string; readonly mend: string }[]
}

/** Thrown at start-up for a channel that cannot be believed; names the channel and the field. */
class ChannelMisconfigured extends Error {
  override readonly name = 'ChannelMisconfigured'
}

/** The channel's facts; throws {@link ChannelMisconfigured}. */
export function channelFacts(config: ChannelConfig, version: number): ChannelFacts {
  const terms = new Map<string, ChannelTerms>()
  for (const [currency, priced] of Object.entries(config.currencies))
    terms.set(currency, termsOf(config.id, currency, priced))
  const recipient = config.recipient.map(
    ({ field, pattern, mend }): RecipientRule => ({ field, pattern: pattern ?? null, mend }),
  )
  const { id, service, name, description, covered, undo_seconds: undoSeconds } = config
  return { id, version, service, name, description, covered, undoSeconds, terms, recipient }
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
