// One look at lanes for all kinds of work that waits for a time. Each kind is a step down an index that begins with the lane, and ends
// at the first row: so it is cheap on one PostgreSQL, and one task a shard on a distributed engine. Finds candidates only: whoever
// takes one looks again.
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { OPEN_PAST_MARK, SWEEP_IS_DUE } from '../contracts/expiry.ts'
import { ENDPOINT_HAS_WORK } from '../webhooks/progress.ts'
import { MARK_IS_AHEAD } from './waits-ahead.ts'

/** Work that is found this far ahead of its time is told of. Whoever looks again later than that is late. */
export const LOOK_AHEAD_MS = 1000
const SOON = `now() + interval '${LOOK_AHEAD_MS} milliseconds'`

/** When the first row of a table, of those that a worker takes, is due in the lane `l`. */
const first = (table: string, column: string, which = 'true') =>
  `(select t.${column} from ${table} t
     where t.lane = l.lane and t.${column} is not null and t.${column} <= ${SOON} and ${which}
     order by t.${column} limit 1)`

const KINDS = {
  jobs: `least(${first('jobs', 'due_at', `t.kind = 'payout'`)}, ${first('jobs', 'due_at', `t.kind = 'collection'`)})`,
  commands: first('commands', 'due_at', '(t.leased_until is null or t.leased_until < now())'),
  verifications: first('verifications', 'due_at'),
  schedules: `least(${first('schedules', 'next_at')}, ${first('schedule_runs', 'leased_until')})`,
  events: first('payment_events', 'due_at'),
  expiry: `case when ${SWEEP_IS_DUE} then now() else ${first('contracts', 'expires_at', OPEN_PAST_MARK)} end`,
  endpoints: `(select now() from webhook_endpoints e
       join webhook_progress p on p.lane = e.lane and p.account_id = e.account_id and p.endpoint_id = e.id
       join accounts a on a.lane = e.lane and a.account_id = e.account_id
      where e.lane = l.lane and p.lane = l.lane and a.lane = l.lane and ${ENDPOINT_HAS_WORK} limit 1)`,
} as const

export type WorkKind = keyof typeof KINDS
const WORK_KINDS = Object.keys(KINDS) as readonly WorkKind[]
/** Those that a caller may be waiting for. The others are tidiness, or are told of by who wrote them. */
export const URGENT_KINDS: readonly WorkKind[] = ['jobs', 'commands', 'verifications']

/** Work that waits in a lane: which kinds, and in how many milliseconds the first of each is due; 0 where it is. */
export type WaitingWork = { readonly lane: number; readonly dueInMs: ReadonlyMap<WorkKind, number> }

/**
 * A lane without accounts has no work, but for its mark where the clock went back. An installation with few accounts spends most of a look
 * on such lanes.
 */
const HAS_ACCOUNT = '(select true from accounts h where h.lane = l.lane limit 1)'

const inMs = (kind: WorkKind) => `(extract(epoch from w.${kind} - now()) * 1000)::float8 as ${kind}`

const lookText = (kinds: readonly WorkKind[]) => `select w.lane, ${kinds.map(inMs).join(', ')}
  from (select l.lane, ${kinds.map((kind) => `${KINDS[kind]} as ${kind}`).join(',\n    ')}
          from lanes l
         where l.lane = any($1::int[]) and (${HAS_ACCOUNT} or ${MARK_IS_AHEAD})) w
 where coalesce(${kinds.map((kind) => `w.${kind}`).join(', ')}) is not null`

const LOOKS = {
  all: { name: 'look_at_lanes', text: lookText(WORK_KINDS) },
  urgent: { name: 'look_at_lanes_for_urgent', text: lookText(URGENT_KINDS) },
} as const

/** The lanes in which work waits, or will within {@link LOOK_AHEAD_MS}. Takes no lock. */
export function lookAtLanes(lanes: readonly number[], which: keyof typeof LOOKS): Statement {
  return { ...LOOKS[which], values: [plainArray(lanes)] }
}

export function waitingWorkFrom(row: Row): WaitingWork {
  const found = WORK_KINDS.flatMap((kind) => {
    const dueIn = row[kind]
    return typeof dueIn === 'number' ? [[kind, Math.max(0, dueIn)] as const] : []
  })
  return { lane: row['lane'] as number, dueInMs: new Map(found) }
}
