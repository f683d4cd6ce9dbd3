// What statements of several tables say alike: the key of an account's row as parameters, and times as numbers.
import { plainArray } from '../platform/db.ts'

/** A row of an account: a contract, or a webhook endpoint. */
export type OwnedKey = { readonly lane: number; readonly accountId: string; readonly id: string }

/** The first three parameters of a statement about such rows: lanes, accounts, ids. */
export function keyColumns(keys: readonly OwnedKey[]): [string, string, string] {
  return [
    plainArray(keys.map((key) => key.lane)),
    plainArray(keys.map((key) => key.accountId)),
    plainArray(keys.map((key) => key.id)),
  ]
}

/** A time of the database in whole milliseconds since the epoch. */
export const ms = (moment: string): string => `floor(extract(epoch from ${moment}) * 1000)::float8`
