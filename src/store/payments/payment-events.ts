// What providers reported and what money arrived: one row for each event, the booking of its money in it.
import type { PayerPlace } from '../../domain/channel/collection.ts'
import type { Receipt, SuspenseReason } from '../../domain/payment/payment.ts'
import {
  assigned,
  forRows,
  insertRows,
  int,
  int8,
  json,
  ms,
  reader,
  replaced,
  selected,
  text,
  time,
  uuid,
  word,
} from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { KEY, OWNER } from '../columns.ts'

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
  /** The channels that the reporting key may report on; null for all. */
  readonly allowedChannels: readonly string[] | null
}

export type EventKey = AccountKey & { readonly id: string }

const EVENT_KEY = { ...OWNER, id: text((event: EventKey) => event.id) }

/** What came, and stays as it came. */
const RECEIVED = {
  type: text((event: PaymentEvent) => event.type),
  at: time((event: PaymentEvent) => event.at),
  body: text((event: PaymentEvent) => event.body),
  body_hash: uuid((event: PaymentEvent) => event.bodyHash),
  allowed_channels: text((event: PaymentEvent) => event.allowedChannels?.join(',') ?? null),
}

/** What became of it. */
const STANDING = {
  status: word((event: PaymentEvent) => event.status),
  contract_id: uuid((event: PaymentEvent) => event.contractId),
  object_id: text(({ receipt }: PaymentEvent) => receipt?.objectId ?? null),
  attempt: int(({ receipt }: PaymentEvent) => receipt?.attempt ?? null),
  channel_id: text(({ receipt }: PaymentEvent) => receipt?.channelId ?? null),
  wallet_id: uuid(({ receipt }: PaymentEvent) => receipt?.walletId ?? null),
  currency: text(({ receipt }: PaymentEvent) => receipt?.currency ?? null),
  amount_minor: int8(({ receipt }: PaymentEvent) => receipt?.amountMinor ?? null),
  suspense_minor: int8(({ receipt }: PaymentEvent) => receipt?.suspenseMinor ?? null),
  reason: text(({ receipt, reason }: PaymentEvent) => receipt?.reason ?? reason),
  payer: json(({ receipt }: PaymentEvent) => receipt?.payer ?? null),
  due_at: time((event: PaymentEvent) => event.dueAt),
  tries: int((event: PaymentEvent) => event.tries),
}

const KNOWN = {
  ...EVENT_KEY,
  status: STANDING.status,
  body_hash: RECEIVED.body_hash,
  tries: STANDING.tries,
  at: RECEIVED.at,
}

/** Which of the events came before. */
export const knownEvents = forRows(
  'known_payment_events',
  EVENT_KEY,
  (keys) => `select ${selected(KNOWN, 'e')}
     from ${keys}
     join payment_events e on e.lane = x.lane and e.account_id = x.account_id and e.id = x.id
    where $lane(e)`,
)

export type KnownEvent = EventKey & {
  readonly status: EventStatus
  readonly bodyHash: string | null
  readonly tries: number
  readonly at: number
}

export const knownEventFrom = reader(
  KNOWN,
  (row): KnownEvent => ({
    lane: row.lane,
    accountId: row.account_id,
    id: row.id,
    status: row.status,
    bodyHash: row.body_hash,
    tries: row.tries,
    at: row.at,
  }),
)

const RECEIPT = `e.account_id, e.id, e.object_id, e.contract_id, e.attempt, e.channel_id, e.wallet_id, e.currency, e.amount_minor, e.suspense_minor,
  e.reason, e.payer, e.body_hash is not null as by_event, ${ms('e.at')} as at_ms`

/** What was booked under these ids of the rails. */
export const bookedObjects = forRows(
  'booked_objects',
  { ...OWNER, object_id: EVENT_KEY.id },
  (keys) => `select ${RECEIPT}
     from ${keys}
     join payment_events e on e.lane = x.lane and e.account_id = x.account_id and e.object_id = x.object_id
    where $lane(e)`,
)

/** What contracts of a lane were paid from wallets of this gateway since a moment: each booking under its id. */
export function paidFromWallets(lane: number, sinceMs: number): Statement {
  return {
    name: 'paid_from_wallets',
    text: `select e.object_id, e.amount_minor, e.currency from payment_events e
            where e.lane = $1 and e.at >= to_timestamp($2::float8 / 1000) and e.type = $3 and e.object_id is not null`,
    values: [lane, sinceMs, FROM_WALLET],
  }
}

/** The type of the event by which a wallet of this gateway pays. */
export const FROM_WALLET = 'gateway.wallet'

