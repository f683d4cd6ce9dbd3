// Tells registered receivers what happened, signed, again and again until they confirm. Real time, whatever the
// provider's clock says. What is not confirmed when the process ends is told again after its next start.
import { randomBytes, randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Books } from '../books/books.ts'
import { forgeryOf, lieOf, noticeOf } from './rail-events.ts'
import { callbackPlay } from '../play.ts'
import type { CallbackPlay } from '../scripts.ts'
import { openPoster, type Post, type Poster } from './signed-posts.ts'
import type { Receiver, Untold } from '../books/state.ts'

const LOOK_EVERY_MS = 50
const SHUFFLE_MAX_MS = 1_000

type Sender = {
  readonly books: Books
  readonly stopped: AbortSignal
  /** By receiver and order, the last telling under way: one order is told in order. */
  readonly lines: Map<string, Promise<void>>
  readonly underWay: Set<string>
  readonly poster: Poster
}

/** Looks for news every moment until it is closed, which waits for nothing. */
export function startCallbacks(books: Books): { close(): Promise<void> } {
  const stop = new AbortController()
  // Every telling listens to it.
  setMaxListeners(0, stop.signal)
  const sender: Sender = {
    books,
    stopped: stop.signal,
    lines: new Map(),
    underWay: new Set(),
    poster: openPoster(stop.signal),
  }
  const timer = setInterval(() => look(sender), LOOK_EVERY_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await Promise.all(sender.lines.values())
    },
  }
}

function look(sender: Sender): void {
  const { books, underWay } = sender
  books.settle()
  for (const untold of books.untold()) {
    if (underWay.has(untold.key)) continue
    underWay.add(untold.key)
    start(sender, untold)
  }
}

function start(sender: Sender, untold: Untold): void {
  const { books, lines, underWay } = sender
  const { receiver, happening } = untold
  const play = callbackPlay(books, happening)
  if (play?.drop) {
    books.told(untold.key)
    underWay.delete(untold.key)
    return
  }
  const line = `${receiver.id} ${happening.entry}`
  const telling = tellAsPlayed(sender, untold, play, play?.shuffle ? undefined : lines.get(line))
  lines.set(line, telling)
  void telling.then(() => {
    underWay.delete(untold.key)
    if (lines.get(line) === telling) lines.delete(line)
  })
}

async function tellAsPlayed(
  sender: Sender,
  untold: Untold,
  play: CallbackPlay | null,
  before: Promise<void> | undefined,
): Promise<void> {
  const { books, stopped, poster } = sender
  const { receiver, happening, key } = untold
  await before
  try {
    await pause((play?.delayMs ?? 0) + (play?.shuffle ? randomInt(SHUFFLE_MAX_MS) : 0), undefined, { signal: stopped })
    for (let count = 1; count <= (play?.forged ?? 0); count += 1)
      await poster.post(postOf(receiver, forgeryOf(books, happening, count), randomBytes(16).toString('hex')))
    for (let count = 1; count <= (play?.lies ?? 0); count += 1)
      await poster.post(postOf(receiver, lieOf(books, happening, count), receiver.secret))
    for (let count = 0; count <= (play?.duplicates ?? 0); count += 1) await tell(sender, untold)
    if (books.isUntold(key)) books.told(key)
  } catch (fault) {
    if (!stopped.aborted) console.error(fault)
  }
}

/** Posts until the receiver confirms, or is no receiver any more. */
async function tell({ books, poster }: Sender, { key, receiver, happening }: Untold): Promise<void> {
  await books.durable()
  await poster.postUntilConfirmed(() =>
    books.isUntold(key) ? postOf(receiver, noticeOf(books, happening), receiver.secret) : null,
  )
}

function postOf({ url }: Receiver, notice: unknown, secret: string): Post {
  return { url, secret, headers: {}, body: JSON.stringify(notice) }
}
