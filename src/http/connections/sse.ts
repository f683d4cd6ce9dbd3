// What all streams of server-sent events share (WHATWG HTML, 9.2): their head, their signs of life, and how long a reader and
// a credential are believed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { isAway } from '../../platform/db.ts'
import { type Access, authenticate } from '../auth/auth.ts'
import type { Context } from '../context.ts'
import type { OpenStream } from '../routes/open-streams.ts'

/** Below the server's idle time-out, and that of most proxies. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ': still here\n\n'
/** How long a credential is believed before it is looked at again. */
const PROOF_MS = 10_000
/** A reader that takes nothing for so long is gone, or may come back. */
const STALLED_MS = 20_000
/** A rest that nothing disturbs, while the database is away or the reader takes nothing. */
const LEAST_REST_MS = 1000
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

type News = {
  /** Messages in the form of the stream; empty where nothing is new. */
  readonly text: string
  /** Whether there is more to ask for at once. */
  readonly hasMore: boolean
}

/**
 * Tells what comes until the stream is over, its reader takes nothing any more, or its credential has ended. Asks for news only
 * while the reader has room; what it has no room for waits where it is.
 */
export async function tellAsItComes(
  { deps }: Context,
  request: FastifyRequest,
  access: Access,
  stream: OpenStream,
  news: () => Promise<News>,
): Promise<void> {
  const { response } = stream
  let saidAt = deps.monotonicMs()
  let provenAt = saidAt
  while (!stream.over) {
    if (deps.monotonicMs() >= provenAt + PROOF_MS) {
      const caller = await unlessAway(async () => authenticate(deps, request, access))
      if (isRefusal(caller)) return
      if (caller) provenAt = deps.monotonicMs()
    }
    if (response.writableNeedDrain && deps.monotonicMs() >= saidAt + STALLED_MS) return void response.destroy()
    const told = response.writableNeedDrain ? null : await unlessAway(news)
    if (stream.over) return
    const text = told?.text ?? ''
    const isSilent = deps.monotonicMs() >= saidAt + HEARTBEAT_MS && !response.writableNeedDrain
    if (text !== '' || isSilent) {
      response.write(text === '' ? HEARTBEAT : text)
      saidAt = deps.monotonicMs()
    }
    const dueAt = Math.min(saidAt + HEARTBEAT_MS, provenAt + PROOF_MS)
    if (!told?.hasMore) await stream.rest(Math.max(dueAt - deps.monotonicMs(), LEAST_REST_MS))
  }
}

/** What the database answers, or null while it is away: the stream stays, and asks again. */
async function unlessAway<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (fault) {
    if (isAway(fault)) return null
    throw fault
  }
}
