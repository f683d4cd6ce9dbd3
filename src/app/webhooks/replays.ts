// Events once more, because their owner asks for them: by name, of a time, or those that never arrived. They are queued a
// stretch of history at a time, so that neither the endpoint nor anybody else waits for a long one.
import type { AnyEventType } from '../../domain/account/events.ts'
import type { EventName } from '../../domain/contract/ids.ts'
import { endpointNotFound, isServed, notEnabled } from '../../domain/webhook/endpoint.ts'
import type { Replay } from '../../domain/webhook/shown.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Statement } from '../../platform/db.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import {
  type FaringEndpoint,
  faringEndpointFrom,
  findEndpoint,
  lockEndpoint,
  storedEndpointFrom,
} from '../../store/webhooks/endpoints.ts'
import { lockEndpointProgress } from '../../store/webhooks/progress.ts'
import {
  eventsByName,
  eventsToReplay,
  newestReplay,
  positionAtTime,
  queueReplay,
  type ReplayedEvent,
  replayedEventFrom,
  timeOfPosition,
} from '../../store/webhooks/replays.ts'
import type { EndpointDeps } from './endpoints.ts'

/** Times are milliseconds since the epoch, inclusive; null for no bound. */
export type WantedReplay =
  | {
      readonly kind: 'named'
      readonly events: readonly EventName[]
      /** The types that whoever asks may be told of: no others are sent, whatever the endpoint hears. */
      readonly readable: readonly AnyEventType[]
    }
  | {
      readonly kind: 'stretch'
      readonly fromMs: number | null
      readonly toMs: number | null
      /** Only what was never delivered since the endpoint is there. */
      readonly which: 'all' | 'undelivered'
    }

/** What one replay queues, and how much of the history it looks through, at most. */
const EVENTS_MAX = 100_000
const LOOKED_THROUGH_MAX = 1_000_000
const STRETCH = 10_000
/** Longer than anybody waits for an account's lock: the rows of a moment stand no farther apart. */
const DISORDER_MS = 10_000

/** Queues events again. Whoever serves the endpoint is told. Each is a delivery of its own beside the earlier ones. */
export async function replayEvents(
  deps: EndpointDeps,
  key: EndpointKey,
  wanted: WantedReplay,
): Promise<Replay | Refusal> {
  const endpoint = await servedEndpoint(deps, key)
  if (isRefusal(endpoint)) return endpoint
  const replay =
    wanted.kind === 'named' ? await replayNamed(deps, key, wanted) : await replayStretch(deps, endpoint, wanted)
  if (!isRefusal(replay)) deps.webhooks.wake(key.accountId)
  return replay
}

/** The endpoint, to which something can be delivered. */
export async function servedEndpoint(
  { reader }: Pick<EndpointDeps, 'reader'>,
  key: EndpointKey,
): Promise<FaringEndpoint | Refusal> {
  const [found] = await reader.send([findEndpoint(key)])
  const row = found?.rows[0]
  if (!row) return endpointNotFound()
  const endpoint = faringEndpointFrom(row)
  return isServed(endpoint) ? endpoint : notEnabled(endpoint, 'Nothing would be delivered to it.')
}

/** Why an event is not sent again whose document has left. */
export const eventLeft = (param: string): Refusal =>
  refuse(
    'events_removed',
    param,
    'What the event told has left the gateway after its time, and is not sent again. Read its contract as it stands.',
  )

async function replayNamed(
  deps: EndpointDeps,
  key: EndpointKey,
  { events, readable }: Extract<WantedReplay, { kind: 'named' }>,
): Promise<Replay | Refusal> {
  const [result] = await deps.reader.send([eventsByName(key, events)])
  const known = (result?.rows ?? [])
    .filter((row) => readable.includes(row['event'] as AnyEventType))
    .map(replayedEventFrom)
  if (known.length < events.length)
    return refuse('event_not_found', 'events', 'Not all of these are events of the account. Nothing was queued.')
  if (known.some(({ hasLeft }) => hasLeft)) return eventLeft('events')
  const queued = await queue(deps, key, null, null, () => known)
  return isRefusal(queued) ? queued : { number: queued.number, events: known.length, nextFromMs: null }
}

