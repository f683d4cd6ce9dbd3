// Who is paid, as a caller writes it, in the form in which it is compared and kept: the same of a draft, of a profile and of its
// destinations. Numbers are international, countries known, names without card numbers.
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, type Problem } from '../../domain/contract/refusals.ts'
import { maskCards } from '../../domain/text/cards.ts'
import { isCountry } from '../../domain/text/countries.ts'
import { seenText } from '../../domain/text/texts.ts'
import type { Recipient } from '../../domain/transfer/transfer.ts'
import { mobileNumber } from '../../domain/text/mobile.ts'

export type SentRecipient = { readonly [field in keyof Recipient]?: string | null | undefined }

/** The recipient that was sent. What is wrong with it goes to `problems`; `parents` is where it stands, with its dots. */
export function recipientIn(sent: SentRecipient, parents: string, problems: Problem[]): Recipient {
  return {
    name: maskedOrNull(seenText(sent.name)),
    email: sent.email ?? null,
    mobile: mobileOf(seenText(sent.mobile), `${parents}mobile`, problems),
    wallet: accountOf(sent.wallet),
    tag: seenText(sent.tag),
    address: maskedOrNull(seenText(sent.address)),
    country: countryOf(seenText(sent.country), `${parents}country`, problems),
  }
}

/** Free text, without any card number that slipped into it. */
export function maskedOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : maskCards(text)
}

function countryOf(sent: string | null, param: string, problems: Problem[]): string | null {
  const country = sent?.toUpperCase() ?? null
  if (country !== null && !isCountry(country))
    problems.push(invalid(param, `${param} must be a country code of two letters (ISO 3166-1), such as PH.`))
  return country
}

/** An account as it is compared: the id of a wallet in small letters. */
function accountOf(sent: string | null | undefined): string | null {
  const account = seenText(sent)
  if (account === null || account.length !== UUID_LENGTH) return account
  const small = account.toLowerCase()
  return isUuid(small) ? small : account
}

const UUID_LENGTH = 36

/** E.164, with spaces, dashes and brackets left out; Philippine numbers may begin with 09 (docs/design/domain.md). */
function mobileOf(sent: string | null, param: string, problems: Problem[]): string | null {
  if (sent === null) return null
  const number = mobileNumber(sent)
  if (number === null)
    problems.push(invalid(param, `${param} must be an international number such as +639171234567 (or 09171234567).`))
  return number
}
