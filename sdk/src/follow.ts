// What a stream of the gateway tells, as it happens: one stream that outlives its connections, without a gap and without a
// repetition. Knows how to come back; what is done with a message is the callers' business.
import { GatewayError } from './errors.ts'
import { rest } from './rests.ts'
import { openSseParser, type ServerMessage, type SseParser } from './sse.ts'
import type { Call, Query, Transport } from './transport.ts'

export type StreamOptions = {
  /** Ends it: the loop is over, without an error. */
  readonly signal?: AbortSignal | undefined
  /** Told each time the stream is open. */
  readonly onOpen?: (() => void) | undefined
  /** Told when the connection is lost, and how long it waits before it comes back. */
  readonly onLost?: ((waitMs: number) => void) | undefined
}

/** The gateway was restored from a backup: what was told later than this was undone, and is to be read again. */
export type EpochChange = {
  readonly epoch: number
  /** The newest event that still stands, after which the stream goes on; null is the beginning. */
  readonly resume_after: string | null
  readonly undone_after: string | null
}

export type FollowOptions = StreamOptions & {
  /** Begins after the event with this id. By default with what happens from now on. */
  readonly after?: string | undefined
  /** Only these types. */
  readonly types?: readonly string[] | undefined
  /** Told when a restore has undone what the stream was at; it goes on by itself. */
  readonly onEpochChanged?: ((change: EpochChange) => void) | undefined
}

/** A stream of the gateway. */
type Feed = {
  readonly path: string
  /** How it is asked to go on after the message with this id; empty begins with what happens from now on. */
  readonly from: (lastId: string) => Pick<Call, 'query' | 'headers'>
  /** Tells what came since a stream that began before anything had an id; null where nothing can. */
  readonly missed: ((position: Position) => AsyncGenerator<ServerMessage>) | null
}

/** The account's events. */
export const followEvents = (transport: Transport, options: FollowOptions = {}) => {
  const types = options.types?.length ? options.types : undefined
  return followMessages(transport, options, {
    path: '/events/stream',
    // In the query and not as Last-Event-ID: a page of another origin may not send that header.
    from: (lastId) => ({ query: { after: lastId || undefined, types } }),
    missed: (position) => missed(transport, options, position),
  })
}

/** What another stream tells. Between two connections it tells as much as the gateway still knows. */
export const followStream = (transport: Transport, path: string, query: Query, options: StreamOptions) =>
  followMessages(transport, options, {
    path,
    from: (lastId) => (lastId === '' ? { query } : { query, headers: { 'last-event-id': lastId } }),
    missed: null,
  })

// The gateway says something each 15 s, be it a comment.
const SILENCE_MS = 40_000
const RETRY_MS = 2000
const RETRY_MAX_MS = 30_000

/** Ends when the signal is aborted. Throws {@link GatewayError} for what would be refused again, and at a first failure. */
async function* followMessages(
  transport: Transport,
  options: StreamOptions & Pick<FollowOptions, 'after' | 'onEpochChanged'>,
  feed: Feed,
): AsyncGenerator<ServerMessage, void> {
  const { after, signal, onLost } = options
  const position: Position = { lastId: after ?? '', isBehindNothing: false, wasOpen: false, failures: 0 }
  let retryMs = RETRY_MS
  for (; ; position.failures += 1) {
    const parser = openSseParser(position.lastId)
    const stop = linkedTo(signal)
    try {
      const body = await opened(transport, feed, position, stop.signal)
      if ((yield* heard(body, parser, position, feed, options)) === 'began too late') continue
    } catch (fault) {
      if (signal?.aborted) return
      // A connection that breaks is no GatewayError: the gateway was there, and may be again.
      if (fault instanceof GatewayError && !(position.wasOpen && fault.mayPass)) throw fault
    } finally {
      // Also where the reader has had enough.
      stop.abort()
    }
    if (signal?.aborted) return
    retryMs = parser.retryMs() ?? retryMs
    // Not all at once, where a gateway that many follow starts again.
    const waitMs = Math.min(retryMs * 2 ** position.failures, RETRY_MAX_MS) * (0.75 + Math.random() / 4)
    onLost?.(waitMs)
    await rest(waitMs, signal)
    if (signal?.aborted) return
  }
}

