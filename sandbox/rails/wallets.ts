// What the e-wallet rails ask of a payout alike.
import { FieldFault, type Fields, textIn } from '../text/fields.ts'

/** A Philippine mobile number in international form, or an account that chooses a scenario. */
export function isMobile(text: string | null): text is string {
  return text !== null && /^(\+639\d{9}|sandbox-[a-z-]{1,40})$/.test(text)
}

/** No longer than the statements of the bank can carry. */
export function referenceIn(fields: Fields, name: string): string {
  const reference = textIn(fields, name) ?? ''
  if (!/^[\x21-\x7e]{1,35}$/.test(reference)) throw new FieldFault(name, 'is 1 to 35 printable characters')
  return reference
}
