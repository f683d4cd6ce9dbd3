// Signatures of webhooks, both families: Service-Signature (t=…,v1=…) and Standard Webhooks (webhook-id, -timestamp,
// -signature). Signs and verifies bytes, for senders and receivers. Must not know HTTP, clocks or events.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

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

export type Window = {
  readonly nowSeconds: number
  /** How far the timestamp may be from now, into the past and into the future. Default: 300. */
  readonly toleranceSeconds?: number
}

/** Why a request is refused. The time is checked only where the signature matches. */
export type Doubt = 'missing' | 'malformed' | 'mismatch' | 'stale' | 'future'
export type Verdict =
  | { readonly ok: true; readonly timestampSeconds: number }
  | { readonly ok: false; readonly reason: Doubt }

/** The value of a header as servers give it: one text, or several where it was sent more than once. */
export type HeaderValue = string | readonly string[] | null | undefined
export type HeaderValues = Readonly<Record<string, HeaderValue>>

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const DIGEST_BYTES = 32
const TOLERANCE_SECONDS = 300
const HEADER_CHARS_MAX = 1024
const CANDIDATES_MAX = 5

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
    service.push(`v1=${serviceDigest(secret, String(timestampSeconds), body).toString('hex')}`)
    standard.push(`v1,${standardDigest(secret, id, String(timestampSeconds), body).toString('base64')}`)
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
  const text = onlyText(header)
  if (text === 'missing' || text === 'malformed') return doubt(text)
  const claim = readServiceSignature(text.value)
  if (claim === null) return doubt('malformed')
  const expected = secrets.map((secret) => serviceDigest(secret, claim.time, body))
  return judged(claim, expected, window)
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
  const id = onlyText(valueOf(headers, 'webhook-id'))
  const time = onlyText(valueOf(headers, 'webhook-timestamp'))
  const signature = onlyText(valueOf(headers, 'webhook-signature'))
  if (id === 'missing' || time === 'missing' || signature === 'missing') return doubt('missing')
  if (id === 'malformed' || time === 'malformed' || signature === 'malformed') return doubt('malformed')
  // A dot would let one signed text be read as two different messages.
  if (!/^[!-\-/-~]{1,255}$/.test(id.value) || !TIME.test(time.value)) return doubt('malformed')
  const candidates = readStandardSignature(signature.value)
  if (candidates === null) return doubt('malformed')
  const expected = secrets.map((secret) => standardDigest(secret, id.value, time.value, body))
  return judged({ time: time.value, candidates }, expected, window)
}

// --- What is signed ------------------------------------------------------------------------------------------------

function serviceDigest(secret: string, time: string, body: string | Uint8Array): Buffer {
  // An unset variable must not become a key that anyone can guess.
  if (secret === '') throw new Error('The webhook secret is empty.')
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}

function standardDigest(secret: string, id: string, time: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${time}.`).update(body).digest()
}

function keyOf(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const key = Buffer.from(text, 'base64')
  // The decoder skips what is no base64; a key must be what its owner wrote.
  if (key.length > 0 && key.toString('base64') === text) return key
  throw new Error(`A webhook secret is "${PREFIX}" followed by base64.`)
}

// --- What is claimed -----------------------------------------------------------------------------------------------

type Claim = { readonly time: string; readonly candidates: readonly Buffer[] }
type Found = { readonly value: string } | 'missing' | 'malformed'

const TIME = /^\d{1,12}$/
const HEX_DIGEST = /^[0-9a-f]{64}$/
const BASE64_DIGEST = /^[A-Za-z0-9+/]{43}=$/
const ITEM = /^([A-Za-z0-9_-]{1,32})=([!-+\--~]*)$/
const VERSIONED = /^([A-Za-z0-9]{1,32}),([!-~]*)$/

/** Exactly one text of a bearable length. A header that was sent twice proves nothing. */
function onlyText(header: HeaderValue): Found {
  const values = typeof header === 'string' ? [header] : (header ?? [])
  const [value] = values
  if (value === undefined || value === '') return 'missing'
  if (values.length > 1 || typeof value !== 'string' || value.length > HEADER_CHARS_MAX) return 'malformed'
  return { value }
}

function valueOf(headers: HeaderValues, name: string): HeaderValue {
  const found = Object.entries(headers).filter(([each]) => each.toLowerCase() === name)
  return found.flatMap(([, value]) => value ?? [])
}

/** `t` once, `v1` one to five times; other schemes are for other readers. Null for everything else. */
function readServiceSignature(header: string): Claim | null {
  let time: string | null = null
  const candidates: Buffer[] = []
  for (const item of header.split(',')) {
    const [, scheme, value = ''] = ITEM.exec(item) ?? []
    if (scheme === undefined) return null
    if (scheme === 't') {
      if (time !== null || !TIME.test(value)) return null
      time = value
    } else if (scheme === 'v1') {
      if (!HEX_DIGEST.test(value)) return null
      candidates.push(Buffer.from(value, 'hex'))
    }
  }
  return time === null || !isBearable(candidates) ? null : { time, candidates }
}

/** One to five `v1,<base64>`; other versions are for other readers. Null for everything else. */
function readStandardSignature(header: string): readonly Buffer[] | null {
  const candidates: Buffer[] = []
  for (const item of header.split(' ')) {
    const [, version, value = ''] = VERSIONED.exec(item) ?? []
    if (version === undefined) return null
    if (version !== 'v1') continue
    if (!BASE64_DIGEST.test(value)) return null
    candidates.push(Buffer.from(value, 'base64'))
  }
  return isBearable(candidates) ? candidates : null
}

const isBearable = (candidates: readonly Buffer[]) =>
  candidates.length >= 1 &&
  candidates.length <= CANDIDATES_MAX &&
  candidates.every((candidate) => candidate.length === DIGEST_BYTES)

// --- What is accepted ----------------------------------------------------------------------------------------------

function judged({ time, candidates }: Claim, expected: readonly Buffer[], window: Window): Verdict {
  const { nowSeconds, toleranceSeconds = TOLERANCE_SECONDS } = window
  let matches = 0
  // All of them, always: how long it takes reveals nothing about which one was right.
  for (const digest of expected)
    for (const candidate of candidates) matches += timingSafeEqual(digest, candidate) ? 1 : 0
  if (matches === 0) return doubt('mismatch')
  const timestampSeconds = Number(time)
  if (nowSeconds - timestampSeconds > toleranceSeconds) return doubt('stale')
  if (timestampSeconds - nowSeconds > toleranceSeconds) return doubt('future')
  return { ok: true, timestampSeconds }
}

const doubt = (reason: Doubt): Verdict => ({ ok: false, reason })
