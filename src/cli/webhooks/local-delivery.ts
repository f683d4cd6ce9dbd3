// Deliveries that a command makes itself, to a receiver on the developer's own machine: signed and sent by the very code
// that the gateway delivers with, but to any address. Knows no gateway.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../main/package-file.ts'
import { openOutbound } from '../../platform/outbound.ts'
import { requestFor } from '../../webhooks/payload.ts'
import { sendDelivery, type SendResult } from '../../webhooks/send.ts'

export type Credentials = { readonly secret: string; readonly bearerToken: string }

export type Sender = {
  /** The headers of a delivery, signed as at `nowSeconds`. */
  readonly headersOf: (eventId: string, body: Buffer, nowSeconds: number) => Readonly<Record<string, string>>
  /** Never throws for what the network or the receiver does. */
  readonly post: (headers: Readonly<Record<string, string>>, body: Buffer) => Promise<SendResult>
  readonly close: () => Promise<void>
}

/** As long as a delivery of the gateway may take (docs/design/webhooks.md). */
export const DELIVERY_WITHIN_MS = 15_000

export function openSender(url: string, { secret, bearerToken }: Credentials): Sender {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  const userAgent = `gateway-contracts/${version}`
  const outbound = openOutbound()
  return {
    headersOf: (eventId, body, nowSeconds) =>
      requestFor({ eventId, body, attempt: 1, secrets: [secret], bearerToken, nowSeconds, userAgent }),
    post: (headers, body) => sendDelivery(outbound, { url, headers, body }, DELIVERY_WITHIN_MS),
    close: () => outbound.close(),
  }
}

/** Made from the API key, so that a receiver is configured once and not at each start. They are no endpoint's. */
export function stableCredentials(apiKey: string): Credentials {
  const made = (purpose: string) => createHmac('sha256', apiKey).update(purpose).digest()
  return {
    secret: `whsec_${made('gateway listen').toString('base64')}`,
    bearerToken: `whb_${made('gateway listen bearer').toString('base64url')}`,
  }
}

export const nowSeconds = () => Math.floor(Date.now() / 1000)
