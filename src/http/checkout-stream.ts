// The payment page's live status as server-sent events. Each stream looks when its account stirs and every other second
// besides, for other processes commit too and time passes by itself; it says only what is new.
import type { FastifyReply } from 'fastify'
import type { Signals } from '../app/signals.ts'
import { DatabaseUnavailable } from '../platform/db.ts'

const STREAMS_MAX = 1000
const CONTRACT_STREAMS_MAX = 20
const LOOK_EVERY_MS = 2000
const ALIVE_EVERY_MS = 15_000
/** A client comes back by itself; what is forgotten on a screen somewhere ends. */
const LONGEST_MS = 60 * 60_000
const RETRY_MS = 2000

export type Told = { readonly stamp: string; readonly final: boolean }

/** What is followed: whose account stirs, and how to look. */
export type Followed = {
  readonly contractId: string
  readonly accountId: string
  readonly look: () => Promise<Told>
}

export type CheckoutStreams = {
  /** Answers with a stream; false where there are too many, and nothing has been sent. */
  readonly open: (reply: FastifyReply, followed: Followed, headers: Readonly<Record<string, string>>) => boolean
  /** Ends all, and opens no more. */
  readonly stop: () => void
}

type Stream = { readonly contractId: string; readonly end: () => void }

export function openCheckoutStreams(signals: Signals, warn: (fault: unknown) => void): CheckoutStreams {
  const streams = new Set<Stream>()
  let stopping = false
  return {
    open: (reply, followed, headers) => {
      const own = [...streams].filter(({ contractId }) => contractId === followed.contractId).length
      if (stopping || streams.size >= STREAMS_MAX || own >= CONTRACT_STREAMS_MAX) return false
      reply.hijack()
      const response = reply.raw
      const over = new AbortController()
      const stream = { contractId: followed.contractId, end: () => over.abort() }
      response.once('close', stream.end)
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      response.write(`retry: ${RETRY_MS}\n\n`)
      streams.add(stream)
      tell(followed, signals, over.signal, (text) => response.writableNeedDrain || response.write(text))
        .catch(warn)
        .finally(() => {
          streams.delete(stream)
          response.end()
        })
      return true
    },
    stop: () => {
      stopping = true
      for (const stream of streams) stream.end()
    },
  }
}

async function tell(
  { accountId, look }: Followed,
  signals: Signals,
  over: AbortSignal,
  write: (text: string) => unknown,
) {
  const endsAt = Date.now() + LONGEST_MS
  let told = ''
  let saidAt = Date.now()
  while (!over.aborted && Date.now() < endsAt) {
    // From here on, so that nothing is missed between the look and the rest.
    const stirred = stirOf(accountId, signals, over)
    const seen = await unlessAway(look)
    const isNews = seen !== null && seen.stamp !== told
    if (isNews || Date.now() >= saidAt + ALIVE_EVERY_MS) {
      write(isNews ? `event: status\ndata: ${JSON.stringify(seen)}\n\n` : 'event: alive\ndata: {}\n\n')
      told = seen?.stamp ?? told
      saidAt = Date.now()
    }
    if (seen?.final) return
    await stirred
  }
}

/** Resolves when the account stirs, the stream is over, or it is time to look anyway. */
function stirOf(accountId: string, signals: Signals, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      unlisten()
      clearTimeout(timer)
      over.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, LOOK_EVERY_MS)
    const unlisten = signals.listen(accountId, done)
    over.addEventListener('abort', done)
    if (over.aborted) done()
  })
}

/** What is seen, or null while the database is away: the stream stays, and looks again. */
async function unlessAway(look: () => Promise<Told>): Promise<Told | null> {
  try {
    return await look()
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable) return null
    throw fault
  }
}
