// Deliveries that are requested again, and those that are put aside. Both take a page at a time, so that no statement
// takes long, however much there is. Times are milliseconds since the epoch.
import { type EventName, FIRST_EPOCH } from '../../domain/contract/ids.ts'
import { epochIn, epochOf } from '../contracts/events.ts'
import { ms } from '../../platform/columns.ts'
import { isRemoved } from '../contracts/removed.ts'
import { plainArray, type Result, type Row, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { EndpointKey } from './deliveries.ts'

/** Where deliveries stand that wait for a disabled endpoint; of one that is not disabled none. */
export function waitingForDisabled({ lane, accountId, id }: EndpointKey, limit: number): Statement {
  return {
    name: 'waiting_for_disabled_endpoint',
    text: `select d.position
             from webhook_endpoints e
             join deliveries d on d.lane = e.lane and d.account_id = e.account_id and d.endpoint_id = e.id
            where e.lane = $1 and e.account_id = $2 and e.id = $3 and e.status = 'disabled' and d.due_at is not null
            order by d.due_at, d.position
            limit $4`,
    values: [lane, accountId, id, limit],
  }
}

// So many are looked at: more of them count as unreadable.
const WAITING_LOOKED_AT = 10_000

/** How many deliveries wait for an endpoint, as far as they are looked at, and how many of them are of other types than these. */
export function unreadableWaiting({ lane, accountId, id }: EndpointKey, readable: readonly string[]): Statement {
  return {
    name: 'unreadable_waiting_deliveries',
    text: `select count(*)::int as waiting, (count(*) filter (where h.event <> all($4::text[])))::int as unreadable
             from (select d.lane, d.account_id, d.position from deliveries d
                    where d.lane = $1 and d.account_id = $2 and d.endpoint_id = $3 and d.due_at is not null
                    limit $5) w
            cross join lateral (
              select h.event from account_steps h
               where h.lane = $1 and h.account_id = $2 and h.position = w.position limit 1) h`,
    values: [lane, accountId, id, plainArray(readable), WAITING_LOOKED_AT],
  }
}

export function hasUnreadable(found: Result | undefined): boolean {
  const row = found?.rows[0]
  return row !== undefined && (Number(row['unreadable']) > 0 || Number(row['waiting']) === WAITING_LOOKED_AT)
}

const HOLD = `update deliveries d set status = 'held', due_at = null, body = null, updated_at = now()
            where d.lane = $1 and d.account_id = $2 and d.endpoint_id = $3 and d.due_at is not null`

/** Puts aside what waits for an endpoint. It is found again by a replay of what was missed. */
export function holdWaiting({ lane, accountId, id }: EndpointKey, positions: readonly number[] | 'all'): Statement {
  const key = [lane, accountId, id]
  if (positions === 'all') return { name: 'hold_all_deliveries', text: HOLD, values: key }
  // The positions are a constant to the planner, so that no join can go wrong on a table that nobody analysed.
  const text = `${HOLD} and d.position = any($4::bigint[])`
  return { name: 'hold_deliveries', text, values: [...key, plainArray(positions)] }
}

/** The number of the endpoint's newest replay; 0 before the first. */
export function newestReplay({ lane, accountId, id }: EndpointKey): Statement {
  return {
    name: 'newest_replay',
    text: `select coalesce(max(d.replay), 0) as number
             from deliveries d where d.lane = $1 and d.account_id = $2 and d.endpoint_id = $3 and d.replay > 0`,
    values: [lane, accountId, id],
  }
}

/**
 * The first position up to `top` whose row is not older than the time, or `top` + 1. Positions have no gaps and times
 * rise with them, but for what waited for the account's lock: the answer may be off by as long as such a wait.
 */
export function positionAtTime({ lane, accountId }: AccountKey, top: number, atMs: number): Statement {
  return {
    name: 'position_at_time',
    // Each row is looked up by its whole key, whatever the planner estimates of the table.
    text: `with recursive search (low, high) as (
             select 1::bigint, $3::bigint + 1
             union all
             select case when m.is_older then m.middle + 1 else m.low end, case when m.is_older then m.high else m.middle end
               from (select s.low, s.high, (s.low + s.high) / 2 as middle,
                            (select h.at from account_steps h
                              where h.lane = $1 and h.account_id = $2 and h.position = (s.low + s.high) / 2)
                              < to_timestamp($4::float8 / 1000) as is_older
                       from search s where s.low < s.high) m)
           select low as position from search where low >= high`,
    values: [lane, accountId, top, atMs],
  }
}

/** Which events are requested again, between two positions. Times are inclusive, null for no bound. */
export type Stretch = {
  /** The first one comes after this. */
  readonly after: number
  /** The last one, itself included. */
  readonly upTo: number
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly which: 'all' | 'undelivered'
}

/** Events between these positions that the endpoint subscribes to, but for those that have left. */
export function eventsToReplay({ lane, accountId, id }: EndpointKey, stretch: Stretch): Statement {
  return {
    name: 'events_to_replay',
    text: `select h.position, ${ms('h.at')} as at, h.contract_id, h.sequence, ${epochOf()} as epoch
             from webhook_endpoints e
             join account_steps h on h.lane = e.lane and h.account_id = e.account_id
            where e.lane = $1 and h.lane = $1 and e.account_id = $2 and e.id = $3 and h.position > $4 and h.position <= $5
              and not ${isRemoved('h')}
              and h.event is not null and (h.event = any(e.events) or e.events = '{*}')
              and ($6::float8 is null or h.at >= to_timestamp($6::float8 / 1000))
              and ($7::float8 is null or h.at <= to_timestamp($7::float8 / 1000))
              and ($8 = 'all' or h.position not in (
                    select d.position from deliveries d
                     where d.lane = $1 and d.account_id = $2 and d.endpoint_id = $3 and d.position > $4
                       and d.position <= $5 and d.status = 'delivered'))
              -- Of what is older, a delivery that arrived may have been forgotten (old-rows.ts): only one that is known did not.
              and ($8 = 'all' or h.at >= now() - interval '30 days' or h.position in (
                    select d.position from deliveries d
                     where d.lane = $1 and d.account_id = $2 and d.endpoint_id = $3 and d.position > $4 and d.position <= $5))
            order by h.position`,
    values: [lane, accountId, id, stretch.after, stretch.upTo, stretch.fromMs, stretch.toMs, stretch.which],
  }
}

/** `hasLeft`: of one that was named. */
export type ReplayedEvent = { readonly position: number; readonly at: number; readonly hasLeft: boolean }

export function replayedEventFrom(row: Row): ReplayedEvent {
  return { position: Number(row['position']), at: row['at'] as number, hasLeft: row['has_left'] === true }
}

/** An event by its name, of a row that says it. */
export function eventNameFrom(row: Row): EventName {
  return { contractId: row['contract_id'] as string, sequence: row['sequence'] as number, epoch: epochIn(row) }
}

/** The named events that are the account's. */
export function eventsByName({ lane, accountId }: AccountKey, names: readonly EventName[]): Statement {
  return {
    name: 'events_by_name',
    text: `select h.position, ${ms('h.at')} as at, h.event, h.contract_id, h.sequence, h.epoch, h.has_left
             from unnest($3::uuid[], $4::int[], $5::int[]) x (contract_id, sequence, epoch)
            cross join lateral (
              select h.position, h.at, h.event, h.contract_id, h.sequence, ${epochOf()} as epoch, ${isRemoved('h')} as has_left from account_steps h
               where h.lane = $1 and h.account_id = $2 and h.contract_id = x.contract_id and h.sequence = x.sequence
                 and h.version > 0 and coalesce(${epochOf()}, ${FIRST_EPOCH}) = x.epoch limit 1) h
            order by h.position`,
    values: [
      lane,
      accountId,
      plainArray(names.map((name) => name.contractId)),
      plainArray(names.map((name) => name.sequence)),
      plainArray(names.map((name) => name.epoch)),
    ],
  }
}

/** When a row of history was written. */
export function timeOfPosition({ lane, accountId }: AccountKey, position: number): Statement {
  return {
    name: 'time_of_position',
    text: `select h.position, ${ms('h.at')} as at
             from account_steps h where h.lane = $1 and h.account_id = $2 and h.position = $3`,
    values: [lane, accountId, position],
  }
}

/** Queues events once more, under the number of a replay, and marks them due for the process that serves the endpoint. */
export function queueReplay(
  { lane, accountId, id }: EndpointKey,
  number: number,
  positions: readonly number[],
): readonly Statement[] {
  return [
    {
      name: 'insert_replayed_deliveries',
      text: `insert into deliveries (lane, account_id, endpoint_id, position, replay, status, tries, due_at, created_at,
                                     updated_at)
             select e.lane, e.account_id, e.id, x.position, $4, 'pending', 0, now(), now(), now()
               from webhook_endpoints e
              cross join unnest($5::bigint[]) x (position)
              where e.lane = $1 and e.account_id = $2 and e.id = $3
                 on conflict (lane, account_id, endpoint_id, position, replay) do nothing`,
      values: [lane, accountId, id, number, plainArray(positions)],
    },
    {
      name: 'note_due_deliveries',
      text: `update webhook_progress p set next_due_at = least(p.next_due_at, now())
              where p.lane = $1 and p.account_id = $2 and p.endpoint_id = $3`,
      values: [lane, accountId, id],
    },
  ]
}
