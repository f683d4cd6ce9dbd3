// The writers: connections that write, each with its gathering. A command goes to the writer of its lane, into the batch that is
// being gathered there, and through `executeBatch`.
import type { Command } from '../domain/contract/command.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import { isLockTimeout, type Session } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import { scopeWithin } from '../platform/scope.ts'
import {
  askedInPlace,
  type Batcher,
  byServer,
  HELD,
  inPlace,
  type Lanes,
  MOVING,
  openBatcher,
  runInPlace,
} from './batch.ts'
import type { AnyResult, CommandRequest, CommandResult, Execute } from './command-request.ts'
import { COMMANDS } from './command-table.ts'
import type { CrashPoint, ReachCrashPoint } from './crash-points.ts'
import type { Entered } from './batch-state.ts'
import { byBook, executeBatch, executeInTurn } from './execute.ts'
import type { Care } from './load.ts'

export type WriterOptions = {
  /**
   * How many connections write to a server; each owns the lanes, or the groups of lanes, whose number mod `writers` is its own, and
   * has one batch in flight.
   */
  readonly writers: number
  /** Where the lanes are: a batch is for one server and one group of lanes, and waits for no other server. */
  readonly lanes: Lanes
  readonly batchMax: number
  readonly queueMax: number
  /** To the server of these lanes, or the node of a cluster that has them. */
  readonly openSession: (server: string) => Session
  /** For one that waits for what others hold: it may not wait for long at a time. */
  readonly openWaitingSession: (server: string) => Session
  readonly channels: ChannelBook
  readonly metrics: Metrics
  readonly crashPoint: ReachCrashPoint
  /** Called after each commit with the accounts whose contracts it wrote. */
  readonly onWritten: (accountIds: readonly string[]) => void
}

