// Who pays, who is paid, and at which bank: the standard's parties, accounts and institutions, there and back.
import { isCountry } from '../../domain/text/countries.ts'
import { ACCOUNT_ID_MAX, type Bank, isBic, MEMBER_ID_MAX } from './banks.ts'
import { each, note, only, optional, type Place, text, textOrNull } from './reading.ts'
import { exactText, plainText } from './texts.ts'
import { group, groupOfAny, leaf, sequence, type Xml } from './xml-writing.ts'

/** What is known of a person or firm. What the standard cannot carry is left out or cut, never refused. */
export type Party = {
  readonly name: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  /** At most seven lines of 70 characters (texts.plainLines). */
  readonly addressLines: readonly string[]
  readonly email: string | null
  /** E.164: "+639171234567". */
  readonly mobile: string | null
}

const NAME_MAX = 140
const LINE_MAX = 70
const LINES_MAX = 7
const EMAIL_MAX = 2048
const PHONE_MAX = 35

export function bankElement(name: string, bank: Bank): Xml {
  const inside =
    'bic' in bank
      ? leaf('BICFI', exactText(bank.bic, 11))
      : group('ClrSysMmbId', leaf('MmbId', exactText(bank.memberId, MEMBER_ID_MAX)))
  return group(name, group('FinInstnId', inside))
}

export function bankOf(place: Place): Bank {
  const institution = only(place, 'FinInstnId')
  const bic = optional(institution, 'BICFI')
  if (bic === null) return { memberId: text(only(institution, 'ClrSysMmbId'), 'MmbId', MEMBER_ID_MAX) }
  const code = bic.node?.text ?? ''
  if (!isBic(code)) note(bic, 'is no BIC')
  return { bic: code }
}

export function partyElement(name: string, party: Party): Xml {
  const lines = party.addressLines.slice(0, LINES_MAX).map((line) => leaf('AdrLine', plainText(line, LINE_MAX)))
  const country = party.country !== null && isCountry(party.country) ? party.country : null
  return group(
    name,
    leaf('Nm', plainText(party.name, NAME_MAX)),
    groupOfAny('PstlAdr', leaf('Ctry', country), sequence(lines)),
    groupOfAny('CtctDtls', leaf('MobNb', phone(party.mobile)), leaf('EmailAdr', plainText(party.email, EMAIL_MAX))),
  )
}

export function partyOf(place: Place): Party {
  const address = optional(place, 'PstlAdr')
  const contact = optional(place, 'CtctDtls')
  const mobile = contact && textOrNull(contact, 'MobNb', PHONE_MAX)
  return {
    name: textOrNull(place, 'Nm', NAME_MAX),
    country: address && textOrNull(address, 'Ctry', 2),
    addressLines: address === null ? [] : each(address, 'AdrLine').map((line) => line.node?.text ?? ''),
    email: contact && textOrNull(contact, 'EmailAdr', EMAIL_MAX),
    mobile: mobile && `+${mobile.replace(/\D/g, '')}`,
  }
}

/** An account that is no IBAN, as those of the Philippines. */
export function accountElement(name: string, id: string): Xml {
  return group(name, group('Id', group('Othr', leaf('Id', exactText(id, ACCOUNT_ID_MAX)))))
}

export function accountOf(place: Place): string {
  const id = only(place, 'Id')
  return textOrNull(id, 'IBAN', ACCOUNT_ID_MAX) ?? text(only(id, 'Othr'), 'Id', ACCOUNT_ID_MAX)
}

// Country calling codes of one and two digits (ITU-T E.164); all others have three.
const PHONE = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{3,14})$/

/** "+639171234567" as the standard writes it, "+63-9171234567"; null for what is no number. */
function phone(mobile: string | null): string | null {
  const match = PHONE.exec(mobile ?? '')
  return match && `+${match[1]}-${match[2]}`
}
