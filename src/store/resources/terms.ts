// The index of search: the terms of objects, and how far each account's history is in it. Behind the history, never ahead.
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { standingDocument } from '../contracts/removed.ts'

/** What the index finds: contracts of both kinds, and profiles. */
export type FoundKind = 'contract' | 'profile'

const LETTERS: Readonly<Record<FoundKind, string>> = { contract: 'c', profile: 'p' }
const KINDS: Readonly<Record<string, FoundKind>> = { c: 'contract', p: 'profile' }

export type TermRow = { readonly term: string; readonly objectId: string; readonly kind: FoundKind }

/** Adds terms to an account's. What is there already stays; who writes the same at once waits in the same order. */
export function insertTerms({ lane, accountId }: AccountKey, rows: readonly TermRow[]): Statement {
  const values = [
    textArray(rows.map(({ term }) => term)),
    plainArray(rows.map(({ objectId }) => objectId)),
    plainArray(rows.map(({ kind }) => LETTERS[kind])),
  ]
  return {
    name: 'insert_search_terms',
    text: `insert into search_terms (lane, account_id, term, object_id, kind)
           select l.lane, $2::uuid, x.term, x.object_id, x.kind::"char"
             from lanes l cross join unnest($3::text[], $4::uuid[], $5::text[]) x (term, object_id, kind)
            where l.lane = $1
            order by x.term collate "C", x.object_id
               on conflict do nothing`,
    values: [lane, accountId, ...values],
  }
}

export type Progress = {
  /** Where the account's history is, and how much of it is in the index. */
  readonly position: number
  readonly indexed: number
  /** When the last of that happened, once it was read. */
  readonly atMs: number | null
  /** Contracts that ended up to then have no words in it any more; null where all have. */
  readonly removedUntilMs: number | null
}

export function searchProgress({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'search_progress',
    text: `select a.position, coalesce(p.position, 0) as indexed, ${ms('p.removed_until')} as removed_until
             from accounts a
             left join search_progress p on p.lane = a.lane and p.account_id = a.account_id
            where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}

export function progressFrom(row: Row | undefined): Progress {
  return {
    position: Number(row?.['position'] ?? 0),
    indexed: Number(row?.['indexed'] ?? 0),
    atMs: null,
    removedUntilMs: (row?.['removed_until'] as number | null | undefined) ?? null,
  }
}

/** Notes that the history is in the index up to there. Never goes back. */
export function saveSearchProgress({ lane, accountId }: AccountKey, position: number): Statement {
  return {
    name: 'save_search_progress',
    text: `insert into search_progress as p (lane, account_id, position) values ($1, $2, $3)
               on conflict (lane, account_id) do update set position = greatest(p.position, excluded.position)`,
    values: [lane, accountId, position],
  }
}

/** Accounts whose history is not in the index whole, those with the least missing first. */
export function accountsBehind(lanes: readonly number[], limit: number): Statement {
  return {
    name: 'accounts_behind_in_search',
    merge: { isPartial: true },
    text: `select a.lane, a.account_id
             from accounts a
             left join search_progress p on p.lane = a.lane and p.account_id = a.account_id
            where a.lane = any($1::int[]) and a.position > coalesce(p.position, 0)
            order by a.position - coalesce(p.position, 0), a.account_id
            limit $2`,
    values: [plainArray(lanes), limit],
  }
}

export function accountKeyFrom(row: Row): AccountKey {
  return { lane: row['lane'] as number, accountId: row['account_id'] as string }
}

/**
 * The next steps of an account's history after a position. Of a transfer contract only the versions that can have other terms
 * than the one before come with their document.
 */
export function stepsToIndex({ lane, accountId }: AccountKey, afterPosition: number, limit: number): Statement {
  return {
    name: 'steps_to_index',
    text: `select h.lane, h.account_id, h.position, h.contract_id as id, h.is_contract, h.event, h.subject, ${ms('h.at')} as at,
                  case when h.version = 1 or h.event in ('contract.updated', 'contract.issued')
                            or h.document ->> 'kind' = 'payment' then ${standingDocument('h')} end as document
             from account_steps h
            where h.lane = $1 and h.account_id = $2 and h.position > $3
            order by h.position
            limit $4`,
    values: [lane, accountId, afterPosition, limit],
  }
}

/** What an index range held: whose id comes first is newest. */
export type Found = { readonly id: string; readonly kind: FoundKind; readonly isWhole: boolean }

export function foundFrom(row: Row): Found {
  const kind = KINDS[row['kind'] as string]
  if (!kind) throw new Error(`the index of search holds a kind ${String(row['kind'])}`)
  return { id: row['id'] as string, kind, isWhole: row['is_whole'] as boolean }
}

/** Objects with a term, newest first, before an id. `is_whole`: the other terms are there, too. */
export function objectsWithTerm(
  { lane, accountId }: AccountKey,
  { term, also }: { readonly term: string; readonly also: readonly string[] },
  before: string,
  limit: number,
): Statement {
  return {
    name: 'objects_with_term',
    text: `select t.object_id as id, t.kind,
                  (select count(*) from unnest($4::text[]) w (term)
                     join search_terms s on s.lane = $1 and s.account_id = t.account_id and s.term = w.term
                      and s.object_id = t.object_id) = cardinality($4::text[]) as is_whole
             from search_terms t
            where t.lane = $1 and t.account_id = $2 and t.term = $3 and t.object_id < $5
            order by t.object_id desc
            limit $6`,
    values: [lane, accountId, term, textArray(also), before, limit],
  }
}

type IdRange = { readonly first: string; readonly last: string }

/** Contracts whose id lies in a range, newest first, before an id. */
export function contractsInRange(
  { lane, accountId }: AccountKey,
  { first, last }: IdRange,
  before: string,
  limit: number,
): Statement {
  return {
    name: 'contracts_in_range',
    text: `select c.id, 'c' as kind, true as is_whole
             from contracts c
            where c.lane = $1 and c.account_id = $2 and c.id between $3 and $4 and c.id < $5
            order by c.id desc
            limit $6`,
    values: [lane, accountId, first, last, before, limit],
  }
}

/** The same of profiles. */
export function profilesInRange(
  { lane, accountId }: AccountKey,
  { first, last }: IdRange,
  before: string,
  limit: number,
): Statement {
  return {
    name: 'profiles_in_range',
    text: `select p.id, 'p' as kind, true as is_whole
             from profiles p
            where p.lane = $1 and p.account_id = $2 and p.id between $3 and $4 and p.id < $5
            order by p.id desc
            limit $6`,
    values: [lane, accountId, first, last, before, limit],
  }
}
