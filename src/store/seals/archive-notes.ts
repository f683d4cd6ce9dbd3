// Notes of archives that were proved: of each account up to which of its seals. Appended by operators, and never changed.
import { plainArray, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { isRemoved } from '../contracts/removed.ts'

/** `head`: the SHA-256 of the text of the archive's last seal. `kept`: where the archive is, in words. */
export type ArchiveNote = AccountKey & {
  readonly number: number
  readonly head: string
  readonly kept: string
  readonly operator: string
}

/** Notes an archive that ends with a seal of these books, once. */
export function insertArchiveNote({ lane, accountId, number, head, kept, operator }: ArchiveNote): Statement {
  return {
    name: 'insert_archive_note',
    text: `insert into archive_notes (lane, account_id, number, head, kept, noted_by)
           select s.lane, s.account_id, s.number, $4::text, $5, $6
             from seals s
            where s.lane = $1 and s.account_id = $2 and s.number = $3 and encode(sha256(convert_to(s.text, 'UTF8')), 'hex') = $4
               on conflict (lane, account_id, number) do nothing`,
    values: [lane, accountId, number, head, kept, operator],
  }
}

/** Whether an archive with this end is noted. */
export function archiveNoted({ lane, accountId, number, head }: Omit<ArchiveNote, 'kept' | 'operator'>): Statement {
  return {
    name: 'archive_noted',
    text: `select exists (select from archive_notes n
                          where n.lane = $1 and n.account_id = $2 and n.number = $3 and n.head = $4) as is_noted`,
    values: [lane, accountId, number, head],
  }
}

/** The first of these positions whose document is in the database. */
export function documentThere({ lane, accountId }: AccountKey, positions: readonly number[]): Statement {
  return {
    name: 'document_there',
    text: `select v.position from contract_versions v
            where v.lane = $1 and v.account_id = $2 and v.position = any($3::bigint[]) and not ${isRemoved('v')}
            order by v.position limit 1`,
    values: [lane, accountId, plainArray(positions)],
  }
}
