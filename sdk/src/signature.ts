// Signatures of webhooks, both families: Service-Signature (t=…,v1=…) and Standard Webhooks (webhook-id, -timestamp,
// -signature). Signs and verifies bytes, for senders and receivers. Must not know HTTP, clocks or events.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type Claim,
  doubt,
  type HeaderValue,
  type HeaderValues,
  judged,
  PREFIX,
  serviceClaim,
  standardClaim,
  type Verdict,
  type Window,
} from './claims.ts'

export type { Doubt, HeaderValue, HeaderValues, Verdict, Window } from './claims.ts'

export type SignatureHeaders = {
  readonly 'service-signature': string
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

export type Message = {
  /** The same for every delivery of one event: a receiver detects a repetition by it. Without a dot or a space. */
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string | Uint8Array
  /** Those that are live, the newest first; while one is replaced, both sign. */
  readonly secrets: readonly string[]
}

const SECRET_BYTES = 32

/** A new secret: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The headers that prove a body. Service-Signature is HMAC-SHA256 over `<t>.<body>` with the whole text of the secret as
 * key; Standard Webhooks is HMAC-SHA256 over `<id>.<t>.<body>` with what its base64 part decodes to. Throws for a secret
 * that is none.
 */
export function sign({ id, timestampSeconds, body, secrets }: Message): SignatureHeaders {
  const service: string[] = [`t=${timestampSeconds}`]
  const standard: string[] = []
  for (const secret of secrets) {
    service.push(`v1=${digestOf(serviceKey(secret), `${timestampSeconds}.`, body).toString('hex')}`)
    standard.push(`v1,${digestOf(standardKey(secret), `${id}.${timestampSeconds}.`, body).toString('base64')}`)
  }
  return {
    'service-signature': service.join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.join(' '),
  }
}

/**
 * Whether the Service-Signature header proves the body. `body` is what came over the wire, byte for byte: never text that
 * was decoded, never JSON that was parsed. Never throws for what a sender wrote; throws for a secret that is none.
 */
export function verifyServiceSignature(
  body: Uint8Array,
  header: HeaderValue,
  secrets: readonly string[],
  window: Window,
): Verdict {
  const claim = serviceClaim(header)
  return typeof claim === 'string' ? doubt(claim) : compared(claim, secrets, body, serviceKey, window)
}

/**
 * Whether webhook-id, webhook-timestamp and webhook-signature prove the body. Names of headers may be in any case. Same
 * promises as {@link verifyServiceSignature}.
 */
export function verifyStandardWebhook(
  body: Uint8Array,
  headers: HeaderValues,
  secrets: readonly string[],
  window: Window,
): Verdict {
  const claim = standardClaim(headers)
  return typeof claim === 'string' ? doubt(claim) : compared(claim, secrets, body, standardKey, window)
}

// --- What is signed ------------------------------------------------------------------------------------------------

type KeyOf = (secret: string) => string | Buffer

function serviceKey(secret: string): string {
  // An unset variable must not become a key that anyone can guess.
  if (secret === '') throw new Error('The webhook secret is empty.')
  return secret
}

function standardKey(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const key = Buffer.from(text, 'base64')
  // The decoder skips what is no base64; a key must be what its owner wrote.
  if (key.length > 0 && key.toString('base64') === text) return key
  throw new Error(`A webhook secret is "${PREFIX}" followed by base64.`)
}

const digestOf = (key: string | Buffer, before: string, body: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(before).update(body).digest()

function compared(claim: Claim, secrets: readonly string[], body: Uint8Array, keyOf: KeyOf, window: Window): Verdict {
  let matches = 0
  // All of them, always: how long it takes reveals nothing about which one was right.
  for (const secret of secrets) {
    const digest = digestOf(keyOf(secret), claim.before, body)
    for (const candidate of claim.candidates) matches += timingSafeEqual(digest, candidate) ? 1 : 0
  }
  return judged(claim, matches, window)
}