async function replayStretch(
  deps: EndpointDeps,
  endpoint: FaringEndpoint,
  { fromMs, toMs, which }: Extract<WantedReplay, { kind: 'stretch' }>,
): Promise<Replay | Refusal> {
  const { after: begin, upTo: end } = await replayBounds(deps, endpoint, fromMs, toMs, which)
  let after = begin
  let number: number | null = null
  let events = 0
  do {
    const upTo = Math.min(after + STRETCH, end)
    const room = EVENTS_MAX - events
    const stretch = eventsToReplay(endpoint, { after, upTo, fromMs, toMs, which })
    const queued: Queued | Refusal = await queue(deps, endpoint, number, stretch, (found) => found.slice(0, room))
    if (isRefusal(queued)) return queued
    const { found } = queued
    if (found.length > 0) number = queued.number
    events += Math.min(found.length, room)
    const beyond = found[room]
    if (beyond) return { number: queued.number, events, nextFromMs: beyond.at }
    after = upTo
    if (after >= end) return { number: queued.number, events, nextFromMs: null }
  } while (after - begin < LOOKED_THROUGH_MAX)
  const [next] = await deps.reader.send([timeOfPosition(endpoint, after + 1)])
  return { number: number ?? 0, events, nextFromMs: next?.rows.map(replayedEventFrom)[0]?.at ?? null }
}

/**
 * Between which positions to look. What the endpoint was not tried with yet is left out: it hears that anyway. The times
 * themselves are looked at row by row.
 */
export async function replayBounds(
  { reader }: Pick<EndpointDeps, 'reader'>,
  endpoint: FaringEndpoint,
  fromMs: number | null,
  toMs: number | null,
  which: 'all' | 'undelivered',
): Promise<{ readonly after: number; readonly upTo: number }> {
  const top = endpoint.fares.position
  const least = which === 'undelivered' ? endpoint.sincePosition : 0
  const placeAt = async (atMs: number) => {
    const [result] = await reader.send([positionAtTime(endpoint, top, atMs)])
    return Number(result?.rows[0]?.['position'])
  }
  return {
    after: fromMs === null ? least : Math.max(least, (await placeAt(fromMs - DISORDER_MS)) - 1),
    upTo: toMs === null ? top : (await placeAt(toMs + DISORDER_MS)) - 1,
  }
}

type Queued = { readonly number: number; readonly found: readonly ReplayedEvent[] }

/**
 * Queues some of what a statement finds, in one transaction. The number of a replay is the one after the newest, and is
 * the replay's own from its first delivery on.
 */
async function queue(
  { webhooks }: EndpointDeps,
  key: EndpointKey,
  number: number | null,
  find: Statement | null,
  chosen: (found: readonly ReplayedEvent[]) => readonly ReplayedEvent[],
): Promise<Queued | Refusal> {
  // Nobody else gives out a number while the progress is held.
  const load = [
    lockEndpointProgress(key),
    lockEndpoint(key),
    ...(number === null ? [newestReplay(key)] : []),
    ...(find ? [find] : []),
  ]
  return webhooks.serialSession.run((session) =>
    session.transaction<Queued | Refusal>(load, ([, locked, ...rest]) => {
      const row = locked?.rows[0]
      if (!row) return { statements: [], value: endpointNotFound() }
      const endpoint = storedEndpointFrom(row)
      if (!isServed(endpoint))
        return { statements: [], value: notEnabled(endpoint, 'Nothing would be delivered to it.') }
      const own = number ?? Number(rest.shift()?.rows[0]?.['number']) + 1
      const found = (rest[0]?.rows ?? []).map(replayedEventFrom)
      const positions = chosen(found).map((event) => event.position)
      const statements = positions.length > 0 ? queueReplay(key, own, positions) : []
      return { statements, value: { number: own, found } }
    }),
  )
}
