// What pays the same amount to the same recipient as rows of a dry run: rows before them, and contracts of lately, by the index of
// search.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { OwnedKey } from '../columns.ts'

export type PayingRow = { readonly recipient: string; readonly currency: string; readonly amountMinor: bigint }

/** Of each of these the first row of the command that pays the same, of those that were recorded. */
export function rowsPayingSame({ lane, accountId, id }: OwnedKey, rows: readonly PayingRow[]): Statement {
  return {
    name: 'command_rows_paying_same',
    text: `select distinct on (x.place) x.place, r.index, r.line
             from unnest($4::uuid[], $5::text[], $6::bigint[]) with ordinality x (recipient, currency, amount_minor, place)
             join command_rows r on r.lane = $1 and r.account_id = $2 and r.command_id = $3 and r.recipient = x.recipient
                                and r.currency = x.currency and r.amount_minor = x.amount_minor
            order by x.place, r.index`,
    values: [
      lane,
      accountId,
      id,
      plainArray(rows.map(({ recipient }) => recipient)),
      textArray(rows.map(({ currency }) => currency)),
      plainArray(rows.map(({ amountMinor }) => String(amountMinor))),
    ],
  }
}

/** `line`: where the row begins in its CSV file. */
export type RowPlace = { readonly index: number; readonly line: number | null }

export function samePlaceFrom(row: Row): RowPlace & { readonly place: number } {
  return { place: Number(row['place']) - 1, index: row['index'] as number, line: row['line'] as number | null }
}

/** The newest contracts with both terms, of ids from one on; so many of each. */
export function contractsWithTerms(
  { lane, accountId }: Pick<OwnedKey, 'lane' | 'accountId'>,
  asked: readonly { readonly whom: string; readonly amount: string }[],
  firstId: string,
  limit: number,
): Statement {
  return {
    name: 'contracts_with_terms',
    text: `select x.place, t.object_id as id
             from unnest($3::text[], $4::text[]) with ordinality x (whom, amount, place)
            cross join lateral (
              select t.object_id from search_terms t
                join search_terms s on s.lane = t.lane and s.account_id = t.account_id and s.term = x.amount
                                   and s.object_id = t.object_id
               where t.lane = $1 and t.account_id = $2 and t.term = x.whom and t.object_id >= $5 and t.kind = 'c'
               order by t.object_id desc limit $6) t`,
    values: [
      lane,
      accountId,
      textArray(asked.map(({ whom }) => whom)),
      textArray(asked.map(({ amount }) => amount)),
      firstId,
      limit,
    ],
  }
}
