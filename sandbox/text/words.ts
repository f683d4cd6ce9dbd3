// The codes of the books in the words of each rail. A code that is none of these is said as it is.
import type { CollectRail } from '../collections/collections.ts'
import type { Rail } from '../books/orders.ts'

type Words = Readonly<Record<string, string>>

const BANK: Words = {
  invalid_account: 'AC01',
  account_closed: 'AC04',
  account_closed_later: 'AC04',
  over_limit: 'AM02',
  wrong_currency: 'AM03',
  name_missing: 'BE04',
  duplicate: 'DUPL',
}

const WORDS: Readonly<Record<Rail, Words>> = {
  sandbox: {},
  instapay: BANK,
  pesonet: BANK,
  gcash: {
    invalid_account: 'PAYEE_NOT_EXIST',
    account_closed: 'PAYEE_ACCOUNT_CLOSED',
    account_closed_later: 'PAYOUT_RETURNED',
    wrong_currency: 'CURRENCY_NOT_SUPPORTED',
    duplicate: 'REPEAT_REQ_INCONSISTENT',
  },
  maya: {
    invalid_account: 'RECIPIENT_NOT_FOUND',
    account_closed: 'RECIPIENT_ACCOUNT_CLOSED',
    account_closed_later: 'DISBURSEMENT_RETURNED',
    wrong_currency: 'CURRENCY_NOT_SUPPORTED',
    duplicate: 'DUPLICATE_REFERENCE',
  },
}

export function wordOf(rail: Rail, code: string | null): string | null {
  return code === null ? null : (WORDS[rail][code] ?? code)
}

/** Why nothing was paid, or given back, as a rail says it. */
export function failureWord(rail: CollectRail, code: string): string {
  return rail === 'gcash' || rail === 'maya' ? code.toUpperCase() : code
}