export type Writers = {
  readonly execute: Execute
  /** Calls back after a commit that left a job due at once, with its lane. */
  readonly onDue: (tell: (lane: number) => void) => void
  /** Commands that wait for a batch. */
  readonly depth: () => number
  readonly drain: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens the writers. What one of them does for a batch is in `openWriter`. */
export function openWriters(options: WriterOptions): Writers {
  let tell: (lane: number) => void = () => undefined
  const count = openCounts(options.metrics)
  const { serverOf, groupOf } = options.lanes
  const servers = byServer(serverOf, (server) =>
    Array.from({ length: options.writers }, () => openWriter(options, server, count, (lane) => tell(lane))),
  )
  const all = (end: (writer: Writer) => Promise<void>) =>
    servers.end(async (writers) => void (await Promise.all(writers.map(end))))
  const submit = (request: CommandRequest): Promise<AnyResult | typeof MOVING> => {
    const group = groupOf?.(request.lane) ?? request.lane
    const { batcher } = servers.of(request.lane)[group % options.writers] as Writer
    if (request.observed) request.observed.submittedAt = performance.now()
    return batcher.submit(request)
  }
  return {
    // The table of commands says what each results in.
    execute: async <C extends Command>(request: CommandRequest<C>) =>
      (await askedInPlace<CommandRequest, AnyResult>(options.lanes, request, submit)) as CommandResult<C>,
    onDue: (callback) => {
      tell = callback
    },
    depth: () =>
      servers
        .all()
        .flat()
        .reduce((sum, { batcher }) => sum + batcher.depth(), 0),
    drain: () => all(({ batcher }) => batcher.drain()),
    close: () => all(({ close }) => close()),
  }
}

type Writer = {
  readonly batcher: Batcher<CommandRequest, AnyResult | typeof MOVING>
  readonly close: () => Promise<void>
}

function openWriter(options: WriterOptions, server: string, count: Count, tell: (lane: number) => void): Writer {
  const { batchMax, queueMax, openSession, channels, lanes } = options
  const { groupOf } = lanes
  const [session, waiting] = [openSession(server), options.openWaitingSession(server)]
  const watched = watch(options, count, tell)
  const takeCare = openCare()
  const scopeOf = (requests: readonly CommandRequest[]) => scopeWithin(groupOf, requests)
  const runOn = (on: Session) => (requests: readonly CommandRequest[]) => {
    const batch = watched()
    batch.begin(requests)
    const run = (care: Care) =>
      runInPlace(lanes, requests, (each) => executeBatch(on, channels, scopeOf(each), each, care, count.entered))
    return batch.ended(byBook(channels, () => takeCare(run, isLockTimeout)))
  }
  const runInTurn = (first: CommandRequest, take: () => readonly CommandRequest[]) => {
    const batch = watched()
    let requests: readonly CommandRequest[] | null = null
    const takeOnce = () => (requests ??= batch.begin(take()))
    const run = async (care: Care): Promise<Results> => {
      // It would wait for the lane, and keep the whole line waiting: those beside it have another turn.
      if (lanes.isMoving(first.lane)) return takeOnce().map(({ lane }) => (lanes.isMoving(lane) ? MOVING : HELD))
      let answers = (results: Results): Results => results
      const takeThose = () => {
        const taken = inPlace(lanes, takeOnce())
        answers = taken.answers
        return taken.those
      }
      const results = await executeInTurn(waiting, channels, scopeOf, first, takeThose, care, count.entered)
      return answers(results)
    }
    const isMet = (fault: unknown) => requests !== null && isLockTimeout(fault)
    return batch.ended(byBook(channels, () => takeCare(run, isMet)))
  }
  const batcher = openBatcher<CommandRequest, AnyResult | typeof MOVING>({
    batchMax,
    queueMax,
    isWhole: groupOf !== null,
    groupOf: ({ lane }) => groupOf?.(lane) ?? 0,
    run: runOn(session),
    held: { needOf: ({ accountId }) => accountId, runInTurn, run: runOn(waiting) },
  })
  return { batcher, close: async () => void (await Promise.all([session.close(), waiting.close()])) }
}

type Watched = {
  readonly begin: (requests: readonly CommandRequest[]) => readonly CommandRequest[]
  readonly ended: (running: Promise<Results>) => Promise<Results>
}

/** What is told of a batch when it begins and when it is committed. */
function watch({ crashPoint, onWritten }: WriterOptions, count: Count, tell: (lane: number) => void): () => Watched {
  const crashPoints = (point: CrashPoint, requests: readonly CommandRequest[]) => {
    for (const { command } of requests)
      crashPoint(point, command.verb === 'credit' ? command.reference : (command.id ?? ''))
  }
  return () => {
    let requests: readonly CommandRequest[] = []
    let beganAt = 0
    return {
      begin: (begun) => {
        requests = begun
        crashPoints('before a batch is committed', requests)
        beganAt = performance.now()
        noteBegin(requests, beganAt)
        return requests
      },
      ended: async (running) => {
        const results = await running
        const tried = results.filter((result) => result !== MOVING)
        // A line that nobody stands in any more, or one of lanes that began to move.
        if (tried.length === 0) return results
        const tookMs = performance.now() - beganAt
        noteEnd(requests, results, tookMs)
        crashPoints('after a batch is committed', requests)
        const done = tried.filter((result) => result !== HELD)
        count.batch(done, tried.length, tookMs)
        for (const lane of lanesWithDue(done)) tell(lane)
        onWritten(changedAccounts(done))
        return results
      },
    }
  }
}

function noteBegin(requests: readonly CommandRequest[], beganAt: number): void {
  for (const { observed, command } of requests) {
    if (!observed) continue
    observed.verb = command.verb
    observed.contractId = command.verb === 'credit' || COMMANDS[command.verb].opens ? null : command.id
    observed.batchSize = requests.length
    observed.queuedMs += beganAt - observed.submittedAt
  }
}

function noteEnd(requests: readonly CommandRequest[], results: Results, tookMs: number): void {
  for (const [i, { observed }] of requests.entries()) {
    if (!observed) continue
    observed.batchMs += tookMs
    const result = results[i]
    if (typeof result === 'object' && 'contract' in result) observed.contractId = result.contract?.id ?? null
  }
}

const RECEPTIONS = ['applied', 'duplicate', 'ignored', 'unmatched', 'needs_review'] as const

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]

