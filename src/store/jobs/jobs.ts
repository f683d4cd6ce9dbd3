// Jobs: what is due next for a contract. The row is the job: a payout is the newest attempt at a transfer contract, a
// collection the next step of a payment contract. Due ones are found channel by channel.
import type { CollectionJob } from '../../domain/payment/payment.ts'
import type { ExecutionStatus } from '../../domain/transfer/moves.ts'
import type { Attempt } from '../../domain/transfer/transfer.ts'
import { bool, forRows, int, names, replaced, text, time, uuid, values, word } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { KEY, OWNER } from '../columns.ts'

export type Job = Attempt | CollectionJob

const payoutOf = (job: Job) => (job.kind === 'payout' ? job : null)

const JOB_KEY = { ...OWNER, contract_id: uuid((job: Job) => job.contractId), kind: word((job: Job) => job.kind) }

/** What changes of a job; the last four are a payout's alone. */
const STANDING = {
  channel_id: text((job: Job) => job.channelId),
  status: word((job: Job): string => job.status),
  fence: int((job: Job) => job.fence),
  tries: int((job: Job) => job.tries),
  due_at: time((job: Job) => job.dueAt),
  number: int((job: Job) => payoutOf(job)?.number ?? null),
  reference: word((job: Job) => payoutOf(job)?.reference ?? null),
  submitted_at: time((job: Job) => payoutOf(job)?.submittedAt ?? null),
  absent_since: time((job: Job) => payoutOf(job)?.absentSince ?? null),
}

const JOB = { ...JOB_KEY, ...STANDING }

// In floating point: due jobs are read by the hundred, and exact decimals took a fifth of the database’s time for payouts.
const msOf = (name: string) => `round(extract(epoch from j.${name})::float8 * 1000) as ${name}`
export const JOB_COLUMNS = `j.lane, j.account_id, j.contract_id, j.kind, j.channel_id, j.status, j.fence, j.tries, j.number,
  j.reference, ${['due_at', 'submitted_at', 'absent_since'].map(msOf).join(', ')}`

/** The job of each contract. */
export const loadJobs = forRows(
  'load_jobs',
  KEY,
  (keys) => `select j.*
     from ${keys}
    cross join lateral (
          select ${JOB_COLUMNS} from jobs j
           where j.lane = x.lane and j.account_id = x.account_id and j.contract_id = x.id and $lane(j) offset 0) j`,
)

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
    dueAt: row['due_at'] as number | null,
    submittedAt: row['submitted_at'] as number | null,
    absentSince: row['absent_since'] as number | null,
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
    dueAt: row['due_at'] as number | null,
    fence: row['fence'] as number,
    tries: row['tries'] as number,
  }
}

/** A job with the mode of its account. */
type ModedJob = Job & { readonly livemode: boolean }

const WRITTEN = { ...JOB, livemode: bool(({ livemode }: ModedJob) => livemode) }

/**
 * Writes new jobs and new states of known ones. A foreign key compares the account's mode with the channel's: a job of one mode on a
 * channel of the other cannot be written. The mode is that of the account's row as it was locked, and is not looked up again for each
 * job: while some session holds an old snapshot, every look walks over all that the row has been since.
 */
export const upsertJobs = forRows(
  'upsert_jobs',
  WRITTEN,
  (rows) => `insert into jobs (${names(WRITTEN)})
   select ${values(WRITTEN)}
     from ${rows}
     join lanes l on l.lane = x.lane
    where $lane(l)
       on conflict (lane, account_id, contract_id) do update set ${replaced(STANDING)}`,
)

const WHICH = {
  all: '',
  started: `and j.status <> 'queued'`,
  not_paid_out: `and (j.kind <> 'payout' or j.status <> 'queued')`,
} as const

/** Which lanes' due jobs are wanted, and how many. */
export type DueJobs = {
  readonly lanes: readonly number[]
  /** Accounts that are left out. */
  readonly notOf: readonly string[]
  readonly limit: number
}

/**
 * Due jobs of a channel, of its modes alone, oldest first: candidates only, for the command that takes one decides
 * under the account's lock. `started` leaves out what has not been sent to its rail yet, `not_paid_out` only payouts of that kind.
 */
export function dueJobs(
  channelId: string,
  livemodes: readonly boolean[],
  which: keyof typeof WHICH,
  { lanes, notOf, limit }: DueJobs,
): Statement {
  return {
    name: `due_jobs_${which}`,
    text: `select ${JOB_COLUMNS}
             from jobs j
            where j.channel_id = $2 and j.lane = any($1::int[]) and j.due_at is not null and j.due_at <= now()
                  and j.livemode = any($4::boolean[]) and j.account_id <> all($5::uuid[])
                  ${WHICH[which]}
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

const COUNTED_MAX = 100_000

/** How many jobs of each channel are due (counted up to a bound), and for how long the oldest has been; `none` are on no channel. */
export function jobBacklog(channelIds: readonly string[], lanes: readonly number[]): Statement {
  return {
    name: 'job_backlog',
    text: `select c.channel_id,
                  (select count(*)::float8 from (
                     select 1 from jobs j
                      where j.lane = any($1::int[]) and j.channel_id = c.channel_id and j.due_at is not null
                        and j.due_at <= now() limit ${COUNTED_MAX}) d) as due,
                  coalesce((select extract(epoch from now() - j.due_at)::float8 from jobs j
                             where j.lane = any($1::int[]) and j.channel_id = c.channel_id and j.due_at is not null
                               and j.due_at <= now() order by j.due_at limit 1), 0) as age_seconds
             from unnest($2::text[]) as c (channel_id)
            union all
           select 'none', count(*)::float8, coalesce(extract(epoch from now() - min(d.due_at))::float8, 0)
             from (select j.due_at from jobs j
                    where j.lane = any($1::int[]) and j.kind = 'collection' and j.due_at is not null and j.due_at <= now()
                      and j.channel_id is null order by j.due_at limit ${COUNTED_MAX}) d`,
    values: [plainArray(lanes), textArray(channelIds)],
  }
}
