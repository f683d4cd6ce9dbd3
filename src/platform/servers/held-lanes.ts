// Lanes to which nothing is sent for a moment, for they are on their way to another server. What is asked of them meanwhile waits.
import { DatabaseUnavailable } from '../db.ts'

export type HeldLanes = {
  readonly isAny: () => boolean
  readonly has: (lane: number) => boolean
  /** Resolves when no lane is held; null where none is. Throws DatabaseUnavailable where that takes too long. */
  readonly untilFree: (lanes: Iterable<number>) => Promise<void> | null
  /** From now on nothing is sent to the lane; resolves when all that was sent before has been answered. */
  readonly hold: (lane: number) => Promise<void>
  readonly release: () => void
  /** Notes what was sent, until it is answered. */
  readonly track: <T>(sent: Promise<T>) => Promise<T>
}

// A caller hears sooner that it is to come again than its own patience ends.
const WAIT_MAX_MS = 20_000

export function openHeldLanes(): HeldLanes {
  const held = new Set<number>()
  const underWay = new Set<Promise<unknown>>()
  let free: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null

  const wait = async (promise: Promise<void>) => {
    let late: NodeJS.Timeout | undefined
    const tooLong = new Promise<never>((_, reject) => {
      const fault = () => reject(new DatabaseUnavailable('the lane is moved to another server', 'nothing done'))
      late = setTimeout(fault, WAIT_MAX_MS)
    })
    await Promise.race([promise, tooLong]).finally(() => clearTimeout(late))
  }
  return {
    isAny: () => held.size > 0,
    has: (lane) => held.has(lane),
    untilFree: (lanes) => {
      if (free === null || held.size === 0) return null
      for (const lane of lanes) if (held.has(lane)) return wait(free.promise)
      return null
    },
    hold: async (lane) => {
      held.add(lane)
      if (free === null) {
        let resolve = () => undefined as void
        const promise = new Promise<void>((resolved) => (resolve = resolved))
        free = { promise, resolve }
      }
      await Promise.allSettled(underWay)
    },
    release: () => {
      held.clear()
      free?.resolve()
      free = null
    },
    track: (sent) => {
      const settled = sent.then(ignored, ignored)
      underWay.add(settled)
      void settled.then(() => underWay.delete(settled))
      return sent
    },
  }
}

const ignored = () => undefined
