// The one HTTP client for the world outside: one deadline over the whole exchange, a cap on what is read, no redirects,
// no hidden retries, no unpacking, no proxy of the environment. It separates "no byte was written" from every other
// doubt, connects where its guard admits, and knows nothing about who is called.
import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { type AddressGuard, portOf, urlOf } from './addresses.ts'

const CONNECT_TIMEOUT_MS = 3_000
const REPLY_BYTES_MAX = 1 << 20
const CONNECTIONS_PER_ORIGIN = 64
/** A guarded client keeps a connector a port, for its TLS sessions; callers name the ports. */
const CONNECTORS_MAX = 64

export type OutboundRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
  /** From the call, looking the name up included, to the last byte of the reply. */
  readonly timeoutMs: number
  /** Of a longer body only so much is read. Without it, one over the client's cap ends as no_answer. */
  readonly bodyBytesMax?: number
}

export type OutboundReply =
  /** Any status: a redirect is a reply like another, and is not followed. */
  | {
      readonly kind: 'response'
      readonly status: number
      /** Names in lower case; the values of a repeated one joined by ", ". */
      readonly headers: Readonly<Record<string, string>>
      /** As it was sent: what is packed stays packed. */
      readonly body: Buffer
      /** There was more of the body than was to be read. */
      readonly truncated: boolean
    }
  /** No connection came about (name, refusal, TLS, connect timeout): the other side got no byte of the request. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Sent, or perhaps sent, and no whole reply: what the other side did is unknown. */
  | { readonly kind: 'no_answer'; readonly reason: string }

export type Outbound = {
  /**
   * Never throws for what the network or the other side does. Without a guard the URLs are ours, and one that is none
   * throws; with it they are a caller's, and one that the guard refuses is not_sent, address_refused.
   */
  request(ask: OutboundRequest): Promise<OutboundReply>
  /** Waits for nothing: what is under way ends as no_answer. */
  close(): Promise<void>
}

const ADDRESS_REFUSED = 'address_refused'
/** The reason of no_answer where the reply was over the client's cap: the same request would be answered with as much again. */
export const REPLY_TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

export type OutboundOptions = {
  readonly guard?: AddressGuard
  readonly connectionsPerOrigin?: number
  /** The cap of a reply's body; 1 MiB by default. */
  readonly replyBytesMax?: number
}

/** Opens the client with its pool of connections. A pooled connection is reused without checking its address again. */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const { guard, connectionsPerOrigin = CONNECTIONS_PER_ORIGIN, replyBytesMax = REPLY_BYTES_MAX } = options
  // Only a fault of the connector itself proves that nothing was written: a reset has the same code before and after.
  const connectFaults = new WeakSet<Error>()
  const connect = guard ? guardedConnector(guard) : buildConnector({ timeout: CONNECT_TIMEOUT_MS })
  const agent = new Agent({
    connect: markingConnector(connect, connectFaults),
    connections: connectionsPerOrigin,
    pipelining: 1,
    maxResponseSize: replyBytesMax,
    // The deadline of each request covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async request(ask) {
      if (guard && guard.faultOfUrl(ask.url) !== null) return { kind: 'not_sent', reason: ADDRESS_REFUSED }
      if (!urlOf(ask.url)) throw new Error('an outbound request needs a whole URL')
      return withinDeadline(ask.timeoutMs, (signal) => exchange(agent, connectFaults, ask, signal))
    },
    close: () => agent.destroy(),
  }
}

function markingConnector(connect: buildConnector.connector, connectFaults: WeakSet<Error>): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0]) connectFaults.add(result[0])
      callback(...result)
    })
}

