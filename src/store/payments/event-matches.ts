// Which contracts an event of a provider may be about.
import { plainArray, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

/** Those of the ids that are payment contracts of the account. */
export function paymentsAmong({ lane, accountId }: AccountKey, ids: readonly string[]): Statement {
  return {
    name: 'payments_among',
    text: `select c.id from contracts c
            where c.lane = $1 and c.account_id = $2 and c.id = any($3::uuid[]) and c.kind = 'payment'`,
    values: [lane, accountId, plainArray(ids)],
  }
}
