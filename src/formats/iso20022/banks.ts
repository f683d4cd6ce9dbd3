// How banks and accounts are named. Apart from the messages, so that code that only checks a name loads no XML.
import { isCountry } from '../../domain/text/countries.ts'
import { isExactText } from './texts.ts'

/** A bank by its BIC, or by the code that its clearing house knows it by. */
export type Bank = { readonly bic: string } | { readonly memberId: string }

export const ACCOUNT_ID_MAX = 34
export const MEMBER_ID_MAX = 35

/** Whether the text is a BIC by ISO 9362: 8 or 11 capitals and digits, with a country in the middle. */
export function isBic(code: string): boolean {
  return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(code) && isCountry(code.slice(4, 6))
}

/** The bank that a recipient's tag names; null when no rail could read it. Small letters are no BIC: "landbank" is a code. */
export function bankMember(tag: string): Bank | null {
  const code = tag.trim()
  if (isBic(code)) return { bic: code }
  return isExactText(code, MEMBER_ID_MAX) && /^[\x20-\x7e]+$/.test(code) ? { memberId: code } : null
}

/** Whether an account identifier can be sent: 1 to 34 plain characters, never cut. */
export function isAccountId(id: string): boolean {
  return isExactText(id, ACCOUNT_ID_MAX)
}
