// The one scheduler: works on due jobs, payouts and collections alike. Each channel has its own share of the calls and its own
// breaker, so that one that does not answer costs the others nothing; a frozen channel starts nothing new, and a paused one pays
// nothing new out.
import type { Freezes } from '../app/jobs/freezes.ts'
import { type CallResult, type CallWatch, newCallWatch } from '../app/jobs/lease-call-record.ts'
import { runCollection } from '../app/payments/collections.ts'
import type { CollectingDeps } from '../app/payments/payment-deps.ts'
import { type OutcomeDeps, runPayout } from '../app/transfers/payouts.ts'
import { FILE_ITEMS_MAX, sendTogether } from '../app/transfers/transfer-files.ts'
import { sendsFiles, type Connector } from '../connectors/connector.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import { livemodesIn } from '../domain/channel/modes.ts'
import { afterCall, callsAllowed, NO_OUTAGE, type Outage } from '../domain/channel/outage.ts'
import type { PaymentAttempt } from '../domain/payment/payment.ts'
import type { Attempt } from '../domain/transfer/transfer.ts'
import type { Session, Statement } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type DueJobs, dueJobs, dueJobsElsewhere, type Job, jobFrom } from '../store/jobs/jobs.ts'
import { type BusyAccounts, openBusyAccounts } from './busy-accounts.ts'

export type SchedulerDeps = OutcomeDeps &
  CollectingDeps & {
    readonly reader: Session
    /** For the mode of each channel: jobs of the other are never taken. */
    readonly channels: Pick<ChannelBook, 'current'>
    readonly freezes: Freezes
    /** Calls in flight to one channel at most; a slow channel fills only its own share. */
    readonly inFlightPerChannel: number
    /** Absent where nobody watches. */
    readonly onDone?: (done: JobDone) => void
    readonly log: Log
  }

/** A job that was worked on, once; its times are of a clock that does not jump. */
export type JobDone = Readonly<CallWatch> & {
  readonly job: Job
  readonly result: CallResult | 'failed'
  readonly beganAt: number
  readonly endedAt: number
}

export type Scheduler = {
  /** Starts what is due in these lanes and has room; does not wait for the calls. How much it started, or is to be tried again. */
  readonly round: (lanes: readonly number[]) => Promise<number>
  readonly settled: () => Promise<void>
  /** Calls in flight and the outage of each channel, for monitoring. */
  readonly state: (channelId: string) => { readonly inFlight: number; readonly outage: Outage }
}

/** One channel's share of the work, or, without a connector, that of jobs without a single channel. */
type Share = {
  readonly channelId: string
  readonly connector: Connector | null
  inFlight: number
  outage: Outage
}

type Work = {
  readonly deps: SchedulerDeps
  readonly shares: ReadonlyMap<string, Share>
  /** What calls no channel, several, or one that is not configured any more. */
  readonly elsewhere: Share
  /** Jobs that are being worked on here. */
  readonly running: Set<string>
  readonly calls: Set<Promise<void>>
  readonly busy: BusyAccounts
}

/** How long it waits at most for a call to end, where no channel has room. */
const FULL_WAIT_MS = 1000

export function openScheduler(deps: SchedulerDeps): Scheduler {
  const shareOf = (channelId: string, connector: Connector | null): Share => ({
    channelId,
    connector,
    inFlight: 0,
    outage: NO_OUTAGE,
  })
  const work: Work = {
    deps,
    shares: new Map([...deps.connectors].map(([id, connector]) => [id, shareOf(id, connector)])),
    elsewhere: shareOf('none', null),
    running: new Set(),
    calls: new Set(),
    busy: openBusyAccounts(),
  }
  return {
    round: (lanes) => round(work, lanes),
    settled: async () => {
      await Promise.all(work.calls)
    },
    state: (channelId) => work.shares.get(channelId) ?? { inFlight: 0, outage: NO_OUTAGE },
  }
}

