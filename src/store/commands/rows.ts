// The rows of commands: brought in by their index, taken window by window, and what became of them.
import type {
  BulkCommand,
  CommandRow,
  RowChecks,
  RowError,
  RowPreview,
  RowStatus,
} from '../../domain/command/command.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { nowWhere, type OwnedKey } from '../columns.ts'
import type { Leased } from './commands.ts'

export type NewRow = {
  readonly index: number
  readonly line: number | null
  readonly hash: string
  readonly sent: string
}

/** Adds rows to an open command. Those that are there already are left as they are. */
export function insertCommandRows({ lane, accountId, id }: OwnedKey, rows: readonly NewRow[]): Statement {
  return {
    name: 'insert_command_rows',
    text: `with c as (select d.lane, d.account_id, d.id from commands d
                       where d.lane = $1 and d.account_id = $2 and d.id = $3 and d.status = 'open' and not d.cancelling for no key update),
                added as (insert into command_rows (lane, account_id, command_id, index, line, hash, sent)
                          select c.lane, c.account_id, c.id, x.index, x.line, x.hash, x.sent
                            from c cross join unnest($4::int[], $5::int[], $6::uuid[], $7::json[]) x (index, line, hash, sent)
                              on conflict (lane, account_id, command_id, index) do nothing
                       returning 1)
           update commands d set total = d.total + (select count(*) from added)
             from c where d.lane = $1 and d.lane = c.lane and d.account_id = c.account_id and d.id = c.id
        returning 1`,
    values: [lane, accountId, id, ...arraysOf(rows)],
  }
}

const arraysOf = (rows: readonly NewRow[]) => [
  plainArray(rows.map(({ index }) => index)),
  plainArray(rows.map(({ line }) => line)),
  plainArray(rows.map(({ hash }) => hash)),
  textArray(rows.map(({ sent }) => sent)),
]

/** How many of these rows are there as they are, and the first that is there with another content; null where none is. */
export function knownRows({ lane, accountId, id }: OwnedKey, rows: readonly NewRow[]): Statement {
  const [indexes, , hashes] = arraysOf(rows)
  return {
    name: 'known_command_rows',
    text: `select count(*) filter (where r.hash = x.hash)::int as same, min(r.index) filter (where r.hash <> x.hash) as differing
             from unnest($4::int[], $5::uuid[]) x (index, hash)
             join command_rows r on r.lane = $1 and r.account_id = $2 and r.command_id = $3 and r.index = x.index`,
    values: [lane, accountId, id, indexes, hashes],
  }
}

/**
 * The first index at which an open command has no row although it has rows behind; none where they stand without a gap. That is one step
 * to the last row, however many there are: only where it stands further than rows were counted are they looked at.
 */
export function firstMissingRow({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'first_missing_command_row',
    text: `select (select min(x.index) from generate_series(0, l.index) x (index)
                    where not exists (select 1 from command_rows r
                                       where r.lane = $1 and r.account_id = $2 and r.command_id = $3 and r.index = x.index)) as missing
             from commands c
            cross join lateral (select r.index from command_rows r
                                 where r.lane = $1 and r.account_id = $2 and r.command_id = $3
                                 order by r.index desc limit 1) l
            where c.lane = $1 and c.account_id = $2 and c.id = $3 and c.status = 'open' and l.index + 1 <> c.total`,
    values: [lane, accountId, id],
  }
}

const ROW = `r.index, r.line, r.sent, r.status, r.contract_id, r.step, r.error, r.preview, r.checks, ${ms('r.updated_at')} as updated_at`

export function commandRowFrom(row: Row): CommandRow {
  return {
    index: row['index'] as number,
    line: row['line'] as number | null,
    sent: row['sent'] as CommandRow['sent'],
    status: row['status'] as RowStatus,
    contractId: row['contract_id'] as string | null,
    step: row['step'] as string | null,
    error: row['error'] as RowError | null,
    preview: row['preview'] as RowPreview | null,
    checks: row['checks'] as RowChecks | null,
    updatedAt: row['updated_at'] as number | null,
  }
}

