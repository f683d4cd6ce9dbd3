// Money from outside of any contract: what stands behind each such row of the ledger, and the ledger's row itself.
import type { Approval } from '../domain/transfer/commands.ts'
import { bool, insertRows, int, int8, text, uuid } from '../platform/columns.ts'
import type { Statement } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import { LEDGER, type LedgerRow } from './wallets.ts'

/** A credit from outside, with the record of the two who vouch for it; null for fictitious money of a trial. */
export type OutsideCredit = {
  readonly row: LedgerRow
  readonly livemode: boolean
  readonly approval: Approval | null
}

const insert = insertRows('insert_outside_credits', 'outside_credits', {
  lane: int(({ row }: OutsideCredit) => row.lane),
  account_id: uuid(({ row }: OutsideCredit) => row.accountId),
  wallet_id: uuid(({ row }: OutsideCredit) => row.walletId),
  sequence: int8(({ row }: OutsideCredit) => row.sequence),
  reference: text(({ row }: OutsideCredit) => row.reference),
  amount_minor: int8(({ row }: OutsideCredit) => row.amountMinor),
  debit: text(({ row }: OutsideCredit) => row.debit),
  livemode: bool((credit: OutsideCredit) => credit.livemode),
  action_id: uuid((credit: OutsideCredit) => credit.approval?.id ?? null),
  action: text((credit: OutsideCredit) => (credit.approval ? 'fund wallet' : null)),
})

const append = insertRows('append_outside_rows', 'ledger', {
  ...LEDGER,
  outside: int8((row: LedgerRow) => row.sequence),
})

/** What a reference was used for: the ledger's row of that credit. */
export function findCredit({ lane, accountId }: Pick<LedgerRow, 'lane' | 'accountId'>, reference: string): Statement {
  return {
    name: 'find_credit',
    text: `select g.wallet_id, g.amount_minor, g.debit from ledger g
            where g.lane = $1 and g.account_id = $2 and g.reference = $3`,
    values: [lane, accountId, reference],
  }
}

/** The approvals, what stands behind the rows, and the rows, in the order in which they refer to each other. */
export function storeOutsideCredits(scope: Scope, credits: readonly OutsideCredit[]): Statement[] {
  const live = credits.filter(({ livemode }) => livemode)
  const madeUp = credits.flatMap(({ row, livemode }) => (livemode ? [] : [topUp(row)]))
  if (live.length === 0) return madeUp
  return [
    ...madeUp,
    ...live.flatMap(({ row, approval }) => (approval ? [insertFunding(row.walletId, approval)] : [])),
    insert(scope, live),
    append(
      scope,
      live.map(({ row }) => row),
    ),
  ]
}

/**
 * Made-up money, by the one way that the gateway's own login has: the database looks at the account's mode itself. `row` says
 * what it came to.
 */
function topUp(row: LedgerRow): Statement {
  return {
    name: 'top_up_test_wallet',
    text: `select top_up_test_wallet($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12::float8 / 1000))`,
    values: [
      row.lane,
      row.accountId,
      row.walletId,
      row.sequence,
      row.reference,
      row.amountMinor,
      row.availableAfterMinor,
      row.heldAfterMinor,
      row.inTransitAfterMinor,
      row.pendingAfterMinor,
      row.suspenseAfterMinor,
      row.at,
    ],
  }
}

function insertFunding(walletId: string, { id, operator, approvedBy, evidence }: Approval): Statement {
  return {
    name: 'insert_funding',
    text: `insert into operator_actions (id, operator, approved_by, action, target, evidence)
           values ($1, $2, $3, 'fund wallet', $4, $5)`,
    values: [id, operator, approvedBy, walletId, evidence],
  }
}