async function round(work: Work, lanes: readonly number[]): Promise<number> {
  const { deps, shares, elsewhere, calls } = work
  await deps.freezes.look()
  const open = [...shares.values(), elsewhere].filter((share) => roomOf(work, share) > 0)
  if (open.length === 0) {
    await Promise.race([...calls, new Promise((resolve) => setTimeout(resolve, FULL_WAIT_MS).unref())])
    return 1
  }
  const notOf = work.busy.ids()
  const results = await deps.reader.send(open.map((share) => dueOf(work, share, { lanes, notOf })))
  return open.reduce((sum, share, i) => sum + startDue(work, share, (results[i]?.rows ?? []).map(jobFrom)), 0)
}

function dueOf(work: Work, share: Share, where: Omit<DueJobs, 'limit'>): Statement {
  const { deps, shares } = work
  const { channelId, connector, inFlight } = share
  const limit = connector && sendsFiles(connector) ? FILE_ITEMS_MAX : roomOf(work, share) + inFlight
  const due = { ...where, limit }
  if (connector === null) return dueJobsElsewhere([...shares.keys()], due)
  return dueJobs(channelId, livemodesIn(deps.channels, channelId), startable(deps.freezes, channelId), due)
}

/** A freeze stops what would begin, either way; a pause only what would leave. */
function startable(freezes: Freezes, channelId: string): 'all' | 'started' | 'not_paid_out' {
  if (freezes.has(channelId)) return 'started'
  return freezes.paysNothing(channelId) ? 'not_paid_out' : 'all'
}

const roomOf = ({ deps }: Work, share: Share) =>
  callsAllowed(share.outage, deps.inFlightPerChannel, performance.now()) - share.inFlight

/** Starts what is not under way yet; how much that is. */
function startDue(work: Work, share: Share, due: readonly Job[]): number {
  const { deps, running } = work
  const { connector } = share
  const fresh = due.filter((job) => !running.has(keyOf(job)))
  const sendsFile = connector !== null && sendsFiles(connector) ? connector : null
  const isForFile = (job: Job): job is Attempt => sendsFile !== null && job.kind === 'payout' && job.status === 'queued'
  const together = fresh.filter(isForFile)
  if (sendsFile && together.length > 0)
    start(work, share, together, (watch) => sendTogether(deps, sendsFile, together, watch))
  const others = fresh.filter((job) => !isForFile(job))
  const single = others.slice(0, Math.max(0, roomOf(work, share)))
  for (const job of single) start(work, share, [job], (watch) => run(work, job, watch))
  return single.length + together.length
}

function run(work: Work, job: Job, watch: CallWatch): Promise<CallResult> {
  const { deps, shares } = work
  if (job.kind === 'payout') return runPayout(deps, job, watch)
  const mayCall = ({ channelId, status }: PaymentAttempt) => {
    if (channelId === job.channelId) return true
    const share = shares.get(channelId)
    return !share || (roomOf(work, share) > 0 && !(status === 'starting' && deps.freezes.has(channelId)))
  }
  return runCollection(deps, job, mayCall, watch)
}

type RunAll = (watch: CallWatch) => Promise<CallResult>

function start(work: Work, share: Share, jobs: readonly Job[], runAll: RunAll): void {
  const { deps, running, calls } = work
  const watch = newCallWatch()
  const beganAt = performance.now()
  share.inFlight += 1
  for (const job of jobs) running.add(keyOf(job))
  const call = runAll(watch)
    .catch((fault: unknown): JobDone['result'] => {
      work.busy.met(fault)
      deps.log.warn({ err: fault, channel: share.channelId }, 'a job could not be worked on')
      return 'failed'
    })
    .then((result) => {
      const endedAt = performance.now()
      if (result !== 'not called' && result !== 'failed' && share.connector)
        share.outage = afterCall(share.outage, result, performance.now())
      share.inFlight -= 1
      for (const job of jobs) running.delete(keyOf(job))
      calls.delete(call)
      for (const job of jobs) deps.onDone?.({ ...watch, job, result, beganAt, endedAt })
    })
  calls.add(call)
}

/** A new attempt of a contract is another job. */
const keyOf = (job: Job) => (job.kind === 'payout' ? `${job.contractId}/${job.number}` : job.contractId)
