// One signed call to a verifier of an account's own, and what came back. Knows no verification and no database; nothing that the
// network or the other side does throws.
import { sign } from '../../sdk/src/signature.ts'
import type { Outbound, OutboundReply } from '../platform/outbound.ts'

/** Of a longer reply nothing is believed. */
const REPLY_BYTES_MAX = 16_384

export type VerifierCall = {
  readonly url: string
  /** Those that sign, the newest first. */
  readonly secrets: readonly string[]
  /** Of what is asked: the same at every try, so that the other side can tell a repetition. */
  readonly id: string
  readonly attempt: number
  readonly body: object
}

/** `json` is undefined where an answer had none. */
export type VerifierReply =
  | { readonly kind: 'answered'; readonly json: unknown }
  | { readonly kind: 'no_answer'; readonly reason: string }

/** What was sent, what came, and how it counts. */
export type VerifierExchange = {
  readonly headers: Readonly<Record<string, string>>
  readonly sent: string
  /** Null where no response came. */
  readonly response: { readonly status: number; readonly body: string } | null
  readonly durationMs: number
  readonly reply: VerifierReply
}

export type ExchangeWithVerifier = (call: VerifierCall) => Promise<VerifierExchange>
export type CallVerifier = (call: VerifierCall) => Promise<VerifierReply>
/** Makes the call of a trial; null where as many are under way as may be. */
export type CallOnTrial = (verifierId: string, call: VerifierCall) => Promise<VerifierExchange> | null

export function openVerifierCalls(outbound: Outbound, timeoutMs: number, userAgent: string): ExchangeWithVerifier {
  return async ({ url, secrets, id, attempt, body: object }) => {
    const sent = JSON.stringify(object)
    const body = Buffer.from(sent)
    const timestampSeconds = Math.floor(Date.now() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-attempt': String(attempt),
      ...sign({ id, timestampSeconds, body, secrets }),
    }
    const from = performance.now()
    const came = await outbound.request({
      method: 'POST',
      url,
      headers,
      body,
      timeoutMs,
      bodyBytesMax: REPLY_BYTES_MAX,
    })
    const durationMs = Math.round(performance.now() - from)
    const response = came.kind === 'response' ? { status: came.status, body: came.body.toString('utf8') } : null
    return { headers, sent, response, durationMs, reply: replyIn(came) }
  }
}

function replyIn(came: OutboundReply): VerifierReply {
  if (came.kind !== 'response') return noAnswer(wordsOf(came.reason))
  if (came.status >= 300 && came.status < 400) return noAnswer('It redirects, which is not followed.')
  if (came.status < 200 || came.status > 299) return noAnswer(`It answered ${came.status}.`)
  if (came.truncated) return noAnswer(`It answered with more than ${REPLY_BYTES_MAX} bytes.`)
  return { kind: 'answered', json: jsonIn(came.body) }
}

const noAnswer = (reason: string): VerifierReply => ({ kind: 'no_answer', reason })

function wordsOf(reason: string): string {
  if (reason === 'address_refused') return 'Its URL leads to an address that this gateway does not call.'
  return reason === 'timeout' ? 'It did not answer in time.' : `It cannot be reached (${reason}).`
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
