// Which endpoints have something to deliver and are free, and how far they have been served. One process serves an
// endpoint at a time: the lease in webhook_progress, identified by its fence. Times come and go as milliseconds since
// the epoch.
import type { Health } from '../../domain/webhook/delivery.ts'
import { assigned, float, forRows, int, int8, ms, time, word } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { KEY } from '../columns.ts'
import type { EndpointKey } from './deliveries.ts'

/** An endpoint under a lease, as it was when it was claimed. */
export type ClaimedEndpoint = EndpointKey & {
  readonly profileId: string
  readonly url: string
  readonly inFlightMax: number
  readonly secretsSealed: unknown
  readonly bearerSealed: string
  readonly fence: number
  readonly position: number
  /** Positions after that which have their delivery already. */
  readonly doneAhead: readonly number[]
  readonly health: Health
}

/** Of the endpoints that may be called, those with history they have not seen or with a delivery whose time has come. */
export const ENDPOINT_HAS_WORK = `e.status = 'enabled'
      and (p.leased_until is null or p.leased_until <= now()) and (p.open_until is null or p.open_until <= now())
      and (p.position < a.position or p.next_due_at <= now())`

const claimText = (which: string) => `with due as (
    select p.lane, p.account_id, p.endpoint_id
      from webhook_endpoints e
      join webhook_progress p on p.lane = e.lane and p.account_id = e.account_id and p.endpoint_id = e.id
      join accounts a on a.lane = e.lane and a.account_id = e.account_id
     where e.lane = any($2::int[]) and p.lane = any($2::int[]) and a.lane = any($2::int[]) ${which} and ${ENDPOINT_HAS_WORK}
     order by p.claimed_at
     limit $3::int
       for no key update of p skip locked),
  claimed as (
    update webhook_progress p
       set fence = p.fence + 1, leased_until = now() + make_interval(secs => $1::float8 / 1000), claimed_at = now(),
           leased_by = $4::uuid
      from due d
     where p.lane = any($2::int[]) and p.lane = d.lane and p.account_id = d.account_id and p.endpoint_id = d.endpoint_id
    returning p.*)
  select p.lane, p.account_id, p.endpoint_id, a.profile_id, e.url, e.in_flight_max, e.secrets_sealed, e.bearer_sealed,
         p.fence, p.position, p.failures, p.openings, p.trusted, p.failed_tries, p.latency_ms,
         ${ms('p.open_until')} as open_until, ${ms('p.last_success_at')} as last_success_at,
         ${ms('p.last_failure_at')} as last_failure_at, ${ms('p.failing_since')} as failing_since,
         array(select v.position from deliveries v
                where v.lane = any($2::int[]) and v.lane = p.lane and v.account_id = p.account_id
                  and v.endpoint_id = p.endpoint_id and v.position > p.position and v.replay = 0)::text[] as done_ahead
    from claimed p
    join webhook_endpoints e on e.lane = p.lane and e.account_id = p.account_id and e.id = p.endpoint_id
    join accounts a on a.lane = p.lane and a.account_id = p.account_id
   where e.lane = any($2::int[]) and a.lane = any($2::int[])`

const CLAIM_ANY = claimText('')
const CLAIM_OF = claimText('and e.account_id = any($5::uuid[])')

/** For how long an endpoint is taken, and by which process: it is free at once when that one is gone. */
export type Lease = { readonly leaseMs: number; readonly leasedBy: string }

/**
 * Takes endpoints that have work and that no process serves, those first whose last turn is longest ago. The lanes are of one group, as for
 * whatever takes rows: each table is told of them, so that a distributed engine sends the statement to where they lie together.
 */
export function claimEndpoints(lanes: readonly number[], limit: number, { leaseMs, leasedBy }: Lease): Statement {
  return { name: 'claim_endpoints', text: CLAIM_ANY, values: [leaseMs, plainArray(lanes), limit, leasedBy] }
}

/** The same among the endpoints of a few accounts, after a signal. */
export function claimEndpointsOf(
  accounts: readonly { readonly lane: number; readonly accountId: string }[],
  limit: number,
  { leaseMs, leasedBy }: Lease,
): Statement {
  const lanes = plainArray(accounts.map((account) => account.lane))
  const ids = plainArray(accounts.map((account) => account.accountId))
  return { name: 'claim_endpoints_of', text: CLAIM_OF, values: [leaseMs, lanes, limit, leasedBy, ids] }
}

export function claimedEndpointFrom(row: Row): ClaimedEndpoint {
  const time = (name: string) => row[name] as number | null
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['endpoint_id'] as string,
    profileId: row['profile_id'] as string,
    url: row['url'] as string,
    inFlightMax: row['in_flight_max'] as number,
    secretsSealed: row['secrets_sealed'],
    bearerSealed: row['bearer_sealed'] as string,
    fence: row['fence'] as number,
    position: Number(row['position']),
    doneAhead: (row['done_ahead'] as string[]).map(Number),
    health: {
      failures: row['failures'] as number,
      openings: row['openings'] as number,
      trusted: row['trusted'] as number,
      failedTries: row['failed_tries'] as number,
      latencyMs: row['latency_ms'] as number | null,
      openUntil: time('open_until'),
      lastSuccessAt: time('last_success_at'),
      lastFailureAt: time('last_failure_at'),
      failingSince: time('failing_since'),
    },
  }
}

