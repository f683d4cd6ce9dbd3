// The span of a request, and the trace that it belongs to. With tracing off each of the two is a comparison with null, and
// the bench measures just that (bench/tracing.ts).
import type { FastifyRequest } from 'fastify'
import type { RequestRecord } from '../../platform/telemetry/request-log.ts'
import { firstSpanOf, traceOf, traceParentFrom, type Traces } from '../../platform/telemetry/traces.ts'

const NOT_FOUND = 404

/**
 * The trace that a request belongs to; null where it is left out, and where nothing is traced. A contract that is not the
 * caller's has no say in it.
 */
export function traceOfRequest(traces: Traces | null, contractId: string | null, status: number): string | null {
  if (traces === null) return null
  const traceId = contractId === null || status === NOT_FOUND ? traces.newTraceId() : traceOf(contractId)
  return traces.isSampled(traceId) ? traceId : null
}

/** Hands over the span of an answered request, where its trace is one that is taken. */
export function addRequestSpan(
  traces: Traces | null,
  { headers }: Pick<FastifyRequest, 'headers'>,
  record: RequestRecord,
): void {
  const { id, traceId, contractId, verb, code, status, replayed, at, durationMs, route, method } = record
  if (traces === null || traceId === null) return
  const first = contractId !== null && traceOf(contractId) === traceId ? firstSpanOf(contractId) : null
  const isFirst = first !== null && verb !== null && verb.startsWith('create_') && code === null && !replayed
  const { batchSize, queuedMs } = record
  const written = verb === null ? {} : { 'gateway.batch.size': batchSize, 'gateway.queued_ms': Math.round(queuedMs) }
  traces.add({
    traceId,
    spanId: isFirst ? first : traces.newSpanId(),
    parentId: isFirst ? null : first,
    name: record.operation,
    kind: 'server',
    beganAt: at,
    endedAt: at + durationMs,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'gateway.request_id': id,
      ...(code === null ? {} : { 'gateway.code': code }),
      ...written,
    },
    failed: status >= 500,
    link: traceParentFrom(headers['traceparent']),
  })
}
