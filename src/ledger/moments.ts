// A wallet as it stood at a moment, and what it did between two. Rows are numbered without a gap and their times rise with the
// numbers, so that a moment is found by halving: no index on the time of the ledger, its hottest table.
import { EPOCH, epochOfEntry } from './epochs.ts'
import type { Line, Standing } from '../domain/wallet/statement.ts'
import { ms } from '../platform/columns.ts'
import type { Row, Statement } from '../platform/db.ts'
import type { WalletOwner } from './wallets.ts'

export type WalletKey = WalletOwner & { readonly id: string }

/** The number of the last row before the moment, as `place`. Each row is looked up by its whole key. */
const PLACE = `recursive search (low, high) as (
             select 1::bigint, w.sequence + 1 from wallets w where w.lane = $1 and w.account_id = $2 and w.id = $3
             union all
             select case when m.is_before then m.middle + 1 else m.low end, case when m.is_before then m.high else m.middle end
               from (select s.low, s.high, (s.low + s.high) / 2 as middle,
                            (select g.at from ledger g
                              where g.lane = $1 and g.account_id = $2 and g.wallet_id = $3 and g.sequence = (s.low + s.high) / 2)
                              < to_timestamp($4::float8 / 1000) as is_before
                       from search s where s.low < s.high) m),
           place as (select low - 1 as sequence from search where low >= high)`

/** How many rows were written before the moment. */
export function rowsBefore({ lane, accountId, id }: WalletKey, atMs: number): Statement {
  return {
    name: 'rows_before',
    text: `with ${PLACE} select p.sequence from place p`,
    values: [lane, accountId, id, atMs],
  }
}

const sum = (balance: string): string =>
  `sum(case when b.credit = '${balance}' then b.amount_minor when b.debit = '${balance}' then -b.amount_minor else 0 end)`

/** How the wallet stood just before the moment. Of rows that do not say so themselves, the rows up to them are added up. */
export function standingAt({ lane, accountId, id }: WalletKey, atMs: number): Statement {
  return {
    name: 'standing_at',
    text: `with ${PLACE}
           select p.sequence, coalesce(g.available_after_minor, 0)::text as available,
                  coalesce(g.held_after_minor, o.held, 0)::text as held,
                  coalesce(g.in_transit_after_minor, o.in_transit, 0)::text as in_transit,
                  coalesce(g.pending_after_minor, o.pending, 0)::text as pending,
                  coalesce(g.suspense_after_minor, o.suspense, 0)::text as suspense
             from place p
             left join ledger g on g.lane = $1 and g.account_id = $2 and g.wallet_id = $3 and g.sequence = p.sequence
             left join lateral (
                    select ${sum('held')} as held, ${sum('in_transit')} as in_transit, ${sum('pending')} as pending,
                           ${sum('suspense')} as suspense
                      from ledger b
                     where b.lane = $1 and b.account_id = $2 and b.wallet_id = $3 and b.sequence <= p.sequence
                  ) o on g.held_after_minor is null and g.sequence is not null`,
    values: [lane, accountId, id, atMs],
  }
}

export function standingFrom(row: Row | undefined): Standing {
  const minor = (balance: string) => BigInt((row?.[balance] as string | undefined) ?? 0)
  return {
    sequence: Number(row?.['sequence'] ?? 0),
    availableMinor: minor('available'),
    heldMinor: minor('held'),
    inTransitMinor: minor('in_transit'),
    pendingMinor: minor('pending'),
    suspenseMinor: minor('suspense'),
  }
}

/** Rows that changed `available`, oldest first, one more than the limit; with what their contracts say. */
export function listLines({ lane, accountId, id }: WalletKey, after: number, upTo: number, limit: number): Statement {
  return {
    name: 'statement_lines',
    text: `select g.sequence, g.position, g.contract_id, g.debit, g.credit, g.amount_minor, g.available_after_minor, g.reference,
                  ${ms('g.at')} as at_ms, coalesce(n.document, v.document) ->> 'description' as description,
                  coalesce(n.document, v.document) -> 'recipient' ->> 'name' as counterparty, ${EPOCH}
             from ledger g
             -- Each by its key, whatever the planner believes of tables that grew since they were looked at: what has an offset is not
             -- planned into what is around it.
             left join lateral (
                    select h.document, h.contract_id from contract_versions h
                     where h.lane = $1 and h.account_id = $2 and h.position = g.position offset 0) v on true
             -- A document that has left: the contract as it stands says the same.
             left join lateral (
                    select s.document from contract_versions s
                     where v.document::text like '{"removed":%' and s.lane = $1 and s.account_id = $2 and s.position = (
                           select c.position from contracts c
                            where c.lane = $1 and c.account_id = $2 and c.id = v.contract_id) offset 0) n on true
            where g.lane = $1 and g.account_id = $2 and g.wallet_id = $3 and g.sequence > $4 and g.sequence <= $5
              and (g.debit = 'available' or g.credit = 'available')
            order by g.sequence
            limit $6`,
    values: [lane, accountId, id, after, upTo, limit + 1],
  }
}

export function lineFrom(row: Row): Line {
  const isCredit = row['credit'] === 'available'
  const amountMinor = BigInt(row['amount_minor'] as string)
  return {
    sequence: Number(row['sequence']),
    atMs: row['at_ms'] as number,
    changeMinor: isCredit ? amountMinor : -amountMinor,
    availableAfterMinor: BigInt(row['available_after_minor'] as string),
    account: (isCredit ? row['debit'] : row['credit']) as string,
    contractId: row['contract_id'] as string | null,
    position: row['position'] === null ? null : Number(row['position']),
    epoch: epochOfEntry(row),
    reference: row['reference'] as string | null,
    description: row['description'] as string | null,
    counterparty: row['counterparty'] as string | null,
  }
}

/** When a contract began, and when it last changed: what it moved was booked in between. */
export function timesOfContract({ lane, accountId }: WalletOwner, contractId: string): Statement {
  return {
    name: 'times_of_contract',
    text: `select ${ms('min(v.at)')} as first_ms, ${ms('max(v.at)')} as last_ms
             from contract_versions v
            where v.lane = $1 and v.account_id = $2 and v.contract_id = $3 and v.version > 0`,
    values: [lane, accountId, contractId],
  }
}

/** What days mean to the account. */
export function findTimeZone({ lane, accountId }: WalletOwner): Statement {
  return {
    name: 'find_time_zone',
    text: `select a.time_zone from accounts a where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}
