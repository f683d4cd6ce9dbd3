// Verifiers that accounts make, as they are stored: a head that says which version is the newest, the versions, and the entries
// of lists. Whoever writes one holds its account.
import type { ListEntry } from '../../domain/verifier/screening.ts'
import type { OwnEntry, OwnKind, Verifier, VerifierStatus } from '../../domain/verifier/verifier.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { OwnedKey } from '../columns.ts'
import { versioned } from '../versioned.ts'
import type { SealedSecret } from '../webhooks/endpoints.ts'

type Document = Pick<Verifier, 'name' | 'hitFrom' | 'createdAt' | 'url' | 'to'>

const { newest, find, insertVersion } = versioned({
  noun: 'verifier',
  heads: 'verifiers',
  versions: 'verifier_versions',
  id: 'verifier_id',
  ofHead: `, p.livemode, p.kind, p.status, p.secret_sealed, ${ms('p.changed_at')} as changed_at`,
})

export const findVerifier = find

export function verifierFrom(row: Row): Verifier {
  // Lists from before others were made say nothing of these two.
  const { url, to, ...said } = row['document'] as Partial<Document> & Omit<Document, 'url' | 'to'>
  return {
    ...said,
    url: url ?? null,
    to: to ?? null,
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    livemode: row['livemode'] as boolean,
    id: row['verifier_id'] as string,
    version: row['version'] as number,
    kind: row['kind'] as OwnKind,
    status: row['status'] as VerifierStatus,
    changedAt: row['changed_at'] as number,
  }
}

/** All verifiers of the account, archived ones too, the oldest first: there are few. */
export function listVerifiers({ lane, accountId }: AccountKey): Statement {
  return { name: 'list_verifiers', text: `${newest} order by p.id`, values: [lane, accountId] }
}

/** A new version, which is the newest from now on; with the first one the verifier begins. */
export function saveVerifier(verifier: Verifier): readonly Statement[] {
  const { lane, accountId, livemode, id, version, kind, status, name, hitFrom, createdAt, changedAt, url, to } =
    verifier
  const document: Document = { name, hitFrom, createdAt, url, to }
  return [
    {
      name: 'save_verifier',
      text: `insert into verifiers (lane, account_id, livemode, id, version, kind, status, changed_at)
             values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::float8 / 1000))
             on conflict (lane, account_id, id)
             do update set version = excluded.version, status = excluded.status, changed_at = excluded.changed_at`,
      values: [lane, accountId, livemode, id, version, kind, status, changedAt],
    },
    insertVersion(verifier, version, JSON.stringify(document)),
  ]
}

/** The secrets that sign what is sent to it, as they are stored. */
export function saveVerifierSecrets({ lane, accountId, id }: OwnedKey, secrets: readonly SealedSecret[]): Statement {
  return {
    name: 'save_verifier_secrets',
    text: 'update verifiers f set secret_sealed = $4 where f.lane = $1 and f.account_id = $2 and f.id = $3',
    values: [lane, accountId, id, JSON.stringify(secrets)],
  }
}

export const verifierSecretsFrom = (row: Row): SealedSecret[] =>
  JSON.parse((row['secret_sealed'] as string | null) ?? '[]') as SealedSecret[]

export function insertEntries({ lane, accountId, id }: OwnedKey, entries: readonly OwnEntry[]): Statement {
  const documents = entries.map(({ id: _, ...said }) => JSON.stringify(said))
  return {
    name: 'insert_verifier_entries',
    text: `insert into verifier_entries (lane, account_id, verifier_id, id, document)
           select l.lane, $2, $3, x.id, x.document::json
             from lanes l cross join unnest($4::uuid[], $5::text[]) x (id, document) where l.lane = $1`,
    values: [lane, accountId, id, plainArray(entries.map((entry) => entry.id)), textArray(documents)],
  }
}

export function deleteEntry({ lane, accountId, id }: OwnedKey, entryId: string): Statement {
  return {
    name: 'delete_verifier_entry',
    text: `delete from verifier_entries e where e.lane = $1 and e.account_id = $2 and e.verifier_id = $3 and e.id = $4`,
    values: [lane, accountId, id, entryId],
  }
}

export function findEntry({ lane, accountId, id }: OwnedKey, entryId: string): Statement {
  return {
    name: 'find_verifier_entry',
    text: `select e.id, e.document from verifier_entries e
            where e.lane = $1 and e.account_id = $2 and e.verifier_id = $3 and e.id = $4`,
    values: [lane, accountId, id, entryId],
  }
}

export function countEntries({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'count_verifier_entries',
    text: `select count(*)::int as count from verifier_entries e
            where e.lane = $1 and e.account_id = $2 and e.verifier_id = $3`,
    values: [lane, accountId, id],
  }
}

/** How many entries each list of the account has. */
export function countAllEntries({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'count_all_verifier_entries',
    text: `select e.verifier_id, count(*)::int as count from verifier_entries e
            where e.lane = $1 and e.account_id = $2 group by e.verifier_id`,
    values: [lane, accountId],
  }
}

export type EntryPage = { readonly after: string | null; readonly limit: number }

/** Entries of a list, newest first, one more than the limit. */
export function listEntries({ lane, accountId, id }: OwnedKey, { after, limit }: EntryPage): Statement {
  return {
    name: 'list_verifier_entries',
    text: `select e.id, e.document from verifier_entries e
            where e.lane = $1 and e.account_id = $2 and e.verifier_id = $3 and ($4::uuid is null or e.id < $4::uuid)
            order by e.id desc
            limit $5`,
    values: [lane, accountId, id, after, limit + 1],
  }
}

export function entryFrom(row: Row): OwnEntry {
  return { ...(row['document'] as Omit<OwnEntry, 'id'>), id: row['id'] as string }
}

/** A published list in force. */
export type PublishedList = {
  readonly id: string
  readonly source: string
  readonly version: string
  readonly publishedOn: string | null
  readonly entries: number
  readonly loadedAt: number
  /** When it was last found to be the newest. */
  readonly checkedAt: number
}

/** The published lists in force, which are those of all accounts. */
export const PUBLISHED_LISTS: Statement = {
  name: 'published_lists',
  text: `select l.id, l.source, l.version, l.published_on, l.entries, ${ms('l.loaded_at')} as loaded_at,
                  ${ms('coalesce(l.checked_at, l.loaded_at)')} as checked_at
           from screening_lists l where l.is_current order by l.source`,
  values: [],
}

export function publishedListFrom(row: Row): PublishedList {
  return {
    id: row['id'] as string,
    source: row['source'] as string,
    version: row['version'] as string,
    publishedOn: row['published_on'] as string | null,
    entries: row['entries'] as number,
    loadedAt: row['loaded_at'] as number,
    checkedAt: row['checked_at'] as number,
  }
}

export function publishedEntries(listId: string): Statement {
  return {
    name: 'published_entries',
    text: `select e.entry, e.document from screening_entries e where e.list_id = $1`,
    values: [listId],
  }
}

export function publishedEntryFrom(row: Row): ListEntry {
  return { ...(row['document'] as Omit<ListEntry, 'entry'>), entry: row['entry'] as string }
}
