// In whose place keys stand, as it is stored with them: of one key, of those that a batch asks about, of all of an account.
import type { KeyLine } from '../../domain/account/key-line.ts'
import { forRows, text } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { OWNER } from '../columns.ts'
import type { AccountKey } from './accounts.ts'

/** A key from before there were lines is of its own, and so is one that an older release makes. */
export function lineFrom(row: Row): KeyLine {
  return {
    originId: (row['origin_key_id'] as string | null) ?? (row['key_id'] as string),
    madeBy: (row['made_by_keys'] as string[] | null) ?? [],
  }
}

/** In whose place these keys stand, whether they may act or have ended. */
export const linesOfKeys = forRows(
  'lines_of_keys',
  { ...OWNER, key_id: text((key: AccountKey & { readonly keyId: string }) => key.keyId) },
  (keys) => `select k.account_id, k.key_id, k.origin_key_id, k.made_by_keys
     from ${keys}
     join api_keys k on k.lane = x.lane and k.account_id = x.account_id and k.key_id = x.key_id
    where $lane(k)`,
)

/** All keys of the account that stand in another's place. */
export function listKeyLines({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'list_key_lines',
    text: `select k.key_id, k.origin_key_id, k.made_by_keys
             from api_keys k
            where k.lane = $1 and k.account_id = $2 and (k.origin_key_id <> k.key_id or k.made_by_keys is not null)`,
    values: [lane, accountId],
  }
}

/** By key. */
export const linesFrom = (rows: readonly Row[]): ReadonlyMap<string, KeyLine> =>
  new Map(rows.map((row) => [row['key_id'] as string, lineFrom(row)]))
