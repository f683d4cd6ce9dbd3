// What the gateway tells of itself: figures, lines, the latest requests, and traces. Where several processes answer at one port, they are asked together.
import type { Watch } from '../../http/telemetry/request-watch.ts'
import type { Log } from '../../platform/log.ts'
import { openMetrics } from '../../platform/metrics.ts'
import { inOrder, openRequestLog, type RequestLog } from '../../platform/telemetry/request-log.ts'
import { openWideLines } from '../../platform/telemetry/wide-lines.ts'
import type { Config } from '../config/config.ts'
import type { Peers } from '../processes/peers.ts'
import { gaugeProcess } from './process-gauges.ts'
import { openTraces } from './tracing.ts'

export type Watching = Watch & { readonly stop: () => Promise<void> }

export async function openWatching(
  { logRequests, traces }: Pick<Config, 'logRequests' | 'traces'>,
  log: Log,
  peers: Peers | null,
): Promise<Watching> {
  const [metrics, requests] = [openMetrics(), openRequestLog()]
  const gauges = gaugeProcess(metrics)
  const sent = await openTraces(traces, log)
  peers?.onAsked({ figures: metrics.figures, requestsOf: requests.of })
  return {
    metrics: peers === null ? metrics : { ...metrics, text: peers.figures },
    requests: peers === null ? requests : ofSeveral(requests, peers, log),
    lines: openWideLines(log, logRequests),
    traces: sent,
    stop: async () => {
      gauges.stop()
      await sent?.stop()
    },
  }
}

/** How often who follows requests is told of those that other processes answered. */
const LOOK_MS = 1000

/** Where the others do not answer, what is known here has to do. */
function ofSeveral(own: RequestLog, { requestsOf }: Peers, log: Log): RequestLog {
  return {
    ...own,
    ofAll: (accountId) =>
      requestsOf(accountId).then(inOrder, (fault: unknown) => {
        log.warn({ err: fault }, 'only the requests of one process are shown')
        return own.of(accountId)
      }),
    listen: (accountId, onRequest) => {
      const ended = own.listen(accountId, onRequest)
      const looks = setInterval(onRequest, LOOK_MS)
      return () => {
        clearInterval(looks)
        ended()
      }
    },
  }
}