/** `flagged`: those alone of which a dry run says more than the price. */
export type RowFilter = { readonly status: RowStatus | null; readonly flagged: boolean }

const FLAGGED = `(r.checks ->> 'denied' is not null or r.checks ->> 'sameAsRow' is not null or r.checks ->> 'paidBefore' is not null
                   or coalesce(json_array_length(r.checks -> 'approvals'), 0) > 0
                   or coalesce(json_array_length(r.checks -> 'verifications'), 0) > 0
                   or coalesce((r.checks ->> 'delaySeconds')::bigint, 0) > 0)`

/** Rows in their order, after one of them; one more than the limit. */
export function listCommandRows(
  { lane, accountId, id }: OwnedKey,
  filter: RowFilter & { readonly after: number; readonly limit: number },
): Statement {
  return {
    name: 'list_command_rows',
    text: `select ${ROW} from command_rows r
            where r.lane = $1 and r.account_id = $2 and r.command_id = $3 and r.index > $4
              and ($5::text is null or r.status = $5)
              and (not $7::boolean or ${FLAGGED})
            order by r.index limit $6`,
    values: [lane, accountId, id, filter.after, filter.status, filter.limit + 1, filter.flagged],
  }
}

/** What is to be done now: rows that were begun, in their order, and those whose wait is over. */
export function rowsToDo({ lane, accountId, id }: Leased, limit: number): Statement {
  return {
    name: 'command_rows_to_do',
    text: `select ${ROW} from command_rows r
             join commands c on c.lane = $1 and c.lane = r.lane and c.account_id = r.account_id and c.id = r.command_id
            where r.lane = $1 and r.account_id = $2 and r.command_id = $3
              and ((r.status = 'queued' and r.index <= c.begun)
                   or (r.status = 'waiting' and (r.due_at <= now() or c.cancelling)))
              and (c.status = 'running' or c.cancelling) and not c.gathering
            order by r.index limit $4`,
    values: [lane, accountId, id, limit],
  }
}

/** What became of a row. `was`: as it was taken; one that somebody else has recorded since is left alone. */
export type RecordedRow = {
  readonly index: number
  readonly was: RowStatus
  readonly status: RowStatus
  readonly contractId: string | null
  readonly step: string | null
  readonly error: RowError | null
  readonly preview: RowPreview | null
  /** Of a dry run: whatever it costs, nothing leaves by it. */
  readonly takesNothing?: true
  readonly checks?: RowChecks
  readonly recipient?: string | null
}

/** Writes what became of rows and moves the counters of their command, under its fence. */
export function recordRows(
  { lane, accountId, id, fence }: Leased,
  rows: readonly RecordedRow[],
  againMs: number,
): Statement {
  const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value))
  return {
    name: 'record_command_rows',
    text: `with c as (select d.lane, d.account_id, d.id from commands d
                       where d.lane = $1 and d.account_id = $2 and d.id = $3 and d.fence = $4 for no key update),
                moved as (
                  update command_rows r
                     set status = x.status, contract_id = x.contract_id, step = x.step, error = x.error, preview = x.preview,
                         checks = x.checks, recipient = x.recipient, currency = x.preview ->> 'currency', amount_minor = (x.preview ->> 'amount')::bigint,
                         debit_minor = case when x.takes_nothing then 0 else (x.preview ->> 'debit')::bigint end, updated_at = now(),
                         due_at = ${nowWhere("x.status = 'waiting'", "$12 * interval '1 millisecond'")}
                    from c cross join unnest($5::int[], $6::text[], $7::text[], $8::uuid[], $9::text[], $10::json[], $11::json[],
                                             $13::json[], $14::uuid[], $15::boolean[])
                         x (index, was, status, contract_id, step, error, preview, checks, recipient, takes_nothing)
                   where r.lane = $1 and r.lane = c.lane and r.account_id = c.account_id and r.command_id = c.id and r.index = x.index
                     and r.status = x.was
               returning x.was, r.status)
           update commands d
              set done = d.done + (select count(*) from moved m where m.status = 'done'),
                  failed = d.failed + (select count(*) from moved m where m.status = 'failed'),
                  skipped = d.skipped + (select count(*) from moved m where m.status = 'skipped'),
                  waiting = d.waiting + (select count(*) from moved m where m.status = 'waiting')
                                      - (select count(*) from moved m where m.was = 'waiting')
             from c where d.lane = $1 and d.lane = c.lane and d.account_id = c.account_id and d.id = c.id`,
    values: [
      lane,
      accountId,
      id,
      fence,
      plainArray(rows.map((row) => row.index)),
      plainArray(rows.map((row) => row.was)),
      plainArray(rows.map((row) => row.status)),
      plainArray(rows.map((row) => row.contractId)),
      textArray(rows.map((row) => row.step)),
      textArray(rows.map((row) => jsonOf(row.error))),
      textArray(rows.map((row) => jsonOf(row.preview))),
      againMs,
      textArray(rows.map((row) => jsonOf(row.checks ?? null))),
      plainArray(rows.map((row) => row.recipient ?? null)),
      plainArray(rows.map((row) => row.takesNothing ?? false)),
    ],
  }
}

