// Works on due attempts: sends what is queued, asks about what is open, refunds what came back. Each channel has its own
// room, and one that does not answer is left in peace, so that it costs the others nothing.
import { type CallResult, type OutcomeDeps, workOn } from '../app/transfers/outcomes.ts'
import { FILE_ITEMS_MAX, sendTogether } from '../app/transfers/transfer-files.ts'
import { canBatch, type Channel } from '../connectors/connector.ts'
import { livemodesIn } from '../domain/channel/modes.ts'
import type { ChannelBook } from '../domain/channel/channel.ts'
import { afterCall, callsAllowed, NO_OUTAGE, type Outage } from '../domain/channel/outage.ts'
import type { Attempt } from '../domain/transfer/transfer.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type BusyAccounts, openBusyAccounts } from './busy-accounts.ts'
import { attemptFrom, dueAttempts } from '../store/jobs/attempts.ts'
import { frozenChannels } from '../store/operator/channels.ts'

export type SendDeps = OutcomeDeps & {
  readonly reader: Session
  /** Says which mode each channel is of: attempts of the other are never taken. */
  readonly channels: Pick<ChannelBook, 'current'>
  readonly lanes: readonly number[]
  /** Calls in flight to one channel at most; a slow channel fills only its own share. */
  readonly inFlightPerChannel: number
  readonly log: Log
}

export type Sending = {
  /** Starts what is due and has room; does not wait for the calls. How much it started. */
  readonly round: () => Promise<number>
  readonly settled: () => Promise<void>
  /** Calls in flight and the outage of each channel, for whoever watches. */
  readonly state: (channelId: string) => { readonly inFlight: number; readonly outage: Outage }
}

/** One channel's share of the work. */
type Share = { readonly channelId: string; readonly connector: Channel; inFlight: number; outage: Outage }

type Work = {
  readonly deps: SendDeps
  readonly shares: ReadonlyMap<string, Share>
  /** Attempts that are being worked on here. */
  readonly places: Set<string>
  readonly calls: Set<Promise<void>>
  readonly busy: BusyAccounts
  frozen: ReadonlySet<string>
  lookAt: number
}

const LOOK_MS = 1000

export function sendRound(deps: SendDeps): Sending {
  const shares = [...deps.connectors].map(([channelId, connector]): [string, Share] => [
    channelId,
    { channelId, connector, inFlight: 0, outage: NO_OUTAGE },
  ])
  const work: Work = {
    deps,
    shares: new Map(shares),
    places: new Set(),
    calls: new Set(),
    busy: openBusyAccounts(),
    frozen: new Set(),
    lookAt: 0,
  }
  return {
    round: () => round(work),
    settled: async () => {
      await Promise.all(work.calls)
    },
    state: (channelId) => work.shares.get(channelId) ?? { inFlight: 0, outage: NO_OUTAGE },
  }
}

async function round(work: Work): Promise<number> {
  const { deps, shares, calls } = work
  if (performance.now() >= work.lookAt) {
    work.lookAt = performance.now() + LOOK_MS
    const [result] = await deps.reader.send([frozenChannels()])
    work.frozen = new Set((result?.rows ?? []).map((row) => row['channel_id'] as string))
  }
  const open = [...shares.values()].filter((share) => roomOf(work, share) > 0)
  if (open.length === 0) {
    await Promise.race([...calls, new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref())])
    return 0
  }
  const notOf = work.busy.ids()
  const results = await deps.reader.send(
    open.map((share) => {
      const limit = canBatch(share.connector) ? FILE_ITEMS_MAX : roomOf(work, share) + share.inFlight
      const which = work.frozen.has(share.channelId) ? 'open ones' : 'all'
      return dueAttempts(deps.lanes, share.channelId, livemodesIn(deps.channels, share.channelId), which, limit, notOf)
    }),
  )
  return open.reduce((sum, share, i) => sum + startDue(work, share, (results[i]?.rows ?? []).map(attemptFrom)), 0)
}

const roomOf = ({ deps }: Work, share: Share) =>
  callsAllowed(share.outage, deps.inFlightPerChannel, performance.now()) - share.inFlight

/** Starts what is not under way yet; how much that is. */
function startDue(work: Work, share: Share, due: readonly Attempt[]): number {
  const { deps, places } = work
  const { connector } = share
  const fresh = due.filter((attempt) => !places.has(placeOf(attempt)))
  const leavesInFile = (attempt: Attempt) => attempt.status === 'queued' && canBatch(connector)
  const together = fresh.filter(leavesInFile)
  if (canBatch(connector) && together.length > 0)
    start(work, share, together, () => sendTogether(deps, connector, together))
  const others = fresh.filter((attempt) => !leavesInFile(attempt))
  const single = others.slice(0, Math.max(0, roomOf(work, share)))
  for (const attempt of single) start(work, share, [attempt], () => workOn(deps, attempt))
  return single.length + together.length
}

function start(work: Work, share: Share, attempts: readonly Attempt[], run: () => Promise<CallResult>): void {
  const { deps, places, calls } = work
  share.inFlight += 1
  for (const attempt of attempts) places.add(placeOf(attempt))
  const call = run()
    .catch((fault: unknown): CallResult => {
      work.busy.met(fault)
      deps.log.warn({ err: fault, channel: share.channelId }, 'an attempt could not be worked on')
      return 'not called'
    })
    .then((result) => {
      if (result !== 'not called') share.outage = afterCall(share.outage, result, performance.now())
      share.inFlight -= 1
      for (const attempt of attempts) places.delete(placeOf(attempt))
      calls.delete(call)
    })
  calls.add(call)
}

const placeOf = ({ contractId, number }: Attempt) => `${contractId}/${number}`
