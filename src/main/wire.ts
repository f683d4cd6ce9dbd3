// Builds everything from a configuration; the only file that knows every concrete piece.
import type { FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'
import { type Batcher, openBatcher } from '../app/batch.ts'
import { openCallerBook } from '../app/callers.ts'
import { openChannelBook } from '../app/channel-book.ts'
import { creditFromChannel, isCredited } from '../app/credits.ts'
import type { Deps } from '../app/deps.ts'
import type { Answer, Ask } from '../app/ask.ts'
import { executeBatch } from '../app/execute.ts'
import { openContractReads } from '../app/reads.ts'
import type { Channel } from '../channels/channel.ts'
import { sandboxChannel } from '../channels/sandbox.ts'
import { walletChannel } from '../channels/wallet.ts'
import type { ChannelBook } from '../domain/channels.ts'
import { openRateLimiter } from '../http/rate-limit.ts'
import { buildServer } from '../http/server.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type Metrics, openMetrics } from '../platform/metrics.ts'
import { openOutbound } from '../platform/outbound.ts'
import { MANY_LANES } from '../platform/scope.ts'
import type { Config } from './config.ts'
import { type Database, openKeyedSession, openPlannedSession } from './database.ts'
import { startWorkers } from './workers.ts'

export type Gateway = {
  readonly app: FastifyInstance
  readonly deps: Deps
  /** Starts sending, sweeping and reading news. */
  readonly startWorkers: () => void
  /** Takes nothing new, finishes what is in flight, lets go of the database. */
  readonly stop: () => Promise<void>
}

export async function buildGateway(config: Config, database: Database, sandboxUrl: string, log: Log): Promise<Gateway> {
  const reader = openPlannedSession(database)
  const keyed = openKeyedSession(database)
  const metrics = openMetrics()
  const channels = await openChannelBook(reader, config.channels)
  const writing = openWriters(config, database, channels, metrics)
  const outbound = openOutbound()
  const credits = { execute: writing.execute, reader }
  const connectors = new Map<string, Channel>([
    ['sandbox', sandboxChannel({ outbound, baseUrl: sandboxUrl, timeoutMs: config.callTimeoutMs })],
    [
      'wallet',
      walletChannel({
        credit: (walletId, amountMinor, currency, reference) =>
          creditFromChannel(credits, walletId, amountMinor, currency, reference),
        isCredited: (walletId, reference) => isCredited(credits, walletId, reference),
      }),
    ],
  ])
  const contracts = openContractReads(keyed, config.queueMax)
  const deps: Deps = {
    execute: writing.execute,
    contracts,
    reader,
    channels,
    callers: openCallerBook(reader, Date.now),
    nowMs: Date.now,
    randomHex: pooledHex(),
  }
  metrics.gauge('gateway_command_queue_depth', writing.depth)
  const state = { stopping: false }
  const app = await buildServer({
    deps,
    settings: { baseUrl: config.publicUrl, currencies: new Set(config.currencies) },
    limiter: config.rateLimit === 0 ? null : openRateLimiter(config.rateLimit, config.rateBurst, Date.now),
    readiness: () => readiness(reader, state),
    metrics: async () => metrics.text() + processMetrics(),
    log,
  })
  const stopWorkers: (() => Promise<void>)[] = []
  return {
    app,
    deps,
    startWorkers: () => {
      const workers = startWorkers({ execute: writing.execute, reader, connectors, leaseMs: config.leaseMs, log })
      writing.onDue(workers.wake)
      stopWorkers.push(workers.stop)
    },
    stop: async () => {
      state.stopping = true
      await app.close()
      await Promise.all(stopWorkers.map((stop) => stop()))
      await writing.drain()
      await contracts.drain()
      await outbound.close()
      await Promise.all([reader.close(), keyed.close(), writing.close()])
    },
  }
}

type Writing = {
  readonly execute: (ask: Ask) => Promise<Answer>
  readonly onDue: (wake: () => void) => void
  readonly depth: () => number
  readonly drain: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The writers: each owns the lanes with `lane mod writers` and has one batch in flight. */
function openWriters(config: Config, database: Database, channels: ChannelBook, metrics: Metrics): Writing {
  let wake: () => void = () => undefined
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
          const answers = await executeBatch(session, channels, scope, asks)
          metrics.add('gateway_batches_total', 1)
          metrics.add('gateway_commands_total', asks.length)
          if (answers.some(isDueNow)) wake()
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

/** A queued attempt without an undo window is worked on at once instead of at the next look. */
function isDueNow(answer: Answer): boolean {
  if (!('attempt' in answer) || !answer.attempt) return false
  const { status, dueAt } = answer.attempt
  return (status === 'queued' || status === 'returned') && dueAt !== null && dueAt <= answer.contract.updatedAt
}

/** Random digits from a pool: one call of the operating system serves many ids. */
function pooledHex(): () => string {
  const DIGITS = 20
  let pool = ''
  let at = 0
  return () => {
    if (at + DIGITS > pool.length) {
      pool = randomBytes(2000).toString('hex')
      at = 0
    }
    at += DIGITS
    return pool.slice(at - DIGITS, at)
  }
}

const READY_WITHIN_MS = 500

async function readiness(
  reader: Session,
  state: { readonly stopping: boolean },
): Promise<{ ready: boolean; status: string }> {
  if (state.stopping) return { ready: false, status: 'stopping' }
  const late = new Promise<string>((resolve) => setTimeout(resolve, READY_WITHIN_MS, 'database slow').unref())
  const asked = reader.send([{ name: 'ping', text: 'select 1', values: [] }]).then(
    () => 'ok',
    () => 'database unavailable',
  )
  const status = await Promise.race([asked, late])
  return { ready: status === 'ok', status }
}

function processMetrics(): string {
  const { rss, heapUsed } = process.memoryUsage()
  return `# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes ${rss}\n# TYPE process_heap_bytes gauge\nprocess_heap_bytes ${heapUsed}\n`
}
