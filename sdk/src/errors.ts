// What goes wrong in a call, as one error: what the gateway refused, in its own words, or why there is no answer.
// Must not know how a call is made.
import type { ErrorCode } from './types.gen.ts'

/** Codes that no gateway sends: what the client itself found. */
export type ClientCode =
  | 'no_answer'
  | 'timeout'
  | 'not_a_gateway'
  | 'invalid_settings'
  | 'invalid_amount'
  | 'invalid_csv'
  | 'missing_id'
  | 'unexpected_status'
  | 'status_unreachable'
  | 'wait_timeout'

export type Problem = { readonly code: string; readonly param: string | null; readonly message: string }

export type Facts = {
  /** What to tell apart: ErrorCode lists the gateway's, docs/errors.md explains them. */
  readonly code: ErrorCode | ClientCode | (string & {})
  readonly type?: string
  /** The offending parameter, dotted: recipient.mobile. */
  readonly param?: string | null
  /** All that is wrong, where it is more than one thing. */
  readonly errors?: readonly Problem[]
  /** Of the reply; 0 where there was none. */
  readonly status?: number
  readonly requestId?: string | null
  readonly docUrl?: string | null
  /** Of payment_declined: the contract is open, and another method may pay it. Of restored_request: what the request led to. */
  readonly contractId?: string | null
  /** Of epoch_changed: the cursor to go on from; null is the beginning. */
  readonly resumeAfter?: string | null
  readonly retryAfterSeconds?: number | null
  /** The contract as it stands, where it stands otherwise than was asked for. */
  readonly contract?: unknown
}

/** Every error of this client. `message` says what is wrong and how to mend it; decide by `code`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: Facts['code']
  readonly type: string
  readonly param: string | null
  readonly errors: readonly Problem[]
  readonly status: number
  readonly requestId: string | null
  readonly docUrl: string | null
  readonly contractId: string | null
  readonly resumeAfter: string | null
  readonly retryAfterSeconds: number | null
  readonly contract: unknown

  constructor(message: string, facts: Facts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = facts.code
    this.type = facts.type ?? 'client_error'
    this.param = facts.param ?? null
    this.errors = facts.errors ?? []
    this.status = facts.status ?? 0
    this.requestId = facts.requestId ?? null
    this.docUrl = facts.docUrl ?? null
    this.contractId = facts.contractId ?? null
    this.resumeAfter = facts.resumeAfter ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
    this.contract = facts.contract
  }

  /** Whether the same call may succeed later: nobody has decided anything. A definite refusal never does. */
  get mayPass(): boolean {
    return this.code === 'no_answer' || this.code === 'timeout' || this.code === 'idempotency_in_progress'
      ? true
      : PASSING.includes(this.status)
  }

  /**
   * Whether the gateway has refused the request itself, for good. An answer of somebody else, such as a proxy that has lost the way
   * to the gateway, or one about who asks and from where, says nothing about a try before it whose answer was lost.
   */
  get isRefusal(): boolean {
    if (this.status < 400 || this.status >= 500 || this.status === 401) return false
    return !this.mayPass && !SAYS_NOTHING.has(this.code)
  }
}

const PASSING = [408, 425, 429, 500, 502, 503, 504]
/** Found by a proxy, or by the guard before a request is looked up by its key. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  'not_a_gateway',
  'address_not_allowed',
  'cross_site_request',
  'scope_missing',
])
const WORDS_MAX = 200

/** The error of a reply, as it comes (docs/errors.md). */
export type WireError = {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly contract_id?: string
  readonly resume_after?: string | null
  readonly request_id?: string
  readonly doc_url?: string
  readonly errors?: readonly Problem[]
}

/** The error of a reply that is no success. `what` is the call, as GET /wallets. */
export function errorOf(what: string, url: string, { status, headers }: Response, text: string): GatewayError {
  const retryAfterSeconds = secondsOf(headers.get('retry-after'))
  const requestId = headers.get('request-id')
  const error = parsed(text)
  if (error === null)
    return new GatewayError(
      `${what} was answered with HTTP ${status}, and not by a gateway. Check url (${url}). The answer begins: ${text.slice(0, WORDS_MAX)}`,
      { code: 'not_a_gateway', status, requestId, retryAfterSeconds },
    )
  const { code, type, param, errors = [], contract_id: contractId = null, resume_after: resumeAfter = null } = error
  return new GatewayError(error.message, {
    code,
    type,
    param,
    errors,
    status,
    contractId,
    resumeAfter,
    retryAfterSeconds,
    requestId: error.request_id ?? requestId,
    docUrl: error.doc_url === undefined ? null : new URL(error.doc_url, url).href,
  })
}

function parsed(text: string): WireError | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: WireError }
    return typeof error?.code === 'string' ? error : null
  } catch {
    return null
  }
}

/** Retry-After: seconds, or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
