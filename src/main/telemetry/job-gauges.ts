// What waits to be worked on, channel by channel, and how each channel stands. Looked up now and then, not at each scrape.
import type { Freezes } from '../../app/jobs/freezes.ts'
import type { LanePlaces } from '../../app/jobs/lane-places.ts'
import type { Session } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { jobBacklog } from '../../store/jobs/jobs.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'
import type { Scheduler } from '../../workers/scheduler.ts'

const LOOK_EVERY_MS = 10_000

export function gaugeChannels(
  metrics: Metrics,
  channels: readonly string[],
  state: Scheduler['state'],
  freezes: Pick<Freezes, 'has' | 'paysNothing'>,
): void {
  const gauge = (name: string, help: string, read: (channel: string) => number) =>
    metrics.channelGauge(name, help, channels, read)
  const isOpen = (channel: string) => (state(channel).outage.openUntil ?? 0) > performance.now()
  gauge('gateway_channel_calls_in_flight', 'Calls under way.', (channel) => state(channel).inFlight)
  gauge(
    'gateway_channel_silent_calls',
    'Calls in a row that were not answered.',
    (channel) => state(channel).outage.silent,
  )
  gauge('gateway_channel_breaker_open', '1 while the channel is left alone.', (channel) => Number(isOpen(channel)))
  gauge('gateway_channel_frozen', '1 while nothing new is sent (gateway channels freezes).', (channel) =>
    Number(freezes.has(channel)),
  )
  gauge('gateway_payouts_paused', '1 while an operator has paused its payouts (gateway payouts status).', (channel) =>
    Number(freezes.paysNothing(channel)),
  )
}

/** Reads how much is due, for as long as the loop runs. */
export function gaugeJobs(
  metrics: Metrics,
  channels: readonly string[],
  { reader, places }: { readonly reader: Session; readonly places: LanePlaces },
  log: Log,
): Loop {
  let seen = new Map<string, { readonly due: number; readonly ageSeconds: number }>()
  const all = [...channels, 'none']
  metrics.channelGauge(
    'gateway_jobs_due',
    'Jobs that are due and not under way.',
    all,
    (channel) => seen.get(channel)?.due ?? 0,
  )
  metrics.channelGauge(
    'gateway_jobs_oldest_due_seconds',
    'For how long the oldest of them has been due.',
    all,
    (channel) => seen.get(channel)?.ageSeconds ?? 0,
  )
  const round = async () => {
    const results = await reader.send(places.ownByShard().map((lanes) => jobBacklog(channels, lanes)))
    const now: typeof seen = new Map()
    for (const row of results.flatMap(({ rows }) => rows)) {
      const [channel, due, ageSeconds] = [
        row['channel_id'] as string,
        row['due'] as number,
        row['age_seconds'] as number,
      ]
      const before = now.get(channel) ?? { due: 0, ageSeconds: 0 }
      now.set(channel, { due: before.due + due, ageSeconds: Math.max(before.ageSeconds, ageSeconds) })
    }
    seen = now
    return 0
  }
  return startLoop({ name: 'job backlog', round, idleMs: LOOK_EVERY_MS, log })
}
