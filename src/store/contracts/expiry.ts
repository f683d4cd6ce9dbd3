// Contracts whose time has passed. The index on expires_at also holds contracts that ended long ago, so each lane keeps
// a mark up to which it is swept; a minute of overlap covers what was being written during the sweep.
import { ms } from '../../platform/columns.ts'
import { invariant } from '../../domain/invariant.ts'
import { MARK_IS_AHEAD } from '../jobs/waits-ahead.ts'
import { plainArray, type Result, type Statement } from '../../platform/db.ts'

export function expiredContracts(lanes: readonly number[], limit: number): Statement {
  return {
    name: 'expired_contracts',
    text: `select c.lane, c.account_id, c.id
             from lanes l
             join contracts c on c.lane = l.lane and c.expires_at > l.swept_until - interval '1 minute'
            where l.lane = any($1::int[]) and c.lane = any($1::int[]) and c.expires_at <= now()
              and c.status in ('draft', 'issued') and c.amount_minor > 0
            limit $2`,
    values: [plainArray(lanes), limit],
  }
}

/** The time of the sweep, by the database's clock, and whether a lane was swept at a time that has yet to come. */
export function sweptLanes(lanes: readonly number[]): Statement {
  return {
    name: 'sweep_time',
    text: `select now()::text as now,
                  exists (select from lanes l where l.lane = any($1::int[]) and ${MARK_IS_AHEAD}) as is_ahead`,
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

export function saveSwept(lanes: readonly number[], until: string): Statement {
  return {
    name: 'save_swept',
    text: `update lanes l set swept_until = $2::timestamptz where l.lane = any($1::int[]) and l.swept_until < $2::timestamptz - interval '10 minutes'`,
    values: [plainArray(lanes), until],
  }
}