/** Connects to the very addresses that were judged: there is no second look-up between the check and the connection. */
function guardedConnector(guard: AddressGuard): buildConnector.connector {
  const connectors = new LRUCache<string, buildConnector.connector, readonly [protocol: string, port: number]>({
    max: CONNECTORS_MAX,
    memoMethod: (_way, _before, { context }) =>
      buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(guard, ...context) }),
  })
  return (options, callback) => {
    const { hostname, protocol } = options
    const port = portOf(options)
    // An address in the URL itself is never looked up.
    if (isIP(hostname) !== 0 && !guard.admits(hostname, port, protocol)) {
      queueMicrotask(() => callback(faultWith(ADDRESS_REFUSED), null))
      return
    }
    const connect = connectors.memo(`${protocol}${port}`, { context: [protocol, port] })
    connect(options, (...result) => {
      const peer = result[1]?.remoteAddress
      if (!result[1] || (peer !== undefined && guard.admits(peer, port, protocol))) return callback(...result)
      result[1].destroy()
      callback(faultWith(peer === undefined ? 'ECONNRESET' : ADDRESS_REFUSED), null)
    })
  }
}

/** One address that is not admitted spoils the whole answer: it may be the one that is tried first. */
function guardedLookup(guard: AddressGuard, protocol: string, port: number): LookupFunction {
  return (hostname, options, callback) => {
    const answered = (addresses: readonly string[]) => {
      const [first] = addresses
      if (first === undefined) return callback(faultWith('ENOTFOUND'), '')
      if (!addresses.every((address) => guard.admits(address, port, protocol)))
        return callback(faultWith(ADDRESS_REFUSED), '')
      if (!options.all) return callback(null, first, isIP(first))
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      )
    }
    guard.lookup(hostname).then(answered, (fault: unknown) => callback(faultWith(reasonOf(fault)), ''))
  }
}

function faultWith(code: string): Error {
  return Object.assign(new Error('no connection'), { code })
}

/** undici itself obeys a signal only once a connection is there, so the deadline is raced against. */
async function withinDeadline(
  timeoutMs: number,
  exchanged: (signal: AbortSignal) => Promise<OutboundReply>,
): Promise<OutboundReply> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<OutboundReply>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'no_answer', reason: 'timeout' })
      // A request that still waits for a connection is dropped unwritten.
      stop.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([exchanged(stop.signal), deadline])
  } finally {
    clearTimeout(timer)
  }
}

async function exchange(
  agent: Agent,
  connectFaults: WeakSet<Error>,
  ask: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> {
  const { method, body } = ask
  const headers = inPlainBytes(ask.headers)
  try {
    const response = await request(ask.url, { dispatcher: agent, method, headers, body, signal })
    const read = await bodyOf(response.body, ask.bodyBytesMax ?? Number.POSITIVE_INFINITY)
    return { kind: 'response', status: response.statusCode, headers: joined(response.headers), ...read }
  } catch (fault) {
    const wasNotSent = fault instanceof Error && connectFaults.has(fault)
    return { kind: wasNotSent ? 'not_sent' : 'no_answer', reason: reasonOf(fault) }
  }
}

/** The code of a fault where it has one: its text may hold addresses. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown fault'
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : fault.name
}

/** Requests an uncompressed reply, so that the cap counts what will be read. */
function inPlainBytes(headers: OutboundRequest['headers']): OutboundRequest['headers'] {
  const isSaid = Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding')
  return isSaid ? headers : { ...headers, 'accept-encoding': 'identity' }
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  )
}

/** Reads up to so many bytes, and drops the connection where there are more. */
function bodyOf(
  stream: Dispatcher.ResponseData['body'],
  bytesMax: number,
): Promise<{ readonly body: Buffer; readonly truncated: boolean }> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0)
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      const wanted = Math.min(bytes + chunk.length, bytesMax)
      const isLonger = bytes + chunk.length > bytesMax
      // Copied, for the view of a one-byte chunk weighs a hundred bytes and keeps the whole packet that it came in.
      if (wanted > held.length) held = widened(held, wanted)
      chunk.copy(held, bytes, 0, wanted - bytes)
      bytes = wanted
      if (!isLonger) return
      resolve({ body: held.subarray(0, bytes), truncated: true })
      stream.destroy()
    })
    stream.on('end', () => resolve({ body: held.subarray(0, bytes), truncated: false }))
    stream.on('error', reject)
  })
}

function widened(held: Buffer, bytesNeeded: number): Buffer {
  const wider = Buffer.allocUnsafe(Math.max(bytesNeeded, 2 * held.length))
  held.copy(wider)
  return wider
}
