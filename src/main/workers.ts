// Starts the workers of this process and stops them in order.
import type { Execute } from '../engine/command-request.ts'
import type { ReachCrashPoint } from '../engine/crash-points.ts'
import type { ForgottenOrder } from '../app/accounts/contract-owners.ts'
import type { Dispute } from '../app/transfers/payouts.ts'
import type { KeyUses } from '../app/accounts/key-uses.ts'
import type { Freezes } from '../app/jobs/freezes.ts'
import type { OwnLanes, OwnWork } from '../app/jobs/own-lanes.ts'
import type { PaymentDeps } from '../app/payments/payment-deps.ts'
import { pollsEvents, type Connector } from '../connectors/connector.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { SealKeys } from '../app/seals/heads.ts'
import type { Finding } from '../ledger/verify.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { openExpiry } from '../workers/sweeps/expire.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import type { LanePlaces } from '../app/jobs/lane-places.ts'
import { pruneRound } from '../workers/sweeps/prune.ts'
import { openRemoval } from '../workers/sweeps/remove.ts'
import type { Config } from './config/config.ts'
import { type KeptNews, openRailEvents, type RailEventDeps } from '../workers/read-rail-events.ts'
import { openBookProofs } from '../workers/sweeps/prove-books.ts'
import { commandsRound, type RunDeps } from '../app/commands/run.ts'
import { rematchRound } from '../workers/sweeps/rematch-events.ts'
import { gaugeDatabase } from './telemetry/database-gauges.ts'
import { gaugeChannels, gaugeJobs } from './telemetry/job-gauges.ts'
import { watchJobs } from './telemetry/jobs.ts'
import type { Watching } from './telemetry/watching.ts'
import { openScheduler } from '../workers/scheduler.ts'
import { type Looking, type LookingParts, startLooking } from './looking.ts'
import { openVerifying, type Verifying } from './verifying.ts'

export type WorkerParts = {
  readonly execute: Execute
  readonly reader: Session
  readonly ownLanes: OwnLanes
  readonly monotonicMs: () => number
  readonly isOwn: OwnWork
  /** For what is forgotten, so that it is in nobody's way. */
  readonly openPruner: () => Session
  readonly channels: ChannelBook
  readonly connectors: ReadonlyMap<string, Connector>
  readonly leaseMs: number
  readonly crashPoint: ReachCrashPoint
  readonly onForgotten: (order: ForgottenOrder) => void
  readonly payments: PaymentDeps
  /** What rows of commands go through beside the write path. */
  readonly commands: Omit<RunDeps, 'execute' | 'reader' | 'log'>
  readonly freezes: Freezes
  readonly verifying: Verifying
  /** Accounts that are still to be told of a restore. */
  readonly tellRestored: () => Promise<number>
  /** Begins what is due of the schedules of these lanes. */
  readonly runSchedules: (lanes: readonly number[]) => Promise<number>
  /** For the looks for work. */
  readonly openLooker: () => Session
  /** Endpoints of a lane have something to deliver. */
  readonly deliver: (lane: number) => void
  readonly places: LanePlaces
  /** Is woken when a look failed: lanes may lie elsewhere by now. */
  readonly placing: Pick<Loop, 'wake'>
  /** A look at each chain that money comes in on. */
  readonly watches: readonly (() => Promise<number>)[]
  /** For the proofs of the books. */
  readonly openAuditor: () => Session
  /** The keys whose seals are believed. */
  readonly sealKeys: SealKeys
  /** Whose disk is watched, and for how long what may leave stays. */
  readonly config: Pick<Config, 'dataDir' | 'removal' | 'refundAbsentForMs'>
  readonly watch: Watching
  readonly log: Log
}

/** Calls to one channel under way at once. */
export const IN_FLIGHT_PER_CHANNEL = 128
const IDLE_MS = {
  news: 1000,
  /** Where nothing was written here for a minute, late completions and bounces are all that can come, and they are late already. */
  newsWhileQuiet: 5000,
  watch: 2000,
  restored: 1000,
  prune: 600_000,
  remove: 600_000,
  prove: 60_000,
  /** How late the day of a key's last use may be written. */
  uses: 60_000,
} as const

const QUIET_AFTER_MS = 60_000

export function startWorkers(parts: WorkerParts): Looking {
  const { execute, reader, channels, connectors, leaseMs, crashPoint, watch, log } = parts
  const { metrics } = watch
  const disputes = metrics.counter('gateway_callback_disputes_total', 'Callbacks a channel contradicts.', 'channel')
  const onDispute = (facts: Dispute) => {
    disputes.inc({ channel: facts.channel })
    log.error(facts, 'a channel’s own answer contradicts a callback signed with its secret: see docs/operating.md')
  }
  const { payments, freezes } = parts
  const noted = payments.noted ? { noted: payments.noted } : {}
  const { refundAbsentForMs } = parts.config
  const settings = { leaseMs, refundAbsentForMs, crashPoint, onDispute }
  const outcomes = { execute, channels, connectors, ...noted, freezes, ...settings }
  const inFlightPerChannel = IN_FLIGHT_PER_CHANNEL
  const scheduler = openScheduler({
    ...outcomes,
    reader,
    inFlightPerChannel,
    log,
    payments,
    onDone: watchJobs(watch),
  })
  gaugeChannels(metrics, [...connectors.keys()], scheduler.state, freezes)
  const pruner = parts.openPruner()
  const removal = startRemoval(parts, pruner)
  const prover = startProofs(parts)
  const verifier = openVerifying(parts.verifying, log)
  const looking = look(parts, { jobs: scheduler.round, verifications: verifier.round })
  const loops = [
    ...newsLoops({ ...outcomes, ...newsParts(parts) }, parts.isOwn, looking, log),
    ...parts.watches.map((watchChain, place) => {
      const name = `chain ${place + 1}`
      const round = async () => (parts.isOwn(name) ? watchChain() : 0)
      return startLoop({ name, round, idleMs: IDLE_MS.watch, log })
    }),
    startLoop({ name: 'restored', round: parts.tellRestored, idleMs: IDLE_MS.restored, log }),
    gaugeJobs(metrics, [...connectors.keys()], parts, log),
    gaugeDatabase(metrics, parts.config.dataDir, reader, log),
    startLoop({ name: 'prune', round: () => pruneLanes(pruner, parts.places.ownByShard), idleMs: IDLE_MS.prune, log }),
  ]
  return {
    ...looking,
    stop: async () => {
      await Promise.all([looking, removal, ...loops].map((each) => each.stop()))
      await Promise.all([scheduler.settled(), verifier.settled(), pruner.close(), prover.stop()])
    },
  }
}

