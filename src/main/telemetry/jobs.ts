// What each job leaves behind: figures, a line in the log, and in its contract's trace a span with the channel's call in it.
import { firstSpanOf, sampledTraceOf, type Traces } from '../../platform/telemetry/traces.ts'
import type { JobDone } from '../../workers/scheduler.ts'
import type { Watching } from './watching.ts'

export function watchJobs({ metrics, lines, traces }: Watching): (done: JobDone) => void {
  const jobs = metrics.counter('gateway_jobs_total', 'Jobs that were worked on, by what came of it.', 'kind', 'outcome')
  const seconds = metrics.times('gateway_job_seconds', 'How long a job took, its call included.', 'kind')
  const late = metrics.times('gateway_job_lateness_seconds', 'How long a job was due before it was begun.', 'kind')
  const calls = metrics.counter(
    'gateway_channel_calls_total',
    'Calls by what the channel reported.',
    'channel',
    'outcome',
  )
  const callSeconds = metrics.times('gateway_channel_call_seconds', 'How long a channel took to answer.', 'channel')
  return (done) => {
    const { job, result, beganAt, endedAt, calledAt, reportedAt, report } = done
    const { kind } = job
    const channel = job.channelId ?? 'none'
    // Its monotonic times, as moments.
    const clockMs = Date.now() - performance.now()
    const lateMs = Math.max(0, clockMs + beganAt - (job.dueAt ?? clockMs + beganAt))
    const callMs = calledAt === null || reportedAt === null ? null : reportedAt - calledAt
    jobs.inc({ kind, outcome: result.replace(' ', '_') })
    seconds.observe({ kind }, (endedAt - beganAt) / 1000)
    late.observe({ kind }, lateMs / 1000)
    if (callMs !== null) {
      calls.inc({ channel, outcome: report ?? 'unknown' })
      callSeconds.observe({ channel }, callMs / 1000)
    }
    const traceId = sampledTraceOf(traces, job.contractId)
    lines?.job({
      kind,
      contractId: job.contractId,
      accountId: job.accountId,
      channel,
      attempt: job.kind === 'payout' ? job.number : null,
      outcome: report ?? result,
      failed: result === 'failed' || result === 'silent',
      lateMs,
      durationMs: endedAt - beganAt,
      callMs,
      traceId,
    })
    if (traces !== null && traceId !== null) addSpans(traces, traceId, done, clockMs)
  }
}

function addSpans(traces: Traces, traceId: string, { job, result, ...times }: JobDone, clockMs: number): void {
  const { beganAt, endedAt, calledAt, reportedAt, report } = times
  const spanId = traces.newSpanId()
  const channel = job.channelId ?? 'none'
  const failed = result === 'failed' || result === 'silent'
  const whose = {
    traceId,
    attributes: { 'gateway.channel': channel, 'gateway.outcome': report ?? result },
    failed,
    link: null,
  }
  traces.add({
    ...whose,
    spanId,
    parentId: firstSpanOf(job.contractId),
    name: `job ${job.kind}`,
    kind: 'worker',
    beganAt: clockMs + beganAt,
    endedAt: clockMs + endedAt,
  })
  if (calledAt === null || reportedAt === null) return
  traces.add({
    ...whose,
    spanId: traces.newSpanId(),
    parentId: spanId,
    name: `channel ${channel}`,
    kind: 'client',
    beganAt: clockMs + calledAt,
    endedAt: clockMs + reportedAt,
  })
}