/** Which accounts have an endpoint that may be called: only changes of these need to be served at once. */
export function accountsWithEndpoints(lanes: readonly number[]): Statement {
  return {
    name: 'accounts_with_endpoints',
    text: `select distinct e.account_id from webhook_endpoints e
            where e.lane = any($1::int[]) and e.status = 'enabled'`,
    values: [plainArray(lanes)],
  }
}

export type HeldEndpoint = EndpointKey & { readonly fence: number }

/** Those of these endpoints that nobody has taken or changed since: each owner's change to where or how it is called moves the fence. */
export const stillHeld = forRows(
  'endpoints_still_held',
  { ...KEY, fence: int((held: HeldEndpoint) => held.fence) },
  (held) => `select p.endpoint_id
     from ${held}
     join webhook_progress p on p.lane = x.lane and p.account_id = x.account_id and p.endpoint_id = x.id and p.fence = x.fence
    where $lane(p)`,
)

/** Holds the progress of these endpoints until commit, and returns the fence of each. */
export const lockProgress = forRows(
  'lock_webhook_progress',
  KEY,
  (keys) => `select p.endpoint_id, p.fence
     from ${keys}
     join webhook_progress p on p.lane = x.lane and p.account_id = x.account_id and p.endpoint_id = x.id
    where $lane(p)
    order by p.lane, p.account_id, p.endpoint_id
      for no key update of p`,
)

/** The same of one endpoint. */
export const lockEndpointProgress = (key: EndpointKey): Statement =>
  lockProgress({ kind: 'one lane', lane: key.lane }, [key])

export type ProgressRow = EndpointKey & {
  readonly position: number
  readonly health: Health
  /** How long the lease goes on, in milliseconds; 0 lets the endpoint go. */
  readonly leaseMs: number
}

const PROGRESS = {
  position: int8((row: ProgressRow) => row.position),
  failures: int((row: ProgressRow) => row.health.failures),
  openings: int((row: ProgressRow) => row.health.openings),
  trusted: int((row: ProgressRow) => row.health.trusted),
  failed_tries: int((row: ProgressRow) => row.health.failedTries),
  latency_ms: int((row: ProgressRow) => row.health.latencyMs),
  open_until: time((row: ProgressRow) => row.health.openUntil),
  last_success_at: time((row: ProgressRow) => row.health.lastSuccessAt),
  last_failure_at: time((row: ProgressRow) => row.health.lastFailureAt),
  failing_since: time((row: ProgressRow) => row.health.failingSince),
}

/**
 * Writes how far endpoints have been served. After the deliveries, whose earliest it notes. The lease's end is made of numbers: a
 * distributed engine adds no interval of a column to a time in an update.
 */
export const saveProgress = forRows(
  'save_webhook_progress',
  { ...KEY, ...PROGRESS, lease_ms: float((row: ProgressRow) => row.leaseMs) },
  (rows) => `update webhook_progress p
      set ${assigned(PROGRESS)},
          leased_until = to_timestamp(extract(epoch from now())::float8 + nullif(x.lease_ms, 0) / 1000),
          next_due_at = (select d.due_at from deliveries d
                          where d.lane = p.lane and d.account_id = p.account_id
                            and d.endpoint_id = p.endpoint_id and d.due_at is not null and $lane(d)
                          order by d.due_at limit 1)
     from ${rows}
    where p.lane = x.lane and p.account_id = x.account_id and p.endpoint_id = x.id and $lane(p)`,
)

/** Leaves endpoints alone until they are enabled again. What waits for them stays and is held. */
export const disableEndpoints = forRows(
  'disable_webhook_endpoints',
  { ...KEY, because: word((row: EndpointKey & { readonly because: 'gone' | 'failing' }) => row.because) },
  (rows) => `update webhook_endpoints e
      set status = 'disabled', disabled_because = x.because, updated_at = now()
     from ${rows}
    where e.lane = x.lane and e.account_id = x.account_id and e.id = x.id and e.status = 'enabled' and $lane(e)`,
)

const COUNTED_MAX = 100_000

/**
 * What waits: rows of history that endpoints have not been tried with (`behind`, what does not concern them included),
 * deliveries that wait for another try (counted up to a bound), and how old the oldest of both is.
 */
export function deliveryBacklog(lanes: readonly number[]): Statement {
  return {
    name: 'delivery_backlog',
    text: `with served as (
             select p.lane, p.account_id, p.endpoint_id, p.position, p.next_due_at, a.position - p.position as behind
               from webhook_endpoints e
               join webhook_progress p on p.lane = e.lane and p.account_id = e.account_id and p.endpoint_id = e.id
               join accounts a on a.lane = e.lane and a.account_id = e.account_id
              where e.lane = any($1::int[]) and p.lane = any($1::int[]) and a.lane = any($1::int[])
                and e.status in ('enabled', 'paused'))
           select (select coalesce(sum(s.behind), 0)::float8 from served s) as behind,
                  (select count(*)::float8 from (
                     select 1 from served s join deliveries d on d.lane = s.lane and d.account_id = s.account_id
                        and d.endpoint_id = s.endpoint_id and d.due_at is not null and d.lane = any($1::int[]) limit ${COUNTED_MAX}) w) as waiting,
                  coalesce(extract(epoch from now() - least(
                     (select min(h.at) from served s cross join lateral (
                        select h.at from account_steps h
                         where h.lane = any($1::int[]) and h.lane = s.lane and h.account_id = s.account_id
                           and h.position = s.position + 1 limit 1) h),
                     (select min(s.next_due_at) from served s where s.next_due_at < now()))), 0)::float8 as age_seconds`,
    values: [plainArray(lanes)],
  }
}
