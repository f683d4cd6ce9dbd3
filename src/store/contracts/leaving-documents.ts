// Documents that leave the database: which accounts have steps past their time, which contracts ended there, and what is to be emptied.
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { type DueAccount, dueAccountFrom, type OldStep } from './old-steps.ts'
import { isRemoved } from './removed.ts'

/** Up to which position an account `a` is in an archive that was noted. */
const ARCHIVED = `(select s.to_position from archive_notes n
                     join seals s on s.lane = n.lane and s.account_id = n.account_id and s.number = n.number
                    where n.lane = a.lane and n.account_id = a.account_id order by n.number desc limit 1)`

/** An account with steps that are past their time, by how much the oldest is, and whether an archive is noted that has it. */
export type DueDocuments = DueAccount & { readonly isArchived: boolean }

/** Those that wait longest first: such that can be emptied before those that wait for an archive. */
export function accountsWithOldDocuments(lanes: readonly number[], days: number, limit: number): Statement {
  return {
    name: 'accounts_with_old_documents',
    merge: { isPartial: true },
    text: `select a.lane, a.account_id, extract(epoch from now() - h.at)::float8 - $2::float8 * 86400 as overdue_seconds,
                  coalesce(h.position <= ${ARCHIVED}, false) as is_archived
             from accounts a
             left join document_removals r on r.lane = a.lane and r.account_id = a.account_id
            cross join lateral (
                  select s.position, s.at from account_steps s
                   where s.lane = a.lane and s.account_id = a.account_id and s.position > coalesce(r.removed_to, 0)
                   order by s.position
                   limit 1) h
            where a.lane = any($1::int[]) and a.position > coalesce(r.removed_to, 0) and h.at < now() - make_interval(days => $2::int)
            order by is_archived desc, h.at, a.account_id
            limit $3`,
    values: [plainArray(lanes), days, limit],
  }
}

export const dueDocumentsFrom = (row: Row): DueDocuments => ({
  ...dueAccountFrom(row),
  isArchived: row['is_archived'] as boolean,
})

/** The next steps that are past their time and in a noted archive. */
export function endsToEmpty(
  { lane, accountId }: AccountKey,
  ended: readonly string[],
  days: number,
  limit: number,
): Statement {
  return {
    name: 'ends_to_empty',
    text: `select h.position, ${ms('h.at')} as at, h.at < now() - make_interval(days => $4::int) as is_old, c.id as ended
             from account_steps h
             left join contracts c on h.is_contract and c.lane = $1 and c.account_id = $2 and c.id = h.contract_id
                                  and c.position = h.position and c.status = any($3::text[])
            where h.lane = $1 and h.account_id = $2
              and h.position > coalesce((select r.removed_to from document_removals r where r.lane = $1 and r.account_id = $2), 0)
              and h.position <= (select s.to_position from archive_notes n
                                   join seals s on s.lane = $1 and s.account_id = $2 and s.number = n.number
                                  where n.lane = $1 and n.account_id = $2 order by n.number desc limit 1)
            order by h.position
            limit $5`,
    values: [lane, accountId, textArray(ended), days, limit],
  }
}

/** The versions of these contracts that are superseded and whose documents are there, each with the salt of its seal. */
export function documentsToEmpty({ lane, accountId }: AccountKey, ids: readonly string[]): Statement {
  return {
    name: 'documents_to_empty',
    text: `select v.position, v.version, v.contract_id as object, v.document::text as document, s.salt
             from contracts c
             join contract_versions v on v.lane = $1 and v.account_id = c.account_id and v.contract_id = c.id
                                     and v.version > 0 and v.position < c.position
            cross join lateral (
                  select z.salt from seals z
                   where z.lane = $1 and z.account_id = $2 and z.to_position >= v.position
                   order by z.to_position, z.number
                   limit 1) s
            where c.lane = $1 and c.account_id = $2 and c.id = any($3::uuid[]) and not ${isRemoved('v')}
            order by v.position`,
    values: [lane, accountId, plainArray(ids)],
  }
}

/** Empties documents at these positions, as far as the database finds that they may leave. `members`: of each the hash over its members. */
export function emptyDocuments(
  { lane, accountId }: AccountKey,
  rows: readonly { readonly position: number; readonly members: string }[],
  days: number,
): Statement {
  return {
    name: 'empty_documents',
    text: 'select empty_documents($1, $2, $3, $4, $5) as emptied',
    values: [
      lane,
      accountId,
      plainArray(rows.map(({ position }) => position)),
      textArray(rows.map(({ members }) => members)),
      days,
    ],
  }
}

/** Notes up to which step documents have left. Never goes back. `hasEmptied`: whether any did, so that readers are told since when. */
export function saveEmptied(
  { lane, accountId }: AccountKey,
  { position, atMs }: Pick<OldStep, 'position' | 'atMs'>,
  hasEmptied: boolean,
): Statement {
  return {
    name: 'save_emptied_documents',
    text: `insert into document_removals as r (lane, account_id, removed_to, removed_until)
           values ($1, $2, $3, case when $5::boolean then to_timestamp($4::float8 / 1000) end)
               on conflict (lane, account_id) do update
              set removed_to = greatest(r.removed_to, excluded.removed_to),
                  removed_until = greatest(r.removed_until, excluded.removed_until)`,
    values: [lane, accountId, position, atMs, hasEmptied],
  }
}
