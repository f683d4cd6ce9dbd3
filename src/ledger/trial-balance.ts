// The trial balance: what each kind of ledger account gave and took, over all accounts. Sums are kept behind the ledger and
// brought up to date a lane at a time, so that asking costs the rows that came since, and one row of each wallet.
import { plainArray, type Row, type Statement } from '../platform/db.ts'

/** The lanes that have rows which are not counted yet. */
export function uncountedLanes(): Statement {
  return {
    name: 'uncounted_lanes',
    merge: { order: [['lane', 'up']] },
    text: `-- every lane: the balance is that of the installation.
           select distinct w.lane from wallets w
             left join ledger_counted t on t.lane = w.lane and t.account_id = w.account_id and t.wallet_id = w.id
            where w.sequence > coalesce(t.sequence, 0) order by w.lane`,
    values: [],
  }
}

/** One count of a lane at a time: two at once would count the same rows. */
export function holdCount(lane: number): Statement {
  return { name: 'hold_count', text: 'select pg_advisory_xact_lock(7463, $1::int)', values: [lane] }
}

/** A wallet with rows that are not counted yet: those behind `since`, up to `upto`. */
type Uncounted = {
  readonly accountId: string
  readonly walletId: string
  readonly since: number
  readonly upto: number
}

/** The wallets of a lane that have rows which are not counted yet. */
export function uncountedWallets(lane: number): Statement {
  return {
    name: 'uncounted_wallets',
    text: `select w.account_id, w.id, coalesce(t.sequence, 0)::float8 as since, w.sequence::float8 as upto
             from wallets w
             left join ledger_counted t on t.lane = $1 and t.account_id = w.account_id and t.wallet_id = w.id
            where w.lane = $1 and w.sequence > coalesce(t.sequence, 0)`,
    values: [lane],
  }
}

export const uncountedFrom = (row: Row): Uncounted => ({
  accountId: row['account_id'] as string,
  walletId: row['id'] as string,
  since: row['since'] as number,
  upto: row['upto'] as number,
})

/** Counts those rows. Two statements, for a cluster lets one add to one table only. */
export function countWallets(lane: number, wallets: readonly Uncounted[]): Statement[] {
  const values = [
    lane,
    plainArray(wallets.map(({ accountId }) => accountId)),
    plainArray(wallets.map(({ walletId }) => walletId)),
    plainArray(wallets.map(({ upto }) => upto)),
  ]
  return [
    {
      name: 'add_totals',
      text: `insert into ledger_totals (lane, account_id, wallet_id, account, debit_minor, credit_minor)
             select l.lane, f.account_id, f.id, x.account, sum(x.debit), sum(x.credit)
               from lanes l
              cross join unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[]) as f (account_id, id, upto, since)
               join ledger g on g.lane = $1 and g.account_id = f.account_id and g.wallet_id = f.id
                            and g.sequence > f.since and g.sequence <= f.upto
              cross join lateral (values (g.debit, g.amount_minor, 0::bigint), (g.credit, 0::bigint, g.amount_minor))
                                 x (account, debit, credit)
              where l.lane = $1
              group by l.lane, f.account_id, f.id, x.account
                 on conflict (lane, account_id, wallet_id, account)
                 do update set debit_minor = ledger_totals.debit_minor + excluded.debit_minor,
                               credit_minor = ledger_totals.credit_minor + excluded.credit_minor`,
      values: [...values, plainArray(wallets.map(({ since }) => since))],
    },
    {
      name: 'mark_counted',
      text: `insert into ledger_counted (lane, account_id, wallet_id, sequence)
             select l.lane, f.account_id, f.id, f.upto
               from lanes l
              cross join unnest($2::uuid[], $3::uuid[], $4::bigint[]) as f (account_id, id, upto)
              where l.lane = $1
                 on conflict (lane, account_id, wallet_id) do update set sequence = excluded.sequence`,
      values,
    },
  ]
}

/** A kind of ledger account in one currency and mode. Amounts are of the rows that are counted, in minor units. */
export type BalanceLine = {
  readonly account: string
  readonly currency: string
  readonly livemode: boolean
  readonly debitMinor: bigint
  readonly creditMinor: bigint
  /** What wallets of the kind hold by the row that was counted last; null for accounts that no wallet keeps. */
  readonly keptMinor: bigint | null
}

const KEPT = ['available', 'held', 'in_transit', 'pending', 'suspense'] as const

/** Of each wallet at the row that was counted last: its sums, and what that row says that it holds. */
export function balanceLines(): Statement {
  return {
    name: 'balance_lines',
    merge: {
      fold: {
        by: ['account', 'currency', 'livemode'],
        columns: { debit_minor: 'sum', credit_minor: 'sum', kept_minor: 'sum' },
      },
      order: [
        ['livemode', 'down'],
        ['currency', 'up'],
        ['account', 'up'],
      ],
    },
    text: `-- every lane: the balance is that of the installation.
           select x.account, w.currency, w.livemode, sum(x.debit)::text as debit_minor, sum(x.credit)::text as credit_minor,
                  sum(x.kept)::text as kept_minor
             from ledger_counted t
             join wallets w on w.lane = t.lane and w.account_id = t.account_id and w.id = t.wallet_id
            cross join lateral (
                  select s.account, s.debit_minor as debit, s.credit_minor as credit, null::numeric as kept
                    from ledger_totals s
                   where s.lane = t.lane and s.account_id = t.account_id and s.wallet_id = t.wallet_id
                  union all
                  select k.account, 0, 0, k.kept
                    from ledger g
                   cross join lateral (values ${KEPT.map((name) => `('${name}', g.${name}_after_minor)`).join(', ')})
                         k (account, kept)
                   where g.lane = t.lane and g.account_id = t.account_id and g.wallet_id = t.wallet_id
                     and g.sequence = t.sequence) x
            group by x.account, w.currency, w.livemode
            order by w.livemode desc, w.currency, x.account`,
    values: [],
  }
}

export function balanceLineFrom(row: Row): BalanceLine {
  const kept = row['kept_minor'] as string | null
  return {
    account: row['account'] as string,
    currency: row['currency'] as string,
    livemode: row['livemode'] as boolean,
    debitMinor: BigInt(row['debit_minor'] as string),
    creditMinor: BigInt(row['credit_minor'] as string),
    keptMinor: kept === null ? null : BigInt(kept),
  }
}
