// Whether a call that came in proves itself: the Service-Signature of whoever knows one of the secrets, over the bytes as
// they came, not older or newer than five minutes (docs/design/webhooks.md). Knows no channel and no HTTP.
import { type Doubt, type HeaderValue, verifyServiceSignature } from '../../sdk/src/signature.ts'

export type { Doubt }

/** True for a genuine call. Never throws for what the sender wrote. */
export function isGenuine(body: Uint8Array, header: HeaderValue, secrets: readonly string[], nowMs: number): boolean {
  return doubtOf(body, header, secrets, nowMs) === null
}

/** Why a call is not genuine; null where it is. */
export function doubtOf(
  body: Uint8Array,
  header: HeaderValue,
  secrets: readonly string[],
  nowMs: number,
): Doubt | null {
  const verdict = verifyServiceSignature(body, header, secrets, { nowSeconds: Math.floor(nowMs / 1000) })
  return verdict.ok ? null : verdict.reason
}
