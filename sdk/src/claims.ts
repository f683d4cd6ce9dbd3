// What the headers of a webhook claim, and when a claim is believed: for the two that verify, with Node's cryptography and
// with that of browsers. Must not know how a digest is made.

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

export type Claim = {
  readonly time: string
  /** What is signed before the body. */
  readonly before: string
  readonly candidates: readonly Uint8Array[]
}
type Found = { readonly value: string } | 'missing' | 'malformed'

export const PREFIX = 'whsec_'
const DIGEST_BYTES = 32
const TOLERANCE_SECONDS = 300
const HEADER_CHARS_MAX = 1024
const CANDIDATES_MAX = 5

const TIME = /^\d{1,12}$/
const HEX_DIGEST = /^[0-9a-f]{64}$/
const BASE64_DIGEST = /^[A-Za-z0-9+/]{43}=$/
const ITEM = /^([A-Za-z0-9_-]{1,32})=([!-+\--~]*)$/
const VERSIONED = /^([A-Za-z0-9]{1,32}),([!-~]*)$/
// A dot would let one signed text be read as two different messages.
const MESSAGE_ID = /^[!-\-/-~]{1,255}$/

/** What Service-Signature claims, or why nobody need look further. */
export function serviceClaim(header: HeaderValue): Claim | 'missing' | 'malformed' {
  const text = onlyText(header)
  if (text === 'missing' || text === 'malformed') return text
  return readServiceSignature(text.value) ?? 'malformed'
}

/** What webhook-id, webhook-timestamp and webhook-signature claim. Names of headers may be in any case. */
export function standardClaim(headers: HeaderValues): Claim | 'missing' | 'malformed' {
  const id = onlyText(valueOf(headers, 'webhook-id'))
  const time = onlyText(valueOf(headers, 'webhook-timestamp'))
  const signature = onlyText(valueOf(headers, 'webhook-signature'))
  if (id === 'missing' || time === 'missing' || signature === 'missing') return 'missing'
  if (id === 'malformed' || time === 'malformed' || signature === 'malformed') return 'malformed'
  if (!MESSAGE_ID.test(id.value) || !TIME.test(time.value)) return 'malformed'
  const candidates = readStandardSignature(signature.value)
  return candidates === null ? 'malformed' : { time: time.value, before: `${id.value}.${time.value}.`, candidates }
}

/** What is left to judge once a claim was compared with what was expected. */
export function judged({ time }: Claim, matches: number, { nowSeconds, toleranceSeconds }: Window): Verdict {
  if (matches === 0) return doubt('mismatch')
  const timestampSeconds = Number(time)
  const bearableSeconds = toleranceSeconds ?? TOLERANCE_SECONDS
  if (nowSeconds - timestampSeconds > bearableSeconds) return doubt('stale')
  if (timestampSeconds - nowSeconds > bearableSeconds) return doubt('future')
  return { ok: true, timestampSeconds }
}

export const doubt = (reason: Doubt): Verdict => ({ ok: false, reason })

/** The value of a header, whatever case its name is in. */
export function valueOf(headers: HeaderValues, name: string): HeaderValue {
  const found = Object.entries(headers).filter(([each]) => each.toLowerCase() === name)
  return found.flatMap(([, value]) => value ?? [])
}

/** Exactly one text of a bearable length. A header that was sent twice proves nothing. */
function onlyText(header: HeaderValue): Found {
  const values = typeof header === 'string' ? [header] : (header ?? [])
  const [value] = values
  if (value === undefined || value === '') return 'missing'
  if (values.length > 1 || typeof value !== 'string' || value.length > HEADER_CHARS_MAX) return 'malformed'
  return { value }
}

/** `t` once, `v1` one to five times; other schemes are for other readers. Null for everything else. */
function readServiceSignature(header: string): Claim | null {
  let time: string | null = null
  const candidates: Uint8Array[] = []
  for (const item of header.split(',')) {
    const [, scheme, value = ''] = ITEM.exec(item) ?? []
    if (scheme === undefined) return null
    if (scheme === 't') {
      if (time !== null || !TIME.test(value)) return null
      time = value
    } else if (scheme === 'v1') {
      if (!HEX_DIGEST.test(value)) return null
      candidates.push(Uint8Array.from(value.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
    }
  }
  return time === null || !isBearable(candidates) ? null : { time, before: `${time}.`, candidates }
}

/** One to five `v1,<base64>`; other versions are for other readers. Null for everything else. */
function readStandardSignature(header: string): readonly Uint8Array[] | null {
  const candidates: Uint8Array[] = []
  for (const item of header.split(' ')) {
    const [, version, value = ''] = VERSIONED.exec(item) ?? []
    if (version === undefined) return null
    if (version !== 'v1') continue
    if (!BASE64_DIGEST.test(value)) return null
    candidates.push(Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0)))
  }
  return isBearable(candidates) ? candidates : null
}

const isBearable = (candidates: readonly Uint8Array[]) =>
  candidates.length >= 1 &&
  candidates.length <= CANDIDATES_MAX &&
  candidates.every((candidate) => candidate.length === DIGEST_BYTES)
