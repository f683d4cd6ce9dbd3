// What happened to payouts by themselves: in the list of a rail's events, and as callbacks to registered receivers.
import { randomBytes } from 'node:crypto'
import type { Books } from '../books/books.ts'
import type { Rail, RailEvent } from '../books/orders.ts'
import type { Undelivered } from '../books/state.ts'
import { callbackPlay } from '../play.ts'
import { ACCOUNT_CLOSED } from '../scenarios.ts'
import { type Codes, codeOf } from '../text/codes.ts'
import type { Outbox } from './deliveries.ts'
import type { Post } from './signed-posts.ts'

const TYPES = {
  completed: 'transfer.completed',
  accepted: 'transfer.accepted',
  refused: 'transfer.failed',
  returned: 'transfer.returned',
} as const

/** An event of the list, about the order as it was entered. */
export function eventOf(books: Books, codes: Codes, event: RailEvent): Record<string, unknown> {
  const { number, status, code, message, atMs } = event
  const { reference, id, amount, currency } = books.entry(event.entry)
  const at = new Date(atMs).toISOString()
  return { number, reference, id, status, amount, currency, code: codeOf(codes, code), message, at }
}

/** The callbacks that are not confirmed. `codes` are those of each rail. */
export function callbackOutbox(books: Books, codes: Readonly<Record<Rail, Codes>>): Outbox<Undelivered> {
  return {
    ...books,
    deliveryOf({ receiver, event }) {
      const { url } = receiver
      const play = callbackPlay(books, event)
      const post = (claimed: RailEvent, secret: string, suffix = ''): Post => ({
        url,
        secret,
        headers: {},
        body: JSON.stringify(callbackOf(books, codes[claimed.rail], claimed, suffix)),
      })
      const forged = counted(play?.forged, (count) =>
        post(contraryOf(event), randomBytes(16).toString('hex'), `_forged_${count}`),
      )
      const lies = counted(play?.lies, (count) =>
        post({ ...event, ...ACCOUNT_CLOSED }, receiver.secret, `_lie_${count}`),
      )
      return {
        line: `${receiver.id} ${event.entry}`,
        times: 1 + (play?.duplicates ?? 0),
        play,
        untrue: [...forged, ...lies],
        post: () => post(event, receiver.secret),
      }
    },
  }
}

function counted<T>(countMax = 0, make: (count: number) => T): T[] {
  return Array.from({ length: countMax }, (_, index) => make(index + 1))
}

/** The same event always has the same id, however often it is sent. */
function callbackOf(books: Books, codes: Codes, event: RailEvent, suffix: string): Record<string, unknown> {
  const { number, rail, status, code, message, atMs } = event
  const { reference, amount, currency } = books.entry(event.entry)
  const object = { rail, reference, amount, currency, status, code: codeOf(codes, code), message }
  const created_at = new Date(atMs).toISOString()
  return { id: `evt_${rail}_${number}${suffix}`, type: TYPES[status], created_at, data: { object } }
}

/** A false report, as a forger without the secret would send it. */
function contraryOf(event: RailEvent): RailEvent {
  return { ...event, status: event.status === 'completed' ? 'refused' : 'completed', code: null, message: null }
}
