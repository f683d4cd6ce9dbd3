// Look-ups that untrusted callers may cause: requests that come while one is under way are looked up together, and only
// so many a second. However many names come, the database gets a few statements.
import { Overloaded } from '../../engine/batch.ts'

/** So many at once, for a gateway that has just started has nothing cached; and so many a second after that. */
const BURST = 16
const PER_SECOND = 8
/** What may wait for a look-up: beyond it an untrusted caller must retry later. */
const WAITING_MAX = 512

type Waiting<Name, Found> = {
  readonly name: Name
  readonly resolve: (found: Found) => void
  readonly reject: (fault: unknown) => void
}

/** Looks names up by `find`, which answers in their order. Rejects with {@link Overloaded} where too many wait. */
export function openGatheredLookup<Name, Found>(
  find: (names: readonly Name[]) => Promise<readonly Found[]>,
): (name: Name) => Promise<Found> {
  const waiting: Waiting<Name, Found>[] = []
  let isLookingUp = false
  let tokens = BURST
  let countedAt = performance.now()

  /** Milliseconds until there may be another. */
  const pauseMs = (): number => {
    const now = performance.now()
    tokens = Math.min(BURST, tokens + ((now - countedAt) * PER_SECOND) / 1000)
    countedAt = now
    return tokens >= 1 ? 0 : ((1 - tokens) * 1000) / PER_SECOND
  }
  const lookUp = async (): Promise<void> => {
    const batch = waiting.splice(0)
    tokens -= 1
    try {
      const found = await find(batch.map(({ name }) => name))
      for (const [i, { resolve }] of batch.entries()) resolve(found[i] as Found)
    } catch (fault) {
      for (const { reject } of batch) reject(fault)
    }
    next()
  }
  const next = () => {
    isLookingUp = waiting.length > 0
    if (!isLookingUp) return
    const pause = pauseMs()
    // Everything that this turn of the event loop still reads from sockets is looked up with it.
    if (pause === 0) setImmediate(() => void lookUp())
    else setTimeout(() => void lookUp(), pause)
  }
  return (name) => {
    if (waiting.length >= WAITING_MAX) return Promise.reject(new Overloaded('too many unknown credentials are waiting'))
    return new Promise((resolve, reject) => {
      waiting.push({ name, resolve, reject })
      if (!isLookingUp) next()
    })
  }
}
