// Published lists as they are loaded: a head for each file, its entries, and which of a source is in force. Operators write them.
import type { ListedParty } from '../../formats/verifiers/party.ts'
import { type Row, type Statement, textArray } from '../../platform/db.ts'

export type CurrentList = {
  readonly id: string
  readonly version: string
  readonly publishedOn: string | null
  readonly hash: string
  readonly entries: number
}

export const currentList = (source: string): Statement => ({
  name: 'current_list',
  text: `select l.id, l.version, l.published_on, l.hash, l.entries from screening_lists l where l.source = $1 and l.is_current`,
  values: [source],
})

export const currentListFrom = (row: Row): CurrentList => ({
  id: row['id'] as string,
  version: row['version'] as string,
  publishedOn: row['published_on'] as string | null,
  hash: row['hash'] as string,
  entries: row['entries'] as number,
})

export const insertList = (list: {
  readonly id: string
  readonly source: string
  readonly version: string
  readonly hash: string
}): Statement => ({
  name: 'insert_list',
  text: `insert into screening_lists (id, source, version, hash, entries, is_current) values ($1, $2, $3, $4, 0, false)`,
  values: [list.id, list.source, list.version, list.hash],
})

export const insertListEntries = (listId: string, parties: readonly ListedParty[]): Statement => ({
  name: 'insert_list_entries',
  text: `insert into screening_entries (list_id, entry, document)
         select $1, x.entry, x.document::json from unnest($2::text[], $3::text[]) x (entry, document)`,
  values: [
    listId,
    textArray(parties.map(({ entry }) => entry)),
    textArray(parties.map(({ entry: _, ...document }) => JSON.stringify(document))),
  ],
})

export const putAside = (source: string): Statement => ({
  name: 'put_list_aside',
  text: 'update screening_lists l set is_current = false where l.source = $1 and l.is_current',
  values: [source],
})

/** Only where all of its entries are there. A second later than now: what was asked until then is asked anew. */
export const inForce = (list: Pick<CurrentList, 'id' | 'version' | 'publishedOn' | 'entries'>): Statement => ({
  name: 'list_in_force',
  text: `update screening_lists l
            set is_current = true, version = $2, published_on = $3, entries = $4,
                loaded_at = clock_timestamp() + interval '1 second', checked_at = clock_timestamp()
          where l.id = $1 and $4 = (select count(*) from screening_entries e where e.list_id = $1)`,
  values: [list.id, list.version, list.publishedOn, list.entries],
})

/** The same file again: it is the newest still. */
export const checkedAgain = (id: string): Statement => ({
  name: 'list_checked_again',
  text: 'update screening_lists l set checked_at = clock_timestamp() where l.id = $1',
  values: [id],
})

export const clearEntries = (listId: string): Statement => ({
  name: 'clear_list_entries',
  text: 'delete from screening_entries e where e.list_id = $1',
  values: [listId],
})

export const clearSource = (source: string): Statement => ({
  name: 'clear_source',
  text: `delete from screening_entries e using screening_lists l
          where l.id = e.list_id and l.source = $1 and not l.is_current`,
  values: [source],
})
