// What the gateway tells of itself: figures, lines, the latest requests, and traces. All of one process.
import type { Watch } from '../../http/telemetry/request-watch.ts'
import type { Log } from '../../platform/log.ts'
import { openMetrics } from '../../platform/metrics.ts'
import { openRequestLog } from '../../platform/telemetry/request-log.ts'
import { openWideLines } from '../../platform/telemetry/wide-lines.ts'
import type { Config } from '../config/config.ts'
import { gaugeProcess } from './process-gauges.ts'
import { openTraces } from './tracing.ts'

export type Watching = Watch & { readonly stop: () => Promise<void> }

export async function openWatching(
  { logRequests, traces }: Pick<Config, 'logRequests' | 'traces'>,
  log: Log,
): Promise<Watching> {
  const metrics = openMetrics()
  const gauges = gaugeProcess(metrics)
  const sent = await openTraces(traces, log)
  return {
    metrics,
    requests: openRequestLog(),
    lines: openWideLines(log, logRequests),
    traces: sent,
    stop: async () => {
      gauges.stop()
      await sent?.stop()
    },
  }
}
