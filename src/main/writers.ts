// The writers: connections that write, each with its gathering, and who is told of what they wrote.
import type { Answer, Ask } from '../app/ask.ts'
import { type Batcher, openBatcher } from '../app/batch.ts'
import type { CrashPoint, Passing } from '../app/crash-points.ts'
import { executeBatch } from '../app/execute.ts'
import type { ChannelBook } from '../domain/channels.ts'
import type { Session } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import { MANY_LANES } from '../platform/scope.ts'
import type { Config } from './config.ts'
import { type Database, openKeyedSession } from './database.ts'

export type Writing = {
  readonly execute: (ask: Ask) => Promise<Answer>
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
  passing: Passing,
  tell: (changed: readonly string[]) => void,
): Writing {
  let wake: () => void = () => undefined
  const taken = new Map<string, (by: number) => void>(
    RECEPTIONS.map((reception) => [reception, metrics.counter('gateway_payment_events_total', { reception })]),
  )
  const passAll = (point: CrashPoint, asks: readonly Ask[]) => {
    for (const { command } of asks) passing(point, command.verb === 'credit' ? command.reference : (command.id ?? ''))
  }
  const sessions: Session[] = []
  const batchers: Batcher<Ask, Answer>[] = []
  for (let i = 0; i < config.writers; i++) {
    const session = openKeyedSession(database)
    sessions.push(session)
    batchers.push(
      openBatcher<Ask, Answer>({
        batchMax: config.batchMax,
        queueMax: config.queueMax,
        groupOf: config.laneScope === 'many lanes' ? () => 0 : (ask) => ask.lane,
        run: async (asks) => {
          const lane = asks[0]?.lane ?? 0
          const scope = config.laneScope === 'many lanes' ? MANY_LANES : ({ kind: 'one lane', lane } as const)
          passAll('before a batch is committed', asks)
          const answers = await executeBatch(session, channels, scope, asks)
          passAll('after a batch is committed', asks)
          metrics.add('gateway_batches_total', 1)
          metrics.add('gateway_commands_total', asks.length)
          for (const answer of answers) if ('reception' in answer) taken.get(answer.reception)?.(1)
          if (answers.some(isDueNow)) wake()
          tell(changedAccounts(answers))
          return answers
        },
      }),
    )
  }
  return {
    execute: (ask) => (batchers[ask.lane % config.writers] as Batcher<Ask, Answer>).submit(ask),
    onDue: (callback) => {
      wake = callback
    },
    depth: () => batchers.reduce((sum, batcher) => sum + batcher.depth(), 0),
    drain: async () => void (await Promise.all(batchers.map((batcher) => batcher.drain()))),
    close: async () => void (await Promise.all(sessions.map((session) => session.close()))),
  }
}

const RECEPTIONS = ['applied', 'duplicate', 'ignored', 'unmatched', 'parked'] as const

/** A queued attempt without an undo window is worked on at once instead of at the next look. */
function isDueNow(answer: Answer): boolean {
  if (!('attempt' in answer) || !answer.attempt) return false
  const { status, dueAt } = answer.attempt
  return (status === 'queued' || status === 'returned') && dueAt !== null && dueAt <= answer.contract.updatedAt
}

/** Whose contracts a batch wrote. */
function changedAccounts(answers: readonly Answer[]): string[] {
  const changed = new Set<string>()
  for (const answer of answers)
    if ('contract' in answer && answer.contract && !('replayed' in answer && answer.replayed))
      changed.add(answer.contract.accountId)
  return [...changed]
}