/**
 * What one connection tells. Where nothing named where it goes on, it begins after events that came since and that nobody was told of:
 * they are told from the list, and another connection goes on after them.
 */
async function* heard(
  body: ReadableStream<Uint8Array>,
  parser: SseParser,
  position: Position,
  feed: Feed,
  { onOpen, onEpochChanged }: Pick<FollowOptions, 'onOpen' | 'onEpochChanged'>,
): AsyncGenerator<ServerMessage, 'to its end' | 'began too late'> {
  for await (const chunk of chunksOf(body)) {
    const wasBegun = parser.isBegun()
    const messages = parser.take(chunk)
    if (!parser.isBegun()) continue
    if (!wasBegun) {
      // Asked for only now: whatever the stream has begun after is in the list by then.
      if (position.isBehindNothing && parser.lastId() !== '' && feed.missed) {
        yield* feed.missed(position)
        if (!position.isBehindNothing) return 'began too late'
      }
      position.wasOpen = true
      position.failures = 0
      onOpen?.()
    }
    yield* given(messages, position, onEpochChanged)
    position.lastId = parser.lastId()
    position.isBehindNothing = position.lastId === ''
  }
  return 'to its end'
}

type Position = {
  lastId: string
  /** The stream began before the account's first event, so that nothing names where it goes on. */
  isBehindNothing: boolean
  wasOpen: boolean
  /** How often it did not open since it last did. */
  failures: number
}

function linkedTo(signal: AbortSignal | undefined) {
  const stop = new AbortController()
  const end = () => stop.abort(signal?.reason)
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  return {
    signal: stop.signal,
    abort: () => {
      signal?.removeEventListener('abort', end)
      stop.abort()
    },
  }
}

async function opened(
  transport: Transport,
  { path, from }: Feed,
  position: Position,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { query, headers } = from(position.lastId)
  const retriesMax = position.wasOpen ? 0 : undefined
  const accepting = { accept: 'text/event-stream', ...headers }
  const reply = await transport.open({ method: 'GET', path, query, headers: accepting, retriesMax, signal })
  if (reply.body === null || !reply.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new GatewayError(`GET ${path} gave no stream. Check url (${transport.url}).`, {
      code: 'not_a_gateway',
    })
  return reply.body
}

/** Each position is noted before its event is given away: who goes on after it gets it no second time. */
function* given(
  messages: readonly ServerMessage[],
  position: Position,
  onEpochChanged: FollowOptions['onEpochChanged'],
): Generator<ServerMessage> {
  for (const message of messages) {
    position.lastId = message.id
    if (message.type === 'epoch_changed') onEpochChanged?.(JSON.parse(message.data) as EpochChange)
    else yield message
  }
}

/** The account had no event when the stream began, so all there are came since. */
async function* missed(
  transport: Transport,
  { types, signal }: FollowOptions,
  position: Position,
): AsyncGenerator<ServerMessage> {
  for (;;) {
    const query = { after: position.lastId || undefined, limit: 100 }
    const reply = await transport.call({ method: 'GET', path: '/events', query, signal, retriesMax: 0 })
    const { events } = (reply as { data: { events: readonly { id: string; type: string }[] } }).data
    if (events.length === 0) return
    for (const event of events) {
      position.lastId = event.id
      position.isBehindNothing = false
      if (!types?.length || types.includes(event.type))
        yield { id: event.id, type: event.type, data: JSON.stringify(event) }
    }
  }
}

/** Text as it comes. A stream that says nothing for too long is dead, and so is one that nobody reads any more. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader)
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

async function withinSilence(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayError('The stream has gone silent.', { code: 'timeout' })), SILENCE_MS)
  })
  return Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer))
}
