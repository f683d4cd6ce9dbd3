// What endpoints are to hear, and the books of what became of it: the history is the outbox, and a delivery has a row
// from its first try on. Times come and go as milliseconds since the epoch.
import { keyColumns, ms, type OwnedKey } from '../columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { type StoredEvent, storedEventFrom } from '../contracts/events.ts'

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
    text: `select e.lane, e.account_id, e.id as endpoint_id, h.position, h.contract_id as id, h.event,
                  case when h.event = any(e.events) or e.events = '{*}' then h.document end as document
             from unnest($1::int[], $2::uuid[], $3::uuid[], $4::bigint[]) k (lane, account_id, id, position)
             join webhook_endpoints e on e.lane = k.lane and e.account_id = k.account_id and e.id = k.id
            cross join lateral (
              select h.position, h.contract_id, h.event, h.document
                from contract_versions h
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
                  ${ms('d.created_at')} as created_at, h.contract_id as id, h.event, h.document
             from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, id)
            cross join lateral (
              select d.position, d.replay, d.tries, d.body, d.created_at, d.due_at
                from deliveries d
               where d.lane = k.lane and d.account_id = k.account_id and d.endpoint_id = k.id and d.due_at <= now()
               order by d.due_at, d.position
               limit $4) d
             join contract_versions h on h.lane = k.lane and h.account_id = k.account_id and h.position = d.position
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

/** One try, as it stays in the books. */
export type AttemptRow = EndpointKey & {
  readonly position: number
  readonly replay: number
  /** Tries with this one. */
  readonly number: number
  readonly at: number
  readonly durationMs: number
  readonly outcome: 'delivered' | 'refused' | 'no_answer' | 'not_sent'
  readonly statusCode: number | null
  readonly fault: string | null
  readonly responseBody: string | null
}

/** A try, and what became of its delivery by it. */
export type TryRow = AttemptRow & {
  readonly status: 'pending' | 'delivered' | 'dead'
  readonly dueAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly body: Buffer | null
}

/** Writes tries with their deliveries: the first try makes the delivery's row, later ones change it. */
export function saveTries(rows: readonly TryRow[]): Statement {
  return {
    name: 'save_tries',
    text: `with tried as (
             select * from unnest($1::int[], $2::uuid[], $3::uuid[], $4::bigint[], $5::int[], $6::int[], $7::float8[],
                         $8::int[], $9::text[], $10::int[], $11::text[], $12::text[], $13::text[], $14::float8[],
                         $15::float8[], $16::float8[], $17::bytea[])
                  x (lane, account_id, endpoint_id, position, replay, number, at, duration_ms, outcome, status_code, fault,
                     response_body, status, due_at, created_at, updated_at, body)),
           saved as (
             insert into deliveries (lane, account_id, endpoint_id, position, replay, status, tries, due_at, created_at,
                                     updated_at, body)
             select l.lane, x.account_id, x.endpoint_id, x.position, x.replay, x.status, x.number,
                    to_timestamp(x.due_at / 1000), to_timestamp(x.created_at / 1000), to_timestamp(x.updated_at / 1000),
                    x.body
               from tried x
               join lanes l on l.lane = x.lane
                 on conflict (lane, account_id, endpoint_id, position, replay) do update
                set status = excluded.status, tries = excluded.tries, due_at = excluded.due_at,
                    updated_at = excluded.updated_at, body = excluded.body
              where deliveries.status = 'pending')
           insert into delivery_attempts (lane, account_id, endpoint_id, position, replay, number, at, duration_ms, outcome,
                                          status_code, fault, response_body)
           select l.lane, x.account_id, x.endpoint_id, x.position, x.replay, x.number, to_timestamp(x.at / 1000),
                  x.duration_ms, x.outcome, x.status_code, x.fault, x.response_body
             from tried x
             join lanes l on l.lane = x.lane
               on conflict (lane, account_id, endpoint_id, position, replay, number) do nothing`,
    values: [
      ...keyColumns(rows),
      plainArray(rows.map((row) => row.position)),
      plainArray(rows.map((row) => row.replay)),
      plainArray(rows.map((row) => row.number)),
      plainArray(rows.map((row) => row.at)),
      plainArray(rows.map((row) => row.durationMs)),
      plainArray(rows.map((row) => row.outcome)),
      plainArray(rows.map((row) => row.statusCode)),
      textArray(rows.map((row) => row.fault)),
      textArray(rows.map((row) => row.responseBody)),
      plainArray(rows.map((row) => row.status)),
      plainArray(rows.map((row) => row.dueAt)),
      plainArray(rows.map((row) => row.createdAt)),
      plainArray(rows.map((row) => row.updatedAt)),
      bytesArray(rows.map((row) => row.body)),
    ],
  }
}

function bytesArray(values: readonly (Buffer | null)[]): string {
  return plainArray(values.map((value) => (value === null ? null : `"\\\\x${value.toString('hex')}"`)))
}
