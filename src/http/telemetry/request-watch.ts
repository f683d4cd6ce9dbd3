// What every request leaves behind when it is answered: figures, a line in the log, a record among the latest requests of its
// account, and a span.
import type { FastifyInstance, FastifyReply, FastifyRequest, onResponseHookHandler, RouteOptions } from 'fastify'
import { isUuid } from '../../domain/contract/ids.ts'
import { REFUSALS } from '../../domain/contract/refusals.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { newObserved, type Observed } from '../../platform/telemetry/observed.ts'
import type { RequestLog, RequestRecord } from '../../platform/telemetry/request-log.ts'
import type { Traces } from '../../platform/telemetry/traces.ts'
import type { WideLines } from '../../platform/telemetry/wide-lines.ts'
import { addRequestSpan, traceOfRequest } from './request-trace.ts'

export type Watch = {
  readonly metrics: Metrics
  readonly requests: RequestLog
  /** Null where none are written. */
  readonly lines: WideLines | null
  /** Null where nothing is traced. */
  readonly traces: Traces | null
}

/** What is the same for all requests of a route. */
type Watched = {
  readonly operation: string
  readonly route: string
  readonly method: string
  /** Probes and figures are counted, and leave nothing else. */
  readonly isProbe: boolean
  /** Whoever reads the log is not told of the reading. */
  readonly isLogItself: boolean
  readonly count: (status: number, seconds: number | null) => void
}

/** For every route that is added from now on, and for what has none. */
export function watchRequests(app: FastifyInstance, watch: Watch): void {
  const figures = openFigures(watch.metrics)
  const ours = new WeakSet<object>()
  app.decorateRequest('observed', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.observed = newObserved()
    done()
  })
  app.addHook('onRoute', (route) => {
    const before = [route.onResponse ?? []].flat()
    // The route of HEAD is made from that of GET.
    if (before.some((hook) => ours.has(hook))) return
    let watched: Watched | null = null
    const hook: onResponseHookHandler = (request, reply, done) => {
      watched ??= watchedOf(route, figures)
      leave(watch, figures, watched, request, reply)
      done()
    }
    ours.add(hook)
    route.onResponse = [...before, hook]
  })
  const nowhere = watchedOf({ method: 'GET', url: '' }, figures)
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) leave(watch, figures, nowhere, request, reply)
    done()
  })
}

type Figures = ReturnType<typeof openFigures>

function openFigures(metrics: Metrics) {
  return {
    requests: metrics.counter(
      'gateway_http_requests_total',
      'Requests by operation and class of status.',
      'operation',
      'status',
    ),
    seconds: metrics.times('gateway_http_request_seconds', 'How long requests took; streams left out.', 'operation'),
    refusals: metrics.counter('gateway_refusals_total', 'Refused requests by code (docs/errors.md).', 'code'),
  }
}

function watchedOf(
  { schema, method, url }: Pick<RouteOptions, 'schema' | 'method' | 'url'>,
  figures: Figures,
): Watched {
  const route = url.replaceAll(/:(\w+)/g, '{$1}')
  const verb = String([method].flat()[0])
  const { operationId } = schema ?? {}
  const operation = operationId ?? (route === '' ? 'none' : `${verb} ${route}`)
  const seconds = figures.seconds.labels({ operation })
  const counters = ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => figures.requests.labels({ operation, status }))
  return {
    operation,
    route,
    method: verb,
    isProbe: route === '/metrics' || schema?.tags?.[0] === 'Health',
    isLogItself: route === '/requests' || route === '/requests/stream',
    count: (status, took) => {
      counters[Math.floor(status / 100) - 1]?.inc(1)
      if (took !== null) seconds.observe(took)
    },
  }
}

function leave(watch: Watch, figures: Figures, watched: Watched, request: FastifyRequest, reply: FastifyReply): void {
  const { observed, caller } = request
  // Nothing was noted: it never came so far.
  if (!observed) return
  const durationMs = reply.elapsedTime
  const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
  watched.count(reply.statusCode, isStream ? null : durationMs / 1000)
  if (observed.code !== null) figures.refusals.inc({ code: familyOf(observed.code) })
  if (watched.isProbe) return
  const { requests, lines, traces } = watch
  if (traces === null && lines === null && (caller === null || watched.isLogItself)) return
  const contractId = contractOf(watched, request, observed)
  const traceId = traceOfRequest(traces, contractId, reply.statusCode)
  const record = recordOf(watched, request, reply, { ...observed, contractId, durationMs, traceId })
  if (caller !== null && !watched.isLogItself && !isPagesRead(record)) requests.add(caller.accountId, record)
  if (lines !== null) lines.request(record)
  addRequestSpan(traces, request, record)
}

/** What a page reads for whoever looks at it would push out what programs asked. */
const isPagesRead = ({ memberId, method, status }: RequestRecord) =>
  memberId !== null && (method === 'GET' || method === 'HEAD') && status < 400

type Noted = Observed & Pick<RequestRecord, 'durationMs' | 'traceId'>

function recordOf(
  { method, operation, route }: Watched,
  { id, caller }: FastifyRequest,
  reply: FastifyReply,
  { contractId, verb, batchSize, queuedMs, batchMs, code, durationMs, traceId }: Noted,
): RequestRecord {
  return {
    id,
    at: Date.now() - durationMs,
    method,
    operation,
    route,
    status: reply.statusCode,
    code,
    durationMs,
    accountId: caller?.accountId ?? null,
    livemode: caller?.livemode ?? null,
    keyId: caller?.keyId ?? null,
    memberId: caller?.memberId ?? null,
    contractId,
    verb,
    batchSize,
    queuedMs,
    batchMs,
    replayed: reply.hasHeader('idempotent-replayed'),
    traceId,
  }
}

/** The contract of a request's command; else that of its path, or of a payer's token. */
function contractOf({ route }: Watched, { params, payerOf }: FastifyRequest, { contractId }: Observed): string | null {
  if (contractId !== null) return contractId
  const { id } = (params ?? {}) as { readonly id?: string }
  return route.startsWith('/contracts/') && id !== undefined && isUuid(id) ? id : payerOf
}

/** Codes of fields are counted as their family: there are as many as fields. */
function familyOf(code: string): string {
  if (Object.hasOwn(REFUSALS, code)) return code
  return code.startsWith('missing_') ? 'missing_param' : 'invalid_param'
}
