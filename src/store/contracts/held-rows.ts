// Which accounts have rows that another session of the database holds, beside the account's own: asked only after a lock
// kept a batch waiting. What is free is held until commit, so that nothing of it can be waited for again.
import { type Scope, type Scoped, scoped } from '../../platform/scope.ts'
import { plainArray, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { ContractKey } from './documents.ts'

const PARENT = `(select p.parent_id from contracts p where p.lane = k.lane and p.account_id = k.account_id and p.id = k.id)`

/** Accounts of which a row of the table, the one whose column is this, is held elsewhere. Waits for nothing. */
function heldIn(name: string, table: string, column: string, key = 'k.id'): Scoped {
  const those = (alias: string) =>
    `${alias}.lane = k.lane and ${alias}.account_id = k.account_id and ${alias}.${column} = ${key} and $lane(${alias})`
  return scoped(
    `held_${name}`,
    `select distinct k.account_id
       from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, id)
      where (select count(*) from (select 1 from ${table} t where ${those('t')} for no key update skip locked) free)
          < (select count(*) from ${table} e where ${those('e')})`,
  )
}

const ofAccounts = [heldIn('wallets', 'wallets', 'account_id')]
const ofContracts = [
  heldIn('contracts', 'contracts', 'id'),
  // The payment contract whose money a transfer gives back changes with it.
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
  return [
    ...ofAccounts.map((held) => held(scope, columns(owners))),
    ...ofContracts.map((held) => held(scope, columns(contracts))),
  ]
}

function columns(keys: readonly ContractKey[]): string[] {
  return [
    plainArray(keys.map((key) => key.lane)),
    plainArray(keys.map((key) => key.accountId)),
    plainArray(keys.map((key) => key.id)),
  ]
}
