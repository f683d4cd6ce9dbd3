// Webhooks for whoever receives them: whether one is the gateway's and what it says, with the cryptography that Node,
// browsers and edge runtimes share. signature.ts does the same for the gateway, at once and without promises.
import {
  type Claim,
  type Doubt,
  doubt,
  type HeaderValues,
  judged,
  PREFIX,
  serviceClaim,
  standardClaim,
  valueOf,
  type Verdict,
  type Window,
} from './claims.ts'
import type { GatewayEvent } from './types.gen.ts'

/** The body as it came, byte for byte: never what a parser made of it. */
export type RawBody = string | Uint8Array | ArrayBuffer
/** Those that are live; while one is replaced, both are. */
export type Secrets = string | readonly string[]
export type VerifyOptions = { readonly toleranceSeconds?: number; readonly nowSeconds?: number }

export type Signed = {
  /** The event's: the same for every delivery. */
  readonly id: string
  readonly body: RawBody
  readonly secrets: Secrets
  readonly timestampSeconds?: number
}

const SAYS: Readonly<Record<Doubt | 'not_json', string>> = {
  missing: 'The signature is missing: the request is not from a gateway, or a proxy drops Service-Signature.',
  malformed: 'The signature cannot be read.',
  mismatch: 'The signature does not fit the body: give the raw bytes, and the secret of this endpoint.',
  stale: 'The signature is too old: it was sent again by somebody, or this clock is wrong.',
  future: 'The signature is from the future: this clock is wrong.',
  not_json: 'The body is signed and no JSON.',
}

/** The request is not to be believed. `reason` says why. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
  readonly reason: Doubt | 'not_json'

  constructor(reason: Doubt | 'not_json') {
    super(SAYS[reason])
    this.reason = reason
  }
}

/** The event of a webhook whose signature is right, by Service-Signature or Standard Webhooks. Else {@link WebhookRefused}. */
export async function verify(
  body: RawBody,
  headers: Headers | HeaderValues,
  secrets: Secrets,
  { nowSeconds = Math.floor(Date.now() / 1000), toleranceSeconds }: VerifyOptions = {},
): Promise<GatewayEvent> {
  const bytes = bytesOf(body)
  const window = { nowSeconds, ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }) }
  const verdict = await verdictOn(bytes, plain(headers), [secrets].flat(), window)
  if (!verdict.ok) throw new WebhookRefused(verdict.reason)
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as GatewayEvent
  } catch {
    throw new WebhookRefused('not_json')
  }
}

/** Whether either header proves the body. Throws for a secret that is none, never for what a sender wrote. */
export async function verdictOn(
  body: Uint8Array,
  headers: HeaderValues,
  secrets: readonly string[],
  window: Window,
): Promise<Verdict> {
  const service = serviceClaim(valueOf(headers, 'service-signature'))
  // Either proves all; a sender of Standard Webhooks alone has no other.
  const [claim, keyOf] = service === 'missing' ? [standardClaim(headers), standardKey] : [service, serviceKey]
  return typeof claim === 'string' ? doubt(claim) : compared(claim, secrets, body, keyOf, window)
}

/** The headers that prove a body, as the gateway sends them: for tests of a receiver. */
export async function sign({ id, body, secrets, timestampSeconds }: Signed): Promise<Record<string, string>> {
  const time = String(timestampSeconds ?? Math.floor(Date.now() / 1000))
  const bytes = bytesOf(body)
  const service = [`t=${time}`]
  const standard: string[] = []
  for (const secret of [secrets].flat()) {
    const hex = [...(await digestOf(serviceKey(secret), `${time}.`, bytes))].map((byte) =>
      byte.toString(16).padStart(2, '0'),
    )
    service.push(`v1=${hex.join('')}`)
    standard.push(`v1,${btoa(String.fromCharCode(...(await digestOf(standardKey(secret), `${id}.${time}.`, bytes))))}`)
  }
  return {
    'service-signature': service.join(','),
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': standard.join(' '),
  }
}

const bytesOf = (body: RawBody): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body instanceof Uint8Array ? body : new Uint8Array(body)

/** A Headers gives what was sent twice as one text with commas, which no signature has after a space. */
const plain = (headers: Headers | HeaderValues): HeaderValues =>
  headers instanceof Headers ? Object.fromEntries(headers.entries()) : headers

type KeyOf = (secret: string) => Uint8Array

const serviceKey: KeyOf = (secret) => {
  // An unset variable must not become a key that anyone can guess.
  if (secret === '') throw new Error('The webhook secret is empty.')
  return new TextEncoder().encode(secret)
}

const standardKey: KeyOf = (secret) => {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const letters = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? atob(text) : ''
  if (letters === '' || btoa(letters) !== text) throw new Error(`A webhook secret is "${PREFIX}" followed by base64.`)
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
}

async function digestOf(key: Uint8Array, before: string, body: Uint8Array): Promise<Uint8Array> {
  const start = new TextEncoder().encode(before)
  const signed = new Uint8Array(start.length + body.length)
  signed.set(start)
  signed.set(body, start.length)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed))
}

async function compared(
  claim: Claim,
  secrets: readonly string[],
  body: Uint8Array,
  keyOf: KeyOf,
  window: Window,
): Promise<Verdict> {
  let matches = 0
  // All of them, always, and every byte: how long it takes reveals nothing about which one was right.
  for (const secret of secrets) {
    const digest = await digestOf(keyOf(secret), claim.before, body)
    for (const candidate of claim.candidates) {
      let difference = 0
      for (const [at, byte] of digest.entries()) difference |= byte ^ (candidate[at] ?? 256)
      matches += difference === 0 ? 1 : 0
    }
  }
  return judged(claim, matches, window)
}