/** Looks for work in the lanes of this process, and has it done. */
function look(parts: WorkerParts, workers: Pick<LookingParts['rounds'], 'jobs' | 'verifications'>): Looking {
  const { execute, reader, log } = parts
  const rows = { execute, reader, ...parts.commands, log }
  return startLooking({
    session: parts.openLooker(),
    places: parts.places,
    onLookFailed: parts.placing.wake,
    rounds: {
      ...workers,
      expiry: openExpiry({ execute, reader, onClockBack: clockBack(log) }),
      commands: (lanes) => commandsRound(rows, lanes),
      events: (lanes) => rematchRound({ execute, reader, lanes }),
      schedules: parts.runSchedules,
    },
    deliver: parts.deliver,
    metrics: parts.watch.metrics,
    log,
  })
}

/** Group by group: one that fails leaves those after it for the next time. */
async function pruneLanes(session: Session, groups: LanePlaces['ownByShard']): Promise<number> {
  let leftBehind = 0
  for (const lanes of groups()) leftBehind += await pruneRound(session, lanes)
  return leftBehind
}

const clockBack = (log: Log) => (seconds: number) =>
  log.error({ seconds: Math.round(seconds) }, 'the database’s clock went back: what waits was moved with it')

/** What may leave the database after its time. */
function startRemoval({ ownLanes, config, watch, log }: WorkerParts, session: Session): Pick<Loop, 'stop'> {
  const removal = openRemoval({ session, ownLanes, lives: config.removal, nowMs: Date.now })
  const { round, overdueSeconds, unarchivedSeconds } = removal
  watch.metrics.gauge('gateway_removal_overdue_seconds', 'How long ago the oldest was to leave.', overdueSeconds)
  watch.metrics.gauge(
    'gateway_removal_unarchived_seconds',
    'How long ago the oldest document was to leave that is in no noted archive.',
    unarchivedSeconds,
  )
  return startLoop({ name: 'remove', round, idleMs: IDLE_MS.remove, log })
}

/** Looks each minute whether a lane is due: all of them are proved in a little over four hours. A process that ends sooner proves nothing. */
function startProofs({ openAuditor, sealKeys, ownLanes, monotonicMs, watch, log }: WorkerParts): {
  readonly stop: () => Promise<void>
} {
  const session = openAuditor()
  const onFinding = (finding: Finding) => log.error(finding, 'the books do not hold: see docs/runbooks')
  const proofs = openBookProofs({ session, sealKeys, ownLanes, monotonicMs, onFinding })
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
      // The proof that is under way may take minutes, and is of no use any more.
      await Promise.all([loop.stop(), session.close()])
      // The look at the next account's seals may have opened it again.
      await session.close()
    },
  }
}

function newsParts({ reader, onForgotten, places, monotonicMs, log }: WorkerParts) {
  const onKept = ({ channel, kept, reading, fault }: KeptNews) =>
    log.warn({ channel, kept, reading, err: fault }, 'news of a channel could not be recorded and is tried again')
  return { reader, onForgotten, onKept, nodeOf: places.nodeOf, monotonicMs }
}

/** A loop for each channel that tells: one that hangs keeps nobody else's news waiting. */
function newsLoops(deps: RailEventDeps, isOwn: OwnWork, { quietMs }: Pick<Looking, 'quietMs'>, log: Log): Loop[] {
  const idleMs = () => (quietMs() < QUIET_AFTER_MS ? IDLE_MS.news : IDLE_MS.newsWhileQuiet)
  return [...deps.connectors].flatMap(([id, connector]) => {
    if (!pollsEvents(connector)) return []
    const name = `news of ${id}`
    const poll = openRailEvents(deps, id, connector)
    const round = async () => (isOwn(name) ? poll() : 0)
    return [startLoop({ name, round, idleMs, log })]
  })
}

/** Writes now and then on which day keys were used last, and at the end. */
export function writeUses({ flush }: KeyUses, log: Log): { readonly stop: () => Promise<void> } {
  const loop = startLoop({ name: 'key uses', round: () => flush().then(() => 0), idleMs: IDLE_MS.uses, log })
  return {
    stop: async () => {
      await loop.stop()
      await flush().catch((fault: unknown) => log.warn({ err: fault }, 'the last uses of keys are not written'))
    },
  }
}
