// The columns that files have, by what is done with their rows: named as the API names what they hold.
import type { PayoutType } from '../types.ts'

const DRAFT = [
  'amount',
  'currency',
  'channel',
  'recipient.name',
  'recipient.wallet',
  'recipient.tag',
  'recipient.mobile',
  'recipient.email',
  'recipient.address',
  'recipient.country',
  'recipient.profile',
  'recipient.destination',
  'description',
  'deliverable.reference_id',
  'deliverable.type',
  'deliverable.description',
  'deliverable.details',
  'issued_to',
  'expires_in',
] as const

export const COLUMNS: Readonly<Record<PayoutType, readonly string[]>> = {
  'transfers.payout': [...DRAFT, 'source'],
  'transfers.create': DRAFT,
  'transfers.issue': ['id'],
  'transfers.pay': ['id', 'source'],
  'transfers.cancel': ['id', 'reason'],
}

/** What most files hold: the header of a file to begin with. */
const USUAL =
  'amount currency channel recipient.name recipient.wallet recipient.tag description deliverable.reference_id'.split(
    ' ',
  )

/** An empty file with the right header, and no row that somebody could pay by mistake. */
export const templateOf = (type: PayoutType): string =>
  `\uFEFF${(COLUMNS[type].includes('amount') ? USUAL : COLUMNS[type]).join(',')}\r\n`

/** Whether rows say from which wallet they are paid. */
export const takesWallet = (type: PayoutType): boolean => COLUMNS[type].includes('source')

/** What people call columns, without spaces and signs. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  amount: ['sum', 'total', 'salary', 'netpay', 'value', 'halaga', 'sahod'],
  currency: ['ccy', 'salapi'],
  'recipient.name': ['name', 'fullname', 'accountname', 'payee', 'employee', 'beneficiary', 'recipient', 'pangalan'],
  'recipient.wallet': ['account', 'accountnumber', 'accountno', 'wallet', 'iban', 'number'],
  'recipient.tag': ['bank', 'bankcode', 'bic', 'swift', 'tag', 'memo'],
  'recipient.mobile': ['mobile', 'phone', 'mobilenumber'],
  'recipient.email': ['email', 'mail'],
  'recipient.country': ['country'],
  'recipient.address': ['address'],
  'deliverable.reference_id': ['reference', 'ref', 'employeeid', 'referenceid'],
  description: ['note', 'notes', 'purpose', 'details', 'remarks'],
  id: ['contract', 'contractid', 'transfer', 'transferid'],
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-zñ]/g, '')

/** Which column of the API one of a file is likely meant to be; null where nothing is like it. */
export function columnMeant(type: PayoutType, name: string): string | null {
  if (COLUMNS[type].includes(name) || /^metadata\../.test(name)) return name
  const said = plain(name)
  return COLUMNS[type].find((each) => plain(each) === said || CALLED[each]?.includes(said)) ?? null
}
