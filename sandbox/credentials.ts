// Who may call the rails that ask for credentials, and the settings that say so. Public defaults: there is no money here.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type Credentials = {
  readonly gcashClientId: string
  readonly gcashSecret: string
  readonly mayaApiKey: string
  readonly cardApiKey: string
  readonly qrphApiKey: string
}

export const PUBLIC_CREDENTIALS: Credentials = {
  gcashClientId: 'sandbox-client',
  gcashSecret: 'sandbox-secret',
  mayaApiKey: 'sandbox-key',
  cardApiKey: 'sandbox-key',
  qrphApiKey: 'sandbox-key',
}

export function hmac(secret: string, text: string | Buffer, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', secret).update(text).digest(encoding)
}

/** Compares in a time that tells nothing, whatever the lengths. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
