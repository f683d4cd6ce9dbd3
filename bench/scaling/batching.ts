// A simulation of the gathering, event by event: callers who wait for their answers, processes of one thread each, their
// writers' connections, and cores that all of them share. How much of the queue a batch takes, when one begins, and how
// long what is held by another waits are the gateway's own rules (src/engine). Pure: chance comes from a seed.
import { shareOf } from '../../src/engine/batch.ts'
import { TRY_AGAIN_MS } from '../../src/engine/held-lines.ts'
import { openCores, type Thread } from './cores.ts'

/** Microseconds of a processor: for each batch, and for each command in it. */
export type Cost = { readonly batchUs: number; readonly commandUs: number }

export type Simulated = {
  readonly processes: number
  /** Connections that write, of each process; lanes are shared out among them. */
  readonly writers: number
  readonly batchMax: number
  /** Callers, each with one request at a time. */
  readonly callers: number
  /** Accounts that the commands fall on at random, each on a lane of its own. */
  readonly accounts: number
  readonly laneScope: 'many lanes' | 'one lane'
  readonly gateway: Cost
  readonly postgres: Cost
  /** Processor time of a caller for each request; all callers are one process. */
  readonly callerUs: number
  /** Waits of a batch that take no processor: round trips and the flush of the log. */
  readonly waitUs: number
  readonly cores: number
  readonly forMs: number
  readonly seed: number
}

export type Outcome = {
  readonly perSecond: number
  /** Commands in a batch, those that were held included. */
  readonly batchSize: number
  /** Of all commands in batches, those whose account another process held. */
  readonly heldShare: number
}

type Command = { readonly account: number; readonly process: number; readonly writer: number }

// Of what a command costs its process, so much is done before it is queued: HTTP, JSON, schemas. The rest belongs to its batch.
const BEFORE_QUEUE = 0.5
// The first part of a run, in which queues fill, is not counted.
const SETTLING = 0.2

/** Runs it for so long and says what came of it. */
export function simulate(given: Simulated): Outcome {
  const run = openRun(given)
  for (let caller = 0; caller < given.callers; caller++) send(run, caller % given.processes)
  run.cores.runUntil(given.forMs * 1000)
  const { answered, batches, inBatches, held } = run.counted
  return {
    perSecond: (answered * 1000) / (given.forMs * (1 - SETTLING)),
    batchSize: batches === 0 ? 0 : inBatches / batches,
    heldShare: inBatches === 0 ? 0 : held / inBatches,
  }
}

type Queue = { readonly waiting: Command[]; answered: number; busy: boolean; readonly backend: Thread }
type Run = ReturnType<typeof openRun>

function openRun(given: Simulated) {
  const { processes, writers } = given
  const cores = openCores(given.cores)
  return {
    given,
    cores,
    chance: chanceOf(given.seed),
    counted: { answered: 0, batches: 0, inBatches: 0, held: 0 },
    /** Accounts, each with the writer that holds it. */
    held: new Map<number, number>(),
    load: cores.thread(),
    threads: Array.from({ length: processes }, () => cores.thread()),
    queues: Array.from(
      { length: processes * writers },
      (): Queue => ({ waiting: [], answered: 0, busy: false, backend: cores.thread() }),
    ),
  }
}

function count({ given, cores, counted }: Run, what: keyof Run['counted'], howMany: number): void {
  if (cores.nowUs() > given.forMs * 1000 * SETTLING) counted[what] += howMany
}

function send(run: Run, process: number): void {
  const { given, chance, load, threads } = run
  const account = Math.floor(chance() * given.accounts)
  const command = { account, process, writer: process * given.writers + (account % given.writers) }
  load.work(given.callerUs, () =>
    threads[process]?.work(given.gateway.commandUs * BEFORE_QUEUE, () => enqueue(run, command)),
  )
}

function enqueue(run: Run, command: Command): void {
  run.queues[command.writer]?.waiting.push(command)
  begin(run, command)
}

/** Begins a batch of a writer that has none under way. */
function begin(run: Run, { writer, process }: Pick<Command, 'writer' | 'process'>): void {
  const { given, held } = run
  const [queue, thread] = [run.queues[writer], run.threads[process]]
  if (!queue || !thread || queue.busy || queue.waiting.length === 0) return
  queue.busy = true
  // What the thread still has to read joins the batch.
  thread.work(0, () => {
    const batch = takeBatch(given, queue.waiting, queue.answered)
    thread.work(halfOf(given, batch), () => {
      const free = batch.filter(({ account }) => (held.get(account) ?? writer) === writer)
      for (const { account } of free) held.set(account, writer)
      const { batchUs, commandUs } = given.postgres
      queue.backend.work(batchUs + commandUs * free.length, () =>
        run.cores.after(given.waitUs, () => end(run, { queue, thread, writer, process }, batch, free)),
      )
    })
  })
}

/** What a batch costs its process, before the database has it and again after: half each. */
const halfOf = ({ gateway }: Simulated, batch: readonly Command[]): number =>
  (gateway.batchUs + gateway.commandUs * (1 - BEFORE_QUEUE) * batch.length) / 2

type Place = { readonly queue: Queue; readonly thread: Thread; readonly writer: number; readonly process: number }

/** The batch is committed: those that it answered send their next ones, those that were held try again. */
function end(run: Run, { queue, thread, writer, process }: Place, batch: readonly Command[], free: readonly Command[]) {
  for (const { account } of free) run.held.delete(account)
  queue.answered = batch.length
  queue.busy = false
  count(run, 'batches', 1)
  count(run, 'inBatches', batch.length)
  count(run, 'held', batch.length - free.length)
  begin(run, { writer, process })
  if (!queue.busy) queue.answered = 0
  const rest = batch.filter((command) => !free.includes(command))
  if (rest.length > 0) run.cores.after(TRY_AGAIN_MS * 1000, () => rest.forEach((command) => enqueue(run, command)))
  thread.work(halfOf(run.given, batch), () => {
    count(run, 'answered', free.length)
    for (const _ of free) send(run, process)
  })
}

/** Takes the next batch out of the queue, as `parted` of src/engine/batch.ts does. */
function takeBatch({ batchMax, laneScope }: Simulated, waiting: Command[], justAnswered: number): readonly Command[] {
  const max = Math.min(batchMax, shareOf(waiting.length, justAnswered))
  if (laneScope === 'many lanes') return waiting.splice(0, max)
  const lane = waiting[0]?.account
  const batch = waiting.filter(({ account }) => account === lane).slice(0, max)
  for (const taken of batch) waiting.splice(waiting.indexOf(taken), 1)
  return batch
}

/** Numbers from 0 to 1 that look like chance, the same for the same seed (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
