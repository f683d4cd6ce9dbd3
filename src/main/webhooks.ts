// Builds what sends webhooks: the guarded client, the keys that open endpoints' secrets, the worker with its loops, and
// what use cases of endpoints may touch.
import { readFileSync } from 'node:fs'
import { openSecrets } from '../app/webhooks/endpoint-secrets.ts'
import { openSerialSession } from '../engine/serial-session.ts'
import type { WebhookDeps } from '../app/webhooks/webhook-deps.ts'
import { idOfEvent } from '../domain/account/events.ts'
import { ALL_LANES } from '../domain/contract/ids.ts'
import { presentStoredEvent } from '../wire/events.ts'
import type { Presenter } from '../wire/transfer.ts'
import { openAddressGuard } from '../platform/addresses.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type Outbound, openOutbound } from '../platform/outbound.ts'
import { openSealing } from '../platform/sealing.ts'
import type { SealedSecret } from '../store/webhooks/endpoints.ts'
import { deliveryBacklog } from '../store/webhooks/progress.ts'
import { openDeliveryWorker } from '../workers/webhooks/deliver-webhooks.ts'
import { CALLS_MAX, type DeliveryParts, type WebhookCall } from '../workers/webhooks/delivery-calls.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { requestFor } from '../webhooks/payload.ts'
import { type SendResult, sendDelivery } from '../webhooks/send.ts'
import { type Config } from './config/config.ts'
import { packageFile } from './package-file.ts'
import { type Database, openPlannedSession, openWorkerSession } from './database/database.ts'
import { checkSealingKeys } from './database/sealing-keys.ts'

export type Webhooks = {
  readonly deps: WebhookDeps
  /** These accounts have new history. */
  readonly notify: (accountIds: Iterable<string>) => void
  readonly start: () => void
  /** Ends the calls after a moment, writes what became of them, and lets go of the database. */
  readonly stop: () => Promise<void>
}

const IDLE_MS = { deliver: 200, backlog: 10_000 } as const

export async function buildWebhooks(
  config: Config,
  database: Database,
  presenter: Presenter,
  sealingKeys: readonly Buffer[],
  metrics: Metrics,
  log: Log,
): Promise<Webhooks> {
  const session = openWorkerSession(database)
  const sealing = openSealing(sealingKeys)
  await checkSealingKeys(session, sealing)
  const guard = openAddressGuard({ allow: config.webhookAllow })
  // Endpoints may share a host: each call has a connection, so that one that hangs takes nobody else's.
  const outbound = openOutbound({ guard, connectionsPerOrigin: CALLS_MAX })
  const send = senderOf(outbound, config.webhookTimeoutMs)
  const parts: DeliveryParts = {
    session,
    lanes: ALL_LANES,
    leaseMs: config.webhookLeaseMs,
    retryScale: config.webhookRetryScale,
    chance: Math.random,
    render: (event, profileId) => Buffer.from(JSON.stringify(presentStoredEvent(presenter, event, profileId))),
    open: (endpoint) => {
      const secrets = endpoint.secretsSealed as readonly SealedSecret[]
      const open = openSecrets(sealing, endpoint, { secrets, bearerSealed: endpoint.bearerSealed }, Date.now())
      return { secrets: open.secrets.map((each) => each.text), bearerToken: open.bearer }
    },
    send: ({ event, ...call }) => send({ ...call, id: idOfEvent(event) }),
    observe: observer(metrics),
    log,
  }
  const worker = openDeliveryWorker(parts)
  const serialSession = openSerialSession(openPlannedSession(database), config.queueMax)
  // On its own: with a long backlog its look takes longer than a delivery should wait.
  const gauges = openPlannedSession(database)
  const loops: Loop[] = []
  return {
    deps: {
      sealing,
      faultOfUrl: guard.faultOfUrl,
      sendTest: ({ url, secrets, bearer, ...endpoint }, body, id) =>
        worker.tryOut(endpoint, () => send({ url, secrets, bearerToken: bearer, body, number: 1, id })),
      wake: worker.meet,
      serialSession,
    },
    notify: worker.notify,
    start: () => {
      const deliver = startLoop({ name: 'deliver', round: worker.round, idleMs: IDLE_MS.deliver, log })
      worker.onWork(deliver.wake)
      loops.push(deliver, watchBacklog(gauges, metrics, log))
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await worker.stop().catch((fault: unknown) => log.warn({ err: fault }, 'webhook endpoints keep their lease'))
      await Promise.all([outbound.close(), serialSession.close(), session.close(), gauges.close()])
    },
  }
}

type Call = Omit<WebhookCall, 'event'> & { readonly id: string }

/** Signs and posts. The time is that of the call, so that a late try is not stale. */
function senderOf(outbound: Outbound, timeoutMs: number): (call: Call) => Promise<SendResult> {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  const userAgent = `gateway-contracts/${version}`
  return ({ id, url, secrets, bearerToken, body, number }) => {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const headers = requestFor({ eventId: id, body, attempt: number, secrets, bearerToken, nowSeconds, userAgent })
    return sendDelivery(outbound, { url, headers, body }, timeoutMs)
  }
}

/** Counts attempts by result, and what each endpoint takes. */
function observer(metrics: Metrics): (endpointId: string, result: SendResult) => void {
  const byOutcome = metrics.counter('gateway_webhook_attempts_total', 'Attempts by outcome.', 'outcome')
  const byEndpoint = metrics.counter('gateway_webhook_endpoint_attempts_total', 'Attempts.', 'endpoint')
  const seconds = metrics.counter('gateway_webhook_endpoint_seconds_total', 'Seconds of attempts.', 'endpoint')
  const times = metrics.times('gateway_webhook_attempt_seconds', 'How long an attempt took.')
  return (endpoint, { outcome, durationMs }) => {
    byOutcome.inc({ outcome })
    byEndpoint.inc({ endpoint })
    seconds.inc({ endpoint }, durationMs / 1000)
    times.observe(durationMs / 1000)
  }
}

function watchBacklog(session: Session, metrics: Metrics, log: Log): Loop {
  let seen: Readonly<Record<string, unknown>> = {}
  const gauge = (name: string, column: string, help: string) =>
    metrics.gauge(name, help, () => Number(seen[column] ?? 0))
  gauge('gateway_webhook_backlog_events', 'behind', 'Rows of history that endpoints have yet to be tried with.')
  gauge('gateway_webhook_waiting_deliveries', 'waiting', 'Deliveries that wait for their next attempt.')
  gauge('gateway_webhook_backlog_age_seconds', 'age_seconds', 'Age of the oldest row of the backlog.')
  const round = async () => {
    const [result] = await session.send([deliveryBacklog(ALL_LANES)])
    seen = result?.rows[0] ?? {}
    return 0
  }
  return startLoop({ name: 'webhook backlog', round, idleMs: IDLE_MS.backlog, log })
}