const BOOKED_AS = 'wallet:'
/** Under which id a contract books what a wallet paid with a reference; and which reference it was. */
export const objectOf = (reference: string) => `${BOOKED_AS}${reference}`
export const referenceOf = (objectId: string) => objectId.slice(BOOKED_AS.length)

/** What of the contracts' money is in suspense, the oldest first. */
export const receiptsInSuspense = forRows(
  'receipts_in_suspense',
  KEY,
  (contracts) => `select ${RECEIPT}
     from ${contracts}
     join payment_events e on e.lane = x.lane and e.account_id = x.account_id and e.contract_id = x.id
      and e.suspense_minor > 0
    where $lane(e)
    order by e.at, e.id`,
)

/** The contracts of an account with money in suspense that was booked in this millisecond. */
export function suspendedAt({ lane, accountId }: AccountKey, atMs: number): Statement {
  return {
    name: 'suspended_at',
    text: `select distinct e.contract_id as payment_id from payment_events e
            where e.lane = $1 and e.account_id = $2 and e.suspense_minor > 0
              and e.at >= to_timestamp($3::float8 / 1000) and e.at < to_timestamp(($3::float8 + 1) / 1000)`,
    values: [lane, accountId, atMs],
  }
}

export function receiptFrom(row: Row): Receipt & { readonly accountId: string } {
  return {
    accountId: row['account_id'] as string,
    eventId: row['id'] as string,
    objectId: row['object_id'] as string,
    contractId: row['contract_id'] as string,
    attempt: row['attempt'] as number | null,
    channelId: row['channel_id'] as string,
    walletId: row['wallet_id'] as string | null,
    currency: row['currency'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    suspenseMinor: BigInt(row['suspense_minor'] as string),
    reason: row['reason'] as SuspenseReason | null,
    payer: row['payer'] as PayerPlace | null,
    reportedBy: row['by_event'] ? 'event' : 'gateway',
    at: row['at_ms'] as number,
  }
}

/** Writes new events, and new states of unmatched ones: their bytes and their time stay. */
export const keepEvents = insertRows(
  'keep_payment_events',
  'payment_events',
  { ...EVENT_KEY, ...RECEIVED, ...STANDING },
  `on conflict (lane, account_id, id) do update set ${replaced(STANDING)}`,
)

const RELEASED = { suspense_minor: int8((event: EventKey & { readonly suspenseMinor: bigint }) => event.suspenseMinor) }

/** Money of known events leaves suspense. */
export const releaseSuspense = forRows(
  'release_suspense',
  { ...EVENT_KEY, ...RELEASED },
  (rows) => `update payment_events e
      set ${assigned(RELEASED)}
     from ${rows}
    where e.lane = x.lane and e.account_id = x.account_id and e.id = x.id and $lane(e)`,
)

/** Unmatched events that are to be matched again, the oldest first. */
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

/** Events that no contract fits, or that need review; newest first. */
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

/** Those of all accounts, newest first, one more than the limit; before a moment, and of that moment before an id's hash. */
export function listAllOpenEvents(
  before: { readonly atMs: number; readonly hash: string } | null,
  limit: number,
): Statement {
  const where =
    before === null
      ? ''
      : `and e.at < to_timestamp(($2::float8 + 1) / 1000) and (${ms('e.at')}, md5(e.id)) < ($2::float8, $3::text)`
  return {
    name: before === null ? 'all_open_payment_events' : 'all_open_payment_events_before',
    merge: {
      order: [
        ['at_ms', 'down'],
        ['hash', 'down'],
      ],
      limit: 1,
    },
    text: `-- every lane: operators see those of all accounts.
           select e.lane, e.account_id, a.name, a.livemode, e.id, e.type, e.status, e.reason, e.contract_id, e.body, e.tries,
                  ${ms('e.at')} as at_ms, md5(e.id) as hash
             from payment_events e join accounts a on a.lane = e.lane and a.account_id = e.account_id
            where e.status in ('unmatched', 'needs_review') ${where}
            order by ${ms('e.at')} desc, md5(e.id) desc
            limit $1`,
    values: before === null ? [limit + 1] : [limit + 1, before.atMs, before.hash],
  }
}

/** One event that no contract fits, or that needs review. */
export function findOpenEvent({ lane, accountId }: AccountKey, id: string): Statement {
  return {
    name: 'open_payment_event',
    text: `select e.id, e.type, e.body, e.body_hash, e.allowed_channels
             from payment_events e
            where e.lane = $1 and e.account_id = $2 and e.id = $3 and e.status in ('unmatched', 'needs_review')`,
    values: [lane, accountId, id],
  }
}

/** An event that waits: for a contract that fits it, or for review. */
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
