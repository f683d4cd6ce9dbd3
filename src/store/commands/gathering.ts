// Rows that the gateway brings into a command itself, of a filter or of a dry run, a page at a time under the command's lease.
import { plainArray, type Statement, textArray } from '../../platform/db.ts'
import type { Leased } from './commands.ts'

export type GatheredRow = { readonly hash: string; readonly sent: string }

/** Adds rows behind those that are there, and says how far it has come; nothing once another has the lease. */
export function addGathered(
  { lane, accountId, id, fence }: Leased,
  rows: readonly GatheredRow[],
  cursor: unknown,
  goesOn: 'more' | 'all there',
): Statement {
  return {
    name: 'add_gathered_rows',
    text: `with c as (select d.lane, d.account_id, d.id, d.total from commands d
                       where d.lane = $1 and d.account_id = $2 and d.id = $3 and d.fence = $4 and d.gathering for no key update),
                added as (insert into command_rows (lane, account_id, command_id, index, hash, sent)
                          select c.lane, c.account_id, c.id, c.total + x.place, x.hash, x.sent
                            from c cross join unnest($5::int[], $6::uuid[], $7::json[]) x (place, hash, sent)
                       returning 1)
           update commands d set total = d.total + (select count(*) from added), cursor = $8, gathering = $9
             from c where d.lane = $1 and d.lane = c.lane and d.account_id = c.account_id and d.id = c.id`,
    values: [
      lane,
      accountId,
      id,
      fence,
      plainArray(rows.map((_, place) => place)),
      plainArray(rows.map(({ hash }) => hash)),
      textArray(rows.map(({ sent }) => sent)),
      JSON.stringify(cursor),
      goesOn === 'more',
    ],
  }
}

/** Takes the next rows of a dry run, under the indexes that they have there. */
export function copyRows({ lane, accountId, id, fence }: Leased, dryRunId: string, limit: number): Statement {
  return {
    name: 'copy_command_rows',
    text: `with c as (select d.lane, d.account_id, d.id, coalesce((d.cursor ->> 'index')::int, -1) as behind from commands d
                       where d.lane = $1 and d.account_id = $2 and d.id = $3 and d.fence = $4 and d.gathering for no key update),
                added as (insert into command_rows (lane, account_id, command_id, index, line, hash, sent)
                          select r.lane, r.account_id, c.id, r.index, r.line, r.hash, r.sent
                            from c join command_rows r on r.lane = c.lane and r.account_id = c.account_id
                           where r.lane = $1 and r.account_id = $2 and r.command_id = $5 and r.index > c.behind
                           order by r.index limit $6
                       returning index)
           update commands d set total = d.total + (select count(*) from added), gathering = (select count(*) from added) = $6,
                                 cursor = json_build_object('index', (select max(a.index) from added a))
             from c where d.lane = $1 and d.lane = c.lane and d.account_id = c.account_id and d.id = c.id`,
    values: [lane, accountId, id, fence, dryRunId, limit],
  }
}
