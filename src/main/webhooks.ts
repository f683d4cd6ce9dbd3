// Builds what sends webhooks: the guarded client, the keys that open endpoints' secrets, the worker with its loops, and
// what use cases of endpoints may touch.
import { readFileSync } from 'node:fs'
import type { LanePlaces } from '../app/jobs/lane-places.ts'
import type { OwnProcess } from '../app/jobs/own-process.ts'
import { openSecrets } from '../app/webhooks/endpoint-secrets.ts'
import { openTrials } from '../app/verifiers/trials.ts'
import { openSerialSession } from '../engine/serial-session.ts'
import type { WebhookDeps } from '../app/webhooks/webhook-deps.ts'
import { idOfEvent, type FoundEvent } from '../domain/account/events.ts'
import { liveTexts } from '../domain/webhook/secrets.ts'
import { presentStoredEvent } from '../wire/events.ts'
import type { Presenter } from '../wire/transfer.ts'
import { openAddressGuard } from '../platform/addresses.ts'
import type { Row, Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Traces } from '../platform/telemetry/traces.ts'
import { type Outbound, openOutbound } from '../platform/outbound.ts'
import { openSealing } from '../platform/sealing.ts'
import type { SealedSecret } from '../store/webhooks/endpoints.ts'
import { deliveryBacklog } from '../store/webhooks/progress.ts'
import { openDeliveryWorker } from '../workers/webhooks/deliver-webhooks.ts'
import { CALLS_MAX, type DeliveryParts, type WebhookCall } from '../workers/webhooks/delivery-calls.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { requestFor } from '../webhooks/payload.ts'
import { type CallOnTrial, type CallVerifier, openVerifierCalls } from '../webhooks/verifier-calls.ts'
import { type SendResult, sendDelivery } from '../webhooks/send.ts'
import { type Config } from './config/config.ts'
import { packageFile } from './package-file.ts'
import { traceDelivery, watchDeliveries } from './telemetry/deliveries.ts'
import type { Watching } from './telemetry/watching.ts'
import { openPlannedSession, openWorkerSession } from './database/database.ts'
import type { Database } from './database/opened.ts'
import { checkSealingKeys } from './database/sealing-keys.ts'

export type Webhooks = {
  readonly deps: WebhookDeps
  /** Calls a verifier of an account's own, by the same guarded client and the same signature. */
  readonly callVerifier: CallVerifier
  readonly tryVerifier: CallOnTrial
  /** These accounts have new history. */
  readonly notify: (accountIds: Iterable<string>) => void
  /** Endpoints of this lane have something to deliver. */
  readonly serve: (lane: number) => void
  readonly start: () => void
  /** Ends the calls after a moment, writes what became of them, and lets go of the database. */
  readonly stop: () => Promise<void>
}

export type WebhookSettings = {
  readonly database: Database
  readonly presenter: Presenter
  readonly sealingKeys: readonly Buffer[]
  /** Whose endpoints are served here. */
  readonly own: Pick<OwnProcess, 'id' | 'ownLanes'>
  readonly places: LanePlaces
  readonly watch: Watching
  readonly log: Log
}

/** Shorter than the lease of a verification, so that what comes in time counts. */
const VERIFIER_TIMEOUT_MS = 10_000
const IDLE_MS = { deliver: 200, backlog: 10_000 } as const

