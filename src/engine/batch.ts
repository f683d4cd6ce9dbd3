// The gathering: what arrives while a batch is in flight forms the next one. What another session holds is set aside
// and waited for apart, so that it keeps no other request waiting. Knows nothing about money.
import { DatabaseUnavailable, isAway, isLockTimeout, sqlStateOf } from '../platform/db.ts'
import type { GroupOf } from '../platform/scope.ts'
import { lanesElsewhere } from '../platform/servers/absence.ts'
import { type HeldLine, openHeldLine, type Turn, type Waiting } from './held-line.ts'

/** The queue is full: the caller must retry later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

/** The gateway is stopping and takes no new work. */
export class ShuttingDown extends Error {
  override readonly name = 'ShuttingDown'
}

/** In place of a result: another session holds what this request needs, and nothing of it was done. */
export const HELD = Symbol('held')

/** In place of a result: the request's lane is on its way to another server, and nothing of it was done. */
export const MOVING = Symbol('its lane is moving')

export type Batcher<Request, Result> = {
  /**
   * Rejects with {@link Overloaded} or {@link ShuttingDown} at once, with `Busy` after seconds of trying, or with the
   * fault of this very request.
   */
  readonly submit: (request: Request) => Promise<Result>
  /** Takes nothing new, finishes what is queued. */
  readonly drain: () => Promise<void>
  readonly depth: () => number
}

/** How many batches may be under way, and after how long without an answer the next one goes beside those that are. */
export type Abreast = { readonly max: number; readonly afterMs: number }

export type BatcherOptions<Request, Result> = {
  /** Answers all requests of a batch, in their order, or throws: then nothing of it was done. */
  readonly run: (requests: readonly Request[]) => Promise<Results<Result>>
  readonly batchMax: number
  readonly queueMax: number
  /**
   * Takes all that wait of one group, not half of the callers: for a cluster, where to plan the statements of a batch costs more than what
   * was saved by having this process and the database work at once.
   */
  readonly isWhole?: boolean
  /** Requests of one batch share this; a batch takes the oldest request's value. Constant where batches may mix. */
  readonly groupOf: (request: Request) => number
  /** Batches that hold nothing from each other may be in flight together. Without it, one is. */
  readonly abreast?: Abreast
  /** Without it nothing is ever held. */
  readonly held?: HeldOptions<Request, Result>
}

/** How what another session holds is waited for: on a session beside the one that `run` uses. */
export type HeldOptions<Request, Result> = {
  /** What a request needs for itself. */
  readonly needOf: (request: Request) => string
  /**
   * Waits until what this request needs is free, then answers those that `take` returns, as `run` does. Throws
   * a fault that {@link isLockTimeout} knows where it was not free in time, and nothing was taken.
   */
  readonly runInTurn: (first: Request, take: () => readonly Request[]) => Promise<Results<Result>>
  /** Without waiting. */
  readonly run: (requests: readonly Request[]) => Promise<Results<Result>>
}

type Results<Result> = readonly (Result | typeof HELD)[]

const REPLAYS_MAX = 5
// Serialization failure and deadlock: nothing of the batch is left, so all of it is decided again, by the clock of then.
const isReplayable = (fault: unknown) => ['40001', '40P01'].includes(sqlStateOf(fault) ?? '')
// A lost connection, a full disk and a timeout concern all requests; anything else may be one poison command's doing, or concern one lane.
const isDivisible = (fault: unknown) => !isAway(fault) || lanesElsewhere(fault) !== null

export function openBatcher<Request, Result>(options: BatcherOptions<Request, Result>): Batcher<Request, Result> {
  const { queueMax, batchMax, isWhole = false, abreast = null } = options
  let queue: Waiting<Request, Result>[] = []
  let stopping = false
  let justAnswered = 0

  const enqueue = (waiting: Waiting<Request, Result>): void => {
    queue.push(waiting)
    lines.wake()
  }
  const held = options.held ? openHeld(options, options.held, () => work) : null
  const work: Work<Request, Result> = { held, takeAll: () => [...queue.splice(0), ...(held?.takeAll() ?? [])] }

  const next = (): Promise<void> => {
    const [batch, rest] = parted(queue, options, isWhole ? batchMax : shareOf(queue.length, justAnswered))
    queue = rest
    justAnswered = batch.length
    return settled(work, options.run, batch, 0)
  }
  const rested = () => {
    justAnswered = 0
  }
  const lines = openLines({ isWaiting: () => queue.length > 0, next, rested }, abreast)

  return {
    submit: (request) => {
      if (stopping) return Promise.reject(new ShuttingDown('the gateway is stopping'))
      if (queue.length >= queueMax) return Promise.reject(new Overloaded(`${queue.length} commands are queued`))
      return new Promise<Result>((resolve, reject) => {
        const waiting = { request, resolve, reject, heldSinceMs: null }
        if (!held?.join(waiting)) enqueue(waiting)
      })
    },
    drain: async () => {
      stopping = true
      const under = () => lines.underWay() ?? held?.running() ?? null
      for (let now = under(); now !== null; now = under()) await now
    },
    depth: () => queue.length,
  }
}