/** Marks rows that nobody began as skipped, so many at once. */
export function skipRows({ lane, accountId, id, fence }: Leased, limit: number): Statement {
  return {
    name: 'skip_command_rows',
    text: `with c as (select d.lane, d.account_id, d.id from commands d
                       where d.lane = $1 and d.account_id = $2 and d.id = $3 and d.fence = $4 for no key update),
                left_over as (select r.index from command_rows r, c
                      where r.lane = $1 and r.lane = c.lane and r.account_id = c.account_id and r.command_id = c.id
                        and r.status = 'queued'
                      order by r.index limit $5),
                skipped as (update command_rows r set status = 'skipped', updated_at = now() from c, left_over l
                             where r.lane = $1 and r.lane = c.lane and r.account_id = c.account_id and r.command_id = c.id
                               and r.index = l.index and r.status = 'queued' returning 1)
           update commands d set skipped = d.skipped + (select count(*) from skipped)
             from c where d.lane = $1 and d.lane = c.lane and d.account_id = c.account_id and d.id = c.id
        returning (select count(*)::int from skipped) as skipped`,
    values: [lane, accountId, id, fence, limit],
  }
}

/**
 * What rows that are done take from wallets, by the wallet that they name; null for the account's in the currency. And those of these
 * contracts that they take it for.
 */
export function debitsOfCommand(
  { lane, accountId, id }: Pick<BulkCommand, 'lane' | 'accountId' | 'id'>,
  contractIds: readonly string[],
): Statement {
  return {
    name: 'debits_of_command',
    text: `select r.currency, lower(r.sent ->> 'source') as source, sum(r.debit_minor)::text as debit_minor,
                  coalesce(json_agg(r.contract_id) filter (where r.contract_id = any($4::uuid[])), '[]') as contract_ids
             from command_rows r
            where r.lane = $1 and r.account_id = $2 and r.command_id = $3 and r.status = 'done' and r.currency is not null
            group by 1, 2`,
    values: [lane, accountId, id, plainArray(contractIds)],
  }
}

/** What the rows of a command come to, by currency and status. */
export function sumsOfCommand({ lane, accountId, id }: Pick<BulkCommand, 'lane' | 'accountId' | 'id'>): Statement {
  return {
    name: 'sums_of_command',
    text: `select r.currency, r.status, count(*)::int as rows, sum(r.amount_minor)::text as amount_minor,
                  coalesce(sum((r.preview ->> 'fee')::bigint), 0)::text as fee_minor,
                  coalesce(sum((r.preview ->> 'debit')::bigint), 0)::text as debit_minor
             from command_rows r
            where r.lane = $1 and r.account_id = $2 and r.command_id = $3 and r.currency is not null
            group by r.currency, r.status order by r.currency, r.status`,
    values: [lane, accountId, id],
  }
}
