// A wallet's ledger rows, page by page, newest first.
import { EPOCH, epochOfEntry } from './epochs.ts'
import type { Row, Statement } from '../platform/db.ts'
import type { WalletKey } from './moments.ts'

export type Entry = {
  readonly sequence: number
  readonly position: number | null
  /** The epoch in which the position was given. */
  readonly epoch: number
  readonly contractId: string | null
  readonly debit: string
  readonly credit: string
  readonly amountMinor: bigint
  readonly availableAfterMinor: bigint
  readonly reference: string | null
  readonly atMs: number
}

/** Rows between two numbers, neither included; of one contract, and of one ledger account. */
export type EntryFilter = {
  readonly after: number
  readonly before: number
  readonly contractId: string | null
  readonly account: string | null
  readonly limit: number
}

/** One row more than the limit, to tell whether there is a next page. */
export function listEntries({ lane, accountId, id }: WalletKey, filter: EntryFilter): Statement {
  const { after, before, contractId, account, limit } = filter
  const values: unknown[] = [lane, accountId, id, after, before, limit + 1]
  const place = (value: unknown) => `$${values.push(value)}`
  // A filter that is not used is not in the text, so that each has its plan.
  const ofContract = contractId === null ? '' : ` and g.contract_id = ${place(contractId)}`
  const there = account === null ? '' : place(account)
  const ofAccount = account === null ? '' : ` and (g.debit = ${there} or g.credit = ${there})`
  return {
    name: `list_entries${contractId === null ? '' : '_of_contract'}${account === null ? '' : '_of_account'}`,
    text: `select g.sequence, g.position, g.contract_id, g.debit, g.credit, g.amount_minor, g.available_after_minor,
                  g.reference, extract(epoch from g.at)::float8 * 1000 as at_ms, ${EPOCH}
             from ledger g
            where g.lane = $1 and g.account_id = $2 and g.wallet_id = $3 and g.sequence > $4 and g.sequence < $5${ofContract}${ofAccount}
            order by g.sequence desc
            limit $6`,
    values,
  }
}

export function entryFrom(row: Row): Entry {
  return {
    sequence: Number(row['sequence']),
    position: row['position'] === null ? null : Number(row['position']),
    epoch: epochOfEntry(row),
    contractId: row['contract_id'] as string | null,
    debit: row['debit'] as string,
    credit: row['credit'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    availableAfterMinor: BigInt(row['available_after_minor'] as string),
    reference: row['reference'] as string | null,
    atMs: Math.round(row['at_ms'] as number),
  }
}
