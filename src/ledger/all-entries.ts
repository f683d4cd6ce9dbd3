// Ledger rows of all accounts, newest first, between two moments: the index on time knows ranges of blocks, so that a page asks
// for stretches that grow until it has enough.
import type { Row, Statement } from '../platform/db.ts'
import { type Entry, entryFrom } from './entries.ts'
import { EPOCH_IN_EVERY_LANE } from './epochs.ts'

export type PlacedEntry = Entry & {
  readonly lane: number
  readonly accountId: string
  readonly walletId: string
  readonly currency: string
  readonly livemode: boolean
}

/** Where a page goes on: before this row. */
export type EntryCursor = { readonly atMs: number; readonly walletId: string; readonly sequence: number }

export type Stretch = {
  readonly fromMs: number
  /** The newest moment, itself included. */
  readonly toMs: number
  readonly before: EntryCursor | null
  readonly account: { readonly lane: number; readonly accountId: string } | null
  readonly contractId: string | null
  readonly ledgerAccount: string | null
  readonly limit: number
}

/** Rows of a stretch of time. */
export function entriesWithin(stretch: Stretch): Statement {
  const { fromMs, toMs, before, account, contractId, ledgerAccount, limit } = stretch
  const values: unknown[] = [fromMs, toMs, limit]
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions: (readonly [string, string])[] = []
  if (before)
    conditions.push([
      'before',
      `(g.at, g.wallet_id, g.sequence) < (to_timestamp(${place(before.atMs)}::float8 / 1000), ${place(before.walletId)}::uuid, ${place(before.sequence)}::bigint)`,
    ])
  if (account)
    conditions.push(['account', `g.lane = ${place(account.lane)} and g.account_id = ${place(account.accountId)}`])
  if (contractId) conditions.push(['contract', `g.contract_id = ${place(contractId)}`])
  if (ledgerAccount) {
    const name = place(ledgerAccount)
    conditions.push(['ledger', `(g.debit = ${name} or g.credit = ${name})`])
  }
  return {
    name: `entries_within_${conditions.map(([name]) => name).join('_')}`,
    merge: {
      order: [
        ['at_ms', 'down'],
        ['wallet_id', 'down'],
        ['sequence', 'down'],
      ],
      limit: 3,
    },
    text: `-- every lane: operators see the rows of all accounts.
           select g.lane, g.account_id, g.wallet_id, w.currency, w.livemode, g.sequence, g.position, g.contract_id, g.debit, g.credit,
                  g.amount_minor, g.available_after_minor, g.reference, extract(epoch from g.at)::float8 * 1000 as at_ms, ${EPOCH_IN_EVERY_LANE}
             from ledger g
             join wallets w on w.lane = g.lane and w.account_id = g.account_id and w.id = g.wallet_id
            where g.at > to_timestamp($1::float8 / 1000) and g.at <= to_timestamp($2::float8 / 1000)
                  ${conditions.map(([, condition]) => `and ${condition}`).join(' ')}
            order by g.at desc, g.wallet_id desc, g.sequence desc
            limit $3`,
    values,
  }
}

/** When the first row was written, about: blocks are in the order of time. */
export function firstEntryAt(): Statement {
  return {
    name: 'first_entry_at',
    merge: { fold: { by: [], columns: { at_ms: 'least' } } },
    text: `-- every lane: operators see the rows of all accounts.
           select extract(epoch from min(a.created_at))::float8 * 1000 as at_ms from accounts a`,
    values: [],
  }
}

export function placedEntryFrom(row: Row): PlacedEntry {
  return {
    ...entryFrom(row),
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    walletId: row['wallet_id'] as string,
    currency: row['currency'] as string,
    livemode: row['livemode'] as boolean,
  }
}
