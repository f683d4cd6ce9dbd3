// Makes docs/openapi.json from what the routes say of themselves, with the examples of docs/examples.json.
import { readFileSync } from 'node:fs'
import { openApiDocument } from '../src/http/openapi/document.ts'
import type { Examples } from '../src/http/openapi/examples.ts'
import { newStopping } from '../src/http/connections/drain.ts'
import { buildServer } from '../src/http/server.ts'
import type { Deps } from '../src/app/deps.ts'
import { openSignals } from '../src/app/webhooks/signals.ts'
import { openMetrics } from '../src/platform/metrics.ts'
import { openRequestLog } from '../src/platform/telemetry/request-log.ts'
import { openLog } from '../src/platform/log.ts'
import { settleGenerated } from './generated.ts'

// No request is ever served: the routes are only described.
const channels = { current: () => undefined, at: () => undefined, all: () => [] }
const app = await buildServer({
  deps: { channels, sandbox: {} } as unknown as Deps,
  signals: openSignals(),
  settings: { currencies: new Set(), console: 'off' },
  presenter: { channels, baseUrl: 'http://127.0.0.1:3000', checkoutUrl: () => '' },
  limiter: null,
  failures: null,
  signInLimits: null,
  doors: { trustProxy: [], connectionsMax: 1, connectionsPerAddress: 1, drainSeconds: 0 },
  state: newStopping(),
  recovery: { isOn: () => false },
  readiness: async () => ({ ready: true, status: 'ok' }),
  watch: { metrics: openMetrics(), requests: openRequestLog(), lines: null, traces: null },
  log: openLog('silent'),
})
await app.ready()
const examples = JSON.parse(readFileSync('docs/examples.json', 'utf8')) as Examples
const document = openApiDocument(app.operations, examples)
settleGenerated([{ path: 'docs/openapi.json', text: `${JSON.stringify(document, null, 1)}\n` }])
await app.close()
