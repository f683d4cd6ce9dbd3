// What became of deliveries, for the readers of an endpoint: pages of them, newest event first, and the tries of one.
// Times are milliseconds since the epoch.
import type { DeliveryStatus } from '../../domain/webhook/delivery.ts'
import { ms } from '../../platform/columns.ts'
import type { DeliveryPlace, ShownAttempt, ShownDelivery } from '../../domain/webhook/shown.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { EndpointKey } from './deliveries.ts'
import { eventId } from '../../domain/contract/ids.ts'
import { epochIn, epochOf, eventColumns } from '../contracts/events.ts'

export type DeliveryFilter = {
  readonly status: DeliveryStatus | null
  readonly event: string | null
  readonly position: number | null
  /** The delivery that the page before ended with. */
  readonly after: DeliveryPlace | null
  readonly limit: number
}

const SHOWN = `select d.position, d.replay, d.status, d.tries, ${ms('d.due_at')} as due_at,
                  ${ms('d.created_at')} as created_at, ${ms('d.updated_at')} as updated_at, h.event, h.is_contract, h.contract_id, h.sequence,
                  ${epochOf()} as epoch`
const FROM = `from deliveries d
            -- By its key, whatever the planner estimates.
            cross join lateral (
              select h.* from account_steps h
               where h.lane = $1 and h.account_id = d.account_id and h.position = d.position limit 1) h
            where d.lane = $1 and d.account_id = $2 and d.endpoint_id = $3`

/** One more than the limit, to tell whether there is a next page. */
export function listDeliveries({ lane, accountId, id }: EndpointKey, filter: DeliveryFilter): Statement {
  const values: unknown[] = [lane, accountId, id, filter.limit + 1]
  const place = (value: unknown) => `$${values.push(value)}`
  const { status, event, position, after } = filter
  // A filter that is not used is not in the text, so that the planner can take the index that fits the others.
  const conditions = [
    ...(status === null ? [] : [['status', `d.status = ${place(status)}`] as const]),
    ...(event === null ? [] : [['event', `h.event = ${place(event)}`] as const]),
    ...(position === null ? [] : [['position', `d.position = ${place(position)}`] as const]),
    ...(after === null
      ? []
      : [['after', `(d.position, d.replay) < (${place(after.position)}, ${place(after.replay)})`] as const]),
  ]
  return {
    name: `list_deliveries_${conditions.map(([name]) => name).join('_')}`,
    text: `${SHOWN} ${FROM}${conditions.map(([, condition]) => ` and ${condition}`).join('')}
            order by d.position desc, d.replay desc
            limit $4`,
    values,
  }
}

export function shownDeliveryFrom(row: Row): ShownDelivery {
  return {
    position: Number(row['position']),
    replay: row['replay'] as number,
    epoch: epochIn(row),
    event: row['event'] as string,
    contractId: row['is_contract'] === true ? (row['contract_id'] as string) : null,
    eventId: eventId(row['contract_id'] as string, row['sequence'] as number, epochIn(row)),
    sequence: row['sequence'] as number,
    status: row['status'] as DeliveryStatus,
    tries: row['tries'] as number,
    dueAt: row['due_at'] as number | null,
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
  }
}

/** The deliveries of the account with this place, of which each endpoint may have one: where they go, and with what. */
export function deliveriesAt({ lane, accountId }: AccountKey, { position, replay }: DeliveryPlace): Statement {
  return {
    name: 'deliveries_at',
    text: `select d.endpoint_id, e.url, d.status, d.tries, h.event, ${epochOf()} as epoch
             from webhook_endpoints e
             join deliveries d on d.lane = e.lane and d.account_id = e.account_id and d.endpoint_id = e.id
              and d.position = $3 and d.replay = $4
            -- By its key, whatever the planner estimates.
            cross join lateral (
              select h.* from account_steps h
               where h.lane = $1 and h.account_id = d.account_id and h.position = d.position limit 1) h
            where e.lane = $1 and e.account_id = $2 and e.status <> 'deleted'
            order by e.created_at, e.id`,
    values: [lane, accountId, position, replay],
  }
}

/** The event that a delivery carries, in the members that `storedEventFrom` reads. */
export function eventOfDelivery({ lane, accountId, id }: EndpointKey, place: DeliveryPlace): Statement {
  return {
    name: 'event_of_delivery',
    text: `select h.lane, h.account_id, ${eventColumns()}, h.document ${FROM}
              and d.position = $4 and d.replay = $5`,
    values: [lane, accountId, id, place.position, place.replay],
  }
}

/** The tries of a delivery, first to last. */
export function listDeliveryAttempts({ lane, accountId, id }: EndpointKey, place: DeliveryPlace): Statement {
  return {
    name: 'list_delivery_attempts',
    text: `select t.number, ${ms('t.at')} as at, t.duration_ms, t.outcome, t.status_code, t.fault, t.response_body
             from delivery_attempts t
            where t.lane = $1 and t.account_id = $2 and t.endpoint_id = $3 and t.position = $4 and t.replay = $5
            order by t.number`,
    values: [lane, accountId, id, place.position, place.replay],
  }
}

export function shownAttemptFrom(row: Row): ShownAttempt {
  return {
    number: row['number'] as number,
    at: row['at'] as number,
    durationMs: row['duration_ms'] as number,
    outcome: row['outcome'] as ShownAttempt['outcome'],
    statusCode: row['status_code'] as number | null,
    fault: row['fault'] as string | null,
    responseBody: row['response_body'] as string | null,
  }
}
