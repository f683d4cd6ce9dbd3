// Sends events to their receivers, signed, again and again until they confirm, those about one order in order. Real time,
// whatever the provider's clock says. What is not confirmed when the process ends is sent again after its next start.
import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallbackPlay } from '../scripts.ts'
import { openPoster, type Post } from './signed-posts.ts'

const LOOK_EVERY_MS = 50
const SHUFFLE_MAX_MS = 1_000

/** How one event goes to one receiver. */
export type Delivery = {
  /** What is of one line is sent in order. */
  readonly line: string
  /** How often it is sent, each time until it is confirmed. */
  readonly times: number
  readonly play: Pick<CallbackPlay, 'delayMs' | 'shuffle' | 'drop'> | null
  /** Sent once before it, confirmed or not. */
  readonly untrue: readonly Post[]
  /** The event itself; null when its receiver is gone. */
  post(): Post | null
}

/** The events that their receivers have not confirmed. */
export type Outbox<Undelivered extends { readonly key: string }> = {
  /** Does what fell due. */
  settle(): void
  undelivered(): Iterable<Undelivered>
  isUndelivered(key: string): boolean
  delivered(key: string): void
  /** Called once for each, when its delivery begins. */
  deliveryOf(undelivered: Undelivered): Delivery
  /** Resolves when what is to be sent is on the disk. */
  durable(): Promise<void>
}

/** Polls for new events until it is closed, which waits for nothing. */
export function startDeliveries<Undelivered extends { readonly key: string }>(outbox: Outbox<Undelivered>) {
  const stop = new AbortController()
  const { signal } = stop
  // Every delivery listens to it.
  setMaxListeners(0, signal)
  const poster = openPoster(signal)
  /** By line, the last delivery under way. */
  const lines = new Map<string, Promise<void>>()
  const underWay = new Set<string>()

  function look(): void {
    outbox.settle()
    for (const undelivered of outbox.undelivered()) {
      const { key } = undelivered
      if (underWay.has(key)) continue
      const delivery = outbox.deliveryOf(undelivered)
      if (delivery.play?.drop) outbox.delivered(key)
      else start(key, delivery)
    }
  }

  function start(key: string, delivery: Delivery): void {
    const { line, play } = delivery
    underWay.add(key)
    const sending = send(key, delivery, play?.shuffle ? undefined : lines.get(line))
    lines.set(line, sending)
    void sending.then(() => {
      underWay.delete(key)
      if (lines.get(line) === sending) lines.delete(line)
    })
  }

  async function send(key: string, delivery: Delivery, before: Promise<void> | undefined): Promise<void> {
    const { play, untrue, times } = delivery
    const next = () => (outbox.isUndelivered(key) ? delivery.post() : null)
    await before
    try {
      await pause((play?.delayMs ?? 0) + (play?.shuffle ? randomInt(SHUFFLE_MAX_MS) : 0), undefined, { signal })
      await outbox.durable()
      for (const post of untrue) await poster.post(post)
      for (let count = 0; count < times; count += 1) await poster.postUntilConfirmed(next)
      if (outbox.isUndelivered(key)) outbox.delivered(key)
    } catch (fault) {
      if (!signal.aborted) console.error(fault)
    }
  }

  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await Promise.all(lines.values())
    },
  }
}
