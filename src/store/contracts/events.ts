// Events: the rows of an account's history that have one, in the order of commit. Those of contracts are versions of them,
// the others stand for themselves. Positions are given out under the account's lock, so that nothing turns up behind a reader
// later.
import { forRows, ms } from '../../platform/columns.ts'
import type { AccountEventType, AccountObject, AnyEventType, FoundEvent } from '../../domain/account/events.ts'
import type { EpochChange } from '../../domain/contract/refusals.ts'
import type { EventType } from '../../domain/transfer/moves.ts'
import type { DeliveryStatus } from '../../domain/webhook/delivery.ts'
import type { EventDelivery } from '../../domain/webhook/shown.ts'
import { eventId, type EventName, FIRST_EPOCH } from '../../domain/contract/ids.ts'
import { type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { OWNER } from '../columns.ts'
import { contractFrom } from './contracts.ts'
import { hasLeft, isRemoved, standingDocument } from './removed.ts'

/** In which epoch of the books a step `h` of the history was taken; `inLane` says of which lane the rows `p` are. */
export const epochOf = (inLane = 'p.lane = $1'): string => `(select max(p.epoch) from epoch_positions p
                    where ${inLane} and p.account_id = h.account_id and p.position < h.position)`

/** Of the account's history `h`, the columns that {@link storedEventFrom} reads beside the document. */
export const eventColumns = (inLane?: string): string =>
  `h.contract_id as id, h.event, h.sequence, h.is_contract, h.subject, ${ms('h.at')} as event_at, ${epochOf(inLane)} as epoch`
const EVENT_COLUMNS = eventColumns()

/**
 * The steps of contracts alone, as `account_steps` has them. Where a condition leaves out the rest of that view for good, a
 * distributed engine does not find its way to one shard any more.
 */
export const CONTRACT_STEPS = `(select v.lane, v.account_id, v.position, true as is_contract, v.contract_id, v.version, v.sequence, v.event,
                    v.at, v.document, null::text as subject from contract_versions v)`

/** Where the steps with this number are, and what a statement of them is called; what is no contract's has the number 1. */
const stepsWith = (sequence: number | null) =>
  sequence === null || sequence === 1
    ? { of: '', steps: 'account_steps' }
    : { of: '_of_contract', steps: CONTRACT_STEPS }

export type EventOrder = 'oldest' | 'newest'

const BEYOND = { oldest: { is: '>', order: 'asc' }, newest: { is: '<', order: 'desc' } } as const

/** Events of these types beyond a position, the oldest or the newest first, one more than the limit. */
export function listEvents(
  { lane, accountId }: AccountKey,
  first: EventOrder,
  position: number,
  types: readonly AnyEventType[],
  limit: number,
): Statement {
  const { is, order } = BEYOND[first]
  return {
    name: `list_events_${first}`,
    text: `select h.lane, h.account_id, ${EVENT_COLUMNS}, h.document
             from account_steps h
            where h.lane = $1 and h.account_id = $2 and h.position ${is} $3 and h.event = any($4::text[])
            order by h.position ${order}
            limit $5`,
    values: [lane, accountId, position, textArray(types), limit + 1],
  }
}

/** The epoch of a step of the history: without one it is of the first. */
export const epochIn = (row: Row): number => (row['epoch'] as number | null) ?? FIRST_EPOCH

export function storedEventFrom(row: Row): FoundEvent {
  const id = row['id'] as string
  const epoch = epochIn(row)
  if (hasLeft(row)) {
    const { kind = 'transfer' } = row['document'] as { readonly kind?: 'payment' }
    const [event, at] = [row['event'] as EventType, row['event_at'] as number]
    return { hasLeft: true, contractId: id, kind, event, sequence: row['sequence'] as number, epoch, at }
  }
  if (row['is_contract'] === false)
    return {
      contract: null,
      id,
      epoch,
      event: row['event'] as AccountEventType,
      subject: row['subject'] as string,
      at: row['event_at'] as number,
      object: row['document'] as AccountObject,
    }
  const key = { lane: row['lane'] as number, accountId: row['account_id'] as string, id }
  return { contract: contractFrom(key, row['document']), event: row['event'] as EventType, epoch }
}

/** A step of an account's history; without its event where there is none, or of a type that was not requested. */
export type Step = { readonly position: number; readonly event: FoundEvent | null }

/**
 * The next steps after a position, all of them, so that a reader comes past what it does not want. The documents of
 * other types than these are not fetched.
 */
export function listSteps(
  { lane, accountId }: AccountKey,
  afterPosition: number,
  types: readonly AnyEventType[],
  limit: number,
): Statement {
  return {
    name: 'list_steps',
    text: `select h.lane, h.account_id, h.position, ${EVENT_COLUMNS},
                  case when h.event = any($4::text[]) then h.document end as document
             from account_steps h
            where h.lane = $1 and h.account_id = $2 and h.position > $3
            order by h.position
            limit $5`,
    values: [lane, accountId, afterPosition, textArray(types), limit],
  }
}

export function stepFrom(row: Row): Step {
  return { position: Number(row['position']), event: row['document'] === null ? null : storedEventFrom(row) }
}

/** The first event of these types after a position whose document has left. */
export function firstRemoved(
  { lane, accountId }: AccountKey,
  afterPosition: number,
  types: readonly AnyEventType[],
): Statement {
  return {
    name: 'first_removed_event',
    text: `select v.position
             from document_removals r
             join contract_versions v on v.lane = $1 and v.account_id = r.account_id
            where r.lane = $1 and r.account_id = $2 and v.position > $3 and v.position <= r.removed_to
              and v.event = any($4::text[]) and ${isRemoved('v')}
            order by v.position
            limit 1`,
    values: [lane, accountId, afterPosition, textArray(types)],
  }
}

/** How far the histories of accounts have come. */
export const accountPositions = forRows(
  'account_positions',
  OWNER,
  (keys) => `select a.account_id, a.position
     from ${keys}
     join accounts a on a.lane = x.lane and a.account_id = x.account_id
    where $lane(a)`,
)

/** The account's newest event and where it stands; none in an account where nothing has happened. */
export function newestEvent({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'newest_event',
    text: `select h.position, h.contract_id as id, h.sequence, ${epochOf()} as epoch
             from account_steps h
            where h.lane = $1 and h.account_id = $2 and h.event is not null
            order by h.position desc
            limit 1`,
    values: [lane, accountId],
  }
}

/** One event by its name, with the position where it stands in the account's history. */
export function findEvent({ lane, accountId }: AccountKey, { contractId, sequence, epoch }: EventName): Statement {
  const { of, steps } = stepsWith(sequence)
  return {
    name: `find_event${of}`,
    text: `select h.lane, h.account_id, h.position, ${EVENT_COLUMNS}, h.document
             from ${steps} h
            where h.lane = $1 and h.account_id = $2 and h.contract_id = $3 and h.sequence = $4 and h.version > 0
              and coalesce(${epochOf()}, ${FIRST_EPOCH}) = $5`,
    values: [lane, accountId, contractId, sequence, epoch],
  }
}

/**
 * How far the history of an earlier epoch still stands: when its last step was taken, and its newest event. No row where the
 * account knows no epoch after that one.
 */
export function cutOf({ lane, accountId }: AccountKey, epoch: number): Statement {
  return {
    name: 'cut_of_epoch',
    text: `select c.position, h.contract_id as id, h.sequence, ${epochOf()} as epoch, ${ms('t.at')} as undone_after,
                  (select max(p.epoch) from epoch_positions p where p.lane = $1 and p.account_id = $2) as newest
             from (select p.position from epoch_positions p
                    where p.lane = $1 and p.account_id = $2 and p.epoch > $3 order by p.epoch limit 1) c
             left join account_steps t on t.lane = $1 and t.account_id = $2 and t.position = c.position
             left join lateral (
                    select e.* from account_steps e
                     where e.lane = $1 and e.account_id = $2 and e.position <= c.position and e.event is not null
                     order by e.position desc limit 1) h on true`,
    values: [lane, accountId, epoch],
  }
}

/** What a reader is told whose place was undone, and the position from which it goes on. */
export function cutFrom(row: Row): EpochChange & { readonly position: number } {
  const id = row['id'] as string | null
  return {
    position: Number(row['position']),
    epoch: row['newest'] as number,
    resumeAfter: id === null ? null : eventId(id, row['sequence'] as number, epochIn(row)),
    undoneAfter: row['undone_after'] as number | null,
  }
}

/** The contract whose version stands at a position of the account's history; as it stands where that has left. */
export function contractAt({ lane, accountId }: AccountKey, position: number): Statement {
  return {
    name: 'contract_at',
    text: `select h.lane, h.account_id, h.contract_id as id, ${standingDocument('h')} as document, ${epochOf()} as epoch
             from ${CONTRACT_STEPS} h
            where h.lane = $1 and h.account_id = $2 and h.position = $3`,
    values: [lane, accountId, position],
  }
}

/** Which events a search asks for: by the id of their contract or their own, and by their number where it is given. */
export type EventRange = { readonly first: string; readonly last: string; readonly sequence: number | null }

/** Events of these types in a range, newest first, before one of them. */
export function eventsInRange(
  { lane, accountId }: AccountKey,
  { first, last, sequence }: EventRange,
  types: readonly AnyEventType[],
  before: { readonly id: string; readonly sequence: number },
  limit: number,
): Statement {
  const { of, steps } = stepsWith(sequence)
  return {
    name: `events_in_range${of}`,
    text: `select h.lane, h.account_id, ${EVENT_COLUMNS}, h.document
             from ${steps} h
            where h.lane = $1 and h.account_id = $2 and h.contract_id between $3 and $4 and h.version > 0
              and h.event = any($5::text[]) and ($6::int is null or h.sequence = $6)
              and (h.contract_id, h.sequence) < ($7::uuid, $8::int)
            order by h.contract_id desc, h.sequence desc
            limit $9`,
    values: [lane, accountId, first, last, textArray(types), sequence, before.id, before.sequence, limit],
  }
}

/** The deliveries of one event to the account's endpoints, newest first. */
export function listDeliveriesOfEvent(
  { lane, accountId }: AccountKey,
  contractId: string,
  sequence: number,
  limit: number,
): Statement {
  const { of, steps } = stepsWith(sequence)
  return {
    name: `list_deliveries_of_event${of}`,
    text: `select d.position, d.endpoint_id, d.status, d.replay, d.tries, ${ms('d.due_at')} as due_at,
                  ${ms('d.created_at')} as created_at, ${ms('d.updated_at')} as updated_at, ${epochOf()} as epoch
             from ${steps} h
             join webhook_endpoints e on e.lane = $1 and e.account_id = h.account_id and e.status <> 'deleted'
             join deliveries d on d.lane = $1 and d.account_id = e.account_id and d.endpoint_id = e.id
              and d.position = h.position
            where h.lane = $1 and h.account_id = $2 and h.contract_id = $3 and h.sequence = $4 and h.version > 0
            order by d.created_at desc, d.endpoint_id, d.replay desc
            limit $5`,
    values: [lane, accountId, contractId, sequence, limit],
  }
}

export function eventDeliveryFrom(row: Row): EventDelivery {
  return {
    position: Number(row['position']),
    epoch: epochIn(row),
    endpointId: row['endpoint_id'] as string,
    status: row['status'] as DeliveryStatus,
    replay: row['replay'] as number,
    tries: row['tries'] as number,
    dueAt: row['due_at'] as number | null,
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
  }
}
