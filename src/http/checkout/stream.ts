// The payment page's live status as server-sent events. Each stream reads when its account changes and every other
// second besides, because other processes commit too and time passes; it sends only what is new.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Signals } from '../../app/webhooks/signals.ts'
import { isAway } from '../../platform/db.ts'

const STREAMS_MAX = 1000
const CONTRACT_STREAMS_MAX = 20
/** One merchant's payers leave room for those of all others; a page without a stream polls every few seconds. */
const ACCOUNT_STREAMS_MAX = 500
const READ_EVERY_MS = 2000
/** A busy account changes all the time, and each change would be a read by each of its streams. */
const READS_APART_MS = 250
const ALIVE_EVERY_MS = 15_000
/** A client reconnects by itself; a page left open somewhere ends. */
const LONGEST_MS = 60 * 60_000
const RETRY_MS = 2000

export type Seen = { readonly stamp: string; readonly final: boolean }

/** What is followed: the account whose changes matter, and how to read. */
export type Followed = {
  readonly contractId: string
  readonly accountId: string
  readonly look: () => Promise<Seen>
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
      report(followed, signals, over.signal, write)
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

/** `write` returns whether it took the text: a client that reads slowly gets the newest once it has caught up. */
async function report(
  { accountId, look }: Followed,
  signals: Signals,
  over: AbortSignal,
  write: (text: string) => boolean,
) {
  const endsAt = performance.now() + LONGEST_MS
  let sent = ''
  let sentAt = performance.now()
  while (!over.aborted && performance.now() < endsAt) {
    // Before the read, so that no change is missed after it.
    const changed = changeOf(accountId, signals, over)
    const apart = sleep(READS_APART_MS)
    const seen = await unlessAway(look)
    const isNew = seen !== null && seen.stamp !== sent
    if (isNew || performance.now() >= sentAt + ALIVE_EVERY_MS) {
      const isSent = write(isNew ? `event: status\ndata: ${JSON.stringify(seen)}\n\n` : 'event: alive\ndata: {}\n\n')
      if (isSent && seen) sent = seen.stamp
      sentAt = performance.now()
    }
    if (seen?.final && sent === seen.stamp) return
    await Promise.all([changed, apart])
  }
}

/** Resolves when the account changes, the stream is over, or it is time to read anyway. */
function changeOf(accountId: string, signals: Signals, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      unlisten()
      clearTimeout(timer)
      over.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, READ_EVERY_MS)
    const unlisten = signals.listen(accountId, done)
    over.addEventListener('abort', done)
    if (over.aborted) done()
  })
}

/** What is read, or null while the database is away: the stream stays, and reads again. */
async function unlessAway(look: () => Promise<Seen>): Promise<Seen | null> {
  try {
    return await look()
  } catch (fault) {
    if (isAway(fault)) return null
    throw fault
  }
}
