// Which accounts have rows that another session of the database holds, beside the account's own: queried only after a
// lock kept a batch waiting. What is free is held until commit, so that nothing of it can be waited for again.
import { type ForRows, forRows } from '../../platform/columns.ts'
import type { Statement } from '../../platform/db.ts'
import type { Scope } from '../../platform/scope.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { KEY } from '../columns.ts'
import type { ContractKey } from './documents.ts'

const PARENT = `(select p.parent_id from contracts p
                  where p.lane = x.lane and p.account_id = x.account_id and p.id = x.id and $lane(p))`

/** Accounts of which a row of the table, the one whose column is this, is held elsewhere. Waits for nothing. */
function heldIn(name: string, table: string, column: string, key = 'x.id'): ForRows<ContractKey> {
  const those = (alias: string) =>
    `${alias}.lane = x.lane and ${alias}.account_id = x.account_id and ${alias}.${column} = ${key} and $lane(${alias})`
  return forRows(
    `held_${name}`,
    KEY,
    (keys) => `select distinct x.account_id
       from ${keys}
      where (select count(*) from (select 1 from ${table} t where ${those('t')} for no key update skip locked) free)
          < (select count(*) from ${table} e where ${those('e')})`,
  )
}

const ofAccounts = [heldIn('wallets', 'wallets', 'account_id')]
const ofContracts = [
  heldIn('contracts', 'contracts', 'id'),
  // The payment contract whose money a transfer refunds changes with it.
  heldIn('parents', 'contracts', 'id', PARENT),
  heldIn('jobs', 'jobs', 'contract_id'),
  heldIn('payment_events', 'payment_events', 'contract_id'),
]

/** One statement for each table that a batch may change: rows of `account_id`, each an account to leave alone. */
export function heldRows(
  scope: Scope,
  accounts: readonly AccountKey[],
  contracts: readonly ContractKey[],
): Statement[] {
  const owners = accounts.map((account) => ({ ...account, id: account.accountId }))
  return [...ofAccounts.map((held) => held(scope, owners)), ...ofContracts.map((held) => held(scope, contracts))]
}
