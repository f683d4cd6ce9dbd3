// One signed call to a verifier of an account's own, and what came back. Knows no verification and no database; nothing that the
// network or the other side does throws.
import { sign } from '../../sdk/src/signature.ts'
import type { Outbound } from '../platform/outbound.ts'

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

export type CallVerifier = (call: VerifierCall) => Promise<VerifierReply>

export function openVerifierCalls(outbound: Outbound, timeoutMs: number, userAgent: string): CallVerifier {
  return async ({ url, secrets, id, attempt, body: sent }) => {
    const body = Buffer.from(JSON.stringify(sent))
    const timestampSeconds = Math.floor(Date.now() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-attempt': String(attempt),
      ...sign({ id, timestampSeconds, body, secrets }),
    }
    const reply = await outbound.request({
      method: 'POST',
      url,
      headers,
      body,
      timeoutMs,
      bodyBytesMax: REPLY_BYTES_MAX,
    })
    if (reply.kind !== 'response') return noAnswer(wordsOf(reply.reason))
    if (reply.status >= 300 && reply.status < 400) return noAnswer('It redirects, which is not followed.')
    if (reply.status < 200 || reply.status > 299) return noAnswer(`It answered ${reply.status}.`)
    if (reply.truncated) return noAnswer(`It answered with more than ${REPLY_BYTES_MAX} bytes.`)
    return { kind: 'answered', json: jsonIn(reply.body) }
  }
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
