// A card as a payer's browser sends it: read once, and only what a merchant may know of it kept.
import { behaviourOf, brandOf, type CardToken, isCardNumber } from '../collections/card-tokens.ts'
import { countIn, type Fields, matching, textIn } from '../text/fields.ts'
import { Malformed } from '../text/malformed.ts'

/** The number goes no further than here. */
export function cardIn(fields: Fields): Omit<CardToken, 'id'> {
  const digits = (textIn(fields, 'number') ?? '').replace(/[ -]/g, '')
  if (!isCardNumber(digits)) throw new Malformed('number is no number of a card.')
  matching(fields, 'cvc', /^\d{3,4}$/, 'is a text of 3 or 4 digits')
  const expMonth = countIn(fields, 'exp_month', 1, 12)
  const expYear = countIn(fields, 'exp_year', 2000, 2099)
  if (expMonth === null || expYear === null) throw new Malformed('exp_month and exp_year are numbers.')
  const last4 = digits.slice(-4)
  return { brand: brandOf(digits), last4, exp_month: expMonth, exp_year: expYear, behaviour: behaviourOf(last4) }
}
