// Requests that wait for what another session holds, in one line, in the order of arrival. Whoever only tries again may never
// meet the moment between two batches of somebody else; so a session of its own waits, in the database's queue, for what
// the first of the line needs. When that is had, all of the line are tried with it: most of what they need was held by the
// same batch, and is free since the same moment.

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
  /** Since when it has waited for what is held; null where it has not. */
  heldSinceMs: number | null
}

type Several<Request, Result> = readonly Waiting<Request, Result>[]

/**
 * Waits in the database's queue for what this one needs, then sees to it that those whom `take` returns are answered or set
 * aside again: whoever stands in line by then. False where it was not had in time, and nobody was taken.
 */
export type Turn<Request, Result> = (first: Request, take: () => Several<Request, Result>) => Promise<boolean>

export type HeldLine<Request, Result> = {
  /** Joins where this one's need was held a moment ago; false where it was not. */
  readonly join: (waiting: Waiting<Request, Result>) => boolean
  /** What these need turned out to be held. Those who have stood in line go before those who have not. */
  readonly setAside: (several: Several<Request, Result>) => void
  /** Empties the line. */
  readonly takeAll: () => Several<Request, Result>
  /** Resolves when nobody waits any more; null where nobody does. */
  readonly running: () => Promise<void> | null
}

/** Whoever holds something for longer is frozen, or a person. */
const HELD_MAX_MS = 2000
/** What several needed and was held is wanted by others, and will be held again: so long nobody tries for it without waiting. */
export const WANTED_MS = 1000

export type HeldLineOptions<Request, Result> = {
  readonly needOf: (request: Request) => string
  readonly turn: Turn<Request, Result>
  /** Of those who wait, the ones that are one batch, and the rest. */
  readonly part: (
    waiting: Several<Request, Result>,
  ) => readonly [batch: Several<Request, Result>, rest: Several<Request, Result>]
  readonly sizeMax: number
}

type Line<Request, Result> = HeldLineOptions<Request, Result> & {
  waiting: Several<Request, Result>
  /** Until when requests that need it join the line. */
  readonly wanted: Map<string, number>
  running: Promise<void> | null
}

export function openHeldLine<Request, Result>(options: HeldLineOptions<Request, Result>): HeldLine<Request, Result> {
  const line: Line<Request, Result> = { ...options, waiting: [], wanted: new Map(), running: null }
  const { needOf } = options
  return {
    join: (waiting) => {
      if (line.wanted.size === 0) return false
      const isWanted = (line.wanted.get(needOf(waiting.request)) ?? 0) > performance.now()
      if (isWanted) add(line, [waiting])
      return isWanted
    },
    setAside: (several) => {
      const needs = several.map(({ request }) => needOf(request))
      for (const need of new Set(needs.filter((need, i) => needs.indexOf(need) < i))) want(line, need)
      add(line, several)
    },
    takeAll: () => taken(line, [line.waiting, []]),
    running: () => line.running,
  }
}

const want = <Q, R>({ wanted }: Line<Q, R>, need: string) => wanted.set(need, performance.now() + WANTED_MS)

function add<Q, R>(line: Line<Q, R>, several: Several<Q, R>): void {
  const room = Math.max(0, line.sizeMax - line.waiting.length)
  for (const each of several.slice(room)) refuse(line, each)
  const added = several.slice(0, room)
  const [before, behind] = [added.filter(hasWaited), added.filter((each) => !hasWaited(each))]
  for (const each of behind) each.heldSinceMs = performance.now()
  line.waiting = [...before, ...line.waiting, ...behind]
  if (line.waiting.length > 0) line.running ??= serve(line)
}

const hasWaited = ({ heldSinceMs }: Waiting<unknown, never>) => heldSinceMs !== null
const refuse = <Q, R>({ needOf }: Line<Q, R>, { request, reject }: Waiting<Q, R>) => reject(new Busy(needOf(request)))

function taken<Q, R>(line: Line<Q, R>, [batch, rest]: readonly [Several<Q, R>, Several<Q, R>]): Several<Q, R> {
  line.waiting = rest
  return batch
}

/** Turn after turn, until nobody waits. */
async function serve<Q, R>(line: Line<Q, R>): Promise<void> {
  // Everything that this turn of the event loop still sets aside, or reads from sockets, waits together.
  await new Promise(setImmediate)
  for (let first = line.waiting[0]; first; first = line.waiting[0]) {
    const isHad = await line.turn(first.request, () => taken(line, line.part(line.waiting)))
    if (!isHad) putBehind(line, first.request)
    refuseOverdue(line)
    forgetUnwanted(line)
  }
  line.running = null
}

/** What is not free in time may not keep those waiting who need something else. */
function putBehind<Q, R>(line: Line<Q, R>, request: Q): void {
  const need = line.needOf(request)
  want(line, need)
  const needsIt = (each: Waiting<Q, R>) => line.needOf(each.request) === need
  line.waiting = [...line.waiting.filter((each) => !needsIt(each)), ...line.waiting.filter(needsIt)]
}

/** Those who have waited for too long are told so. */
function refuseOverdue<Q, R>(line: Line<Q, R>): void {
  const untilMs = performance.now() - HELD_MAX_MS
  const isOverdue = ({ heldSinceMs }: Waiting<Q, R>) => heldSinceMs !== null && heldSinceMs <= untilMs
  const overdue = line.waiting.filter(isOverdue)
  if (overdue.length === 0) return
  line.waiting = line.waiting.filter((each) => !isOverdue(each))
  for (const each of overdue) refuse(line, each)
}

function forgetUnwanted<Q, R>({ wanted }: Line<Q, R>): void {
  const nowMs = performance.now()
  for (const [need, untilMs] of wanted) if (untilMs <= nowMs) wanted.delete(need)
}
