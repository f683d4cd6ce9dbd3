// What all streams of server-sent events share (WHATWG HTML, 9.2): their head, their signs of life, and how long a reader and
// a credential are believed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAway } from '../../platform/db.ts'

/** Below the server's idle time-out, and that of most proxies. */
export const HEARTBEAT_MS = 15_000
export const HEARTBEAT = ': still here\n\n'
/** How long a credential is believed before it is looked at again. */
export const PROOF_MS = 10_000
/** A reader that takes nothing for so long is gone, or may come back. */
export const STALLED_MS = 20_000
/** A rest that nothing disturbs, while the database is away or the reader takes nothing. */
export const LEAST_REST_MS = 1000
/** How long a client waits before it comes back. */
const RETRY_MS = 2000

/** The answer to who asks for the head alone. */
export const sendStreamHead = (reply: FastifyReply) => reply.type('text/event-stream; charset=utf-8').send('')

/** What a client that comes back says it was told last. It knows better than the address it came with at first. */
export function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const last = headers['last-event-id']
  // A client that was told nothing yet may say so with an empty one.
  return last === undefined || last === '' ? undefined : String(last)
}

/** Says at once where the stream begins, so that a client which is cut off before its first event misses nothing. */
export function beginStream(reply: FastifyReply, begins: string | null): void {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200)
  reply.raw.write(`retry: ${RETRY_MS}\n${begins === null ? '' : `id: ${begins}\n`}\n`)
}

/** What the database answers, or null while it is away: the stream stays, and asks again. */
export async function unlessAway<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (fault) {
    if (isAway(fault)) return null
    throw fault
  }
}