/** What lines do, piece by piece. */
type LineWork = {
  readonly isWaiting: () => boolean
  /** Takes the next piece at once, and resolves when it is done. Never rejects. */
  readonly next: () => Promise<void>
  /** A line found nothing more to do. */
  readonly rested: () => void
}

type Lines = {
  /** To be called whenever more waits. */
  readonly wake: () => void
  /** One of those that are under way; null where none is. */
  readonly underWay: () => Promise<void> | null
}

/** A line: batches one after the other. One, and others while those before are held up, as far as `abreast` allows them. */
function openLines({ isWaiting, next, rested }: LineWork, abreast: Abreast | null): Lines {
  const lines = new Map<symbol, Promise<void>>()
  let heldUp = 0

  const wake = (): void => {
    if (!isWaiting() || lines.size > heldUp || lines.size >= (abreast?.max ?? 1)) return
    const own = Symbol('line')
    lines.set(own, line(own))
  }
  const line = async (own: symbol): Promise<void> => {
    // Everything that this turn of the event loop still reads from sockets joins the first piece.
    await new Promise(setImmediate)
    while (isWaiting()) await (abreast ? watched(next(), abreast) : next())
    rested()
    lines.delete(own)
  }
  const watched = async (piece: Promise<void>, { afterMs }: Abreast): Promise<void> => {
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      heldUp++
      wake()
    }, afterMs)
    await piece
    clearTimeout(late)
    if (isLate) heldUp--
  }

  return { wake, underWay: () => lines.values().next().value ?? null }
}

type Work<Request, Result> = {
  readonly held: HeldLine<Request, Result> | null
  /** Empties the queue, and the line of those who wait. */
  readonly takeAll: () => readonly Waiting<Request, Result>[]
}

type Batch<Request, Result> = readonly Waiting<Request, Result>[]

const requestsOf = <Request, Result>(batch: Batch<Request, Result>) => batch.map(({ request }) => request)

/** Runs a batch until each of it is answered, refused or set aside. */
async function settled<Request, Result>(
  work: Work<Request, Result>,
  run: BatcherOptions<Request, Result>['run'],
  batch: Batch<Request, Result>,
  replays: number,
): Promise<void> {
  try {
    answerAll(work, batch, await run(requestsOf(batch)))
  } catch (fault) {
    await failed(work, run, batch, replays, fault)
  }
}

/** Finds whom the fault of a batch concerns: the others are done without them. */
async function failed<Request, Result>(
  work: Work<Request, Result>,
  run: BatcherOptions<Request, Result>['run'],
  batch: Batch<Request, Result>,
  replays: number,
  fault: unknown,
): Promise<void> {
  if (isReplayable(fault) && replays < REPLAYS_MAX) return settled(work, run, batch, replays + 1)
  if (batch.length <= 1 || !isDivisible(fault)) {
    rejectAll(batch, fault)
    // Requests behind a database that hangs would wait as long again.
    if (fault instanceof DatabaseUnavailable && fault.isHung) rejectAll(work.takeAll(), fault.nothingDone())
    return
  }
  const half = Math.ceil(batch.length / 2)
  await settled(work, run, batch.slice(0, half), 0)
  await settled(work, run, batch.slice(half), 0)
}

function openHeld<Request, Result>(
  options: BatcherOptions<Request, Result>,
  { needOf, runInTurn, run }: HeldOptions<Request, Result>,
  workOf: () => Work<Request, Result>,
): HeldLine<Request, Result> {
  const turn: Turn<Request, Result> = async (first, take) => {
    let batch: Batch<Request, Result> | null = null
    const takeRequests = () => {
      batch = take()
      return requestsOf(batch)
    }
    try {
      const results = await runInTurn(first, takeRequests)
      answerAll(workOf(), batch ?? [], results)
    } catch (fault) {
      if (batch === null && isLockTimeout(fault)) return false
      // Whoever waited for a database that is away must know.
      await failed(workOf(), run, batch ?? take(), 0, fault)
    }
    return true
  }
  const part = (waiting: Batch<Request, Result>) => parted(waiting, options, options.batchMax)
  return openHeldLine({ needOf, turn, part, sizeMax: options.queueMax })
}

/** A turn later, so that the next batch is on its way to the database before these answers are written out. */
function answerAll<Request, Result>(
  { held }: Work<Request, Result>,
  batch: Batch<Request, Result>,
  results: Results<Result>,
): void {
  if (results.includes(HELD)) held?.setAside(batch.filter((_, i) => results[i] === HELD))
  setImmediate(() =>
    batch.forEach((waiting, i) => {
      const result = results[i]
      if (result !== HELD) waiting.resolve(result as Result)
    }),
  )
}

const rejectAll = <Request, Result>(batch: Batch<Request, Result>, fault: unknown): void => {
  for (const { reject } of batch) reject(fault)
}

