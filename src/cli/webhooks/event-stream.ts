// The gateway's events as they happen, for commands: one stream that outlives its connections, without a gap and without
// a repetition. Knows how to come back; what is done with an event is the commands' business.
import type { EventType } from '../../../sdk/src/index.ts'
import { failureOf, gatewayAt } from '../client.ts'
import { note } from '../output.ts'
import type { Place } from '../place.ts'

export type StreamedEvent = {
  readonly id: string
  readonly type: string
  /** The very bytes that a webhook of the event has as its body. */
  readonly body: string
}

export type StreamOptions = {
  readonly place: Place
  /** Only these types; null for all. */
  readonly types: readonly string[] | null
  /** Begins after this event; null begins with what happens from now on. */
  readonly after: string | null
  readonly stop: AbortSignal
  /** Called each time the stream is open. */
  readonly opened: () => void
  /** Called when the connection is lost, with how long it waits before it comes back. */
  readonly lost: (waitMs: number) => void
}

/** Ends when `stop` is aborted. Throws a failure when there is nothing to come back to. */
export async function* streamEvents(options: StreamOptions): AsyncGenerator<StreamedEvent> {
  const { place, types, after, stop, opened, lost } = options
  const messages = gatewayAt(place).events.messages({
    types: (types ?? undefined) as readonly EventType[] | undefined,
    after: after ?? undefined,
    signal: stop,
    onOpen: opened,
    onLost: lost,
  })
  try {
    for await (const { id, type, data } of messages) yield { id, type, body: data }
  } catch (fault) {
    throw failureOf('GET /events/stream', place, fault)
  }
}

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process where it stands. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

export const noteLost = (waitMs: number) =>
  note(`The stream ended; it is opened again in ${Math.round(waitMs / 1000)} s.`)
