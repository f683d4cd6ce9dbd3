// What use cases of webhook endpoints may touch beside the database.
import type { OpenSecret } from '../../domain/webhook/secrets.ts'
import type { TestResult } from '../../domain/webhook/shown.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { SerialSession } from '../../engine/serial-session.ts'

/** An endpoint with its secrets opened, as far as a call needs it. */
export type CallableEndpoint = EndpointKey & {
  readonly url: string
  /** Newest first; those whose time is over do not sign. */
  readonly secrets: readonly OpenSecret[]
  readonly bearer: string
  readonly inFlightMax: number
}

export type WebhookDeps = {
  readonly sealing: Sealing
  /** What is wrong with a URL that is to be called, and how to fix it; null for nothing that can be found without calling. */
  readonly faultOfUrl: (url: string) => string | null
  /**
   * Sends the event to the endpoint, now and once. It is not recorded, and null where the limit of calls under way is
   * reached.
   */
  readonly sendTest: (endpoint: CallableEndpoint, body: Buffer, eventId: string) => Promise<TestResult> | null
  /** Has the account's endpoints served now rather than at the next round. */
  readonly wake: (accountId: string) => void
  /** The connection that writes endpoints. */
  readonly serialSession: SerialSession
}
