// A simulation of the gathering, event by event: callers who wait for their answers, processes of one thread each, their
// writers' connections, and cores that all of them share. How much of the queue a batch takes, when one begins, and how
// long what is held by another waits are the gateway's own rules (src/engine). Pure: chance comes from a seed.
import { shareOf } from '../../src/engine/batch.ts'
import { TRY_AGAIN_MS } from '../../src/engine/held-lines.ts'
import { openCores } from './cores.ts'

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
  const { processes, writers, callers, accounts, forMs } = given
  const endUs = forMs * 1000
  const cores = openCores(given.cores)
  const chance = chanceOf(given.seed)
  const counted = { answered: 0, batches: 0, inBatches: 0, held: 0 }
  const count = (what: keyof typeof counted, howMany: number) => {
    if (cores.nowUs() > endUs * SETTLING) counted[what] += howMany
  }
  const held = new Map<number, number>()
  const load = cores.thread()
  const threads = Array.from({ length: processes }, () => cores.thread())
  const queues = Array.from({ length: processes * writers }, () => ({
    waiting: [] as Command[],
    answered: 0,
    busy: false,
  }))
  const backends = queues.map(() => cores.thread())

  const send = (process: number) => {
    const account = Math.floor(chance() * accounts)
    const command = { account, process, writer: process * writers + (account % writers) }
    load.work(given.callerUs, () =>
      threads[process]?.work(given.gateway.commandUs * BEFORE_QUEUE, () => enqueue(command)),
    )
  }
  const enqueue = (command: Command) => {
    queues[command.writer]?.waiting.push(command)
    begin(command.writer, command.process)
  }
  const begin = (writer: number, process: number) => {
    const queue = queues[writer]
    const [thread, backend] = [threads[process], backends[writer]]
    if (!queue || !thread || !backend || queue.busy || queue.waiting.length === 0) return
    queue.busy = true
    // What the thread still has to read joins the batch.
    thread.work(0, () => {
      const batch = takeBatch(given, queue.waiting, queue.answered)
      const { gateway, postgres } = given
      const mine = gateway.commandUs * (1 - BEFORE_QUEUE) * batch.length
      thread.work(gateway.batchUs / 2 + mine / 2, () => {
        const free = batch.filter(({ account }) => (held.get(account) ?? writer) === writer)
        for (const { account } of free) held.set(account, writer)
        backend.work(postgres.batchUs + postgres.commandUs * free.length, () =>
          cores.after(given.waitUs, () => {
            for (const { account } of free) held.delete(account)
            queue.answered = batch.length
            queue.busy = false
            count('batches', 1)
            count('inBatches', batch.length)
            count('held', batch.length - free.length)
            begin(writer, process)
            if (!queue.busy) queue.answered = 0
            const rest = batch.filter((command) => !free.includes(command))
            if (rest.length > 0) cores.after(TRY_AGAIN_MS * 1000, () => rest.forEach(enqueue))
            thread.work(gateway.batchUs / 2 + mine / 2, () => {
              count('answered', free.length)
              for (const _ of free) send(process)
            })
          }),
        )
      })
    })
  }
  for (let caller = 0; caller < callers; caller++) send(caller % processes)
  cores.runUntil(endUs)
  return {
    perSecond: (counted.answered * 1000) / (forMs * (1 - SETTLING)),
    batchSize: counted.batches === 0 ? 0 : counted.inBatches / counted.batches,
    heldShare: counted.inBatches === 0 ? 0 : counted.held / counted.inBatches,
  }
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
