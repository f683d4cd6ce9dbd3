// Events: the feed, and one event with what became of it at each webhook endpoint.
import type { Access } from '../auth/auth.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import { idOfEvent, readableTypes } from '../../domain/account/events.ts'
import { contractOfEvent, eventId, type EventName } from '../../domain/contract/ids.ts'
import { type EpochChange, refuse } from '../../domain/contract/refusals.ts'
import type { Row } from '../../platform/db.ts'
import {
  cutFrom,
  cutOf,
  eventDeliveryFrom,
  findEvent,
  listDeliveriesOfEvent,
  listEvents,
  storedEventFrom,
} from '../../store/contracts/events.ts'
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
    { refusals: ['epoch_changed'] },
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
    const page = pageOf((result?.rows ?? []).map(storedEventFrom), limit, idOfEvent)
    const events = page.rows.map((event) => presentStoredEvent(presenter, event, caller.profileId))
    return succeed(reply, 200, 'Events found.', { events, next: page.next })
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
    { refusals: ['event_not_found'] },
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
    return succeed(reply, 200, 'Event found.', {
      event: presentStoredEvent(presenter, event, caller.profileId),
      deliveries: (delivered?.rows ?? [])
        .map(eventDeliveryFrom)
        .map((each) => presentEventDelivery(each, caller.livemode)),
    })
  })
}

const UNDONE = ' If it had one, it was undone when the gateway was restored from a backup: read what it was about.'

function eventNotFound(why = ''): RefusedRequest {
  return new RefusedRequest(refuse('event_not_found', 'id', `No event has this id.${why}`))
}
