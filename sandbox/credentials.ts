// Who may call the rails that require credentials, and the settings for it. Public defaults: there is no money here.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type Credentials = typeof PUBLIC_CREDENTIALS

export const PUBLIC_CREDENTIALS = {
  gcashClientId: 'sandbox-client',
  gcashSecret: 'sandbox-secret',
  mayaApiKey: 'sandbox-key',
  cardApiKey: 'sandbox-key',
  qrphApiKey: 'sandbox-key',
}

export function credentialsFrom(environment: NodeJS.ProcessEnv): Credentials {
  const { gcashClientId, gcashSecret, mayaApiKey, cardApiKey, qrphApiKey } = PUBLIC_CREDENTIALS
  return {
    gcashClientId: environment['SANDBOX_GCASH_CLIENT_ID'] ?? gcashClientId,
    gcashSecret: environment['SANDBOX_GCASH_SECRET'] ?? gcashSecret,
    mayaApiKey: environment['SANDBOX_MAYA_API_KEY'] ?? mayaApiKey,
    cardApiKey: environment['SANDBOX_CARD_API_KEY'] ?? cardApiKey,
    qrphApiKey: environment['SANDBOX_QRPH_API_KEY'] ?? qrphApiKey,
  }
}

export function hmac(secret: string, text: string | Buffer, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', secret).update(text).digest(encoding)
}

/** Compares in constant time, whatever the lengths. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
