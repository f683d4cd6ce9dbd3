// The headers that operations read and send, and what each brings with it.
import type { NamedCode } from '../../domain/contract/refusals.ts'
import { API_VERSION } from '../../wire/api.ts'

type Read = {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly need?: 'required'
  /** The refusals that only it can bring. */
  readonly refusals: readonly NamedCode[]
}

const text = { type: 'string' } as const

export const REQUEST_HEADERS = {
  'Service-Version': {
    name: 'Service-Version',
    description: `The version of the API that the caller was written for: ${API_VERSION}, which is the only one so far. May be left out.`,
    schema: { type: 'string', enum: [API_VERSION] },
    refusals: ['unsupported_version'],
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    description:
      'Makes a retry safe: the same request under the same key is carried out once, and answered again with the first reply. 1 to 255 printable ASCII characters, of your own choice; a UUID for each call is good.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    refusals: ['idempotency_key_reused', 'idempotency_in_progress', 'idempotency_reply_lost'],
  },
  'If-Match': {
    name: 'If-Match',
    description: 'The ETag of what was read, with its quotes. Refused with 412 where it has changed since.',
    schema: text,
    refusals: ['precondition_failed'],
  },
  'If-None-Match': {
    name: 'If-None-Match',
    description: 'The ETag of what the client has. Answered with 304 and no body where it is still current.',
    schema: text,
    refusals: [],
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    description: 'The id of the last event that was received: the stream goes on after it.',
    schema: text,
    refusals: [],
  },
  'Service-Signature': {
    name: 'Service-Signature',
    description:
      't=<unix seconds>,v1=<hex of HMAC-SHA256 over "<t>.<body>">, by the shared secret, not older than five minutes.',
    schema: { type: 'string', pattern: '^t=[0-9]+,v1=[0-9a-f]{64}$' },
    need: 'required',
    refusals: ['invalid_signature'],
  },
} as const satisfies Readonly<Record<string, Read>>

export type RequestHeader = keyof typeof REQUEST_HEADERS

export const requestHeader = (name: RequestHeader): Read => REQUEST_HEADERS[name]

const whole = { type: 'integer', minimum: 0 } as const

export const REPLY_HEADERS = {
  'Request-Id': {
    description: 'Names the request in the log. Quote it when you report something.',
    schema: text,
  },
  'Service-Version': { description: 'The version of the API that answers.', schema: text },
  'RateLimit-Limit': { description: 'So many requests a key may send at once.', schema: whole },
  'RateLimit-Remaining': { description: 'How many of them are left.', schema: whole },
  'RateLimit-Reset': { description: 'Seconds until all are there again.', schema: whole },
  'Retry-After': { description: 'Seconds to wait before the same request is sent again.', schema: whole },
  'Gateway-State': {
    description: 'recovery: there while the gateway is in recovery, on replies of any status.',
    schema: { type: 'string', enum: ['recovery'] },
  },
  'WWW-Authenticate': { description: 'Bearer.', schema: text },
  ETag: { description: 'The version of what is shown, for If-Match and If-None-Match.', schema: text },
  'Idempotent-Replayed': {
    description: 'There where the reply is that of an earlier request under the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Cache-Control': { description: 'How long a client may keep the reply.', schema: text },
  'Referrer-Policy': { description: 'no-referrer: the address holds a secret.', schema: text },
  'Set-Cookie': { description: 'The session, or its end.', schema: text },
  'Repr-Digest': {
    description: 'sha-256=:…: of the whole file (RFC 9530), in base64.',
    schema: text,
  },
  'Content-Disposition': { description: 'The name of the file.', schema: text },
} as const

export type ReplyHeader = keyof typeof REPLY_HEADERS
