// The ledger rows of a contract: where they may be booked, and what each says. Values only.
import type { Contract } from './contract.ts'

/** One row of the ledger that a contract made. Times are milliseconds since the epoch. */
export type ContractEntry = {
  readonly walletId: string
  readonly currency: string
  readonly sequence: number
  readonly position: number
  readonly epoch: number
  readonly debit: string
  readonly credit: string
  readonly amountMinor: bigint
  readonly availableAfterMinor: bigint
  /** The event of the version that made it; null where it has none. */
  readonly event: string | null
  /** The activity that the version ends with. */
  readonly reason: string | null
  readonly atMs: number
}

/** Where a contract's money may be booked: in one wallet, and in any of these currencies. */
export type Booked = {
  readonly walletId: string | null
  readonly currencies: readonly string[]
  /** Nothing was booked before. */
  readonly fromMs: number
}

/** Where to look for the rows of a contract; null where there can be none. */
export function bookedBy(contract: Contract): Booked | null {
  const { walletId } = contract
  if (contract.kind === 'transfer')
    return contract.paidAt === null ? null : { walletId, currencies: [], fromMs: contract.paidAt }
  const { currency } = contract.terms
  // Money that came in another currency waits in a wallet of that; a payment of before names no wallet until it is paid.
  const strange = contract.activities.flatMap(({ type, data }) => {
    const came = type === 'payment_suspended' ? data?.['currency'] : undefined
    return typeof came === 'string' && came !== currency ? [came] : []
  })
  const currencies = [...new Set(walletId === null ? [currency, ...strange] : strange)]
  return { walletId, currencies, fromMs: contract.createdAt }
}
