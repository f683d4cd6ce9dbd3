// Webhook endpoints and deliveries on the wire: times in ISO 8601, secrets by their last characters only.
import type { Revealed, ShownEndpoint } from '../../app/webhooks/endpoints.ts'
import { hintOf } from '../../app/webhooks/endpoint-secrets.ts'
import type { Replay } from '../../app/webhooks/replays.ts'
import type { TestResult } from '../../app/webhooks/webhook-deps.ts'
import { eventId } from '../../domain/contract/ids.ts'
import type { DeliveryPlace, ShownAttempt, ShownDelivery } from '../../store/webhooks/delivery-pages.ts'
import type { FaringEndpoint, Fares } from '../../store/webhooks/endpoints.ts'

const iso = (timeMs: number) => new Date(timeMs).toISOString()
const isoOrNull = (timeMs: number | null) => (timeMs === null ? null : iso(timeMs))

/** An endpoint; what is revealed is shown this once. */
export function presentEndpoint(endpoint: ShownEndpoint, { secret, bearer }: Revealed) {
  const { secrets, bearer: token } = endpoint.open
  return {
    ...endpointBody(endpoint),
    secret,
    secrets: secrets.map(({ text, createdAt, expiresAt }) => ({
      hint: hintOf(text),
      created_at: iso(createdAt),
      expires_at: isoOrNull(expiresAt),
    })),
    bearer_token: bearer,
    bearer_token_hint: hintOf(token),
  }
}

/** An endpoint whose secrets were erased. */
export function presentDeleted(endpoint: FaringEndpoint) {
  return { ...endpointBody(endpoint), secret: null, secrets: [], bearer_token: null, bearer_token_hint: null }
}

function endpointBody(endpoint: FaringEndpoint) {
  return {
    id: endpoint.id,
    livemode: endpoint.livemode,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    api_version: endpoint.apiVersion,
    in_flight_max: endpoint.inFlightMax,
    status: endpoint.status,
    disabled_because: endpoint.disabledBecause,
    created_at: iso(endpoint.createdAt),
    updated_at: iso(endpoint.updatedAt),
    delivery: presentFares(endpoint.fares),
  }
}

function presentFares(fares: Fares) {
  return {
    behind: fares.behind,
    waiting: fares.waiting,
    held: fares.held,
    dead: fares.dead,
    breaker: fares.openUntil === null ? 'closed' : 'open',
    open_until: isoOrNull(fares.openUntil),
    failures: fares.failures,
    last_success_at: isoOrNull(fares.lastSuccessAt),
    last_failure_at: isoOrNull(fares.lastFailureAt),
    latency_ms: fares.latencyMs,
  }
}

export function presentReplay({ number, events, nextFromMs }: Replay) {
  return { number, events, more: nextFromMs !== null, next_from: isoOrNull(nextFromMs) }
}

export function presentTest(result: TestResult, event: unknown) {
  return {
    delivered: result.outcome === 'delivered',
    outcome: result.outcome,
    status_code: result.statusCode,
    duration_ms: result.durationMs,
    fault: result.fault,
    response_body: result.responseBody,
    event,
  }
}

/** The id of a delivery: its place, so that it is found without an index of its own. */
export function deliveryId({ position, replay }: DeliveryPlace): string {
  return `dlv_${position}_${replay}`
}

/** The place behind a delivery's id, or nothing when it is none. */
export function placeOfDelivery(id: string): DeliveryPlace | undefined {
  const match = /^dlv_([1-9][0-9]{0,14})_(0|[1-9][0-9]{0,8})$/.exec(id)
  return match ? { position: Number(match[1]), replay: Number(match[2]) } : undefined
}

export function presentDelivery(delivery: ShownDelivery, livemode: boolean) {
  return {
    id: deliveryId(delivery),
    livemode,
    event_id: eventId(delivery.contractId, delivery.sequence),
    type: delivery.event,
    contract_id: delivery.contractId,
    sequence: delivery.sequence,
    status: delivery.status,
    replay: delivery.replay,
    tries: delivery.tries,
    next_attempt_at: isoOrNull(delivery.dueAt),
    created_at: iso(delivery.createdAt),
    updated_at: iso(delivery.updatedAt),
  }
}

/** One try: what was sent is made again from the history, without what authorised it. */
export function presentAttempt(attempt: ShownAttempt, sent: { eventId: string; url: string; body: string }) {
  return {
    number: attempt.number,
    at: iso(attempt.at),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    fault: attempt.fault,
    request: {
      method: 'POST',
      url: sent.url,
      headers: {
        'content-type': 'application/json',
        'webhook-id': sent.eventId,
        'webhook-timestamp': String(Math.floor(attempt.at / 1000)),
        'webhook-attempt': String(attempt.number),
      },
      body: cutText(sent.body, SHOWN_BYTES_MAX),
    },
    response: { body: attempt.responseBody },
  }
}

const SHOWN_BYTES_MAX = 2048

/** The beginning of a text, at most so many bytes of UTF-8, and no half character. */
function cutText(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
