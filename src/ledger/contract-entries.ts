// The ledger rows of one contract, oldest first. The ledger is not indexed by contract: it is the hottest table. A row was booked
// at the moment of the version that made it, and the times of a wallet's rows rise with their numbers; so each version's rows are
// found by halving (moments.ts), whatever else the wallet did.
import { EPOCH, epochOfEntry } from './epochs.ts'
import type { Booked, ContractEntry } from '../domain/contract/entries.ts'
import { ms } from '../platform/columns.ts'
import { type Row, type Statement, textArray } from '../platform/db.ts'
import type { WalletOwner } from './wallets.ts'

/** The number of the wallet's first row that is not so much earlier than the version. */
const firstRow = (isBefore: string): string => `
           with recursive search (low, high) as (
             select 1::bigint, w.sequence + 1
             union all
             select case when m.is_before then m.middle + 1 else m.low end, case when m.is_before then m.high else m.middle end
               from (select s.low, s.high, (s.low + s.high) / 2 as middle,
                            (select g.at from ledger g
                              where g.lane = $1 and g.account_id = $2 and g.wallet_id = w.id
                                and g.sequence = (s.low + s.high) / 2) ${isBefore} v.at as is_before
                       from search s where s.low < s.high) m)
           select low as sequence from search where low >= high limit 1`

/** `limit 1` and `offset 0` keep the planner from turning the order round, which it does where it knows nothing of the tables. */
export function listContractEntries({ lane, accountId }: WalletOwner, contractId: string, booked: Booked): Statement {
  const { walletId, currencies, fromMs } = booked
  return {
    name: 'list_contract_entries',
    text: `select g.wallet_id, w.currency, g.sequence, g.position, g.debit, g.credit, g.amount_minor, g.available_after_minor,
                  ${ms('g.at')} as at_ms, v.event, coalesce(v.document -> 'activities' -> -1 ->> 0, v.document ->> 'activity') as reason, ${EPOCH}
             from (select * from contract_versions c
                    where c.lane = $1 and c.account_id = $2 and c.contract_id = $3 and c.version > 0
                      and c.at >= to_timestamp($6::float8 / 1000)
                    order by c.version offset 0) v
             join wallets w on w.lane = $1 and w.account_id = $2 and (w.id = $4 or w.currency = any($5::text[]))
            cross join lateral (${firstRow('<')}) f
            cross join lateral (${firstRow('<=')}) n
            cross join lateral (
                    select e.* from ledger e
                     where e.lane = $1 and e.account_id = $2 and e.wallet_id = w.id
                       and e.sequence >= f.sequence and e.sequence < n.sequence
                   offset 0) g
            where g.position = v.position and g.contract_id = v.contract_id
            order by g.position, g.wallet_id, g.sequence`,
    values: [lane, accountId, contractId, walletId, textArray(currencies), fromMs],
  }
}

export function contractEntryFrom(row: Row): ContractEntry {
  return {
    walletId: row['wallet_id'] as string,
    currency: row['currency'] as string,
    sequence: Number(row['sequence']),
    position: Number(row['position']),
    epoch: epochOfEntry(row),
    debit: row['debit'] as string,
    credit: row['credit'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    availableAfterMinor: BigInt(row['available_after_minor'] as string),
    event: row['event'] as string | null,
    reason: row['reason'] as string | null,
    atMs: row['at_ms'] as number,
  }
}