type Count = {
  readonly batch: (done: readonly AnyResult[], requested: number, tookMs: number) => void
  readonly entered: (entered: readonly Entered[]) => void
}

/** Counts batches, commands, what contracts became, and how events were taken in. */
function openCounts(metrics: Metrics): Count {
  const batches = metrics.counter('gateway_batches_total', 'Batches of commands that were committed.')
  const commands = metrics.counter('gateway_commands_total', 'Commands that were answered.')
  const held = metrics.counter('gateway_commands_held_total', 'Commands set aside because their account was held.')
  const events = metrics.counter('gateway_payment_events_total', 'Payment events by what became of them.', 'reception')
  const size = metrics.histogram('gateway_batch_size', 'Commands in a batch.', SIZES)
  const seconds = metrics.times('gateway_batch_seconds', 'How long a batch took, from its reading to its commit.')
  const received = new Map(RECEPTIONS.map((reception) => [reception as string, events.labels(reception)]))
  const floors = metrics.counter('gateway_floor_refusals_total', 'Commands refused because a wallet holds too little.')
  const contracts = metrics.counter('gateway_contracts_total', 'Contracts that came into a status.', 'kind', 'status')
  return {
    batch: (done, requested, tookMs) => {
      batches.inc(1)
      size.observe(requested)
      seconds.observe(tookMs / 1000)
      commands.inc(done.length)
      held.inc(requested - done.length)
      for (const result of done) {
        if (result.kind === 'event') received.get(result.reception)?.inc(1)
        else if (isFloorHit(result)) floors.inc(1)
      }
    },
    entered: (entered) => {
      for (const { kind, status } of entered) contracts.inc({ kind, status })
    },
  }
}

/** Told anew, and not the refusal that is kept under an idempotency key. */
const isFloorHit = (result: AnyResult) =>
  result.kind === 'refusal' && result.code === 'insufficient_funds' && !('replayed' in result)

type Results = readonly (AnyResult | typeof HELD | typeof MOVING)[]
type Run = (care: Care) => Promise<Results>

const CAREFUL_MS = 30_000

/**
 * Another session may hold a row that an account owns while the account itself is free, an operator at a prompt
 * perhaps. The first batch that meets it waits for the lock's time limit; for a while those that follow check first,
 * and leave that account alone. `isMet`: whether a fault is of such a row.
 */
function openCare(): (run: Run, isMet: (fault: unknown) => boolean) => Promise<Results> {
  let carefulUntilMs = 0
  const carefully = async (run: Run) => {
    const results = await run('all rows')
    if (results.includes(HELD)) carefulUntilMs = performance.now() + CAREFUL_MS
    return results
  }
  return async (run, isMet) => {
    if (performance.now() < carefulUntilMs) return carefully(run)
    try {
      return await run('accounts')
    } catch (fault) {
      if (!isMet(fault)) throw fault
      return carefully(run)
    }
  }
}

/** Lanes with a queued attempt without an undo window: it is worked on at once instead of at the next look. */
function lanesWithDue(results: readonly AnyResult[]): Set<number> {
  const lanes = new Set<number>()
  for (const result of results) {
    if (result.kind !== 'contract' || !result.attempt) continue
    const { status, dueAt } = result.attempt
    const isDue = dueAt !== null && dueAt <= result.contract.updatedAt
    if (isDue && (status === 'queued' || status === 'returned')) lanes.add(result.contract.lane)
  }
  return lanes
}

/** The accounts whose contracts a batch wrote. */
function changedAccounts(results: readonly AnyResult[]): string[] {
  const changed = new Set<string>()
  for (const result of results) {
    if (result.kind === 'contract' && !result.replayed) changed.add(result.contract.accountId)
    if (result.kind === 'event' && result.contract) changed.add(result.contract.accountId)
  }
  return [...changed]
}
