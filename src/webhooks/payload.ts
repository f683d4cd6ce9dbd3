// The headers of a delivery: who sends it, which try it is, and the proof that it is genuine. Knows no endpoint
// and no event; the body is bytes here and stays as it is.
import { sign } from '../../sdk/src/signature.ts'

export type Delivery = {
  readonly eventId: string
  readonly body: Buffer
  /** 1 for the first try. */
  readonly attempt: number
  /** The live secrets of the endpoint, the newest first. */
  readonly secrets: readonly string[]
  readonly bearerToken: string
  readonly nowSeconds: number
  readonly userAgent: string
}

/** The headers of one try. Each try is signed anew, so that a late one is not stale. */
export function requestFor(delivery: Delivery): Readonly<Record<string, string>> {
  const { eventId: id, body, secrets, nowSeconds: timestampSeconds } = delivery
  return {
    'content-type': 'application/json',
    authorization: `Bearer ${delivery.bearerToken}`,
    'user-agent': delivery.userAgent,
    'webhook-attempt': String(delivery.attempt),
    ...sign({ id, timestampSeconds, body, secrets }),
  }
}
