// Requests that wait for what another session holds: one line for each thing held, in the order of arrival. The first
// of a line tries again every few milliseconds for all of it; when it is through, the others follow.
import { setTimeout as sleep } from 'node:timers/promises'

/** What the request needs stayed held by another session: nothing of it was done, and the caller must retry later. */
export class Busy extends Error {
  override readonly name = 'Busy'
  readonly need: string
  constructor(need: string) {
    super(`${need} is held by somebody else`)
    this.need = need
  }
}

export type Waiting<Request, Result> = {
  readonly request: Request
  readonly resolve: (result: Result) => void
  readonly reject: (fault: unknown) => void
}

export type HeldLines<Request, Result> = {
  /** How many wait. */
  readonly size: () => number
  /** Joins the line for what is held; false where there is none. */
  readonly join: (need: string, waiting: Waiting<Request, Result>) => boolean
  /** What this one needs turned out to be held. */
  readonly setAside: (need: string, waiting: Waiting<Request, Result>) => void
  /** This one was answered or refused; if it tried for a line, those behind it go on. */
  readonly release: (need: string, waiting: Waiting<Request, Result>) => void
  /** Resolves a little later, when what is held may be free. */
  readonly settled: () => Promise<void>
}

// Two gateways at work on one account hold it for some milliseconds each: no caller should notice.
export const TRY_AGAIN_MS = 10
const HELD_MAX_MS = 1000

type Line<Request, Result> = { readonly waiting: Waiting<Request, Result>; readonly sinceMs: number }[]

export function openHeldLines<Request, Result>(
  enqueue: (waiting: readonly Waiting<Request, Result>[]) => void,
  heldMax: number,
): HeldLines<Request, Result> {
  const lines = new Map<string, Line<Request, Result>>()
  let count = 0

  const add = (need: string, line: Line<Request, Result>, waiting: Waiting<Request, Result>): void => {
    if (count >= heldMax) waiting.reject(new Busy(need))
    else {
      count += 1
      line.push({ waiting, sinceMs: performance.now() })
    }
  }

  const tryAgain = (need: string, line: Line<Request, Result>): void => {
    const untilMs = performance.now() - HELD_MAX_MS
    while (line[0] && line[0].sinceMs <= untilMs) {
      count -= 1
      line.shift()?.waiting.reject(new Busy(need))
    }
    if (line[0]) enqueue([line[0].waiting])
    else lines.delete(need)
  }

  return {
    size: () => count,
    join: (need, waiting) => {
      const line = lines.get(need)
      if (line) add(need, line, waiting)
      return line !== undefined
    },
    setAside: (need, waiting) => {
      const line = lines.get(need) ?? []
      if (line[0]?.waiting !== waiting) add(need, line, waiting)
      // The first of a line comes back from its try, or the line begins with it; others only join.
      if (line[0]?.waiting !== waiting) return
      lines.set(need, line)
      setTimeout(() => tryAgain(need, line), TRY_AGAIN_MS)
    },
    release: (need, waiting) => {
      const line = lines.get(need)
      if (line?.[0]?.waiting !== waiting) return
      lines.delete(need)
      count -= line.length
      if (line.length > 1) enqueue(line.slice(1).map((each) => each.waiting))
    },
    settled: () => sleep(TRY_AGAIN_MS),
  }
}
