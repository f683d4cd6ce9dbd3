// Webhook endpoints, their deliveries and their replays as their owner sees them. Data only; times are milliseconds since the
// epoch.
import type { DeliveryStatus, TryResult } from './delivery.ts'
import type { EndpointState } from './endpoint.ts'
import type { OpenSecrets } from './secrets.ts'
import type { Metadata } from '../text/metadata.ts'

/** How an endpoint fares. */
export type Fares = {
  /** How far its history has been tried. */
  readonly position: number
  /** Rows of history that have not been tried yet. */
  readonly behind: number
  /** Deliveries that wait for a try, that were held, and that were given up. */
  readonly waiting: number
  readonly held: number
  readonly dead: number
  /** Set while the breaker is open. */
  readonly openUntil: number | null
  readonly failures: number
  readonly lastSuccessAt: number | null
  readonly lastFailureAt: number | null
  readonly latencyMs: number | null
}

/** An endpoint without its secrets. */
export type EndpointFacts = EndpointState & {
  readonly id: string
  readonly livemode: boolean
  readonly url: string
  readonly description: string | null
  /** Event types, or `*` alone. */
  readonly events: readonly string[]
  readonly apiVersion: string
  readonly inFlightMax: number
  readonly metadata: Metadata
  readonly createdAt: number
  readonly updatedAt: number
  readonly fares: Fares
}

export type ShownEndpoint = EndpointFacts & { readonly open: OpenSecrets }

/** The secrets that are shown this once. */
export type Revealed = { readonly secret: string | null; readonly bearer: string | null }

/** Which delivery of an endpoint. */
export type DeliveryPlace = { readonly position: number; readonly replay: number }

export type ShownDelivery = DeliveryPlace & {
  /** The epoch of the event. */
  readonly epoch: number
  readonly event: string
  /** Null for an event that is no contract's. */
  readonly contractId: string | null
  readonly eventId: string
  readonly sequence: number
  readonly status: DeliveryStatus
  readonly tries: number
  readonly dueAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** One delivery of a contract's event, with the endpoint that it goes to and how its newest try ended. */
export type ContractDelivery = ShownDelivery & {
  readonly endpointId: string
  readonly url: string
  /** The endpoint is gone: nothing is sent there any more, and nothing can be sent again. */
  readonly isDeleted: boolean
  readonly lastStatusCode: number | null
  readonly lastFault: string | null
}

/** What became of an event at one endpoint. */
export type EventDelivery = Omit<ShownDelivery, 'event' | 'contractId' | 'eventId' | 'sequence'> & {
  readonly endpointId: string
}

/** What one call came to. */
export type TestResult = {
  readonly outcome: TryResult['outcome']
  readonly statusCode: number | null
  readonly durationMs: number
  readonly fault: string | null
  readonly responseBody: string | null
}

/** One try of a delivery. */
export type ShownAttempt = TestResult & {
  /** Tries with this one. */
  readonly number: number
  readonly at: number
}

export type Replay = {
  /** Tells this replay's deliveries from those of others. */
  readonly number: number
  /** How many were queued. */
  readonly events: number
  /** Where to go on, when there was more than one replay takes. */
  readonly nextFromMs: number | null
}
