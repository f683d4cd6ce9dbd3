// A receiver of webhooks as most are: an HTTP server of Node's own, which answers each POST at once, and counts. It ends
// with its parent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Orders of the parent: count what has come, or report each one's time of arrival from now on. */
export type ReceiverOrder = 'count' | 'report first bytes'

export type ReceiverReport =
  | { readonly port: number }
  | { readonly count: number }
  /** In milliseconds since 1970, with fractions. */
  | { readonly firstByteAtMs: number }

const report = (message: ReceiverReport) => void process.send?.(message)
let count = 0
let isReporting = false

const server = createServer((request, response) => {
  if (isReporting) report({ firstByteAtMs: performance.timeOrigin + performance.now() })
  request.resume()
  request.once('end', () => {
    count += 1
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
})
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit(0))
process.on('message', (order) => {
  if ((order as ReceiverOrder) === 'count') report({ count })
  else isReporting = true
})
