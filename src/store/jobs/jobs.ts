// Jobs: what is due next for a contract. The row is the job: a payout is the newest attempt at a transfer contract, a
// collection the next look at a payment contract. Due ones are found channel by channel.
import type { CollectionJob } from '../../domain/payment/payment.ts'
import type { ExecutionStatus } from '../../domain/transfer/moves.ts'
import type { Attempt } from '../../domain/transfer/transfer.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { type Scope, scoped } from '../../platform/scope.ts'
import { keyColumns } from '../columns.ts'
import type { ContractKey } from '../contracts/documents.ts'

export type Job = Attempt | CollectionJob

export const JOB_COLUMNS = `j.lane, j.account_id, j.contract_id, j.kind, j.channel_id, j.status, j.fence, j.tries, j.number, j.reference,
  extract(epoch from j.due_at)::float8 * 1000 as due_at_ms,
  extract(epoch from j.submitted_at)::float8 * 1000 as submitted_at_ms,
  extract(epoch from j.absent_since)::float8 * 1000 as absent_since_ms`

const load = scoped(
  'load_jobs',
  `select ${JOB_COLUMNS}
     from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, contract_id)
     join jobs j on j.lane = k.lane and j.account_id = k.account_id and j.contract_id = k.contract_id
    where $lane(j)`,
)

/** The job of each contract. */
export function loadJobs(scope: Scope, keys: readonly ContractKey[]): Statement {
  return load(scope, keyColumns(keys))
}

export function jobFrom(row: Row): Job {
  return row['kind'] === 'payout' ? payoutFrom(row) : collectionFrom(row)
}

export function payoutFrom(row: Row): Attempt {
  return {
    kind: 'payout',
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

function collectionFrom(row: Row): CollectionJob {
  return {
    kind: 'collection',
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    contractId: row['contract_id'] as string,
    channelId: row['channel_id'] as string | null,
    status: row['status'] as CollectionJob['status'],
    dueAt: timeOf(row['due_at_ms']),
    fence: row['fence'] as number,
    tries: row['tries'] as number,
  }
}

/** The database keeps microseconds; the domain counts whole milliseconds. */
const timeOf = (value: unknown) => (value === null ? null : Math.round(value as number))

const upsert = scoped(
  'upsert_jobs',
  `insert into jobs (lane, account_id, contract_id, kind, channel_id, status, fence, tries, due_at, number, reference,
                     submitted_at, absent_since, livemode)
   select l.lane, x.account_id, x.contract_id, x.kind, x.channel_id, x.status, x.fence, x.tries,
          to_timestamp(x.due_at / 1000), x.number, x.reference, to_timestamp(x.submitted_at / 1000),
          to_timestamp(x.absent_since / 1000), a.livemode
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[],
                 $9::float8[], $10::int[], $11::text[], $12::float8[], $13::float8[])
          x (lane, account_id, contract_id, kind, channel_id, status, fence, tries, due_at, number, reference,
             submitted_at, absent_since)
     join lanes l on l.lane = x.lane
     join accounts a on a.lane = x.lane and a.account_id = x.account_id
    where $lane(l)
       on conflict (lane, account_id, contract_id) do update
      set channel_id = excluded.channel_id, status = excluded.status, fence = excluded.fence, tries = excluded.tries,
          due_at = excluded.due_at, number = excluded.number, reference = excluded.reference,
          submitted_at = excluded.submitted_at, absent_since = excluded.absent_since`,
)

const payoutOf = (job: Job) => (job.kind === 'payout' ? job : null)

/**
 * Writes new jobs and new states of known ones. The mode is the account's own, read here, and a foreign key holds it against
 * the channel's: a job of one mode on a channel of the other cannot be written.
 */
export function upsertJobs(scope: Scope, jobs: readonly Job[]): Statement {
  return upsert(scope, [
    plainArray(jobs.map((job) => job.lane)),
    plainArray(jobs.map((job) => job.accountId)),
    plainArray(jobs.map((job) => job.contractId)),
    plainArray(jobs.map((job) => job.kind)),
    textArray(jobs.map((job) => job.channelId)),
    plainArray(jobs.map((job) => job.status)),
    plainArray(jobs.map((job) => job.fence)),
    plainArray(jobs.map((job) => job.tries)),
    plainArray(jobs.map((job) => job.dueAt)),
    plainArray(jobs.map((job) => payoutOf(job)?.number ?? null)),
    plainArray(jobs.map((job) => payoutOf(job)?.reference ?? null)),
    plainArray(jobs.map((job) => payoutOf(job)?.submittedAt ?? null)),
    plainArray(jobs.map((job) => payoutOf(job)?.absentSince ?? null)),
  ])
}

/** Whose due jobs are wanted, and how many. */
export type DueJobs = {
  readonly lanes: readonly number[]
  /** Accounts that are left out. */
  readonly notOf: readonly string[]
  readonly limit: number
}

/**
 * Due jobs of a channel, of its modes alone, oldest first: candidates only, for the command that takes one decides under the
 * account's lock. `started` leaves out what its rail has not been told of yet.
 */
export function dueJobs(
  channelId: string,
  livemodes: readonly boolean[],
  which: 'all' | 'started',
  { lanes, notOf, limit }: DueJobs,
): Statement {
  return {
    name: `due_jobs_${which}`,
    text: `select ${JOB_COLUMNS}
             from jobs j
            where j.channel_id = $2 and j.lane = any($1::int[]) and j.due_at is not null and j.due_at <= now()
                  and j.livemode = any($4::boolean[]) and j.account_id <> all($5::uuid[])
                  ${which === 'all' ? '' : `and j.status <> 'queued'`}
            order by j.due_at
            limit $3`,
    values: [plainArray(lanes), channelId, limit, plainArray(livemodes), plainArray(notOf)],
  }
}

/** Due jobs of payment contracts that call none of these channels: the clock alone decides, or the channel is gone. */
export function dueJobsElsewhere(channelIds: readonly string[], { lanes, notOf, limit }: DueJobs): Statement {
  return {
    name: 'due_jobs_elsewhere',
    text: `select ${JOB_COLUMNS}
             from jobs j
            where j.kind = 'collection' and j.lane = any($1::int[]) and j.due_at is not null and j.due_at <= now()
                  and coalesce(j.channel_id <> all($2::text[]), true) and j.account_id <> all($4::uuid[])
            order by j.due_at
            limit $3`,
    values: [plainArray(lanes), textArray(channelIds), limit, plainArray(notOf)],
  }
}
