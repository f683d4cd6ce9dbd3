// Rows past their retention, found and deleted some at a time by their keys: idempotency keys after seven days, tokens
// after they expired, deliveries that ended, their attempts and calls to channels after a month, commands three months after their end, their
// files after seven days, counts of policies once no window reaches back to them. Events and ledger are kept for ever.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'

/** One kind of row that is deleted: its key after lane and account, and when its time is over (of the row `t`). */
export type OldRows = {
  readonly table: string
  readonly key: Readonly<Record<string, string>>
  readonly isOld: string
  /** The same for people, in whole days; null for what ends by itself. */
  readonly days: number | null
}

export const OLD_ROWS: readonly OldRows[] = [
  {
    table: 'access_tokens',
    days: null,
    key: { token_hash: 'bytea' },
    isOld: `t.expires_at < now() - interval '1 hour'`,
  },
  { table: 'idempotency_keys', days: 7, key: { key_hash: 'uuid' }, isOld: `t.created_at < now() - interval '7 days'` },
  {
    table: 'deliveries',
    days: 30,
    key: { endpoint_id: 'uuid', position: 'bigint', replay: 'int' },
    // What waits for an endpoint that was deleted waits for ever.
    isOld: `t.created_at < now() - interval '30 days' and t.updated_at < now() - interval '30 days'
             and (t.due_at is null or exists (select 1 from webhook_endpoints e where e.lane = t.lane and e.account_id = t.account_id
                                                and e.id = t.endpoint_id and e.status = 'deleted'))`,
  },
  {
    table: 'delivery_attempts',
    days: 30,
    key: { endpoint_id: 'uuid', position: 'bigint', replay: 'int', number: 'int' },
    isOld: `t.at < now() - interval '30 days'`,
  },
  {
    table: 'command_rows',
    days: 90,
    key: { command_id: 'uuid', index: 'int' },
    isOld: `exists (select 1 from commands c where c.lane = t.lane and c.account_id = t.account_id and c.id = t.command_id
                     and c.ended_at < now() - interval '90 days')`,
  },
  {
    table: 'command_file_parts',
    days: 7,
    key: { command_id: 'uuid', number: 'int' },
    isOld: `exists (select 1 from commands c where c.lane = t.lane and c.account_id = t.account_id and c.id = t.command_id
                     and c.ended_at is not null and (c.file_expires_at is null or c.file_expires_at < now()))`,
  },
  {
    table: 'commands',
    days: 90,
    key: { id: 'uuid' },
    isOld: `t.ended_at < now() - interval '90 days' and not exists (select 1 from command_rows r
             where r.lane = t.lane and r.account_id = t.account_id and r.command_id = t.id)
             and not exists (select 1 from command_file_parts p
             where p.lane = t.lane and p.account_id = t.account_id and p.command_id = t.id)`,
  },
  { table: 'policy_meters', days: null, key: { meter: 'uuid' }, isOld: `t.rolled_by_at < now() - interval '1 hour'` },
  {
    table: 'channel_calls',
    days: 30,
    key: { contract_id: 'uuid', attempt: 'int', slot: 'int' },
    isOld: `t.at < now() - interval '30 days'`,
  },
]

const OWNER = { lane: 'int', account_id: 'uuid' }

/** The keys of rows whose time is over, so many at most. Nothing is locked. */
export function findOldRows({ table, key, isOld }: OldRows, lanes: readonly number[], limit: number): Statement {
  const columns = Object.keys({ ...OWNER, ...key }).map((column) => `t.${column}::text as ${column}`)
  return {
    name: `find_old_${table}`,
    text: `select ${columns.join(', ')} from ${table} t where t.lane = any($1::int[]) and ${isOld} limit $2`,
    values: [plainArray(lanes), limit],
  }
}

/** Deletes what was found, if its time is still over. */
export function deleteOldRows({ table, key, isOld }: OldRows, found: readonly Row[]): Statement {
  const columns = Object.entries({ ...OWNER, ...key })
  const places = columns.map((_, i) => `$${i + 1}::text[]`)
  const conditions = columns
    .filter(([column]) => column !== 'lane')
    .map(([column, type]) => `t.${column} = x.${column}::${type}`)
  return {
    name: `delete_old_${table}`,
    text: `delete from ${table} t
            using unnest(${places.join(', ')}) x (${columns.map(([column]) => column).join(', ')})
            where t.lane = x.lane::int and ${conditions.join(' and ')} and ${isOld}`,
    values: columns.map(([column]) => textArray(found.map((row) => row[column] as string))),
  }
}