/** The next batch and what it leaves: as many as it may take, of the oldest one's group. */
function parted<Request, Result>(
  queue: readonly Waiting<Request, Result>[],
  { batchMax, groupOf }: BatcherOptions<Request, Result>,
  share: number,
): [Waiting<Request, Result>[], Waiting<Request, Result>[]] {
  const max = Math.min(batchMax, share)
  const group = queue[0] && groupOf(queue[0].request)
  const batch: Waiting<Request, Result>[] = []
  const rest: Waiting<Request, Result>[] = []
  for (const waiting of queue)
    if (batch.length < max && groupOf(waiting.request) === group) batch.push(waiting)
    else rest.push(waiting)
  return [batch, rest]
}

const WHOLE_MAX = 24

/**
 * How much of the queue one batch takes: all of a short one, else half of the callers at work, counting those of the
 * batch before, who are about to come back. If one batch held them all, this process would idle while the database
 * works, and the other way round.
 */
export function shareOf(waiting: number, justAnswered: number): number {
  return Math.max(WHOLE_MAX, Math.ceil((waiting + justAnswered) / 2))
}

/** Where lanes are. */
export type Lanes = {
  /** The name of the server that has the lane. */
  readonly serverOf: (lane: number) => string
  /** Resolves when the lane is where it is; null while it is not on its way to another server. A batch must not wait for one of its lanes. */
  readonly untilFree: (lane: number) => Promise<void> | null
  /** Whether it is on its way. */
  readonly isMoving: (lane: number) => boolean
  /** Lanes of one group may be in one batch. */
  readonly groupOf: GroupOf
}

/** All lanes on one server, for good, and in one batch. */
export const ON_ONE_SERVER: Lanes = {
  serverOf: () => 'one',
  untilFree: () => null,
  isMoving: () => false,
  groupOf: null,
}

/** Asks where the lane is, and again where it began to move while the request waited for a batch. */
export async function askedInPlace<Request extends { readonly lane: number }, Result>(
  { untilFree }: Pick<Lanes, 'untilFree'>,
  request: Request,
  submit: (request: Request) => Promise<Result | typeof MOVING>,
): Promise<Result> {
  for (;;) {
    const wait = untilFree(request.lane)
    if (wait !== null) await wait
    const result = await submit(request)
    if (result !== MOVING) return result
  }
}

/** Those of a batch whose lane is where it is; and the answers of all of it from theirs: to the others it is {@link MOVING}. */
export function inPlace<Request extends { readonly lane: number }>(
  { isMoving }: Pick<Lanes, 'isMoving'>,
  requests: readonly Request[],
) {
  const moving = new Set(requests.filter(({ lane }) => isMoving(lane)))
  return {
    those: moving.size === 0 ? requests : requests.filter((each) => !moving.has(each)),
    answers: <Result>(results: readonly Result[]): readonly (Result | typeof MOVING)[] => {
      if (moving.size === 0) return results
      const own = results.values()
      return requests.map((each) => (moving.has(each) ? MOVING : (own.next().value as Result)))
    },
  }
}

/**
 * Runs those of a batch whose lane is where it is. Nothing may come between this look and what is sent, not even a promise that is
 * resolved, or all of the batch would wait for a lane.
 */
export async function runInPlace<Request extends { readonly lane: number }, Result>(
  lanes: Pick<Lanes, 'isMoving'>,
  requests: readonly Request[],
  run: (requests: readonly Request[]) => Promise<readonly Result[]>,
): Promise<readonly (Result | typeof MOVING)[]> {
  const { those, answers } = inPlace(lanes, requests)
  return answers(those.length === 0 ? [] : await run(those))
}

export type ByServer<T> = {
  readonly of: (lane: number) => T
  readonly all: () => readonly T[]
  /** Ends each, and whatever is opened afterwards. */
  readonly end: (end: (one: T) => Promise<void>) => Promise<void>
}

export function byServer<T>(serverOf: Lanes['serverOf'], open: (server: string) => T): ByServer<T> {
  const opened = new Map<string, T>()
  const ends: ((one: T) => Promise<void>)[] = []
  return {
    of: (lane) => {
      const server = serverOf(lane)
      const before = opened.get(server)
      if (before !== undefined) return before
      const made = open(server)
      opened.set(server, made)
      for (const end of ends) void end(made)
      return made
    },
    all: () => [...opened.values()],
    end: async (end) => {
      ends.push(end)
      await Promise.all(Array.from(opened.values(), end))
    },
  }
}

/** The batchers of several servers as one. */
export function batcherByServer<Request extends { readonly lane: number }, Result>(
  lanes: Lanes,
  open: (server: string) => Batcher<Request, Result | typeof MOVING>,
): Batcher<Request, Result> {
  const batchers = byServer(lanes.serverOf, open)
  return {
    submit: (request) => askedInPlace(lanes, request, (each) => batchers.of(each.lane).submit(each)),
    drain: () => batchers.end((each) => each.drain()),
    depth: () => batchers.all().reduce((sum, each) => sum + each.depth(), 0),
  }
}
