// When payment contracts are looked at next, and what providers call their attempts. The row is the job.
import type { PaymentJob } from '../../domain/payment/payment.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { type Scope, scoped } from '../../platform/scope.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { keyColumns, ms } from '../columns.ts'
import type { ContractKey } from '../contracts/documents.ts'

const JOB = `j.lane, j.account_id, j.contract_id, j.channel_id, j.fence, j.tries, ${ms('j.due_at')} as due_at_ms`

const load = scoped(
  'load_payment_jobs',
  `select ${JOB}
     from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, contract_id)
     join payment_jobs j on j.lane = k.lane and j.account_id = k.account_id and j.contract_id = k.contract_id
    where $lane(j)`,
)

export function loadJobs(scope: Scope, keys: readonly ContractKey[]): Statement {
  return load(scope, keyColumns(keys))
}

export function jobFrom(row: Row): PaymentJob {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    contractId: row['contract_id'] as string,
    channelId: row['channel_id'] as string | null,
    dueAt: row['due_at_ms'] as number | null,
    fence: row['fence'] as number,
    tries: row['tries'] as number,
  }
}

const upsert = scoped(
  'upsert_payment_jobs',
  `insert into payment_jobs (lane, account_id, contract_id, due_at, fence, tries, channel_id, livemode)
   select l.lane, x.account_id, x.contract_id, to_timestamp(x.due_at / 1000), x.fence, x.tries, x.channel_id, a.livemode
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::float8[], $5::int[], $6::int[], $7::text[])
          x (lane, account_id, contract_id, due_at, fence, tries, channel_id)
     join lanes l on l.lane = x.lane
     join accounts a on a.lane = x.lane and a.account_id = x.account_id
    where $lane(l)
       on conflict (lane, account_id, contract_id) do update
      set due_at = excluded.due_at, fence = excluded.fence, tries = excluded.tries,
          channel_id = excluded.channel_id`,
)

/** The mode is the account's own, and a foreign key holds it against the channel's, as for attempts. */
export function upsertJobs(scope: Scope, jobs: readonly PaymentJob[]): Statement {
  return upsert(scope, [
    plainArray(jobs.map((job) => job.lane)),
    plainArray(jobs.map((job) => job.accountId)),
    plainArray(jobs.map((job) => job.contractId)),
    plainArray(jobs.map((job) => job.dueAt)),
    plainArray(jobs.map((job) => job.fence)),
    plainArray(jobs.map((job) => job.tries)),
    textArray(jobs.map((job) => job.channelId)),
  ])
}

/** Due jobs but those of some accounts, oldest first: candidates only, for the command that takes one decides under the account's lock. */
export function dueJobs(lanes: readonly number[], limit: number, notOf: readonly string[]): Statement {
  return {
    name: 'due_payment_jobs',
    text: `select ${JOB}
             from payment_jobs j
            where j.lane = any($1::int[]) and j.due_at is not null and j.due_at <= now()
              and j.account_id <> all($3::uuid[])
            order by j.due_at
            limit $2`,
    values: [plainArray(lanes), limit, plainArray(notOf)],
  }
}

export type PaymentIntent = AccountKey & {
  readonly providerId: string
  readonly contractId: string
  readonly attempt: number
}

const name = scoped(
  'name_intents',
  `insert into payment_intents (lane, account_id, provider_id, contract_id, attempt)
   select l.lane, x.account_id, x.provider_id, x.contract_id, x.attempt
     from unnest($1::int[], $2::uuid[], $3::text[], $4::uuid[], $5::int[]) x (lane, account_id, provider_id, contract_id, attempt)
     join lanes l on l.lane = x.lane
    where $lane(l)
       on conflict (lane, account_id, provider_id) do nothing`,
)

/** Remembers what a provider calls an attempt. The first to be called so keeps the name. */
export function nameIntents(scope: Scope, intents: readonly PaymentIntent[]): Statement {
  return name(scope, [
    plainArray(intents.map((each) => each.lane)),
    plainArray(intents.map((each) => each.accountId)),
    textArray(intents.map((each) => each.providerId)),
    plainArray(intents.map((each) => each.contractId)),
    plainArray(intents.map((each) => each.attempt)),
  ])
}

/** The attempt that a provider calls so. */
export function findIntent({ lane, accountId }: AccountKey, providerId: string): Statement {
  return {
    name: 'find_intent',
    text: `select i.contract_id, i.attempt from payment_intents i
            where i.lane = $1 and i.account_id = $2 and i.provider_id = $3`,
    values: [lane, accountId, providerId],
  }
}

/** The payment contracts that carry a reference of the caller's own, two at most: more than one names none. */
export function paymentsByReference({ lane, accountId }: AccountKey, referenceId: string): Statement {
  return {
    name: 'payments_by_reference',
    text: `select c.id from contracts c
            where c.lane = $1 and c.account_id = $2 and c.reference_id = $3 and c.kind = 'payment'
            limit 2`,
    values: [lane, accountId, referenceId],
  }
}
