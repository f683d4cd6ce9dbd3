// Words that leave the index of search: which accounts have steps past their time, which contracts ended there, and what was written
// of them. Nothing of the history itself is touched.
import { ms } from '../../platform/columns.ts'
import { plainArray, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { OldStep } from '../contracts/old-steps.ts'
import { isRemoved } from '../contracts/removed.ts'
import type { TermRow } from './terms.ts'

/** Those that wait longest first. */
export function accountsWithOldWords(lanes: readonly number[], days: number, limit: number): Statement {
  return {
    name: 'accounts_with_old_words',
    merge: { isPartial: true },
    text: `select p.lane, p.account_id, extract(epoch from now() - n.at)::float8 - $2::float8 * 86400 as overdue_seconds
             from search_progress p
            cross join lateral (
                  select h.at from account_steps h
                   where h.lane = p.lane and h.account_id = p.account_id and h.position > p.removed_to
                   order by h.position
                   limit 1) n
            where p.lane = any($1::int[]) and p.removed_to < p.position and n.at < now() - make_interval(days => $2::int)
            order by n.at, p.account_id
            limit $3`,
    values: [plainArray(lanes), days, limit],
  }
}

/** The next steps that are in the index and whose words were not looked at. */
export function stepsToRemove(
  { lane, accountId }: AccountKey,
  ended: readonly string[],
  days: number,
  limit: number,
): Statement {
  return {
    name: 'steps_to_remove',
    text: `select h.position, ${ms('h.at')} as at, h.at < now() - make_interval(days => $4::int) as is_old, c.id as ended
             from account_steps h
             left join contracts c on h.is_contract and c.lane = $1 and c.account_id = $2 and c.id = h.contract_id
                                  and c.position = h.position and c.status = any($3::text[])
            where h.lane = $1 and h.account_id = $2
              and h.position > (select p.removed_to from search_progress p where p.lane = $1 and p.account_id = $2)
              and h.position <= (select p.position from search_progress p where p.lane = $1 and p.account_id = $2)
            order by h.position
            limit $5`,
    values: [lane, accountId, textArray(ended), days, limit],
  }
}

/** Every version of these contracts whose document is there: words of former ones may be in the index. */
export function documentsOfContracts({ lane, accountId }: AccountKey, ids: readonly string[]): Statement {
  return {
    name: 'documents_of_contracts',
    text: `select v.contract_id as id, v.document
             from contract_versions v
            where v.lane = $1 and v.account_id = $2 and v.contract_id = any($3::uuid[]) and v.version > 0
              and not ${isRemoved('v')}`,
    values: [lane, accountId, plainArray(ids)],
  }
}

export function deleteTerms({ lane, accountId }: AccountKey, rows: readonly TermRow[]): Statement {
  return {
    name: 'delete_search_terms',
    text: `delete from search_terms t
            using unnest($3::text[], $4::uuid[]) x (term, object_id)
            where t.lane = $1 and t.account_id = $2 and t.term = x.term and t.object_id = x.object_id`,
    values: [
      lane,
      accountId,
      textArray(rows.map(({ term }) => term)),
      plainArray(rows.map(({ objectId }) => objectId)),
    ],
  }
}

/** Notes up to which step words were removed. Never goes back. `hasRemoved`: whether contracts ended there, so that a search says so. */
export function saveRemoved(
  { lane, accountId }: AccountKey,
  { position, atMs }: Pick<OldStep, 'position' | 'atMs'>,
  hasRemoved: boolean,
): Statement {
  return {
    name: 'save_removed_words',
    text: `update search_progress
              set removed_to = greatest(removed_to, $3),
                  removed_until = case when $5::boolean then greatest(removed_until, to_timestamp($4::float8 / 1000)) else removed_until end
            where lane = $1 and account_id = $2`,
    values: [lane, accountId, position, atMs, hasRemoved],
  }
}
