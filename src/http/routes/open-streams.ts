// The streams of events and requests that are open in this process: how many there may be, what wakes them, and how they end.
// Knows no event.
import type { ServerResponse } from 'node:http'
import type { Signals } from '../../app/webhooks/signals.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import { type AccountKey, liveApiKeys } from '../../store/accounts/accounts.ts'
import { accountPositions } from '../../store/contracts/events.ts'

const STREAMS_MAX = 1000
/** Of an account's programs, and of the people who have its console open: neither takes the place of the other. */
const KEYS_STREAMS_MAX = 20
const MEMBERS_STREAMS_MAX = 200
/** Other processes commit too, and their signals are not heard here. A stream whose key or session ended is closed within a second. */
const LOOK_EVERY_MS = 750

/** Who follows, and by which key or session. */
export type Follower = AccountKey & {
  readonly keyId: string
  /** Null for a key. */
  readonly memberId: string | null
}

export type OpenStream = {
  readonly account: Follower
  readonly response: ServerResponse
  /** Up to here the account's history has been told. */
  position: number
  /** Where that history ended at the last look. */
  newest: number
  over: boolean
  /** Resolves at the next stir, or at once where one came since the last rest; at the latest after so many milliseconds. */
  readonly rest: (longestMs: number) => Promise<void>
  /** News, room in the socket's buffer, or the end: look again. */
  readonly stir: () => void
}

/** What wakes a stream: each event as it is written, or only the looks, of which one serves all streams. */
export type Wakes = 'by event' | 'by look'

export type OpenStreams = {
  /** Takes a place for a response, which is given up when the response closes. */
  readonly open: (account: Follower, response: ServerResponse, wakes?: Wakes) => OpenStream | Refusal
  /** How many there are. */
  readonly count: () => number
  /** Ends all, and opens no more. */
  readonly stop: () => void
}

export function openStreams(signals: Signals, reader: Session): OpenStreams {
  const streams = new Set<OpenStream>()
  let looking: NodeJS.Timeout | null = null
  let stopping = false

  const look = async (): Promise<void> => {
    const { ended, behind } = await lookAt([...streams], reader)
    for (const stream of ended) close(stream)
    for (const stream of behind) stream.stir()
  }
  // One look for all streams, each after the one before; a database that does not answer is asked again.
  const lookOn = () => {
    const next = () => {
      if (looking === own) lookOn()
    }
    const own = setTimeout(() => void look().then(next, next), LOOK_EVERY_MS).unref()
    looking = own
  }

  const close = (stream: OpenStream): void => {
    streams.delete(stream)
    stream.over = true
    stream.stir()
    if (streams.size > 0 || looking === null) return
    clearTimeout(looking)
    looking = null
  }

  return {
    open: (account, response, wakes = 'by event') => {
      const refusal = refusalFor(streams, account, stopping)
      if (refusal) return refusal
      const stream: OpenStream = { account, response, position: 0, newest: 0, over: false, ...openRest() }
      const unlisten = wakes === 'by event' ? signals.listen(account.accountId, stream.stir) : () => undefined
      response.on('drain', stream.stir)
      response.once('close', () => {
        unlisten()
        close(stream)
      })
      streams.add(stream)
      if (looking === null) lookOn()
      return stream
    },
    count: () => streams.size,
    stop: () => {
      stopping = true
      for (const stream of streams) {
        stream.over = true
        stream.stir()
        // With its response ended a connection counts as idle, and the server lets go of it, flushed or not.
        if (stream.response.headersSent) stream.response.end()
      }
    },
  }
}

/** Of these streams, those whose key or session has ended, and those whose account has new history. */
async function lookAt(streams: readonly OpenStream[], reader: Session) {
  const accounts = [...new Map(streams.map(({ account }) => [account.accountId, account])).values()]
  const keys = [...new Map(streams.map(({ account }) => [account.keyId, account])).values()]
  const [newest, live] = await reader.send([
    accountPositions(scopeOf(accounts), accounts),
    liveApiKeys(scopeOf(keys), keys),
  ])
  const alive = new Set(live?.rows.map((row) => row['key_id']))
  const positions = new Map(newest?.rows.map((row) => [row['account_id'], Number(row['position'])]))
  for (const stream of streams) stream.newest = positions.get(stream.account.accountId) ?? stream.newest
  return {
    ended: streams.filter(({ account }) => !alive.has(account.keyId)),
    behind: streams.filter(({ newest, position }) => newest > position),
  }
}

function refusalFor(streams: ReadonlySet<OpenStream>, follower: Follower, stopping: boolean): Refusal | null {
  if (stopping) return refuse('shutting_down', null, 'The gateway is stopping. Try again shortly.')
  const isMembers = follower.memberId !== null
  const isAlike = ({ account }: OpenStream) =>
    account.accountId === follower.accountId && (account.memberId !== null) === isMembers
  const own = [...streams].filter(isAlike).length
  if (own >= (isMembers ? MEMBERS_STREAMS_MAX : KEYS_STREAMS_MAX))
    return refuse(
      'too_many_streams',
      null,
      `The account’s ${isMembers ? 'members have' : 'keys have'} ${own} event streams open, which is as many as they may. Close one, or share one.`,
    )
  if (streams.size >= STREAMS_MAX)
    return refuse(
      'overloaded',
      null,
      'The gateway has as many event streams open as it takes. Read GET /events instead.',
    )
  return null
}

/** A sleeper that loses no call: one that comes while it is awake makes the next rest end at once. */
function openRest(): Pick<OpenStream, 'rest' | 'stir'> {
  let isStirred = false
  let wake: (() => void) | null = null
  return {
    stir: () => {
      isStirred = true
      wake?.()
    },
    rest: async (longestMs) => {
      if (!isStirred)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, longestMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = null
      isStirred = false
    },
  }
}
