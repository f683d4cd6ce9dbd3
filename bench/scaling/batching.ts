// A simulation of the gathering, event by event: callers who wait for their answers, processes of one thread each, their
// writers' connections, and cores that all of them share. How much of the queue a batch takes, when one begins, and how
// what is held by another is waited for are the gateway's own rules (src/engine). Pure: chance comes from a seed.
import { shareOf } from '../../src/engine/batch.ts'
import { WANTED_MS } from '../../src/engine/held-line.ts'
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

/** A connection: what waits for it, and the thread of the database that works for it. */
type Queue = { waiting: Command[]; answered: number; busy: boolean; readonly backend: Thread; readonly session: number }
type Writer = {
  readonly queue: Queue
  /** The connection of those that wait for what another session holds. */
  readonly line: Queue
  /** Accounts that were held, until when nobody tries for them without waiting. */
  readonly wanted: Map<number, number>
}
type Run = ReturnType<typeof openRun>

function openRun(given: Simulated) {
  const { processes, writers } = given
  const cores = openCores(given.cores)
  let sessions = 0
  const queue = (): Queue => ({
    waiting: [],
    answered: 0,
    busy: false,
    backend: cores.thread(),
    session: ++sessions,
  })
  return {
    given,
    cores,
    chance: chanceOf(given.seed),
    counted: { answered: 0, batches: 0, inBatches: 0, held: 0 },
    /** Accounts, each with the session that holds it. */
    held: new Map<number, number>(),
    /** In the database's queue for an account, each with what it does when it has it. */
    inQueue: new Map<number, { readonly session: number; readonly had: () => void }[]>(),
    load: cores.thread(),
    threads: Array.from({ length: processes }, () => cores.thread()),
    writers: Array.from(
      { length: processes * writers },
      (): Writer => ({ queue: queue(), line: queue(), wanted: new Map() }),
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
  const writer = run.writers[command.writer] as Writer
  const isWanted = (writer.wanted.get(command.account) ?? 0) > run.cores.nowUs()
  const { waiting } = isWanted ? writer.line : writer.queue
  waiting.push(command)
  if (isWanted) wait(run, command)
  else begin(run, command)
}

type Place = Pick<Command, 'writer' | 'process'>

/** Begins a batch of a writer that has none under way. */
function begin(run: Run, place: Place): void {
  const { queue } = run.writers[place.writer] as Writer
  if (queue.busy || queue.waiting.length === 0) return
  queue.busy = true
  // What the thread still has to read joins the batch.
  run.threads[place.process]?.work(0, () =>
    work(run, place, queue, takeBatch(run.given, queue.waiting, shareOf(queue.waiting.length, queue.answered))),
  )
}

/** Has the line of a writer wait for what its first needs; all who stand in it by then are a batch. */
function wait(run: Run, place: Place): void {
  const { line } = run.writers[place.writer] as Writer
  const first = line.waiting[0]
  if (line.busy || !first) return
  line.busy = true
  const had = () => {
    run.held.set(first.account, line.session)
    run.threads[place.process]?.work(0, () => work(run, place, line, takeBatch(run.given, line.waiting, Infinity)))
  }
  const before = run.inQueue.get(first.account) ?? []
  if (run.held.has(first.account)) run.inQueue.set(first.account, [...before, { session: line.session, had }])
  else had()
}

/** A batch, until it is committed. */
function work(run: Run, place: Place, queue: Queue, batch: readonly Command[]): void {
  const { given, held, threads, cores } = run
  threads[place.process]?.work(halfOf(given, batch), () => {
    const free = batch.filter(({ account }) => (held.get(account) ?? queue.session) === queue.session)
    for (const { account } of free) held.set(account, queue.session)
    const { batchUs, commandUs } = given.postgres
    queue.backend.work(batchUs + commandUs * free.length, () =>
      cores.after(given.waitUs, () => end(run, place, queue, batch, free)),
    )
  })
}

/** What a batch costs its process, before the database has it and again after: half each. */
const halfOf = ({ gateway }: Simulated, batch: readonly Command[]): number =>
  (gateway.batchUs + gateway.commandUs * (1 - BEFORE_QUEUE) * batch.length) / 2

/** The batch is committed: those that it answered send their next ones, those that were held wait. */
function end(run: Run, place: Place, queue: Queue, batch: readonly Command[], free: readonly Command[]): void {
  const { cores, held, inQueue, threads } = run
  const { line, wanted } = run.writers[place.writer] as Writer
  for (const account of new Set(free.map((command) => command.account))) {
    held.delete(account)
    inQueue.get(account)?.shift()?.had()
  }
  const left = batch.filter((command) => !free.includes(command))
  const needs = left.map(({ account }) => account)
  for (const account of needs.filter((each, i) => needs.indexOf(each) < i))
    wanted.set(account, cores.nowUs() + WANTED_MS * 1000)
  line.waiting = queue === line ? [...left, ...line.waiting] : [...line.waiting, ...left]
  queue.answered = batch.length
  queue.busy = false
  count(run, 'batches', 1)
  count(run, 'inBatches', batch.length)
  count(run, 'held', left.length)
  begin(run, place)
  wait(run, place)
  if (!queue.busy) queue.answered = 0
  threads[place.process]?.work(halfOf(run.given, batch), () => {
    count(run, 'answered', free.length)
    for (const _ of free) send(run, place.process)
  })
}

/** Takes the next batch out of the queue, as `parted` of src/engine/batch.ts does. */
function takeBatch({ batchMax, laneScope }: Simulated, waiting: Command[], share: number): readonly Command[] {
  const max = Math.min(batchMax, share)
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
