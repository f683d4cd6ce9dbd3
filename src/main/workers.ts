// Starts the workers of this process and stops them in order.
import type { Execute } from '../engine/command-request.ts'
import type { ReachCrashPoint } from '../engine/crash-points.ts'
import type { NewContractId } from '../app/deps.ts'
import type { ForgottenOrder } from '../app/accounts/contract-owners.ts'
import type { Dispute } from '../app/transfers/payouts.ts'
import type { Freezes } from '../app/jobs/freezes.ts'
import type { OwnLanes, OwnWork } from '../app/jobs/own-lanes.ts'
import type { PaymentDeps } from '../app/payments/payment-deps.ts'
import { pollsEvents, type Connector } from '../connectors/connector.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { SealKeys } from '../app/seals/heads.ts'
import type { Finding } from '../ledger/verify.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { expireRound } from '../workers/sweeps/expire.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { pruneRound } from '../workers/sweeps/prune.ts'
import { openRemoval } from '../workers/sweeps/remove.ts'
import type { Config } from './config/config.ts'
import { type RailEventDeps, railEventsRound } from '../workers/read-rail-events.ts'
import { openBookProofs } from '../workers/sweeps/prove-books.ts'
import { commandsRound, type RunDeps } from '../app/commands/run.ts'
import { rematchRound } from '../workers/sweeps/rematch-events.ts'
import { gaugeDatabase } from './telemetry/database-gauges.ts'
import { gaugeChannels, gaugeJobs } from './telemetry/job-gauges.ts'
import { watchJobs } from './telemetry/jobs.ts'
import type { Watching } from './telemetry/watching.ts'
import { openScheduler } from '../workers/scheduler.ts'
import { startVerifying, type Verifying } from './verifying.ts'

export type WorkerParts = {
  readonly execute: Execute
  readonly reader: Session
  readonly ownLanes: OwnLanes
  readonly isOwn: OwnWork
  /** For what is forgotten, so that it is in nobody's way. */
  readonly openPruner: () => Session
  readonly channels: ChannelBook
  readonly connectors: ReadonlyMap<string, Connector>
  readonly leaseMs: number
  readonly crashPoint: ReachCrashPoint
  readonly newContractId: NewContractId
  readonly onForgotten: (order: ForgottenOrder) => void
  readonly payments: PaymentDeps
  /** What rows of commands go through beside the write path. */
  readonly commands: Omit<RunDeps, 'execute' | 'reader' | 'lanes' | 'log'>
  readonly freezes: Freezes
  readonly verifying: Verifying
  /** Accounts that are still to be told of a restore. */
  readonly tellRestored: () => Promise<number>
  /** A look at the schedules that are due. */
  readonly runSchedules: () => Promise<number>
  /** A look at each chain that money comes in on. */
  readonly watches: readonly (() => Promise<number>)[]
  /** For the proofs of the books. */
  readonly openAuditor: () => Session
  /** The keys whose seals are believed. */
  readonly sealKeys: SealKeys
  /** Whose disk is watched, and for how long what may leave stays. */
  readonly config: Pick<Config, 'dataDir' | 'removal'>
  readonly watch: Watching
  readonly log: Log
}

/** Calls to one channel under way at once. */
export const IN_FLIGHT_PER_CHANNEL = 128
const IDLE_MS = {
  jobs: 200,
  expire: 1000,
  news: 1000,
  watch: 2000,
  commands: 200,
  rematch: 1000,
  schedules: 1000,
  restored: 1000,
  prune: 600_000,
  remove: 600_000,
  prove: 60_000,
  verify: 500,
} as const

