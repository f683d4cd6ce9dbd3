// What providers told and what money arrived: one row for each event, the booking of its money in it.
import type { PayerPlace } from '../../domain/channel/collection.ts'
import type { Receipt, SuspenseReason } from '../../domain/payment/payment.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { type Scope, scoped } from '../../platform/scope.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { ms } from '../columns.ts'
import type { ContractKey } from '../contracts/documents.ts'

export type EventStatus = 'applied' | 'duplicate' | 'ignored' | 'unmatched' | 'needs_review'

/** One event as it is kept. Times in milliseconds since the epoch. */
export type PaymentEvent = AccountKey & {
  readonly id: string
  readonly type: string
  readonly at: number
  readonly body: string | null
  readonly bodyHash: string | null
  readonly status: EventStatus
  readonly contractId: string | null
  /** The money that this event booked; null where it booked none. */
  readonly receipt: Receipt | null
  /** Why it needs review. */
  readonly reason: string | null
  readonly dueAt: number | null
  readonly tries: number
  /** The channels that whoever told it may speak of; null for all. */
  readonly allowedChannels: readonly string[] | null
}

export type EventKey = AccountKey & { readonly id: string }

const known = scoped(
  'known_payment_events',
  `select e.lane, e.account_id, e.id, e.status, e.body_hash, e.tries, ${ms('e.at')} as at_ms
     from unnest($1::int[], $2::uuid[], $3::text[]) k (lane, account_id, id)
     join payment_events e on e.lane = k.lane and e.account_id = k.account_id and e.id = k.id
    where $lane(e)`,
)

export type KnownEvent = EventKey & {
  readonly status: EventStatus
  readonly bodyHash: string | null
  readonly tries: number
  readonly at: number
}

/** Which of the events came before. */
export function knownEvents(scope: Scope, keys: readonly EventKey[]): Statement {
  return known(scope, eventColumns(keys))
}

export function knownEventFrom(row: Row): KnownEvent {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['id'] as string,
    status: row['status'] as EventStatus,
    bodyHash: row['body_hash'] as string | null,
    tries: row['tries'] as number,
    at: row['at_ms'] as number,
  }
}

function eventColumns(keys: readonly EventKey[]): [string, string, string] {
  return [
    plainArray(keys.map((key) => key.lane)),
    plainArray(keys.map((key) => key.accountId)),
    textArray(keys.map((key) => key.id)),
  ]
}

const RECEIPT = `e.account_id, e.id, e.object_id, e.contract_id, e.attempt, e.channel_id, e.currency, e.amount_minor, e.suspense_minor,
  e.reason, e.payer, ${ms('e.at')} as at_ms`

const booked = scoped(
  'booked_objects',
  `select ${RECEIPT}
     from unnest($1::int[], $2::uuid[], $3::text[]) k (lane, account_id, object_id)
     join payment_events e on e.lane = k.lane and e.account_id = k.account_id and e.object_id = k.object_id
    where $lane(e)`,
)

/** What was booked under these ids of the rails. */
export function bookedObjects(scope: Scope, keys: readonly EventKey[]): Statement {
  return booked(scope, eventColumns(keys))
}

const waiting = scoped(
  'receipts_in_suspense',
  `select ${RECEIPT}
     from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, contract_id)
     join payment_events e on e.lane = k.lane and e.account_id = k.account_id and e.contract_id = k.contract_id
      and e.suspense_minor > 0
    where $lane(e)
    order by e.at, e.id`,
)

/** What of the contracts' money is in suspense, the oldest first. */
export function receiptsInSuspense(scope: Scope, keys: readonly ContractKey[]): Statement {
  return waiting(scope, [
    plainArray(keys.map((key) => key.lane)),
    plainArray(keys.map((key) => key.accountId)),
    plainArray(keys.map((key) => key.id)),
  ])
}

