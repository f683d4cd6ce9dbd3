// Contracts whose time has passed. The index on expires_at also holds contracts that ended long ago, so each lane keeps
// a mark up to which it is swept; a minute of overlap covers what was being written during the sweep.
import { ms } from '../../platform/columns.ts'
import { invariant } from '../../domain/invariant.ts'
import { MARK_IS_AHEAD } from '../jobs/waits-ahead.ts'
import { plainArray, type Result, type Row, type Statement, textArray } from '../../platform/db.ts'

/** A mark is moved on when it is so old: what has ended since is passed at each look. */
const MARK_IS_OLD = `l.swept_until < now() - interval '10 minutes'`

/** That there is something to do in the lane `l`, whether or not a contract has expired. */
export const SWEEP_IS_DUE = `(${MARK_IS_AHEAD} or ${MARK_IS_OLD})`

/**
 * When the job of the payment contract `t` is due; null where it is not. While it is, the job ends the contract: by its rail's answer,
 * or when that was waited for long enough (domain/payment/attempts.ts). A sub-select is a step by the whole key, whatever the planner
 * knows of the tables.
 */
const jobDueAt = (inLanes: string) => `(select j.due_at from jobs j
    where j.lane = t.lane and j.account_id = t.account_id and j.contract_id = t.id and j.kind = 'collection'${inLanes})`

/** Of the contracts `t` of a lane `l` those that time can end, past the lane's mark, and that wait for no job of their own. */
const sweepable = (inLanes = '') => `t.expires_at > l.swept_until - interval '1 minute'
  and t.status in ('draft', 'issued') and t.amount_minor > 0 and ${jobDueAt(inLanes)} is null`

export const OPEN_PAST_MARK = sweepable()

/** Up to where a sweep has come in a lane: behind this contract. The time as the database writes it, to the microsecond. */
export type Reached = { readonly expiresAt: string; readonly id: string }

const NOWHERE: Reached = { expiresAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/**
 * Of each lane what follows where its sweep has come to, the longest expired first. Lane by lane, for else the planner was seen to
 * read all that ever expired, and to compare it with the marks only then.
 */
export function expiredContracts(
  lanes: readonly number[],
  reachedIn: ReadonlyMap<number, Reached>,
  limit: number,
): Statement {
  const reached = lanes.map((lane) => reachedIn.get(lane) ?? NOWHERE)
  const times = textArray(reached.map(({ expiresAt }) => expiresAt))
  return {
    name: 'expired_contracts',
    text: `select e.lane, e.account_id, e.id, e.expires_at::text as expires_at
             from unnest($1::int[], $2::timestamptz[], $3::uuid[]) as x (lane, expires_at, id)
             join lanes l on l.lane = x.lane
            cross join lateral (
                  select t.lane, t.account_id, t.id, t.expires_at
                    from contracts t
                   where t.lane = l.lane and t.lane = any($1::int[]) and t.expires_at <= now()
                     and (t.expires_at, t.id) > (x.expires_at, x.id) and ${sweepable(' and j.lane = any($1::int[])')}
                   order by t.expires_at, t.id limit $4) e
            where l.lane = any($1::int[])
            order by e.expires_at, e.id
            limit $4`,
    values: [plainArray(lanes), times, plainArray(reached.map(({ id }) => id)), limit],
  }
}

export const reachedBy = (row: Row): Reached => ({
  expiresAt: row['expires_at'] as string,
  id: row['id'] as string,
})

/**
 * The time of the sweep, by the database's clock; whether a lane was swept at a time that has yet to come; and whether a mark is to be
 * moved on.
 */
export function sweptLanes(lanes: readonly number[]): Statement {
  return {
    name: 'sweep_time',
    text: `select now()::text as now,
                  exists (select from lanes l where l.lane = any($1::int[]) and ${MARK_IS_AHEAD}) as is_ahead,
                  exists (select from lanes l where l.lane = any($1::int[]) and ${MARK_IS_OLD}) as is_old`,
    values: [plainArray(lanes)],
  }
}

/** The database's clock, in milliseconds since the epoch. */
export function databaseTime(): Statement {
  return { name: 'database_time', text: `select ${ms('now()')} as now_ms`, values: [] }
}

/** The same at the very moment, whenever the transaction began: read after a lock it is the time of what follows. */
export const CLOCK: Statement = {
  name: 'clock_ms',
  text: `select ${ms('clock_timestamp()')} as now_ms`,
  values: [],
}

/** The time that either of them answers with. */
export function databaseTimeFrom(result: Result | undefined): number {
  const nowMs = result?.rows[0]?.['now_ms']
  invariant(typeof nowMs === 'number', 'the database gives the time')
  return nowMs
}

/** Moves old marks on to the time of a sweep that left nothing behind. */
export function saveSwept(lanes: readonly number[], until: string): Statement {
  return {
    name: 'save_swept',
    text: `update lanes l set swept_until = $2::timestamptz
            where l.lane = any($1::int[]) and ${MARK_IS_OLD} and l.swept_until < $2::timestamptz`,
    values: [plainArray(lanes), until],
  }
}
