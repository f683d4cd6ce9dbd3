// The gathering: what arrives while a batch is in flight forms the next one. No timer. Knows nothing about money.
import { DatabaseUnavailable, sqlStateOf } from '../platform/db.ts'

/** The queue holds as much as it may: the caller is told to come back. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

/** The gateway is stopping and takes no new work. */
export class ShuttingDown extends Error {
  override readonly name = 'ShuttingDown'
}

export type Batcher<Ask, Answer> = {
  /** Rejects with {@link Overloaded} or {@link ShuttingDown} at once, or with the fault of this very ask. */
  readonly submit: (ask: Ask) => Promise<Answer>
  /** Takes nothing new, finishes what is queued. */
  readonly drain: () => Promise<void>
  readonly depth: () => number
}

export type BatcherOptions<Ask, Answer> = {
  /** Answers all asks of a batch, in their order, or throws: then nothing of it was done. */
  readonly run: (asks: readonly Ask[]) => Promise<readonly Answer[]>
  readonly batchMax: number
  readonly queueMax: number
  /** Asks of one batch share this; a batch takes the oldest ask's value. Constant where batches may mix. */
  readonly groupOf: (ask: Ask) => number
}

type Waiting<Ask, Answer> = {
  readonly ask: Ask
  readonly resolve: (answer: Answer) => void
  readonly reject: (fault: unknown) => void
}

const REPLAYS_MAX = 5
// Serialization failure and deadlock: the whole batch is replayed. Ids and times were fixed before, so that is safe.
const isReplayable = (fault: unknown) => ['40001', '40P01'].includes(sqlStateOf(fault) ?? '')
// A lost connection is everybody's; anything else may be one poison command's doing.
const isDivisible = (fault: unknown) => !(fault instanceof DatabaseUnavailable)

export function openBatcher<Ask, Answer>(options: BatcherOptions<Ask, Answer>): Batcher<Ask, Answer> {
  let queue: Waiting<Ask, Answer>[] = []
  let running: Promise<void> | null = null
  let stopping = false
  let justAnswered = 0

  const run = async (): Promise<void> => {
    // Everything that this turn of the event loop still reads from sockets joins the batch.
    await new Promise(setImmediate)
    while (queue.length > 0) await settled(take(), 0)
    justAnswered = 0
    running = null
  }

  const take = (): Waiting<Ask, Answer>[] => {
    const max = Math.min(options.batchMax, shareOf(queue.length, justAnswered))
    const group = queue[0] && options.groupOf(queue[0].ask)
    const batch: Waiting<Ask, Answer>[] = []
    const rest: Waiting<Ask, Answer>[] = []
    for (const waiting of queue)
      if (batch.length < max && options.groupOf(waiting.ask) === group) batch.push(waiting)
      else rest.push(waiting)
    queue = rest
    justAnswered = batch.length
    return batch
  }

  const settled = async (batch: readonly Waiting<Ask, Answer>[], replays: number): Promise<void> => {
    try {
      const answers = await options.run(batch.map((waiting) => waiting.ask))
      // A turn later, so that the next batch is on its way to the database before these answers are written out.
      setImmediate(() => batch.forEach((waiting, i) => waiting.resolve(answers[i] as Answer)))
    } catch (fault) {
      if (isReplayable(fault) && replays < REPLAYS_MAX) return settled(batch, replays + 1)
      if (batch.length === 1 || !isDivisible(fault)) {
        for (const waiting of batch) waiting.reject(fault)
        return
      }
      const half = Math.ceil(batch.length / 2)
      await settled(batch.slice(0, half), 0)
      await settled(batch.slice(half), 0)
    }
  }

  return {
    submit: (ask) => {
      if (stopping) return Promise.reject(new ShuttingDown('the gateway is stopping'))
      if (queue.length >= options.queueMax) return Promise.reject(new Overloaded(`${queue.length} commands are queued`))
      return new Promise<Answer>((resolve, reject) => {
        queue.push({ ask, resolve, reject })
        running ??= run()
      })
    },
    drain: async () => {
      stopping = true
      await running
    },
    depth: () => queue.length,
  }
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
