// The origins whose pages may call with a token of an account.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { AccountKey } from './accounts.ts'

/** All origins that are listed by any account. */
export function listedOrigins(lanes: readonly number[]): Statement {
  return definite({
    name: 'listed_origins',
    text: 'select o.lane, o.account_id, o.origin from account_origins o where o.lane = any($1::int[])',
    values: [plainArray(lanes)],
  })
}

export type ListedOrigin = { readonly accountId: string; readonly origin: string }

export function listedOriginFrom(row: Row): ListedOrigin {
  return { accountId: row['account_id'] as string, origin: row['origin'] as string }
}

/** The account's origins in place of those before. */
export function replaceOrigins({ lane, accountId }: AccountKey, origins: readonly string[]): Statement[] {
  return [
    {
      name: 'drop_origins',
      text: 'delete from account_origins o where o.lane = $1 and o.account_id = $2',
      values: [lane, accountId],
    },
    {
      name: 'insert_origins',
      text: `insert into account_origins (lane, account_id, origin)
             select l.lane, $2, o.origin from lanes l cross join unnest($3::text[]) o (origin) where l.lane = $1`,
      values: [lane, accountId, textArray([...new Set(origins)])],
    },
  ]
}
