// Processor cores that threads share, in simulated time: each thread does one piece of work after the other, and where more
// threads have work than there are cores, all go slower by the same share. Knows nothing of what is computed.

/** A thread: its pieces of work are done in the order they were given. */
export type Thread = { readonly work: (us: number, done: () => void) => void }

export type Cores = {
  readonly nowUs: () => number
  readonly thread: () => Thread
  /** Calls after some time that takes no processor. */
  readonly after: (us: number, call: () => void) => void
  readonly runUntil: (endUs: number) => void
}

type Piece = { left: number; readonly done: () => void }
type Timer = { readonly atUs: number; readonly call: () => void }

// Below what a float of microseconds can tell apart.
const DONE_US = 1e-6

export function openCores(cores: number): Cores {
  const threads: Piece[][] = []
  let timers: Timer[] = []
  let now = 0

  /** To the next moment at which something ends: a piece of work or a wait. */
  const step = (endUs: number): boolean => {
    const running = threads.flatMap((pieces) => pieces[0] ?? [])
    const speed = Math.min(1, cores / running.length)
    const soonest = Math.min(
      ...running.map(({ left }) => now + Math.max(0, left) / speed),
      ...timers.map(({ atUs }) => atUs),
    )
    if (soonest > endUs) return false
    for (const piece of running) piece.left -= (soonest - now) * speed
    now = soonest
    const ended = threads.flatMap((pieces) => {
      const isOver = pieces[0] !== undefined && pieces[0].left <= DONE_US
      return isOver ? (pieces.shift() ?? []) : []
    })
    const due = timers.filter(({ atUs }) => atUs <= now)
    timers = timers.filter(({ atUs }) => atUs > now)
    for (const { done } of ended) done()
    for (const { call } of due) call()
    return true
  }
  return {
    nowUs: () => now,
    thread: () => {
      const pieces: Piece[] = []
      threads.push(pieces)
      return { work: (us, done) => void pieces.push({ left: us, done }) }
    },
    after: (us, call) => void timers.push({ atUs: now + us, call }),
    runUntil: (endUs) => {
      while (step(endUs));
    },
  }
}
