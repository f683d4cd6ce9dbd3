// The figures of this process at a port of their own, without a key: for a collector on this machine or in a network of
// the operator's. Nothing else is served there.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Metrics } from '../platform/metrics.ts'
import { urlOfBound } from './config/config.ts'

const TIMEOUT_MS = 5000

export type MetricsDoor = { readonly url: string; readonly stop: () => Promise<void> }

/** Serves GET /metrics. Rejects with the system's fault where it cannot listen there. */
export async function openMetricsDoor(host: string, port: number, figures: Metrics['text']): Promise<MetricsDoor> {
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    response.writeHead(isAsked ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' })
    if (!isAsked) return void response.end('Only GET /metrics is here.\n')
    figures().then(
      (text) => response.end(text),
      () => response.destroy(),
    )
  })
  server.requestTimeout = TIMEOUT_MS
  server.headersTimeout = TIMEOUT_MS
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: `${urlOfBound(host, port)}/metrics`,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
