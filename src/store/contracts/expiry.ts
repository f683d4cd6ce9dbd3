// Contracts whose time has passed. The index on expires_at also holds contracts that ended long ago, so each lane keeps
// a mark up to which it is swept; a minute of overlap covers what was being written during the sweep.
import { ms } from '../../platform/columns.ts'
import { invariant } from '../../domain/invariant.ts'
import { MARK_IS_AHEAD } from '../jobs/waits-ahead.ts'
import { plainArray, type Result, type Statement } from '../../platform/db.ts'

/** A mark is moved on when it is so old: what has ended since is passed at each look. */
const MARK_IS_OLD = `l.swept_until < now() - interval '10 minutes'`

/** That there is something to do in the lane `l`, whether or not a contract has expired. */
export const SWEEP_IS_DUE = `(${MARK_IS_AHEAD} or ${MARK_IS_OLD})`

/** Of the contracts `t` of a lane `l` those that time can end, past the lane's mark. */
export const OPEN_PAST_MARK = `t.expires_at > l.swept_until - interval '1 minute'
  and t.status in ('draft', 'issued') and t.amount_minor > 0`

export function expiredContracts(lanes: readonly number[], limit: number): Statement {
  return {
    name: 'expired_contracts',
    text: `select t.lane, t.account_id, t.id
             from lanes l
             join contracts t on t.lane = l.lane
            where l.lane = any($1::int[]) and t.lane = any($1::int[]) and t.expires_at <= now() and ${OPEN_PAST_MARK}
            limit $2`,
    values: [plainArray(lanes), limit],
  }
}

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
