// What endpoints are to hear, and the books of what became of it: the history is the outbox, and a delivery has a row
// from its first try on. Times come and go as milliseconds since the epoch.
import { bytes, forRows, insertRows, int, int8, ms, replaced, text, time, uuid, word } from '../../platform/columns.ts'
import type { DeliveryPlace, ShownAttempt } from '../../domain/webhook/shown.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { Scope } from '../../platform/scope.ts'
import { KEY, OWNER, type OwnedKey } from '../columns.ts'
import type { FoundEvent } from '../../domain/account/events.ts'
import { eventColumns, storedEventFrom } from '../contracts/events.ts'

export type EndpointKey = OwnedKey

/** A stretch of history for an endpoint. What the endpoint does not want to hear comes without its event. */
export type HistoryRow = {
  readonly endpointId: string
  readonly position: number
  readonly event: FoundEvent | null
}

/** A page of history for an endpoint: after a position, so many rows at most. */
export type HistoryPage = EndpointKey & { readonly position: number; readonly limit: number }

const IN_LANE = 'p.lane = h.lane and $lane(p)'

/** The next rows of history of each endpoint; none for one that its owner has paused, disabled or deleted since it was taken. */
export const loadHistory = forRows(
  'load_history_for_endpoints',
  { ...KEY, position: int8((page: HistoryPage) => page.position), page: int((page: HistoryPage) => page.limit) },
  (pages) => `select e.lane, e.account_id, e.id as endpoint_id, h.position, ${eventColumns(IN_LANE)},
          case when h.event = any(e.events) or e.events = '{*}' then h.document end as document
     from ${pages}
     join webhook_endpoints e on e.lane = x.lane and e.account_id = x.account_id and e.id = x.id and e.status = 'enabled'
    cross join lateral (
      select h.lane, h.account_id, h.position, h.is_contract, h.contract_id, h.event, h.sequence, h.subject, h.at, h.document
        from account_steps h
       where h.lane = x.lane and h.account_id = x.account_id and h.position > x.position and $lane(h)
       order by h.position
       limit x.page) h
    where $lane(e)
    order by h.position`,
)

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
  readonly event: FoundEvent
}

/** So many due deliveries of an endpoint at most. */
export type DuePage = EndpointKey & { readonly limit: number }

/** The due deliveries of each endpoint, oldest first; none as above. */
export const loadDueDeliveries = forRows(
  'load_due_deliveries',
  { ...KEY, page: int((page: DuePage) => page.limit) },
  (pages) => `select x.lane, x.account_id, x.id as endpoint_id, d.position, d.replay, d.tries, d.body,
          ${ms('d.created_at')} as created_at, ${eventColumns(IN_LANE)}, h.document
     from ${pages}
     join webhook_endpoints e on e.lane = x.lane and e.account_id = x.account_id and e.id = x.id and e.status = 'enabled' and $lane(e)
    cross join lateral (
      select d.position, d.replay, d.tries, d.body, d.created_at, d.due_at
        from deliveries d
       where d.lane = x.lane and d.account_id = x.account_id and d.endpoint_id = x.id and d.due_at <= now() and $lane(d)
       order by d.due_at, d.position
       limit x.page) d
    -- By its key, whatever the planner estimates: the limit keeps it from joining the two tables of the history whole.
    cross join lateral (
      select h.* from account_steps h
       where h.lane = x.lane and h.account_id = x.account_id and h.position = d.position and $lane(h) limit 1) h
    order by d.due_at, d.position`,
)

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

// What is counted is what is written by the statement after: a try that is recorded again counts once. In one order, for others count too.
const countTries = forRows(
  'count_tries',
  { ...DELIVERY_KEY, number: ATTEMPT.number, at: ATTEMPT.at, outcome: ATTEMPT.outcome },
  (rows) => `insert into usage_deliveries (lane, account_id, day, delivered, failed)
     select l.lane, x.account_id, (to_timestamp(x.at / 1000) at time zone 'utc')::date as day,
            count(*) filter (where x.outcome = 'delivered'), count(*) filter (where x.outcome <> 'delivered')
       from ${rows}
       join lanes l on l.lane = x.lane
      where $lane(l) and not exists (
            select from delivery_attempts a
             where a.lane = x.lane and a.account_id = x.account_id and a.endpoint_id = x.endpoint_id
               and a.position = x.position and a.replay = x.replay and a.number = x.number and $lane(a))
      group by l.lane, x.account_id, day
      order by l.lane, x.account_id, day
         on conflict (lane, account_id, day) do update
        set delivered = usage_deliveries.delivered + excluded.delivered, failed = usage_deliveries.failed + excluded.failed`,
)

const saveDeliveries = insertRows(
  'save_tried_deliveries',
  'deliveries',
  DELIVERY,
  `on conflict (lane, account_id, endpoint_id, position, replay) do update
      set ${replaced(STANDING)}
    where deliveries.status = 'pending'`,
)

const insertAttempts = insertRows(
  'insert_delivery_attempts',
  'delivery_attempts',
  ATTEMPT,
  'on conflict (lane, account_id, endpoint_id, position, replay, number) do nothing',
)

/** Writes tries with their deliveries, and counts them: the first try makes the delivery's row, later ones change it. */
export function saveTries(scope: Scope, tries: readonly TryRow[]): Statement[] {
  return [countTries(scope, tries), saveDeliveries(scope, tries), insertAttempts(scope, tries)]
}
