// Providers' ids of the attempts at payment contracts, and the other names by which an event finds its contract.
import { insertRows, int, text, uuid } from '../../platform/columns.ts'
import type { Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { OWNER } from '../columns.ts'

export type ProviderPaymentId = AccountKey & {
  readonly providerId: string
  readonly contractId: string
  readonly attempt: number
}

/** Stores a provider's id of an attempt. The first attempt to have the id keeps it. */
export const insertProviderPaymentIds = insertRows(
  'insert_provider_payment_ids',
  'provider_payment_ids',
  {
    ...OWNER,
    provider_id: text((each: ProviderPaymentId) => each.providerId),
    contract_id: uuid((each: ProviderPaymentId) => each.contractId),
    attempt: int((each: ProviderPaymentId) => each.attempt),
  },
  'on conflict (lane, account_id, provider_id) do nothing',
)

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
