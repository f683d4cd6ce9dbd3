// GET /events/stream: the feed as server-sent events (WHATWG HTML, 9.2). It reads pages of history after the last one it
// told and rests where there is none, so that nothing is missed and nothing told twice, whoever wrote it.
import type { Facts } from '../openapi/facts.ts'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../app/accounts/callers.ts'
import { eventId } from '../../domain/contract/ids.ts'
import {
  ALL_EVENT_TYPES,
  type AnyEventType,
  isEventType,
  isThere,
  readableTypes,
  type StoredEvent,
} from '../../domain/account/events.ts'
import { type EpochChange, invalid, isRefusal, refuseAll } from '../../domain/contract/refusals.ts'
import { epochIn, firstRemoved, listSteps, newestEvent, stepFrom } from '../../store/contracts/events.ts'
import type { Access } from '../auth/auth.ts'
import { beginStream, lastEventIdOf, sendStreamHead, tellAsItComes } from '../connections/sse.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import { eventsRemoved, resumedAfter } from './events.ts'
import type { OpenStream, OpenStreams } from './open-streams.ts'
import { EventTypeName, presentEpochChange, presentStoredEvent } from '../../wire/events.ts'
import type { Presenter } from '../../wire/transfer.ts'
import { closed } from '../../wire/shapes.ts'

const ACCESS: Access = { accepts: 'api key', scope: 'events:read' }
const PAGE_STEPS = 20

const StreamQuery = closed({
  after: Type.Optional(
    Type.String({ maxLength: 64, description: 'The id of an event: go on after it. Last-Event-ID goes before.' }),
  ),
  types: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Only these, with commas between.',
      documented: { type: 'array', items: EventTypeName, description: 'Only these, with commas between.' },
    }),
  ),
})
type StreamQuery = Static<typeof StreamQuery>

const DESCRIPTION = `Server-sent events: each with the event’s \`id\`, its type as \`event\`, and as \`data\` the very JSON that a webhook’s body has. A client that comes back with \`Last-Event-ID\` misses nothing; without it, only new events are told. Comment lines keep the connection open. Where the gateway was restored from a backup, and with it the event undone that a client names, an event \`epoch_changed\` comes first: its data is \`{"epoch", "resume_after", "undone_after"}\`, and the stream goes on after \`resume_after\`. Where events have left after the one that a client names (\`GATEWAY_EVENT_DAYS\`), it is refused with \`events_removed\`, which says where to go on.`

export function eventStreamRoute(context: Context, streams: OpenStreams): void {
  const { app } = context
  const parse = parserOf(StreamQuery)
  const shapes = { querystring: StreamQuery, reply: Type.String() }
  const facts: Facts = {
    description: DESCRIPTION,
    stream: 'text/event-stream',
    reads: ['Last-Event-ID'],
    refusals: ['too_many_streams', 'events_removed'],
  }
  const schema = described('events.stream', 'Follow the feed of events as they happen', 'Events', shapes, ACCESS, facts)
  app.get('/events/stream', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = callerOf(request)
    const query = parse(request.query)
    const types = typesOf(query.types, readableTypes(caller.scopes))
    // Whoever asks for the head alone gets no stream.
    if (request.method === 'HEAD') return sendStreamHead(reply)
    const stream = streams.open(caller, reply.raw)
    if (isRefusal(stream)) throw new RefusedRequest(stream)
    const start = await startOf(context, caller, lastEventIdOf(request) ?? query.after, types)
    stream.position = start.position
    beginStream(reply, start.eventId)
    if (start.undone) reply.raw.write(toldOfEpoch(start.undone))
    // Its faults are its own: the head is sent, so that nobody else can answer them.
    tellAsItComes(context, request, ACCESS, stream, () => nextPage(context, stream, types, caller.profileId))
      .catch((fault: unknown) => request.log.error({ err: fault, request_id: request.id }, 'an event stream broke'))
      .finally(() => stream.response.end())
    return reply
  })
}

/** Of what the caller may be told, the types that are asked for. */
function typesOf(text: string | undefined, readable: readonly AnyEventType[]): readonly AnyEventType[] {
  if (text === undefined) return readable
  const types = text.split(',')
  if (types.every(isEventType)) return types.filter((type) => readable.includes(type))
  const mend = `types must be event types with commas between: ${ALL_EVENT_TYPES.join(', ')}.`
  throw new RefusedRequest(refuseAll([invalid('types', mend)]))
}

type Start = {
  readonly position: number
  readonly eventId: string | null
  /** What a restore has undone of what the reader was told. */
  readonly undone: EpochChange | null
}

/** After the named event; else after the newest one so far, if there is one. */
async function startOf(
  context: Context,
  caller: Caller,
  after: string | undefined,
  types: readonly AnyEventType[],
): Promise<Start> {
  if (after !== undefined) {
    const { position, undone } = await resumedAfter(context, caller, after)
    const [left] = await context.deps.reader.send([firstRemoved(caller, position, types)])
    if (left?.rows[0]) throw await eventsRemoved(context, caller, 'after', 'oldest')
    return { position, undone, eventId: undone ? undone.resumeAfter : after }
  }
  const [result] = await context.deps.reader.send([newestEvent(caller)])
  const row = result?.rows[0]
  if (!row) return { position: 0, eventId: null, undone: null }
  return {
    position: Number(row['position']),
    eventId: eventId(row['id'] as string, row['sequence'] as number, epochIn(row)),
    undone: null,
  }
}

/** The next steps of the account's history, of which the stream has then been told. */
async function nextPage(
  { deps, presenter }: Context,
  stream: OpenStream,
  types: readonly AnyEventType[],
  profileId: string,
) {
  const [result] = await deps.reader.send([listSteps(stream.account, stream.position, types, PAGE_STEPS)])
  const steps = (result?.rows ?? []).map(stepFrom)
  stream.position = steps.at(-1)?.position ?? stream.position
  const found = steps.flatMap(({ event }) => event ?? [])
  // They left under a reader that is a month behind: it comes back, and is told where to go on.
  if (!found.every(isThere)) throw new Error('events have left that the stream has not told')
  return {
    text: found.map((event) => told(presenter, event, profileId)).join(''),
    hasMore: steps.length === PAGE_STEPS,
  }
}

/** Its id is that of the newest event that still stands, so that who comes back goes on from there. */
function toldOfEpoch(undone: EpochChange): string {
  return `id: ${undone.resumeAfter ?? ''}\nevent: epoch_changed\ndata: ${JSON.stringify(presentEpochChange(undone))}\n\n`
}

function told(presenter: Presenter, stored: StoredEvent, profileId: string): string {
  const event = presentStoredEvent(presenter, stored, profileId)
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
