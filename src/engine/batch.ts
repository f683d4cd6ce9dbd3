// The gathering: what arrives while a batch is in flight forms the next one. What somebody else holds is set aside and
// tried again, so that it keeps nobody else waiting. Knows nothing about money.
import { DatabaseUnavailable, isAway, sqlStateOf } from '../platform/db.ts'
import { type HeldLines, openHeldLines, type Waiting } from './held-lines.ts'

/** The queue holds as much as it may: the caller is told to come back. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

/** The gateway is stopping and takes no new work. */
export class ShuttingDown extends Error {
  override readonly name = 'ShuttingDown'
}

/** In place of an answer: somebody else holds what this ask needs, and nothing of it was done. */
export const HELD = Symbol('held')

export type Batcher<Ask, Answer> = {
  /**
   * Rejects with {@link Overloaded} or {@link ShuttingDown} at once, with `Busy` after a second of trying, or with
   * the fault of this very ask.
   */
  readonly submit: (ask: Ask) => Promise<Answer>
  /** Takes nothing new, finishes what is queued. */
  readonly drain: () => Promise<void>
  readonly depth: () => number
}

export type BatcherOptions<Ask, Answer> = {
  /** Answers all asks of a batch, in their order, or throws: then nothing of it was done. */
  readonly run: (asks: readonly Ask[]) => Promise<readonly (Answer | typeof HELD)[]>
  readonly batchMax: number
  readonly queueMax: number
  /** Asks of one batch share this; a batch takes the oldest ask's value. Constant where batches may mix. */
  readonly groupOf: (ask: Ask) => number
  /** What an ask needs for itself: while one of these is held by somebody else, all that need it wait in one line. */
  readonly needOf?: (ask: Ask) => string
}

const REPLAYS_MAX = 5
// Serialization failure and deadlock: the whole batch is replayed. Ids and times were fixed before, so that is safe.
const isReplayable = (fault: unknown) => ['40001', '40P01'].includes(sqlStateOf(fault) ?? '')
// A lost connection, a full disk and a timeout are everybody's; anything else may be one poison command's doing.
const isDivisible = (fault: unknown) => !isAway(fault)

export function openBatcher<Ask, Answer>(options: BatcherOptions<Ask, Answer>): Batcher<Ask, Answer> {
  const { needOf = () => '', queueMax } = options
  let queue: Waiting<Ask, Answer>[] = []
  let running: Promise<void> | null = null
  let stopping = false
  let justAnswered = 0

  const enqueue = (waiting: readonly Waiting<Ask, Answer>[]): void => {
    queue.push(...waiting)
    running ??= run()
  }
  const held = openHeldLines<Ask, Answer>(enqueue, queueMax)
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
    submit: (ask) => {
      if (stopping) return Promise.reject(new ShuttingDown('the gateway is stopping'))
      if (queue.length >= queueMax) return Promise.reject(new Overloaded(`${queue.length} commands are queued`))
      return new Promise<Answer>((resolve, reject) => {
        const waiting = { ask, resolve, reject }
        if (held.size() === 0 || !held.join(needOf(ask), waiting)) enqueue([waiting])
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

type Work<Ask, Answer> = {
  readonly options: BatcherOptions<Ask, Answer>
  readonly held: HeldLines<Ask, Answer>
  readonly needOf: (ask: Ask) => string
  /** Empties the queue. */
  readonly takeAll: () => readonly Waiting<Ask, Answer>[]
}

type Batch<Ask, Answer> = readonly Waiting<Ask, Answer>[]

/** Runs a batch until each of it is answered, refused or set aside. */
async function settled<Ask, Answer>(
  work: Work<Ask, Answer>,
  batch: Batch<Ask, Answer>,
  replays: number,
): Promise<void> {
  try {
    answerAll(work, batch, await work.options.run(batch.map((waiting) => waiting.ask)))
  } catch (fault) {
    if (isReplayable(fault) && replays < REPLAYS_MAX) return settled(work, batch, replays + 1)
    if (batch.length === 1 || !isDivisible(fault)) {
      rejectAll(work, batch, fault)
      // Whoever waits behind a database that hangs would wait as long again.
      if (fault instanceof DatabaseUnavailable && fault.isHung) rejectAll(work, work.takeAll(), fault.nothingDone())
      return
    }
    const half = Math.ceil(batch.length / 2)
    await settled(work, batch.slice(0, half), 0)
    await settled(work, batch.slice(half), 0)
  }
}

/** A turn later, so that the next batch is on its way to the database before these answers are written out. */
function answerAll<Ask, Answer>(
  { held, needOf }: Work<Ask, Answer>,
  batch: Batch<Ask, Answer>,
  answers: readonly (Answer | typeof HELD)[],
): void {
  if (held.size() > 0 || answers.includes(HELD))
    batch.forEach((waiting, i) => {
      if (answers[i] === HELD) held.setAside(needOf(waiting.ask), waiting)
      else held.release(needOf(waiting.ask), waiting)
    })
  setImmediate(() =>
    batch.forEach((waiting, i) => {
      const answer = answers[i]
      if (answer !== HELD) waiting.resolve(answer as Answer)
    }),
  )
}

function rejectAll<Ask, Answer>({ held, needOf }: Work<Ask, Answer>, batch: Batch<Ask, Answer>, fault: unknown): void {
  for (const waiting of batch) {
    held.release(needOf(waiting.ask), waiting)
    waiting.reject(fault)
  }
}

/** The next batch and what it leaves: as many as it may take, of the oldest one's group. */
function parted<Ask, Answer>(
  queue: readonly Waiting<Ask, Answer>[],
  { batchMax, groupOf }: BatcherOptions<Ask, Answer>,
  share: number,
): [Waiting<Ask, Answer>[], Waiting<Ask, Answer>[]] {
  const max = Math.min(batchMax, share)
  const group = queue[0] && groupOf(queue[0].ask)
  const batch: Waiting<Ask, Answer>[] = []
  const rest: Waiting<Ask, Answer>[] = []
  for (const waiting of queue)
    if (batch.length < max && groupOf(waiting.ask) === group) batch.push(waiting)
    else rest.push(waiting)
  return [batch, rest]
}

const WHOLE_MAX = 24

/**
 * How much of the queue one batch takes: all of a short one, else half of the callers at work, counting those of the
 * batch before, who are about to come back. If one batch held them all, this process would idle while the database
 * works, and the other way round.
 */
function shareOf(waiting: number, justAnswered: number): number {
  return Math.max(WHOLE_MAX, Math.ceil((waiting + justAnswered) / 2))
}
