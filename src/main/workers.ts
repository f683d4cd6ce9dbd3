// Starts the workers of this process and stops them in order.
import type { Execute } from '../engine/command-request.ts'
import type { ReachCrashPoint } from '../engine/crash-points.ts'
import type { Dispute } from '../app/transfers/payouts.ts'
import type { Freezes } from '../app/jobs/freezes.ts'
import type { PaymentDeps } from '../app/payments/payment-deps.ts'
import { pollsEvents, type Connector } from '../connectors/connector.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import { ALL_LANES } from '../domain/contract/ids.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { expireRound } from '../workers/sweeps/expire.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { pruneRound } from '../workers/sweeps/prune.ts'
import { type RailEventDeps, railEventsRound } from '../workers/read-rail-events.ts'
import { rematchRound } from '../workers/sweeps/rematch-events.ts'
import { openScheduler } from '../workers/scheduler.ts'

export type WorkerParts = {
  readonly execute: Execute
  readonly reader: Session
  /** For what is forgotten, so that it is in nobody's way. */
  readonly openPruner: () => Session
  readonly channels: ChannelBook
  readonly connectors: ReadonlyMap<string, Connector>
  readonly leaseMs: number
  readonly crashPoint: ReachCrashPoint
  readonly newId: (lane: number) => string
  readonly payments: PaymentDeps
  readonly freezes: Freezes
  /** A look at each chain that money comes in on. */
  readonly watches: readonly (() => Promise<number>)[]
  readonly metrics: Metrics
  readonly log: Log
}

/** Calls to one channel under way at once. */
export const IN_FLIGHT_PER_CHANNEL = 128
const IDLE_MS = { jobs: 200, expire: 1000, news: 1000, watch: 2000, rematch: 1000, prune: 600_000 } as const

export function startWorkers(parts: WorkerParts): { readonly wake: () => void; readonly stop: () => Promise<void> } {
  const { execute, reader, channels, connectors, leaseMs, crashPoint, metrics, log } = parts
  const lanes = ALL_LANES
  const disputes = metrics.counter('gateway_callback_disputes_total', 'Callbacks a channel contradicts.', 'channel')
  const onDispute = (facts: Dispute) => {
    disputes.inc({ channel: facts.channel })
    log.error(facts, 'a channel’s own answer contradicts a callback signed with its secret: see docs/operating.md')
  }
  const outcomes = { execute, channels, connectors, leaseMs, crashPoint, onDispute }
  const { newId, payments, freezes } = parts
  const inFlightPerChannel = IN_FLIGHT_PER_CHANNEL
  const scheduler = openScheduler({ ...outcomes, reader, lanes, inFlightPerChannel, log, newId, payments, freezes })
  const gauge = (name: string, help: string, read: (state: ReturnType<typeof scheduler.state>) => number) =>
    metrics.channelGauge(name, help, [...connectors.keys()], (channel) => read(scheduler.state(channel)))
  gauge('gateway_channel_calls_in_flight', 'Calls under way.', ({ inFlight }) => inFlight)
  gauge('gateway_channel_silent_calls', 'Calls in a row that were not answered.', ({ outage }) => outage.silent)
  const jobs = startLoop({ name: 'jobs', round: scheduler.round, idleMs: IDLE_MS.jobs, log })
  const pruner = parts.openPruner()
  const others = [
    startLoop({ name: 'expire', round: () => expireRound({ execute, reader, lanes }), idleMs: IDLE_MS.expire, log }),
    ...newsLoops({ ...outcomes, reader }, log),
    ...parts.watches.map((round, place) =>
      startLoop({ name: `chain ${place + 1}`, round, idleMs: IDLE_MS.watch, log }),
    ),
    startLoop({ name: 'rematch', round: () => rematchRound({ execute, reader, lanes }), idleMs: IDLE_MS.rematch, log }),
    startLoop({ name: 'prune', round: () => pruneRound(pruner, lanes), idleMs: IDLE_MS.prune, log }),
  ]
  return {
    wake: jobs.wake,
    stop: async () => {
      await Promise.all([jobs, ...others].map((loop) => loop.stop()))
      await Promise.all([scheduler.settled(), pruner.close()])
    },
  }
}

/** A loop for each channel that tells: one that hangs keeps nobody else's news waiting. */
function newsLoops(deps: RailEventDeps, log: Log): Loop[] {
  return [...deps.connectors].flatMap(([id, connector]) => {
    if (!pollsEvents(connector)) return []
    const round = () => railEventsRound(deps, id, connector)
    return [startLoop({ name: `news of ${id}`, round, idleMs: IDLE_MS.news, log })]
  })
}
