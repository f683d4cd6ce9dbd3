// A wallet's ledger rows, page by page, newest first.
import type { Row, Statement } from '../platform/db.ts'
import type { WalletOwner } from './wallets.ts'

export type Entry = {
  readonly sequence: number
  readonly position: number | null
  readonly contractId: string | null
  readonly debit: string
  readonly credit: string
  readonly amountMinor: bigint
  readonly availableAfterMinor: bigint
  readonly reference: string | null
  readonly atMs: number
}

/** One row more than the limit, to tell whether there is a next page. */
export function listEntries(
  owner: WalletOwner,
  walletId: string,
  beforeSequence: number | null,
  limit: number,
): Statement {
  return {
    name: 'list_entries',
    text: `select g.sequence, g.position, g.contract_id, g.debit, g.credit, g.amount_minor, g.available_after_minor,
                  g.reference, extract(epoch from g.at)::float8 * 1000 as at_ms
             from ledger g
            where g.lane = $1 and g.account_id = $2 and g.wallet_id = $3 and g.sequence < $4
            order by g.sequence desc
            limit $5`,
    values: [owner.lane, owner.accountId, walletId, beforeSequence ?? Number.MAX_SAFE_INTEGER, limit + 1],
  }
}

export function entryFrom(row: Row): Entry {
  return {
    sequence: Number(row['sequence']),
    position: row['position'] === null ? null : Number(row['position']),
    contractId: row['contract_id'] as string | null,
    debit: row['debit'] as string,
    credit: row['credit'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    availableAfterMinor: BigInt(row['available_after_minor'] as string),
    reference: row['reference'] as string | null,
    atMs: Math.round(row['at_ms'] as number),
  }
}
