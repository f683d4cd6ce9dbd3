// The writers: connections that write, each with its gathering, and who is told of what they wrote.
import type { CommandResult, CommandRequest } from '../engine/command-request.ts'
import { type Batcher, HELD, openBatcher } from '../engine/batch.ts'
import type { CrashPoint, ReachCrashPoint } from '../engine/crash-points.ts'
import { executeBatch } from '../engine/execute.ts'
import type { Care } from '../engine/load-store.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import { type Session, sqlStateOf } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import { MANY_LANES, type Scope } from '../platform/scope.ts'
import type { Config } from './config/config.ts'
import { type Database, openKeyedSession } from './database/database.ts'

export type Writing = {
  readonly execute: (request: CommandRequest) => Promise<CommandResult>
  readonly onDue: (wake: () => void) => void
  readonly depth: () => number
  readonly drain: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Each writer owns the lanes with `lane mod writers` and has one batch in flight. */
export function openWriters(
  config: Config,
  database: Database,
  channels: ChannelBook,
  metrics: Metrics,
  crashPoint: ReachCrashPoint,
  tell: (changed: readonly string[]) => void,
): Writing {
  let wake: () => void = () => undefined
  const taken = new Map<string, (by: number) => void>(
    RECEPTIONS.map((reception) => [reception, metrics.counter('gateway_payment_events_total', { reception })]),
  )
  const passAll = (point: CrashPoint, requests: readonly CommandRequest[]) => {
    for (const { command } of requests)
      crashPoint(point, command.verb === 'credit' ? command.reference : (command.id ?? ''))
  }
  const sessions: Session[] = []
  const batchers: Batcher<CommandRequest, CommandResult>[] = []
  for (let i = 0; i < config.writers; i++) {
    const session = openKeyedSession(database)
    sessions.push(session)
    const run = careful((scope, requests, care) => executeBatch(session, channels, scope, requests, care))
    batchers.push(
      openBatcher<CommandRequest, CommandResult>({
        batchMax: config.batchMax,
        queueMax: config.queueMax,
        needOf: (request) => request.accountId,
        groupOf: config.laneScope === 'many lanes' ? () => 0 : (request) => request.lane,
        run: async (requests) => {
          const lane = requests[0]?.lane ?? 0
          const scope = config.laneScope === 'many lanes' ? MANY_LANES : ({ kind: 'one lane', lane } as const)
          passAll('before a batch is committed', requests)
          const results = await run(scope, requests)
          passAll('after a batch is committed', requests)
          const answers = results.filter((answer) => answer !== HELD)
          metrics.add('gateway_batches_total', 1)
          metrics.add('gateway_commands_total', answers.length)
          if (answers.length < requests.length)
            metrics.add('gateway_commands_held_total', requests.length - answers.length)
          for (const answer of answers) if ('reception' in answer) taken.get(answer.reception)?.(1)
          if (answers.some(isDueNow)) wake()
          tell(changedAccounts(answers))
          return results
        },
      }),
    )
  }
  return {
    execute: (request) =>
      (batchers[request.lane % config.writers] as Batcher<CommandRequest, CommandResult>).submit(request),
    onDue: (callback) => {
      wake = callback
    },
    depth: () => batchers.reduce((sum, batcher) => sum + batcher.depth(), 0),
    drain: async () => void (await Promise.all(batchers.map((batcher) => batcher.drain()))),
    close: async () => void (await Promise.all(sessions.map((session) => session.close()))),
  }
}

type Results = readonly (CommandResult | typeof HELD)[]
type Run = (scope: Scope, requests: readonly CommandRequest[], care: Care) => Promise<Results>

const CAREFUL_MS = 30_000

/**
 * Somebody may hold a row that an account owns while the account itself is free, an operator at a prompt perhaps. The first
 * batch that meets it waits for the lock's time limit; those of the next while look first, and leave that account alone.
 */
function careful(run: Run): (scope: Scope, requests: readonly CommandRequest[]) => Promise<Results> {
  let carefulUntilMs = 0
  const carefully = async (scope: Scope, requests: readonly CommandRequest[]) => {
    const results = await run(scope, requests, 'all rows')
    if (results.includes(HELD)) carefulUntilMs = performance.now() + CAREFUL_MS
    return results
  }
  return async (scope, requests) => {
    if (performance.now() < carefulUntilMs) return carefully(scope, requests)
    try {
      return await run(scope, requests, 'accounts')
    } catch (fault) {
      if (sqlStateOf(fault) !== LOCK_NOT_AVAILABLE) throw fault
      return carefully(scope, requests)
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

const RECEPTIONS = ['applied', 'duplicate', 'ignored', 'unmatched', 'needs_review'] as const

/** A queued attempt without an undo window is worked on at once instead of at the next look. */
function isDueNow(answer: CommandResult): boolean {
  if (!('attempt' in answer) || !answer.attempt) return false
  const { status, dueAt } = answer.attempt
  return (status === 'queued' || status === 'returned') && dueAt !== null && dueAt <= answer.contract.updatedAt
}

/** Whose contracts a batch wrote. */
function changedAccounts(answers: readonly CommandResult[]): string[] {
  const changed = new Set<string>()
  for (const answer of answers)
    if ('contract' in answer && answer.contract && !('replayed' in answer && answer.replayed))
      changed.add(answer.contract.accountId)
  return [...changed]
}
