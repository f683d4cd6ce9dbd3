// The one HTTP client for the world outside: one deadline over the whole exchange, a cap on what is read, no redirects,
// no hidden retries. It tells "no byte was written" from every other doubt, and knows nothing about who is called.
import { Agent, buildConnector, request } from 'undici'

const CONNECT_TIMEOUT_MS = 3_000
const RESPONSE_BYTES_MAX = 1 << 20
const CONNECTIONS_PER_ORIGIN = 64

export type OutboundRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
  /** From the call to the last byte of the reply. */
  readonly timeoutMs: number
}

export type OutboundReply =
  /** Any status: a redirect is a reply like another, and is not followed. */
  | { readonly kind: 'response'; readonly status: number; readonly body: Buffer }
  /** No connection came about (name, refusal, TLS, connect timeout): the other side got no byte of the request. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Sent, or perhaps sent, and no whole reply: nobody knows what the other side did. */
  | { readonly kind: 'no_answer'; readonly reason: string }

export type Outbound = {
  /** Never throws for what the network or the other side does; a URL that is none is our fault, and throws. */
  request(ask: OutboundRequest): Promise<OutboundReply>
  /** Waits for nothing: what is under way ends as no_answer. */
  close(): Promise<void>
}

/** Opens the client with its pool of connections. */
export function openOutbound(): Outbound {
  // Only a fault of the connector itself proves that nothing was written: a reset has the same code before and after.
  const connectFaults = new WeakSet<Error>()
  const agent = new Agent({
    connect: markingConnector(connectFaults),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    maxResponseSize: RESPONSE_BYTES_MAX,
    // The deadline of each request covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async request(ask) {
      if (!URL.canParse(ask.url)) throw new Error('an outbound request needs a whole URL')
      return withinDeadline(ask.timeoutMs, (signal) => exchange(agent, connectFaults, ask, signal))
    },
    close: () => agent.destroy(),
  }
}

function markingConnector(connectFaults: WeakSet<Error>): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS })
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0]) connectFaults.add(result[0])
      callback(...result)
    })
}

/** undici itself heeds a signal only once a connection is there, so the deadline is raced against. */
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
  const { method, headers, body } = ask
  try {
    const response = await request(ask.url, { dispatcher: agent, method, headers, body, signal })
    return { kind: 'response', status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) }
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
