// What each call of a webhook leaves behind: figures, a line in the log, and a span in its contract's trace.
import { type FoundEvent, idOfEvent, isThere } from '../../domain/account/events.ts'
import { firstSpanOf, sampledTraceOf, traceOf, traceParentText, type Traces } from '../../platform/telemetry/traces.ts'
import type { SendResult } from '../../webhooks/send.ts'
import type { DeliveryParts } from '../../workers/webhooks/delivery-calls.ts'
import type { Watching } from './watching.ts'

export function watchDeliveries({ metrics, lines, traces }: Watching): DeliveryParts['observe'] {
  const attempts = metrics.counter('gateway_webhook_attempts_total', 'Attempts by outcome.', 'outcome')
  const seconds = metrics.times('gateway_webhook_attempt_seconds', 'How long an attempt took.')
  const lag = metrics.times('gateway_webhook_lag_seconds', 'From an event to its first delivery.')
  return (endpoint, { event, number }, { outcome, statusCode, durationMs }) => {
    attempts.inc({ outcome })
    seconds.observe(durationMs / 1000)
    // Two clocks: the database's and this process's.
    if (outcome === 'delivered' && number === 1) lag.observe(Math.max(0, Date.now() - momentOf(event)) / 1000)
    const contractId = isThere(event) ? (event.contract?.id ?? null) : event.contractId
    lines?.delivery({
      eventId: idOfEvent(event),
      endpointId: endpoint.id,
      accountId: endpoint.accountId,
      contractId,
      attempt: number,
      outcome,
      status: statusCode,
      durationMs,
      traceId: sampledTraceOf(traces, contractId),
    })
  }
}

const momentOf = (event: FoundEvent) => (isThere(event) && event.contract ? event.contract.updatedAt : event.at)

type DeliveryTrace = {
  /** Names the span to the receiver (W3C Trace Context). */
  readonly header: string
  readonly end: (result: SendResult) => void
}

/** The span of one call, whose id travels with it; null for what is no contract's. */
export function traceDelivery(traces: Traces, event: FoundEvent, id: string, attempt: number): DeliveryTrace | null {
  const contract = isThere(event) ? event.contract : null
  if (contract === null) return null
  const traceId = traceOf(contract.id)
  const isSampled = traces.isSampled(traceId)
  const spanId = isSampled ? traces.newSpanId() : firstSpanOf(contract.id)
  const beganAt = Date.now()
  return {
    header: traceParentText({ traceId, spanId }, isSampled),
    end: ({ outcome, statusCode, durationMs }) => {
      if (!isSampled) return
      traces.add({
        traceId,
        spanId,
        parentId: firstSpanOf(contract.id),
        name: `webhook ${event.event}`,
        kind: 'client',
        beganAt,
        endedAt: beganAt + durationMs,
        attributes: {
          'gateway.event_id': id,
          'gateway.outcome': outcome,
          'gateway.attempt': attempt,
          ...(statusCode === null ? {} : { 'http.response.status_code': statusCode }),
        },
        failed: outcome !== 'delivered',
        link: null,
      })
    },
  }
}