export async function buildWebhooks(config: Config, settings: WebhookSettings): Promise<Webhooks> {
  const { database, presenter, sealingKeys, own, places, watch, log } = settings
  const { ownLanes } = own
  const session = openWorkerSession(database)
  const sealing = openSealing(sealingKeys)
  await checkSealingKeys(session, sealing, places.byShard())
  const guard = openAddressGuard({ allow: config.webhookAllow })
  // Endpoints may share a host: each call has a connection, so that one that hangs takes nobody else's.
  const outbound = openOutbound({ guard, connectionsPerOrigin: CALLS_MAX })
  const send = senderOf(outbound, config.webhookTimeoutMs, watch.traces)
  const parts: DeliveryParts = {
    session,
    ownLanes,
    places,
    leasedBy: own.id,
    leaseMs: config.webhookLeaseMs,
    retryScale: config.webhookRetryScale,
    chance: Math.random,
    render: (event, profileId) => Buffer.from(JSON.stringify(presentStoredEvent(presenter, event, profileId))),
    open: (endpoint) => {
      const secrets = endpoint.secretsSealed as readonly SealedSecret[]
      return openSecrets(sealing, endpoint, { secrets, bearerSealed: endpoint.bearerSealed }, Date.now())
    },
    send: (call) => send({ ...call, id: idOfEvent(call.event) }),
    observe: watchDeliveries(watch),
    log,
  }
  const worker = openDeliveryWorker(parts)
  const serialSession = openSerialSession(openPlannedSession(database), config.queueMax)
  // On its own: with a long backlog its look takes longer than a delivery should wait.
  const gauges = openPlannedSession(database)
  const loops: Loop[] = []
  const verifierTimeoutMs = Math.min(config.webhookTimeoutMs, VERIFIER_TIMEOUT_MS, Math.floor((config.leaseMs * 2) / 3))
  const exchange = openVerifierCalls(outbound, verifierTimeoutMs, userAgentOf())
  return {
    callVerifier: async (call) => (await exchange(call)).reply,
    tryVerifier: openTrials(exchange),
    deps: {
      sealing,
      faultOfUrl: guard.faultOfUrl,
      sendTest: ({ url, secrets, bearer, ...endpoint }, body, id) =>
        worker.tryOut(endpoint, () => send({ url, secrets, bearerToken: bearer, body, number: 1, id, event: null })),
      wake: worker.meet,
      serialSession,
    },
    notify: worker.notify,
    serve: worker.serve,
    start: () => {
      const deliver = startLoop({ name: 'deliver', round: worker.round, idleMs: IDLE_MS.deliver, log })
      worker.onWork(deliver.wake)
      loops.push(deliver, watchBacklog(gauges, places, watch.metrics, log))
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await worker.stop().catch((fault: unknown) => log.warn({ err: fault }, 'webhook endpoints keep their lease'))
      await Promise.all([outbound.close(), serialSession.close(), session.close(), gauges.close()])
    },
  }
}

type Call = Omit<WebhookCall, 'event'> & { readonly id: string; readonly event: FoundEvent | null }

function userAgentOf(): string {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return `gateway-contracts/${version}`
}

/** Signs and posts. The time is that of the call, so that a late try is not stale, and no secret signs whose overlap has ended since it was opened. */
function senderOf(outbound: Outbound, timeoutMs: number, traces: Traces | null): (call: Call) => Promise<SendResult> {
  const userAgent = userAgentOf()
  return async ({ id, event, url, secrets: opened, bearerToken, body, number }) => {
    const nowMs = Date.now()
    const nowSeconds = Math.floor(nowMs / 1000)
    const secrets = liveTexts(opened, nowMs)
    const signed = requestFor({ eventId: id, body, attempt: number, secrets, bearerToken, nowSeconds, userAgent })
    const trace = traces === null || event === null ? null : traceDelivery(traces, event, id, number)
    const headers = trace === null ? signed : { ...signed, traceparent: trace.header }
    const result = await sendDelivery(outbound, { url, headers, body }, timeoutMs)
    trace?.end(result)
    return result
  }
}

function watchBacklog(session: Session, { ownByShard }: LanePlaces, metrics: Metrics, log: Log): Loop {
  let seen: readonly Row[] = []
  const sum = (column: string) => seen.reduce((all, row) => all + Number(row[column]), 0)
  const longest = (column: string) => Math.max(0, ...seen.map((row) => Number(row[column])))
  metrics.gauge('gateway_webhook_backlog_events', 'Rows of history that endpoints have yet to be tried with.', () =>
    sum('behind'),
  )
  metrics.gauge('gateway_webhook_waiting_deliveries', 'Deliveries that wait for their next attempt.', () =>
    sum('waiting'),
  )
  metrics.gauge('gateway_webhook_backlog_age_seconds', 'Age of the oldest row of the backlog.', () =>
    longest('age_seconds'),
  )
  const round = async () => {
    const results = await session.send(ownByShard().map(deliveryBacklog))
    seen = results.flatMap(({ rows }) => rows)
    return 0
  }
  return startLoop({ name: 'webhook backlog', round, idleMs: IDLE_MS.backlog, log })
}
