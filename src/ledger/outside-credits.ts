// Money from outside of any contract: what stands behind each such row of the ledger, and the ledger's row itself.
import type { Approval } from '../domain/transfer/commands.ts'
import { plainArray, type Statement, textArray } from '../platform/db.ts'
import { type Scope, scoped } from '../platform/scope.ts'
import type { LedgerRow } from './wallets.ts'

/** A credit from outside, with the record of the two who stand for it; null for made-up money of a trial. */
export type OutsideCredit = {
  readonly row: LedgerRow
  readonly livemode: boolean
  readonly approval: Approval | null
}

const insert = scoped(
  'insert_outside_credits',
  `insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode, action_id,
                                action)
   select l.lane, x.account_id, x.wallet_id, x.sequence, x.reference, x.amount_minor, x.debit, x.livemode, x.action_id,
          case when x.action_id is not null then 'fund wallet' end
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::bigint[], $7::text[], $8::boolean[],
                 $9::uuid[])
          x (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode, action_id)
     join lanes l on l.lane = x.lane
    where $lane(l)`,
)

const append = scoped(
  'append_outside_rows',
  `insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference,
                       at, outside)
   select l.lane, x.account_id, x.wallet_id, x.sequence, x.debit, x.credit, x.amount_minor, x.available_after_minor,
          x.reference, to_timestamp(x.at / 1000), x.sequence
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
                 $9::text[], $10::float8[])
          x (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference, at)
     join lanes l on l.lane = x.lane
    where $lane(l)`,
)

/** What a reference was used for: the ledger's row of that credit. */
export function findCredit({ lane, accountId }: Pick<LedgerRow, 'lane' | 'accountId'>, reference: string): Statement {
  return {
    name: 'find_credit',
    text: `select g.wallet_id, g.amount_minor, g.debit from ledger g
            where g.lane = $1 and g.account_id = $2 and g.reference = $3`,
    values: [lane, accountId, reference],
  }
}

/** The records of people, what stands behind the rows, and the rows, in the order in which they refer to each other. */
export function storeOutsideCredits(scope: Scope, credits: readonly OutsideCredit[]): Statement[] {
  const rows = credits.map(({ row }) => row)
  return [
    ...credits.flatMap(({ row, approval }) => (approval ? [insertFunding(row.walletId, approval)] : [])),
    insert(scope, [
      plainArray(rows.map((r) => r.lane)),
      plainArray(rows.map((r) => r.accountId)),
      plainArray(rows.map((r) => r.walletId)),
      plainArray(rows.map((r) => r.sequence)),
      textArray(rows.map((r) => r.reference)),
      plainArray(rows.map((r) => r.amountMinor)),
      textArray(rows.map((r) => r.debit)),
      plainArray(credits.map((c) => c.livemode)),
      plainArray(credits.map((c) => c.approval?.id ?? null)),
    ]),
    append(scope, [
      plainArray(rows.map((r) => r.lane)),
      plainArray(rows.map((r) => r.accountId)),
      plainArray(rows.map((r) => r.walletId)),
      plainArray(rows.map((r) => r.sequence)),
      textArray(rows.map((r) => r.debit)),
      textArray(rows.map((r) => r.credit)),
      plainArray(rows.map((r) => r.amountMinor)),
      plainArray(rows.map((r) => r.availableAfterMinor)),
      textArray(rows.map((r) => r.reference)),
      plainArray(rows.map((r) => r.at)),
    ]),
  ]
}

function insertFunding(walletId: string, { id, operator, approvedBy, evidence }: Approval): Statement {
  return {
    name: 'insert_funding',
    text: `insert into operator_actions (id, operator, approved_by, action, target, evidence)
           values ($1, $2, $3, 'fund wallet', $4, $5)`,
    values: [id, operator, approvedBy, walletId, evidence],
  }
}
