// The gateway's events as they happen, for commands: one stream that outlives its connections, without a gap and without
// a repetition. Knows how to come back; what is done with an event is the commands' business.
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { CommandFailed } from '../failures.ts'
import { failureOf } from '../client.ts'
import type { Place } from '../place.ts'
import { noAnswer } from '../unreachable.ts'
import { openSseParser, type SseParser } from '../../../sdk/src/sse.ts'

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

const HEADERS_WITHIN_MS = 15_000
// The gateway says something each 15 s, be it a comment.
const SILENCE_MS = 40_000
const RETRY_MS = 2000
const RETRY_MAX_MS = 30_000

/** Ends when `stop` is aborted. Throws {@link CommandFailed} when there is nothing to come back to. */
export async function* streamEvents(options: StreamOptions): AsyncGenerator<StreamedEvent> {
  const { stop, lost, opened } = options
  let lastId = options.after ?? ''
  let retryMs = RETRY_MS
  let failures = 0
  let wasOpen = false
  while (!stop.aborted) {
    const parser = openSseParser(lastId)
    try {
      const body = await openBody(options, lastId)
      wasOpen = true
      failures = 0
      opened()
      yield* eventsIn(body, parser)
      failures += 1
    } catch (fault) {
      if (stop.aborted) return
      // What the gateway refuses once it refuses always; and what fails at the very first is reported, not tried again.
      if (fault instanceof CommandFailed) throw fault
      if (!wasOpen) throw causeOf(fault) ?? noAnswer(options.place.baseUrl, fault)
      failures += 1
    }
    lastId = parser.lastId()
    retryMs = parser.retryMs() ?? retryMs
    const waitMs = Math.min(retryMs * 2 ** (failures - 1), RETRY_MAX_MS)
    lost(waitMs)
    await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined)
  }
}

async function* eventsIn(body: AsyncIterable<Uint8Array>, parser: SseParser): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  for await (const chunk of body)
    for (const { id, type, data } of parser.take(decoder.decode(chunk, { stream: true })))
      yield { id, type, body: data }
}

/** The open stream, or {@link CommandFailed} with the gateway's refusal. What may pass (429, 5xx) is an ordinary fault. */
async function openBody({ place, types, stop }: StreamOptions, lastId: string): Promise<AsyncIterable<Uint8Array>> {
  const url = new URL(`${place.baseUrl}/events/stream`)
  if (types !== null) url.searchParams.set('types', types.join(','))
  const { statusCode, headers, body } = await request(url, {
    headers: {
      accept: 'text/event-stream',
      'x-api-key': place.apiKey,
      ...(lastId === '' ? {} : { 'last-event-id': lastId }),
    },
    signal: stop,
    headersTimeout: HEADERS_WITHIN_MS,
    bodyTimeout: SILENCE_MS,
  })
  if (statusCode === 200 && String(headers['content-type']).startsWith('text/event-stream')) return body
  const text = await body.text()
  const failure = failureOf('GET /events/stream', place.baseUrl, statusCode, text)
  throw statusCode === 429 || statusCode >= 500 ? new Error(`HTTP ${statusCode}`, { cause: failure }) : failure
}

const causeOf = (fault: unknown) =>
  fault instanceof Error && fault.cause instanceof CommandFailed ? fault.cause : undefined

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process where it stands. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}
