// Accounts of this gateway that paid another one by a wallet: what the one that was paid may know of them.
import { ms } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { OwnedKey } from '../columns.ts'

/** The account that paid, by its profile, under the name that it had then. */
export type PayerProfile = {
  readonly profileId: string
  readonly livemode: boolean
  readonly name: string
  readonly at: number
}

/** Keeps under which name an account pays another one. `account` is the one that is paid. */
export function savePayer({ lane, accountId }: AccountKey, payer: Pick<PayerProfile, 'profileId' | 'name'>): Statement {
  return {
    name: 'save_profile_payer',
    text: `insert into profile_payers (lane, account_id, profile_id, name) values ($1, $2, $3, $4)
           on conflict (lane, account_id, profile_id) do update set name = excluded.name, at = excluded.at`,
    values: [lane, accountId, payer.profileId, payer.name],
  }
}

/** The account with this profile, if it has paid this one. */
export function findPayer({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'find_profile_payer',
    text: `select y.profile_id, y.name, ${ms('y.at')} as at from profile_payers y
            where y.lane = $1 and y.account_id = $2 and y.profile_id = $3`,
    values: [lane, accountId, id],
  }
}

export function payerFrom(row: Row): Omit<PayerProfile, 'livemode'> {
  return { profileId: row['profile_id'] as string, name: row['name'] as string, at: row['at'] as number }
}
