// The gathering: what arrives while a batch is in flight forms the next one. What another session holds is set aside
// and tried again, so that it keeps no other request waiting. Knows nothing about money.
import { DatabaseUnavailable, isAway, sqlStateOf } from '../platform/db.ts'
import { type HeldLines, openHeldLines, type Waiting } from './held-lines.ts'

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

export type Batcher<Request, Result> = {
  /**
   * Rejects with {@link Overloaded} or {@link ShuttingDown} at once, with `Busy` after a second of trying, or with the
   * fault of this very request.
   */
  readonly submit: (request: Request) => Promise<Result>
  /** Takes nothing new, finishes what is queued. */
  readonly drain: () => Promise<void>
  readonly depth: () => number
}

export type BatcherOptions<Request, Result> = {
  /** Answers all requests of a batch, in their order, or throws: then nothing of it was done. */
  readonly run: (requests: readonly Request[]) => Promise<readonly (Result | typeof HELD)[]>
  readonly batchMax: number
  readonly queueMax: number
  /** Requests of one batch share this; a batch takes the oldest request's value. Constant where batches may mix. */
  readonly groupOf: (request: Request) => number
  /** What a request needs for itself: while one of these is held by another session, all that need it wait in one line. */
  readonly needOf?: (request: Request) => string
}

const REPLAYS_MAX = 5
// Serialization failure and deadlock: the whole batch is replayed. Ids and times were fixed before, so that is safe.
const isReplayable = (fault: unknown) => ['40001', '40P01'].includes(sqlStateOf(fault) ?? '')
// A lost connection, a full disk and a timeout concern all requests; anything else may be one poison command's doing.
const isDivisible = (fault: unknown) => !isAway(fault)

export function openBatcher<Request, Result>(options: BatcherOptions<Request, Result>): Batcher<Request, Result> {
  const { needOf = () => '', queueMax } = options
  let queue: Waiting<Request, Result>[] = []
  let running: Promise<void> | null = null
  let stopping = false
  let justAnswered = 0

  const enqueue = (waiting: readonly Waiting<Request, Result>[]): void => {
    queue.push(...waiting)
    running ??= run()
  }
  const held = openHeldLines<Request, Result>(enqueue, queueMax)
  const work = { options, held, needOf, takeAll: () => queue.splice(0) }

  const run = async (): Promise<void> => {
    // Everything that this turn of the event loop still reads from sockets joins the batch.
    await new Promise(setImmediate)
    while (queue.length > 0) {
      const [batch, rest] = parted(queue, options, shareOf(queue.length, justAnswered))
      queue = rest
      justAnswered = batch.length
      await settled(work, batch, 0)
    }
    justAnswered = 0
    running = null
  }

  return {
    submit: (request) => {
      if (stopping) return Promise.reject(new ShuttingDown('the gateway is stopping'))
      if (queue.length >= queueMax) return Promise.reject(new Overloaded(`${queue.length} commands are queued`))
      return new Promise<Result>((resolve, reject) => {
        const waiting = { request, resolve, reject }
        if (held.size() === 0 || !held.join(needOf(request), waiting)) enqueue([waiting])
      })
    },
    drain: async () => {
      stopping = true
      // What is set aside comes back to the queue until its time is over.
      while (running !== null || held.size() > 0) await (running ?? held.settled())
    },
    depth: () => queue.length,
  }
}

type Work<Request, Result> = {
  readonly options: BatcherOptions<Request, Result>
  readonly held: HeldLines<Request, Result>
  readonly needOf: (request: Request) => string
  /** Empties the queue. */
  readonly takeAll: () => readonly Waiting<Request, Result>[]
}

type Batch<Request, Result> = readonly Waiting<Request, Result>[]

/** Runs a batch until each of it is answered, refused or set aside. */
async function settled<Request, Result>(
  work: Work<Request, Result>,
  batch: Batch<Request, Result>,
  replays: number,
): Promise<void> {
  try {
    answerAll(work, batch, await work.options.run(batch.map((waiting) => waiting.request)))
  } catch (fault) {
    if (isReplayable(fault) && replays < REPLAYS_MAX) return settled(work, batch, replays + 1)
    if (batch.length === 1 || !isDivisible(fault)) {
      rejectAll(work, batch, fault)
      // Requests behind a database that hangs would wait as long again.
      if (fault instanceof DatabaseUnavailable && fault.isHung) rejectAll(work, work.takeAll(), fault.nothingDone())
      return
    }
    const half = Math.ceil(batch.length / 2)
    await settled(work, batch.slice(0, half), 0)
    await settled(work, batch.slice(half), 0)
  }
}

/** A turn later, so that the next batch is on its way to the database before these answers are written out. */
function answerAll<Request, Result>(
  { held, needOf }: Work<Request, Result>,
  batch: Batch<Request, Result>,
  results: readonly (Result | typeof HELD)[],
): void {
  if (held.size() > 0 || results.includes(HELD))
    batch.forEach((waiting, i) => {
      if (results[i] === HELD) held.setAside(needOf(waiting.request), waiting)
      else held.release(needOf(waiting.request), waiting)
    })
  setImmediate(() =>
    batch.forEach((waiting, i) => {
      const result = results[i]
      if (result !== HELD) waiting.resolve(result as Result)
    }),
  )
}

function rejectAll<Request, Result>(
  { held, needOf }: Work<Request, Result>,
  batch: Batch<Request, Result>,
  fault: unknown,
): void {
  for (const waiting of batch) {
    held.release(needOf(waiting.request), waiting)
    waiting.reject(fault)
  }
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
