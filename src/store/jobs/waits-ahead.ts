// Waits and leases that were counted by a clock of the database that has gone back since. The sweep of each lane leaves a mark
// that never lies ahead of the clock: one that does says that it went back, and by how much.
import { plainArray, type Row, type Statement } from '../../platform/db.ts'

/** Waits of up to this long are left to run out. */
const AHEAD_SECONDS = 60

/** That the mark of a lane `l` lies ahead of the clock. */
export const MARK_IS_AHEAD = `l.swept_until > now() + interval '${AHEAD_SECONDS} seconds'`

/** A lane whose mark lies ahead of the clock, both in seconds since the epoch. */
export type LaneAhead = { readonly lane: number; readonly markSeconds: number; readonly nowSeconds: number }

/** The lanes whose mark lies ahead of the clock, taken so that only one gateway sets their waits right. */
export function takeLanesAhead(lanes: readonly number[]): Statement {
  return {
    name: 'take_lanes_ahead',
    text: `select l.lane, extract(epoch from l.swept_until)::float8 as mark, extract(epoch from now())::float8 as now
             from lanes l
            where l.lane = any($1::int[]) and ${MARK_IS_AHEAD}
            order by l.lane
              for update`,
    values: [plainArray(lanes)],
  }
}

export const laneAheadFrom = (row: Row): LaneAhead => ({
  lane: row['lane'] as number,
  markSeconds: row['mark'] as number,
  nowSeconds: row['now'] as number,
})

/** Whatever waits for a time: the table, and its columns of that kind. What a caller has named himself is not among them. */
const WAITS: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['jobs', ['due_at']],
  ['payment_events', ['due_at']],
  ['deliveries', ['due_at']],
  ['webhook_progress', ['next_due_at', 'leased_until', 'open_until']],
  ['verifications', ['due_at']],
  ['schedule_runs', ['leased_until']],
  ['commands', ['due_at', 'leased_until']],
  ['command_rows', ['due_at']],
]

/**
 * Moves back what was counted while the clock was ahead, by as much as that went back, and never before now; then the marks. A
 * wait from before the jump that ends after it comes early, which is harmless: whoever takes it decides by the clock. Times are
 * told in numbers: a cluster takes no update whose expressions read the clock or the time zone beside a column.
 */
export function moveWaitsBack(ahead: readonly LaneAhead[]): Statement[] {
  const values = [
    plainArray(ahead.map(({ lane }) => lane)),
    plainArray(ahead.map(({ markSeconds }) => markSeconds)),
    plainArray(ahead.map(({ nowSeconds }) => nowSeconds)),
  ]
  const laneOf = (table: string) =>
    `from unnest($1::int[], $2::float8[], $3::float8[]) as x (lane, mark, now)
              where ${table}.lane = any($1::int[]) and ${table}.lane = x.lane`
  const moved = WAITS.flatMap(([table, columns]) =>
    columns.map((column) => ({
      name: `move_back_${table}_${column}`,
      text: `update ${table} t
                set ${column} = to_timestamp(greatest(x.now, extract(epoch from t.${column} - to_timestamp(0))::float8 - (x.mark - x.now)))
               ${laneOf('t')} and t.${column} > to_timestamp(x.mark - ${AHEAD_SECONDS})`,
      values,
    })),
  )
  // What happened cannot lie ahead: a rail's silence is counted from now, which is the later of the two.
  const past = {
    name: 'move_back_jobs_past',
    text: `update jobs j set submitted_at = least(j.submitted_at, to_timestamp(x.now)),
                           absent_since = least(j.absent_since, to_timestamp(x.now))
             ${laneOf('j')} and (j.submitted_at > to_timestamp(x.now) or j.absent_since > to_timestamp(x.now))`,
    values,
  }
  const marks = {
    name: 'move_back_lanes',
    text: `update lanes l set swept_until = to_timestamp(x.now) ${laneOf('l')}`,
    values,
  }
  return [...moved, past, marks]
}
