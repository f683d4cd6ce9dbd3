// The bytes of providers' events that are long settled: which there are, and how they are emptied. Their hashes stay.
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { EventKey } from './payment-events.ts'

export type OldBody = EventKey & { readonly atMs: number }

/** So many at most of those that came at a moment or after it, and before the last so many days. Nothing is locked. */
export function findOldBodies(lanes: readonly number[], fromMs: number, days: number, limit: number): Statement {
  return {
    name: 'find_old_event_bodies',
    merge: { isPartial: true },
    text: `select e.lane, e.account_id, e.id, ${ms('e.at')} as at_ms
             from payment_events e
            where e.lane = any($1::int[]) and e.body is not null and e.body_hash is not null
              and e.status in ('applied', 'duplicate', 'ignored') and e.due_at is null
              and e.at >= to_timestamp($2::float8 / 1000) and e.at < now() - make_interval(days => $3::int)
            limit $4`,
    values: [plainArray(lanes), fromMs, days, limit],
  }
}

export const oldBodyFrom = (row: Row): OldBody => ({
  lane: row['lane'] as number,
  accountId: row['account_id'] as string,
  id: row['id'] as string,
  atMs: row['at_ms'] as number,
})

/** Of one lane. The database itself keeps those that wait, or are younger than a month. */
export function emptyBodies(lane: number, events: readonly EventKey[], days: number): Statement {
  return {
    name: 'empty_event_bodies',
    text: `select empty_event_bodies($1, $2, $3, $4) as emptied`,
    values: [lane, plainArray(events.map(({ accountId }) => accountId)), textArray(events.map(({ id }) => id)), days],
  }
}
