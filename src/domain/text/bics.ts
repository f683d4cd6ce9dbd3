// Banks by their codes, as accounts at them are compared. Pure.
import { isCountry } from './countries.ts'
import { lettersOf } from './texts.ts'

/** A BIC (ISO 9362) with the branch in its last three characters: XXX is the head office, which eight characters name, too. */
const OF_BRANCH = /^[a-z0-9]{4}[a-z]{2}[a-z0-9]{5}$/

/**
 * The bank that a code names, in letters and digits alone. Of a BIC the branch is left out: accounts are numbered by the bank, so that one
 * number at two of its branches is one account.
 */
export function bankOf(code: string): string {
  const letters = lettersOf(code)
  return OF_BRANCH.test(letters) && isCountry(letters.slice(4, 6).toUpperCase()) ? letters.slice(0, 8) : letters
}
