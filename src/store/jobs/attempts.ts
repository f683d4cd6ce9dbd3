// Attempts: the rows that wait to be worked on. The row is the job; a due row is found by lane and time.
import { keyColumns } from '../columns.ts'
import type { ExecutionStatus } from '../../domain/transfer/moves.ts'
import type { Attempt } from '../../domain/transfer/transfer.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { ContractKey } from '../contracts/documents.ts'
import { type Scope, scoped } from '../../platform/scope.ts'

export const ATTEMPT_COLUMNS = `a.lane, a.account_id, a.contract_id, a.number, a.channel_id, a.reference, a.status, a.fence, a.tries,
  extract(epoch from a.due_at)::float8 * 1000 as due_at_ms,
  extract(epoch from a.submitted_at)::float8 * 1000 as submitted_at_ms,
  extract(epoch from a.absent_since)::float8 * 1000 as absent_since_ms`

const load = scoped(
  'load_attempts',
  `select ${ATTEMPT_COLUMNS}
     from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, contract_id)
     join attempts a on a.lane = k.lane and a.account_id = k.account_id and a.contract_id = k.contract_id
    where $lane(a)`,
)

/** The newest attempt of each contract. */
export function loadAttempts(scope: Scope, keys: readonly ContractKey[]): Statement {
  return load(scope, keyColumns(keys))
}

export function attemptFrom(row: Row): Attempt {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    contractId: row['contract_id'] as string,
    number: row['number'] as number,
    channelId: row['channel_id'] as string,
    reference: row['reference'] as string,
    status: row['status'] as ExecutionStatus,
    fence: row['fence'] as number,
    tries: row['tries'] as number,
    dueAt: timeOf(row['due_at_ms']),
    submittedAt: timeOf(row['submitted_at_ms']),
    absentSince: timeOf(row['absent_since_ms']),
  }
}

/** The database keeps microseconds; the domain counts whole milliseconds. */
const timeOf = (value: unknown) => (value === null ? null : Math.round(value as number))

const upsert = scoped(
  'upsert_attempts',
  `insert into attempts (lane, account_id, contract_id, number, channel_id, reference, status, fence, tries, due_at,
                         submitted_at, absent_since, livemode)
   select l.lane, x.account_id, x.contract_id, x.number, x.channel_id, x.reference, x.status, x.fence, x.tries,
          to_timestamp(x.due_at / 1000), to_timestamp(x.submitted_at / 1000), to_timestamp(x.absent_since / 1000),
          a.livemode
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[],
                 $10::float8[], $11::float8[], $12::float8[])
          x (lane, account_id, contract_id, number, channel_id, reference, status, fence, tries, due_at, submitted_at,
             absent_since)
     join lanes l on l.lane = x.lane
     join accounts a on a.lane = x.lane and a.account_id = x.account_id
    where $lane(l)
       on conflict (lane, account_id, contract_id) do update
      set number = excluded.number, channel_id = excluded.channel_id, reference = excluded.reference, status = excluded.status, fence = excluded.fence, tries = excluded.tries, due_at = excluded.due_at,
          submitted_at = excluded.submitted_at, absent_since = excluded.absent_since`,
)

/**
 * Writes new attempts and new states of known ones. The mode is the account's own, read here, and a foreign key holds it
 * against the channel's: an attempt of one mode on a channel of the other cannot be written.
 */
export function upsertAttempts(scope: Scope, attempts: readonly Attempt[]): Statement {
  return upsert(scope, [
    plainArray(attempts.map((a) => a.lane)),
    plainArray(attempts.map((a) => a.accountId)),
    plainArray(attempts.map((a) => a.contractId)),
    plainArray(attempts.map((a) => a.number)),
    textArray(attempts.map((a) => a.channelId)),
    plainArray(attempts.map((a) => a.reference)),
    plainArray(attempts.map((a) => a.status)),
    plainArray(attempts.map((a) => a.fence)),
    plainArray(attempts.map((a) => a.tries)),
    plainArray(attempts.map((a) => a.dueAt)),
    plainArray(attempts.map((a) => a.submittedAt)),
    plainArray(attempts.map((a) => a.absentSince)),
  ])
}

/**
 * Due attempts of a channel, of its modes alone, oldest first: candidates only, for the command that takes one decides under the account's
 * lock. `open ones` leaves out what has not been sent yet.
 */
export function dueAttempts(
  lanes: readonly number[],
  channelId: string,
  livemodes: readonly boolean[],
  which: 'all' | 'open ones',
  limit: number,
  /** Whose are left out. */
  notOf: readonly string[] = [],
): Statement {
  return {
    name: `due_attempts_${which === 'all' ? 'all' : 'open'}`,
    text: `select ${ATTEMPT_COLUMNS}
             from attempts a
            where a.channel_id = $2 and a.lane = any($1::int[]) and a.due_at is not null and a.due_at <= now()
                  and a.livemode = any($4::boolean[]) and a.account_id <> all($5::uuid[])
                  ${which === 'all' ? '' : `and a.status <> 'queued'`}
            order by a.due_at
            limit $3`,
    values: [plainArray(lanes), channelId, limit, plainArray(livemodes), plainArray(notOf)],
  }
}