export function receiptFrom(row: Row): Receipt & { readonly accountId: string } {
  return {
    accountId: row['account_id'] as string,
    eventId: row['id'] as string,
    objectId: row['object_id'] as string,
    contractId: row['contract_id'] as string,
    attempt: row['attempt'] as number | null,
    channelId: row['channel_id'] as string,
    currency: row['currency'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    suspenseMinor: BigInt(row['suspense_minor'] as string),
    reason: row['reason'] as SuspenseReason | null,
    payer: row['payer'] as PayerPlace | null,
    at: row['at_ms'] as number,
  }
}

const keep = scoped(
  'keep_payment_events',
  `insert into payment_events (lane, account_id, id, type, at, body, body_hash, status, contract_id, object_id, attempt,
                               channel_id, currency, amount_minor, suspense_minor, reason, payer, due_at, tries, allowed_channels)
   select l.lane, x.account_id, x.id, x.type, to_timestamp(x.at / 1000), x.body, x.body_hash, x.status, x.contract_id,
          x.object_id, x.attempt, x.channel_id, x.currency, x.amount_minor, x.suspense_minor, x.reason, x.payer,
          to_timestamp(x.due_at / 1000), x.tries, x.allowed_channels
     from unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::text[], $7::uuid[], $8::text[],
                 $9::uuid[], $10::text[], $11::int[], $12::text[], $13::text[], $14::bigint[], $15::bigint[], $16::text[],
                 $17::json[], $18::float8[], $19::int[], $20::text[])
          x (lane, account_id, id, type, at, body, body_hash, status, contract_id, object_id, attempt, channel_id, currency,
             amount_minor, suspense_minor, reason, payer, due_at, tries, allowed_channels)
     join lanes l on l.lane = x.lane
    where $lane(l)
       on conflict (lane, account_id, id) do update
      set status = excluded.status, contract_id = excluded.contract_id, object_id = excluded.object_id,
          attempt = excluded.attempt, channel_id = excluded.channel_id, currency = excluded.currency,
          amount_minor = excluded.amount_minor, suspense_minor = excluded.suspense_minor, reason = excluded.reason,
          payer = excluded.payer, due_at = excluded.due_at, tries = excluded.tries`,
)

/** Writes new events, and new states of unmatched ones: their bytes and their time stay. */
export function keepEvents(scope: Scope, events: readonly PaymentEvent[]): Statement {
  return keep(scope, [
    ...eventColumns(events),
    textArray(events.map((e) => e.type)),
    plainArray(events.map((e) => e.at)),
    textArray(events.map((e) => e.body)),
    plainArray(events.map((e) => e.bodyHash)),
    plainArray(events.map((e) => e.status)),
    plainArray(events.map((e) => e.contractId)),
    textArray(events.map((e) => e.receipt?.objectId ?? null)),
    plainArray(events.map((e) => e.receipt?.attempt ?? null)),
    textArray(events.map((e) => e.receipt?.channelId ?? null)),
    plainArray(events.map((e) => e.receipt?.currency ?? null)),
    plainArray(events.map((e) => e.receipt?.amountMinor ?? null)),
    plainArray(events.map((e) => e.receipt?.suspenseMinor ?? null)),
    textArray(events.map((e) => e.receipt?.reason ?? e.reason)),
    textArray(events.map((e) => (e.receipt?.payer ? JSON.stringify(e.receipt.payer) : null))),
    plainArray(events.map((e) => e.dueAt)),
    plainArray(events.map((e) => e.tries)),
    textArray(events.map((e) => e.allowedChannels?.join(',') ?? null)),
  ])
}

const release = scoped(
  'release_suspense',
  `update payment_events e
      set suspense_minor = x.suspense_minor
     from unnest($1::int[], $2::uuid[], $3::text[], $4::bigint[]) x (lane, account_id, id, suspense_minor)
    where e.lane = x.lane and e.account_id = x.account_id and e.id = x.id and $lane(e)`,
)

/** Money of known events leaves suspense. */
export function releaseSuspense(
  scope: Scope,
  receipts: readonly (EventKey & { readonly suspenseMinor: bigint })[],
): Statement {
  return release(scope, [...eventColumns(receipts), plainArray(receipts.map((each) => each.suspenseMinor))])
}

/** Unmatched events that are to be looked at again, the oldest first. */
export function dueEvents(lanes: readonly number[], limit: number): Statement {
  return {
    name: 'due_payment_events',
    text: `select e.lane, e.account_id, e.id, e.type, e.body, e.body_hash, e.allowed_channels, e.tries, ${ms('e.at')} as at_ms
             from payment_events e
            where e.lane = any($1::int[]) and e.due_at is not null and e.due_at <= now()
            order by e.due_at
            limit $2`,
    values: [plainArray(lanes), limit],
  }
}

/** Events that no contract fits, or that a person has to look at; newest first. */
export function listOpenEvents({ lane, accountId }: AccountKey, limit: number): Statement {
  return {
    name: 'open_payment_events',
    text: `select e.id, e.type, e.status, e.reason, e.contract_id, e.body, e.tries, ${ms('e.at')} as at_ms
             from payment_events e
            where e.lane = $1 and e.account_id = $2 and e.status in ('unmatched', 'needs_review')
            order by e.at desc, e.id
            limit $3`,
    values: [lane, accountId, limit],
  }
}

/** One event that no contract fits, or that a person has to look at. */
export function findOpenEvent({ lane, accountId }: AccountKey, id: string): Statement {
  return {
    name: 'open_payment_event',
    text: `select e.id, e.type, e.body, e.body_hash, e.allowed_channels
             from payment_events e
            where e.lane = $1 and e.account_id = $2 and e.id = $3 and e.status in ('unmatched', 'needs_review')`,
    values: [lane, accountId, id],
  }
}

/** An event that waits: for a contract that fits it, or for a person. */
export type OpenEvent = Pick<PaymentEvent, 'id' | 'type' | 'at' | 'body' | 'contractId' | 'reason' | 'tries'> & {
  readonly status: 'unmatched' | 'needs_review'
}

export function openEventFrom(row: Row): OpenEvent {
  return {
    id: row['id'] as string,
    type: row['type'] as string,
    status: row['status'] as OpenEvent['status'],
    reason: row['reason'] as string | null,
    contractId: row['contract_id'] as string | null,
    body: row['body'] as string | null,
    tries: row['tries'] as number,
    at: row['at_ms'] as number,
  }
}
