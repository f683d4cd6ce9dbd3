// Events: the feed, and one event with what became of it at each webhook endpoint.
import type { Access } from '../auth/auth.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import { type FoundEvent, idOfEvent, isThere, readableTypes, type StoredEvent } from '../../domain/account/events.ts'
import { contractOfEvent, eventId, type EventName } from '../../domain/contract/ids.ts'
import { type EpochChange, refuse } from '../../domain/contract/refusals.ts'
import type { Row } from '../../platform/db.ts'
import {
  cutFrom,
  cutOf,
  epochIn,
  eventDeliveryFrom,
  type EventOrder,
  findEvent,
  listDeliveriesOfEvent,
  listEvents,
  storedEventFrom,
} from '../../store/contracts/events.ts'
import { removalOf } from '../../store/contracts/removed.ts'
import { callerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { RefusedRequest } from '../errors.ts'
import {
  EventParams,
  EventReply,
  EventsQuery,
  EventsReply,
  presentEventDelivery,
  presentStoredEvent,
} from '../../wire/events.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'

const READ: Access = { accepts: 'api key', scope: 'events:read' }

export function eventRoutes(context: Context): void {
  eventList(context)
  eventRoute(context)
}

/** Where each order begins. */
const END = { oldest: 0, newest: Number.MAX_SAFE_INTEGER } as const

function eventList(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'events.list',
    'The feed of events, oldest first, without gaps',
    'Events',
    { querystring: EventsQuery, reply: EventsReply },
    READ,
    { refusals: ['epoch_changed', 'events_removed'] },
  )
  const parse = queryParserOf(EventsQuery)
  app.get('/events', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const query = parse(request.query)
    const limit = limitOf(query)
    const { order = 'oldest', types = readableTypes(caller.scopes) } = query
    const readable = readableTypes(caller.scopes).filter((type) => types.includes(type))
    const from = query.after === undefined ? END[order] : await positionAfter(context, caller, query.after)
    const [result] = await deps.reader.send([listEvents(caller, order, from, readable, limit)])
    const found = (result?.rows ?? []).map(storedEventFrom)
    const page = pageOf(found, limit, idOfEvent)
    const events = storedBefore(page.rows)
    if (events.length === 0 && page.rows.length > 0) throw await eventsRemoved(context, caller, 'after', order)
    // The next page is refused: the events before those that have left were all told.
    const last = events.length < page.rows.length ? events.at(-1) : undefined
    return succeed(reply, 200, 'Events found.', {
      events: events.map((event) => presentStoredEvent(presenter, event, caller.profileId)),
      next: last ? idOfEvent(last) : page.next,
    })
  })
}

/** The events up to the first whose document has left. */
function storedBefore(found: readonly FoundEvent[]): StoredEvent[] {
  const left = found.findIndex((event) => !isThere(event))
  return found.slice(0, left < 0 ? undefined : left).filter(isThere)
}

/** Why a reader of the feed does not come past events that have left, and where it goes on. */
export async function eventsRemoved(
  { deps }: Context,
  caller: Caller,
  param: string,
  order: EventOrder,
): Promise<RefusedRequest> {
  const [result] = await deps.reader.send([removalOf(caller)])
  const row = result?.rows[0]
  const id = row?.['id'] as string | null | undefined
  const isOldest = order === 'oldest'
  const what = 'The next events happened so long ago that what they told has left the gateway.'
  const fix = isOldest
    ? 'Read the contracts of then as they stand, and go on from resume_after.'
    : 'Read the contracts of then as they stand.'
  const resumeAfter = row && id && isOldest ? eventId(id, row['sequence'] as number, epochIn(row)) : null
  const removedUntil = (row?.['removed_until'] as number | null | undefined) ?? null
  return new RefusedRequest({
    ...refuse('events_removed', param, `${what} ${fix}`),
    eventsRemoved: { resumeAfter, removedUntil },
  })
}

/** Where a reader goes on: its place, and what was undone of what it has read, if anything was. */
export type Resumed = { readonly position: number; readonly undone: EpochChange | null }

/**
 * Where in the caller's history the named event stands. An event of an epoch before a restore may have been undone with it: then
 * where the epoch was cut off. What names none of the caller's events is refused.
 */
export async function resumedAfter({ deps }: Context, caller: Caller, after: string): Promise<Resumed> {
  const named = namedEvent(after)
  if (!named) throw badCursor()
  const [found, cut] = await deps.reader.send([findEvent(caller, named), cutOf(caller, named.epoch)])
  const row = found?.rows[0]
  if (row) return { position: Number(row['position']), undone: null }
  const undone = cut?.rows[0]
  if (!undone) throw badCursor()
  const { position, ...change } = cutFrom(undone)
  return { position, undone: change }
}

async function positionAfter(context: Context, caller: Caller, after: string): Promise<number> {
  const { position, undone } = await resumedAfter(context, caller, after)
  if (undone === null) return position
  const what = 'The gateway was restored from a backup, and what this cursor names was undone, or never was.'
  const fix = 'Read again what you keep, and go on from resume_after.'
  throw new RefusedRequest({ ...refuse('epoch_changed', 'after', `${what} ${fix}`), epochChange: undone })
}

/** The event that an id names; nothing for an id that we would have spelt otherwise. */
function namedEvent(id: string): EventName | undefined {
  const named = contractOfEvent(id)
  return named && eventId(named.contractId, named.sequence, named.epoch) === id ? named : undefined
}

const DELIVERIES_MAX = 100

function eventRoute(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'events.get',
    'Get an event, with its newest deliveries to webhook endpoints',
    'Events',
    { params: EventParams, reply: EventReply },
    READ,
    { refusals: ['event_not_found', 'events_removed'] },
  )
  app.get('/events/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const named = namedEvent(request.params.id)
    if (!named) throw eventNotFound()
    const { contractId, sequence } = named
    const [found, delivered, cut] = await deps.reader.send([
      findEvent(caller, named),
      listDeliveriesOfEvent(caller, contractId, sequence, DELIVERIES_MAX),
      cutOf(caller, named.epoch),
    ])
    const row: Row | undefined = found?.rows[0]
    const event = row && storedEventFrom(row)
    if (!event && cut?.rows[0]) throw eventNotFound(UNDONE)
    if (!event || !readableTypes(caller.scopes).includes(event.event)) throw eventNotFound()
    if (!isThere(event)) throw new RefusedRequest(refuse('events_removed', 'id', LEFT))
    return succeed(reply, 200, 'Event found.', {
      event: presentStoredEvent(presenter, event, caller.profileId),
      deliveries: (delivered?.rows ?? [])
        .map(eventDeliveryFrom)
        .map((each) => presentEventDelivery(each, caller.livemode)),
    })
  })
}

const LEFT =
  'The event happened so long ago that what it told has left the gateway. Read the contract as it stands, and its activities.'
const UNDONE = ' If it had one, it was undone when the gateway was restored from a backup: read what it was about.'

function eventNotFound(why = ''): RefusedRequest {
  return new RefusedRequest(refuse('event_not_found', 'id', `No event has this id.${why}`))
}
