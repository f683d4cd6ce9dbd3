// The files that commands make, in parts: added under the command's lease, read one at a time, and forgotten.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { OwnedKey } from '../columns.ts'
import type { Leased } from './commands.ts'

/** What the next page of a file comes to. */
export type FilePage = {
  readonly parts: readonly string[]
  readonly bytes: number
  readonly rows: number
  readonly cursor: unknown
}

/** Adds parts behind those that are there; nothing once another has the lease, or has come further. */
export function addFileParts(leased: Leased, parts: number, page: FilePage, leaseMs: number): Statement {
  const { lane, accountId, id, fence } = leased
  return {
    name: 'add_command_file_parts',
    text: `with c as (select d.lane, d.account_id, d.id from commands d
                       where d.lane = $1 and d.account_id = $2 and d.id = $3 and d.fence = $4 and d.file_parts = $5
                         and d.status = 'running' and not d.cancelling for no key update),
                added as (insert into command_file_parts (lane, account_id, command_id, number, content)
                          select c.lane, c.account_id, c.id, $5 + x.place, x.content
                            from c cross join unnest($6::int[], $7::text[]) x (place, content)
                       returning 1)
           update commands d
              set file_parts = d.file_parts + (select count(*) from added), file_bytes = d.file_bytes + $8, cursor = $9,
                  total = d.total + $10, done = d.done + $10, leased_until = now() + $11 * interval '1 millisecond'
             from c where d.lane = $1 and d.lane = c.lane and d.account_id = c.account_id and d.id = c.id
        returning d.file_parts`,
    values: [
      lane,
      accountId,
      id,
      fence,
      parts,
      plainArray(page.parts.map((_, place) => place)),
      textArray(page.parts),
      page.bytes,
      JSON.stringify(page.cursor),
      page.rows,
      leaseMs,
    ],
  }
}

/** Holds a command for so long; no row where another has it. */
export function holdCommand({ lane, accountId, id, fence }: Leased, leaseMs: number): Statement {
  return {
    name: 'hold_command',
    text: `update commands c set leased_until = now() + $5 * interval '1 millisecond'
            where c.lane = $1 and c.account_id = $2 and c.id = $3 and c.fence = $4
        returning 1`,
    values: [lane, accountId, id, fence, leaseMs],
  }
}

/** The whole file is there: its hash, and until when it is kept. */
export function sealFile({ lane, accountId, id }: OwnedKey, sha256: string, expiresAt: number): Statement {
  return {
    name: 'seal_command_file',
    text: `update commands c set file_sha256 = $4, file_expires_at = to_timestamp($5::float8 / 1000)
            where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    values: [lane, accountId, id, sha256, expiresAt],
  }
}

export function findFilePart({ lane, accountId, id }: OwnedKey, number: number): Statement {
  return {
    name: 'find_command_file_part',
    text: `select p.content from command_file_parts p
            where p.lane = $1 and p.account_id = $2 and p.command_id = $3 and p.number = $4`,
    values: [lane, accountId, id, number],
  }
}

export const filePartFrom = (row: Row): string => row['content'] as string
