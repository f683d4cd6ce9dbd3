// What every adapter does with a webhook: believe it or not, hand its event on, and answer. Knows no framework.
import type { HeaderValues } from '../claims.ts'
import type { GatewayEvent } from '../types.gen.ts'
import { type RawBody, type Secrets, verify, WebhookRefused } from '../webhooks.ts'

export type ReceiverOptions = {
  /** The endpoint's: what its creation showed. Several while one is replaced. */
  readonly secrets: Secrets
  /**
   * Called with each event that is the gateway's. It comes at least once: keep the ids of those that you have done
   * (`event.id`). What it throws becomes an error of your server, and the gateway sends the event again.
   */
  readonly onEvent: (event: GatewayEvent) => void | Promise<void>
  /** How far the signature's time may be from now. Default: 300. */
  readonly toleranceSeconds?: number
}

export type Answer = { readonly status: number; readonly body: string }

export async function answerTo(
  { secrets, onEvent, toleranceSeconds }: ReceiverOptions,
  body: RawBody,
  headers: Headers | HeaderValues,
): Promise<Answer> {
  const tolerance = toleranceSeconds === undefined ? {} : { toleranceSeconds }
  const event = await verify(body, headers, secrets, tolerance).catch((fault: unknown) => {
    if (fault instanceof WebhookRefused) return fault
    throw fault
  })
  if (event instanceof WebhookRefused) return { status: 400, body: refusal(event.reason, event.message) }
  await onEvent(event)
  return { status: 200, body: '{"received":true}' }
}

export const refusal = (code: string, message: string) => JSON.stringify({ error: { code, message } })

export const JSON_TYPE = 'application/json; charset=utf-8'
