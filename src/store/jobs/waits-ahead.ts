// Waits and leases that were counted by a clock of the database that has gone back since. The sweep of each lane leaves a mark
// that never lies ahead of the clock: one that does says that it went back, and by how much.
import { plainArray, type Statement } from '../../platform/db.ts'

/** Waits of up to this long are left to run out. */
const AHEAD = `interval '1 minute'`

/** That the mark of a lane `l` lies ahead of the clock. */
export const MARK_IS_AHEAD = `l.swept_until > now() + ${AHEAD}`

/** The lanes whose mark lies ahead of the clock, taken so that only one gateway sets their waits right. */
export function takeLanesAhead(lanes: readonly number[]): Statement {
  return {
    name: 'take_lanes_ahead',
    text: `select l.lane, extract(epoch from l.swept_until - now())::float8 as seconds
             from lanes l
            where l.lane = any($1::int[]) and ${MARK_IS_AHEAD}
            order by l.lane
              for update`,
    values: [plainArray(lanes)],
  }
}

/** Whatever waits for a time: the table, and its columns of that kind. What a caller has named himself is not among them. */
const WAITS: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['jobs', ['due_at']],
  ['payment_events', ['due_at']],
  ['deliveries', ['due_at']],
  ['webhook_progress', ['next_due_at', 'leased_until', 'open_until']],
  ['verifications', ['due_at']],
  ['schedule_runs', ['leased_until']],
  ['commands', ['leased_until']],
]

/**
 * Moves back what was counted while the clock was ahead, by as much as that went back, and never before now; then the marks. A
 * wait from before the jump that ends after it comes early, which is harmless: whoever takes it decides by the clock.
 */
export function moveWaitsBack(lanes: readonly number[]): Statement[] {
  const moved = WAITS.flatMap(([table, columns]) =>
    columns.map((column) => ({
      name: `move_back_${table}_${column}`,
      text: `update ${table} t set ${column} = greatest(now(), t.${column} - (l.swept_until - now()))
               from lanes l
              where l.lane = any($1::int[]) and t.lane = any($1::int[]) and t.lane = l.lane
                and t.${column} > l.swept_until - ${AHEAD}`,
      values: [plainArray(lanes)],
    })),
  )
  return [...moved, movePastBack(lanes), moveMarksBack(lanes)]
}

/** What happened cannot lie ahead: a rail's silence is counted from now, which is the later of the two. */
function movePastBack(lanes: readonly number[]): Statement {
  return {
    name: 'move_back_jobs_past',
    text: `update jobs j set submitted_at = least(j.submitted_at, now()), absent_since = least(j.absent_since, now())
            where j.lane = any($1::int[]) and (j.submitted_at > now() or j.absent_since > now())`,
    values: [plainArray(lanes)],
  }
}

function moveMarksBack(lanes: readonly number[]): Statement {
  return {
    name: 'move_back_lanes',
    text: `update lanes l set swept_until = now() where l.lane = any($1::int[]) and l.swept_until > now()`,
    values: [plainArray(lanes)],
  }
}
