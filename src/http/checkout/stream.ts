// The payment page's live status as server-sent events. Each stream looks when its account stirs and every other second
// besides, for other processes commit too and time passes by itself; it says only what is new.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Signals } from '../../app/webhooks/signals.ts'
import { isAway } from '../../platform/db.ts'

const STREAMS_MAX = 1000
const CONTRACT_STREAMS_MAX = 20
/** The payers of one merchant take no place from those of all others; who finds none asks every few seconds. */
const ACCOUNT_STREAMS_MAX = 500
const LOOK_EVERY_MS = 2000
/** A busy account stirs all the time, and each stir would be a look of each of its streams. */
const LOOKS_APART_MS = 250
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

type Stream = { readonly contractId: string; readonly accountId: string; readonly end: () => void }

export function openCheckoutStreams(signals: Signals, warn: (fault: unknown) => void): CheckoutStreams {
  const streams = new Set<Stream>()
  let stopping = false
  return {
    open: (reply, followed, headers) => {
      if (stopping || !hasRoom(streams, followed)) return false
      reply.hijack()
      const response = reply.raw
      const over = new AbortController()
      const { contractId, accountId } = followed
      const stream = { contractId, accountId, end: () => over.abort() }
      response.once('close', stream.end)
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      response.write(`retry: ${RETRY_MS}\n\n`)
      streams.add(stream)
      const write = (text: string): boolean => {
        if (response.writableNeedDrain) return false
        response.write(text)
        return true
      }
      tell(followed, signals, over.signal, write)
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

function hasRoom(streams: ReadonlySet<Stream>, { contractId, accountId }: Followed): boolean {
  const ofAccount = [...streams].filter((each) => each.accountId === accountId)
  const ofContract = ofAccount.filter((each) => each.contractId === contractId)
  return (
    streams.size < STREAMS_MAX && ofAccount.length < ACCOUNT_STREAMS_MAX && ofContract.length < CONTRACT_STREAMS_MAX
  )
}

/** `write` says whether it took the text: a client that reads slowly is told the newest once it has caught up. */
async function tell(
  { accountId, look }: Followed,
  signals: Signals,
  over: AbortSignal,
  write: (text: string) => boolean,
) {
  const endsAt = performance.now() + LONGEST_MS
  let told = ''
  let saidAt = performance.now()
  while (!over.aborted && performance.now() < endsAt) {
    // From here on, so that nothing is missed between the look and the rest.
    const stirred = stirOf(accountId, signals, over)
    const apart = sleep(LOOKS_APART_MS)
    const seen = await unlessAway(look)
    const isNews = seen !== null && seen.stamp !== told
    if (isNews || performance.now() >= saidAt + ALIVE_EVERY_MS) {
      const isSaid = write(isNews ? `event: status\ndata: ${JSON.stringify(seen)}\n\n` : 'event: alive\ndata: {}\n\n')
      if (isSaid && seen) told = seen.stamp
      saidAt = performance.now()
    }
    if (seen?.final && told === seen.stamp) return
    await Promise.all([stirred, apart])
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
    if (isAway(fault)) return null
    throw fault
  }
}
