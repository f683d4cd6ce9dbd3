// Ledger accounts in words.
import { useWords } from '../words/language.ts'
import { PAGE } from './page-words.ts'

const CLEARING = 'clearing:'

/** The name of a ledger account, or of a place outside of the books, for people. */
export function useAccountName(): (account: string) => string {
  const w = useWords(PAGE)
  const names: Readonly<Record<string, string>> = {
    available: w.available,
    held: w.held,
    in_transit: w.in_transit,
    pending: w.pending,
    suspense: w.suspense,
    fee_revenue: w.fee_revenue,
    recipient: w.outside,
    payer: w.payerPlace,
  }
  return (account) =>
    account.startsWith(CLEARING) ? w.clearing(account.slice(CLEARING.length)) : (names[account] ?? account)
}
