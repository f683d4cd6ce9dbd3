// What statements of several tables share: the key of an account's row as columns.
import { int, uuid } from '../platform/columns.ts'

/** A row of an account: a contract, or a webhook endpoint. */
export type OwnedKey = { readonly lane: number; readonly accountId: string; readonly id: string }

type AccountOf = Pick<OwnedKey, 'lane' | 'accountId'>

/** Of what an account owns, taken from where it is found. */
export const OWNER = {
  lane: int((row: AccountOf) => row.lane),
  account_id: uuid((row: AccountOf) => row.accountId),
}

export const KEY = { ...OWNER, id: uuid((row: OwnedKey) => row.id) }

/** The time of now, or so much `later`, where the condition holds; null elsewhere. A distributed engine takes no now() within a CASE. */
export const nowWhere = (condition: string, later = "interval '0'"): string =>
  `now() + case when ${condition} then ${later} end`
