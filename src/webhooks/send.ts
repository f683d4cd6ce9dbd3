// One delivery to one receiver: the call and its result, in the closed list of the books. Knows no database. No
// fault of the network or of the receiver throws.
import type { TryResult } from '../domain/webhook/delivery.ts'
import type { Outbound, OutboundReply } from '../platform/outbound.ts'

/** What may be read of a reply, and what of it is kept (docs/design/webhooks.md). */
const REPLY_BYTES_MAX = 65_536
const REPLY_BYTES_KEPT = 2048

export type SendResult = TryResult & {
  readonly durationMs: number
  /** What was wrong, in general terms: never an address, nor text from a refused target. */
  readonly fault: string | null
  readonly responseBody: string | null
}

/** Posts the body once. The deadline covers the whole exchange, the reading of the reply included. */
export async function sendDelivery(
  outbound: Outbound,
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
  timeoutMs: number,
): Promise<SendResult> {
  const began = performance.now()
  const reply = await outbound.request({ method: 'POST', ...request, timeoutMs, bodyBytesMax: REPLY_BYTES_MAX })
  return resultOf(reply, Math.round(performance.now() - began))
}

/** A try that never became a call: it is recorded like any other, and is tried again later. */
export function unbuilt(): SendResult {
  const fault = 'The request could not be made. This is a fault of the gateway; its log has the details.'
  return { outcome: 'not_sent', statusCode: null, retryAfterMs: null, durationMs: 0, fault, responseBody: null }
}

/** A try of an event that has left the database: nothing is sent, and nothing would be later. */
export function removed(): SendResult {
  const fault =
    'What the event told has left the gateway after its time (GATEWAY_EVENT_DAYS). Read the contract as it stands.'
  return { ...unbuilt(), fault, isFinal: true }
}

function resultOf(reply: OutboundReply, durationMs: number): SendResult {
  const nothing = { statusCode: null, retryAfterMs: null, responseBody: null, durationMs }
  if (reply.kind !== 'response') return { ...nothing, outcome: reply.kind, fault: faultOf(reply) }
  const { status, headers, body } = reply
  const isDelivered = status >= 200 && status < 300
  return {
    outcome: isDelivered ? 'delivered' : 'refused',
    statusCode: status,
    retryAfterMs: retryAfterMs(headers['retry-after']),
    durationMs,
    fault: isDelivered ? null : refusalOf(status),
    responseBody: textOf(body),
  }
}

function faultOf({ kind, reason }: Exclude<OutboundReply, { kind: 'response' }>): string {
  if (reason === 'address_refused')
    return 'The URL leads to an address that this gateway does not call. Use a public https address.'
  if (kind === 'not_sent') return `No connection came about (${reason}).`
  return reason === 'timeout'
    ? 'No whole answer came in time.'
    : `The connection ended before a whole answer (${reason}).`
}

function refusalOf(status: number): string {
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed. Register the final URL.`
  return `Answered ${status}.`
}

const SECONDS = /^\d{1,7}$/

/** Retry-After in its form of seconds (RFC 9110, 10.2.3); a date is ignored. */
function retryAfterMs(value: string | undefined): number | null {
  return value !== undefined && SECONDS.test(value) ? Number(value) * 1000 : null
}

/** The beginning of a reply as text that the database takes. */
function textOf(body: Buffer): string | null {
  if (body.length === 0) return null
  return body.subarray(0, REPLY_BYTES_KEPT).toString('utf8').replaceAll('\0', '�')
}
