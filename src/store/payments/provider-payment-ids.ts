// What providers call the attempts at payment contracts, and the other names by which an event finds its contract.
import { plainArray, type Statement, textArray } from '../../platform/db.ts'
import { type Scope, scoped } from '../../platform/scope.ts'
import type { AccountKey } from '../accounts/accounts.ts'

export type ProviderPaymentId = AccountKey & {
  readonly providerId: string
  readonly contractId: string
  readonly attempt: number
}

const insert = scoped(
  'insert_provider_payment_ids',
  `insert into provider_payment_ids (lane, account_id, provider_id, contract_id, attempt)
   select l.lane, x.account_id, x.provider_id, x.contract_id, x.attempt
     from unnest($1::int[], $2::uuid[], $3::text[], $4::uuid[], $5::int[]) x (lane, account_id, provider_id, contract_id, attempt)
     join lanes l on l.lane = x.lane
    where $lane(l)
       on conflict (lane, account_id, provider_id) do nothing`,
)

/** Remembers what a provider calls an attempt. The first attempt to have the id keeps it. */
export function insertProviderPaymentIds(scope: Scope, ids: readonly ProviderPaymentId[]): Statement {
  return insert(scope, [
    plainArray(ids.map((each) => each.lane)),
    plainArray(ids.map((each) => each.accountId)),
    textArray(ids.map((each) => each.providerId)),
    plainArray(ids.map((each) => each.contractId)),
    plainArray(ids.map((each) => each.attempt)),
  ])
}

/** The attempt with the provider's id. */
export function findProviderPaymentId({ lane, accountId }: AccountKey, providerId: string): Statement {
  return {
    name: 'find_provider_payment_id',
    text: `select i.contract_id, i.attempt from provider_payment_ids i
            where i.lane = $1 and i.account_id = $2 and i.provider_id = $3`,
    values: [lane, accountId, providerId],
  }
}

/** The payment contracts that carry a reference of the caller's own, two at most: more than one names none. */
export function paymentsByReference({ lane, accountId }: AccountKey, referenceId: string): Statement {
  return {
    name: 'payments_by_reference',
    text: `select c.id from contracts c
            where c.lane = $1 and c.account_id = $2 and c.reference_id = $3 and c.kind = 'payment'
            limit 2`,
    values: [lane, accountId, referenceId],
  }
}