export function startWorkers(parts: WorkerParts): { readonly wake: () => void; readonly stop: () => Promise<void> } {
  const { execute, reader, ownLanes, channels, connectors, leaseMs, crashPoint, watch, log } = parts
  const { metrics } = watch
  const disputes = metrics.counter('gateway_callback_disputes_total', 'Callbacks a channel contradicts.', 'channel')
  const onDispute = (facts: Dispute) => {
    disputes.inc({ channel: facts.channel })
    log.error(facts, 'a channel’s own answer contradicts a callback signed with its secret: see docs/operating.md')
  }
  const { newContractId, payments, freezes } = parts
  const noted = payments.noted ? { noted: payments.noted } : {}
  const outcomes = { execute, channels, connectors, ...noted, leaseMs, crashPoint, onDispute }
  const inFlightPerChannel = IN_FLIGHT_PER_CHANNEL
  const scheduler = openScheduler({
    ...outcomes,
    reader,
    ownLanes,
    inFlightPerChannel,
    log,
    newContractId,
    payments,
    freezes,
    onDone: watchJobs(watch),
  })
  gaugeChannels(metrics, [...connectors.keys()], scheduler.state, freezes)
  const jobs = startLoop({ name: 'jobs', round: scheduler.round, idleMs: IDLE_MS.jobs, log })
  const pruner = parts.openPruner()
  const removal = startRemoval(parts)
  const prover = startProofs(parts)
  const others = [
    ...newsLoops({ ...outcomes, reader, onForgotten: parts.onForgotten }, parts.isOwn, log),
    ...parts.watches.map((look, place) => {
      const name = `chain ${place + 1}`
      const round = async () => (parts.isOwn(name) ? look() : 0)
      return startLoop({ name, round, idleMs: IDLE_MS.watch, log })
    }),
    ...sweepLoops(parts, pruner),
    gaugeJobs(metrics, [...connectors.keys()], parts, log),
    gaugeDatabase(metrics, parts.config.dataDir, reader, log),
    startVerifying(parts.verifying, IDLE_MS.verify, log),
  ]
  return {
    wake: jobs.wake,
    stop: async () => {
      await Promise.all([jobs, ...others].map((loop) => loop.stop()))
      await Promise.all([scheduler.settled(), pruner.close(), removal.stop(), prover.stop()])
    },
  }
}

/** A loop for each kind of work that waits in the rows of the lanes of this process. */
function sweepLoops({ execute, reader, ownLanes, log, ...parts }: WorkerParts, pruner: Session): Loop[] {
  const loop = (name: keyof typeof IDLE_MS, round: () => Promise<number>) =>
    startLoop({ name, round, idleMs: IDLE_MS[name], log })
  const rows = { execute, reader, ...parts.commands, log }
  const onClockBack = clockBack(log)
  return [
    loop('expire', () => expireRound({ execute, reader, lanes: ownLanes(), onClockBack })),
    loop('commands', () => commandsRound({ ...rows, lanes: ownLanes() })),
    loop('rematch', () => rematchRound({ execute, reader, lanes: ownLanes() })),
    loop('restored', parts.tellRestored),
    loop('schedules', parts.runSchedules),
    loop('prune', () => pruneRound(pruner, ownLanes())),
  ]
}

const clockBack = (log: Log) => (seconds: number) =>
  log.error({ seconds: Math.round(seconds) }, 'the database’s clock went back: what waits was moved with it')

/** What may leave the database after its time. */
function startRemoval({ openPruner, ownLanes, config, watch, log }: WorkerParts): {
  readonly stop: () => Promise<void>
} {
  const session = openPruner()
  const { round, overdueSeconds } = openRemoval({ session, ownLanes, lives: config.removal, nowMs: Date.now })
  watch.metrics.gauge('gateway_removal_overdue_seconds', 'How long ago the oldest was to leave.', overdueSeconds)
  const loop = startLoop({ name: 'remove', round, idleMs: IDLE_MS.remove, log })
  return {
    stop: async () => {
      await loop.stop()
      await session.close()
    },
  }
}

/** A lane a minute: all of them in a little over four hours. A process that ends sooner proves nothing. */
function startProofs({ openAuditor, sealKeys, watch, log }: WorkerParts): { readonly stop: () => Promise<void> } {
  const session = openAuditor()
  const onFinding = (finding: Finding) => log.error(finding, 'the books do not hold: see docs/runbooks')
  const proofs = openBookProofs(session, sealKeys, onFinding)
  watch.metrics.gauge(
    'gateway_ledger_findings',
    'Proofs of the books that do not hold (gateway verify).',
    proofs.findings,
  )
  watch.metrics.gauge('gateway_chain_findings', 'Accounts whose chain of seals is broken.', proofs.brokenChains)
  watch.metrics.gauge(
    'gateway_ledger_proof_age_seconds',
    'Age of the oldest proof of a part of the books.',
    proofs.oldestSeconds,
  )
  let isFirst = true
  const round = async () => {
    if (!isFirst) return proofs.round()
    isFirst = false
    return 0
  }
  const loop = startLoop({ name: 'prove', round, idleMs: IDLE_MS.prove, log })
  return {
    stop: async () => {
      proofs.halt()
      await loop.stop()
      await session.close()
    },
  }
}

/** A loop for each channel that tells: one that hangs keeps nobody else's news waiting. */
function newsLoops(deps: RailEventDeps, isOwn: OwnWork, log: Log): Loop[] {
  return [...deps.connectors].flatMap(([id, connector]) => {
    if (!pollsEvents(connector)) return []
    const name = `news of ${id}`
    const round = async () => (isOwn(name) ? railEventsRound(deps, id, connector) : 0)
    return [startLoop({ name, round, idleMs: IDLE_MS.news, log })]
  })
}
