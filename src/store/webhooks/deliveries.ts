// What endpoints are to hear, and the books of what became of it: the history is the outbox, and a delivery has a row
// from its first try on. Times come and go as milliseconds since the epoch.
import {
  bytes,
  forAllRows,
  int,
  int8,
  ms,
  names,
  replaced,
  text,
  time,
  uuid,
  values,
  word,
} from '../../platform/columns.ts'
import type { DeliveryPlace, ShownAttempt } from '../../domain/webhook/shown.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { keyColumns, OWNER, type OwnedKey } from '../columns.ts'
import type { StoredEvent } from '../../domain/account/events.ts'
import { EVENT_COLUMNS, storedEventFrom } from '../contracts/events.ts'

export type EndpointKey = OwnedKey

/** A stretch of history for an endpoint. What the endpoint does not want to hear comes without its event. */
export type HistoryRow = {
  readonly endpointId: string
  readonly position: number
  readonly event: StoredEvent | null
}

/** The next rows of history of each endpoint, after the given positions. */
export function loadHistory(after: readonly (EndpointKey & { readonly position: number })[], limit: number): Statement {
  return {
    name: 'load_history_for_endpoints',
    text: `select e.lane, e.account_id, e.id as endpoint_id, h.position, ${EVENT_COLUMNS},
                  case when h.event = any(e.events) or e.events = '{*}' then h.document end as document
             from unnest($1::int[], $2::uuid[], $3::uuid[], $4::bigint[]) k (lane, account_id, id, position)
             join webhook_endpoints e on e.lane = k.lane and e.account_id = k.account_id and e.id = k.id
            cross join lateral (
              select h.position, h.is_contract, h.contract_id, h.event, h.subject, h.at, h.document, h.epoch
                from account_history h
               where h.lane = k.lane and h.account_id = k.account_id and h.position > k.position
               order by h.position
               limit $5) h
            order by h.position`,
    values: [...keyColumns(after), plainArray(after.map((each) => each.position)), limit],
  }
}

export function historyRowFrom(row: Row): HistoryRow {
  const wanted = row['event'] !== null && row['document'] !== null
  return {
    endpointId: row['endpoint_id'] as string,
    position: Number(row['position']),
    event: wanted ? storedEventFrom(row) : null,
  }
}

/** A delivery whose time has come. */
export type DueDelivery = {
  readonly endpointId: string
  readonly position: number
  readonly replay: number
  readonly tries: number
  readonly createdAt: number
  /** The bytes of the first try; null where there was none. */
  readonly body: Buffer | null
  readonly event: StoredEvent
}

/** The due deliveries of each endpoint, oldest first. */
export function loadDueDeliveries(keys: readonly EndpointKey[], limit: number): Statement {
  return {
    name: 'load_due_deliveries',
    text: `select k.lane, k.account_id, k.id as endpoint_id, d.position, d.replay, d.tries, d.body,
                  ${ms('d.created_at')} as created_at, ${EVENT_COLUMNS}, h.document
             from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, id)
            cross join lateral (
              select d.position, d.replay, d.tries, d.body, d.created_at, d.due_at
                from deliveries d
               where d.lane = k.lane and d.account_id = k.account_id and d.endpoint_id = k.id and d.due_at <= now()
               order by d.due_at, d.position
               limit $4) d
            -- By its key, whatever the planner estimates: the limit keeps it from joining the two tables of the history whole.
            cross join lateral (
              select h.* from account_history h
               where h.lane = k.lane and h.account_id = k.account_id and h.position = d.position limit 1) h
            order by d.due_at, d.position`,
    values: [...keyColumns(keys), limit],
  }
}

export function dueDeliveryFrom(row: Row): DueDelivery {
  return {
    endpointId: row['endpoint_id'] as string,
    position: Number(row['position']),
    replay: row['replay'] as number,
    tries: row['tries'] as number,
    createdAt: row['created_at'] as number,
    body: row['body'] as Buffer | null,
    event: storedEventFrom(row),
  }
}

/** A try, and what became of its delivery by it. */
export type TryRow = EndpointKey &
  DeliveryPlace &
  ShownAttempt & {
    readonly status: 'pending' | 'delivered' | 'dead'
    readonly dueAt: number | null
    readonly createdAt: number
    readonly updatedAt: number
    readonly body: Buffer | null
  }

const DELIVERY_KEY = {
  ...OWNER,
  endpoint_id: uuid((row: TryRow) => row.id),
  position: int8((row: TryRow) => row.position),
  replay: int((row: TryRow) => row.replay),
}

/** What of a delivery changes with a try. */
const STANDING = {
  status: word((row: TryRow) => row.status),
  tries: int((row: TryRow) => row.number),
  due_at: time((row: TryRow) => row.dueAt),
  updated_at: time((row: TryRow) => row.updatedAt),
  body: bytes((row: TryRow) => row.body),
}

const DELIVERY = { ...DELIVERY_KEY, created_at: time((row: TryRow) => row.createdAt), ...STANDING }

const ATTEMPT = {
  ...DELIVERY_KEY,
  number: int((row: TryRow) => row.number),
  at: time((row: TryRow) => row.at),
  duration_ms: int((row: TryRow) => row.durationMs),
  outcome: word((row: TryRow) => row.outcome),
  status_code: int((row: TryRow) => row.statusCode),
  fault: text((row: TryRow) => row.fault),
  response_body: text((row: TryRow) => row.responseBody),
}

/** Writes tries with their deliveries, and counts them: the first try makes the delivery's row, later ones change it. */
export const saveTries = forAllRows(
  'save_tries',
  { ...DELIVERY, ...ATTEMPT },
  (rows) => `with tried as (select * from ${rows}),
     saved as (
       insert into deliveries (${names(DELIVERY)})
       select ${values(DELIVERY)} from tried x join lanes l on l.lane = x.lane
           on conflict (lane, account_id, endpoint_id, position, replay) do update
          set ${replaced(STANDING)}
        where deliveries.status = 'pending'),
     noted as (
     insert into delivery_attempts (${names(ATTEMPT)})
     select ${values(ATTEMPT)} from tried x join lanes l on l.lane = x.lane
         on conflict (lane, account_id, endpoint_id, position, replay, number) do nothing
     returning lane, account_id, at, outcome)
     -- What is counted is what was written now: a try that is recorded again counts once. In one order, for others count too.
     insert into usage_deliveries (lane, account_id, day, delivered, failed)
     select n.lane, n.account_id, (n.at at time zone 'utc')::date as day,
            count(*) filter (where n.outcome = 'delivered'), count(*) filter (where n.outcome <> 'delivered')
       from noted n
      group by n.lane, n.account_id, day
      order by n.lane, n.account_id, day
         on conflict (lane, account_id, day) do update
        set delivered = usage_deliveries.delivered + excluded.delivered, failed = usage_deliveries.failed + excluded.failed`,
)
