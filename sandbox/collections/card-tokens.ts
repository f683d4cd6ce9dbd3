// Cards as the provider keeps them: a number comes in once, from the payer's browser, and only its brand, its last four
// digits and how its bank behaves are remembered. Pure.
import type { CardShown, Failure } from './collections.ts'

export type CardBehaviour = 'accepts' | 'challenges' | 'declines' | 'lacks_funds'
export type CardToken = CardShown & { readonly id: string; readonly behaviour: CardBehaviour }

const SHOWN = { brand: 'visa', exp_month: 12, exp_year: 2034 } as const

/** Tokens that are always there, and may be used again. */
const WELL_KNOWN: ReadonlyMap<string, CardToken> = new Map(
  (
    [
      ['tok_visa', '4242', 'accepts'],
      ['tok_3ds', '3220', 'challenges'],
      ['tok_declined', '0002', 'declines'],
      ['tok_insufficient', '9995', 'lacks_funds'],
    ] as const
  ).map(([id, last4, behaviour]) => [id, { ...SHOWN, id, last4, behaviour }]),
)

/** By the last four digits of a number. */
const BEHAVIOURS = new Map([...WELL_KNOWN.values()].map(({ last4, behaviour }) => [last4, behaviour]))

/** What a merchant may know of it. */
export function shownOf({ brand, last4, exp_month, exp_year }: CardToken): CardShown {
  return { brand, last4, exp_month, exp_year }
}

export const wellKnownToken = (id: string): CardToken | undefined => WELL_KNOWN.get(id)

export function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  let sum = 0
  for (let fromEnd = 0; fromEnd < digits.length; fromEnd += 1) {
    const doubled = Number(digits.at(-1 - fromEnd)) * (fromEnd % 2 === 0 ? 1 : 2)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

export function brandOf(digits: string): string {
  if (digits.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'mastercard'
  if (/^3[47]/.test(digits)) return 'amex'
  return digits.startsWith('35') ? 'jcb' : 'unknown'
}

export function behaviourOf(last4: string): CardBehaviour {
  return BEHAVIOURS.get(last4) ?? 'accepts'
}

/** The immediate refusal by a card's bank; null where it agrees, or wants to see the payer first. */
export function bankRefusal(behaviour: CardBehaviour): Failure | null {
  if (behaviour === 'declines') return { code: 'card_declined', message: 'The bank declined the card.' }
  if (behaviour === 'lacks_funds') return { code: 'insufficient_funds', message: 'There is too little on the card.' }
  return null
}
