// Webhook endpoints on the wire: what their owners send, and how they are shown.
import Type, { type Static } from 'typebox'
import { ALL_EVENT_TYPES } from '../domain/account/events.ts'
import { ENDPOINT_STATUSES, eventsNotSent, IN_FLIGHT_MAX } from '../domain/webhook/endpoint.ts'
import type { EndpointFacts, Fares, Revealed, ShownEndpoint } from '../domain/webhook/shown.ts'
import { API_VERSION } from './api.ts'
import { MetadataField, ShownMetadata } from './metadata.ts'
import {
  closed,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
  type Wire,
} from './shapes.ts'
import { iso, isoOrNull } from './times.ts'

export const IN_FLIGHT_DEFAULT = 4

export const OVERLAP_SECONDS_DEFAULT = 86_400

const OVERLAP_SECONDS_MAX = 604_800

const url = Type.String({ maxLength: 2048, description: 'Where events are posted: https, at a public address.' })

const events = Type.Array(Type.Enum([...ALL_EVENT_TYPES, '*']), {
  minItems: 1,
  maxItems: ALL_EVENT_TYPES.length + 1,
  description:
    'What the endpoint gets: event types, or * alone for all there are and will be. All that the key may read, where nothing is said.',
})

const inFlightMax = Type.Integer({
  minimum: 1,
  maximum: IN_FLIGHT_MAX,
  description: 'How many calls at once it takes.',
})

const bearerToken = Type.String({
  description: 'Sent as Authorization: Bearer. 16 to 255 printable ASCII characters without a space.',
})

const description = text(255, 'What the endpoint is for.')

export const EndpointBody = closed(
  {
    url,
    description,
    events: Type.Optional(nullable(events)),
    api_version: Type.Optional(nullable(Type.Enum([API_VERSION]))),
    bearer_token: Type.Optional(nullable(bearerToken)),
    in_flight_max: Type.Optional(nullable(inFlightMax)),
    metadata: MetadataField,
  },
  { $id: 'WebhookEndpointRequest' },
)

export type EndpointBody = Static<typeof EndpointBody>

export const EndpointPatchBody = closed(
  {
    url: Type.Optional(url),
    description,
    events: Type.Optional(events),
    in_flight_max: Type.Optional(inFlightMax),
    metadata: MetadataField,
    bearer_token: Type.Optional(bearerToken),
    status: Type.Optional(
      Type.Enum(['enabled', 'disabled'], { description: 'To pause it: PUT /webhook-endpoints/{id}/pause.' }),
    ),
  },
  {
    $id: 'WebhookEndpointPatch',
    description:
      'What is absent stays as it is. Null clears the description. A url with another origin makes a new secret, and a new bearer token where none is sent; both are shown once.',
  },
)

export type EndpointPatchBody = Static<typeof EndpointPatchBody>

export const RollBody = closed(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_SECONDS_MAX,
        description: `How long the secret before signs too; ${OVERLAP_SECONDS_DEFAULT} by default.`,
      }),
    ),
  },
  { $id: 'RollSecretRequest' },
)

export type RollBody = Static<typeof RollBody>

const endpointFields = {
  id: uuid('The endpoint.'),
  livemode,
  url: Type.String(),
  description: nullableText,
  events: Type.Array(Type.String()),
  events_not_sent: Type.Array(Type.String(), { description: 'The types there are that it does not get.' }),
  api_version: Type.String(),
  in_flight_max: Type.Integer(),
  metadata: ShownMetadata,
  disabled_because: nullable(
    Type.Enum(['caller', 'gone', 'failing'], {
      description: 'By its owner, by the receiver’s 410, or after days without a success.',
    }),
  ),
  secret: nullable(Type.String({ description: 'Signs deliveries. Shown when it is made, then never again.' })),
  secrets: Type.Array(
    Type.Object({
      hint: Type.String({ description: 'Its last characters.' }),
      created_at: time('When.'),
      expires_at: nullable(time('Until when it signs beside the newest.')),
    }),
    { description: 'Those that sign at the moment, newest first.' },
  ),
  bearer_token: nullable(Type.String({ description: 'Shown when the endpoint is made, then never again.' })),
  bearer_token_hint: nullableText,
  created_at: time('When.'),
  updated_at: time('When.'),
  delivery: Type.Object({
    behind: Type.Integer({ description: 'Steps of the account’s history that were not looked at for it yet.' }),
    waiting: Type.Integer({ description: 'Deliveries that wait for a try.' }),
    held: Type.Integer({ description: 'Deliveries put aside while it was disabled.' }),
    dead: Type.Integer({ description: 'Deliveries that were given up.' }),
    breaker: Type.Enum(['closed', 'open']),
    open_until: nullable(time('Nothing is sent until then.')),
    failures: Type.Integer({ description: 'Failed calls in a row.' }),
    last_success_at: nullableTime,
    last_failure_at: nullableTime,
    latency_ms: nullable(Type.Integer({ description: 'How long its answers take lately.' })),
  }),
}

const Endpoint = Type.Object(
  { ...endpointFields, status: Type.Enum([...ENDPOINT_STATUSES]) },
  { $id: 'WebhookEndpoint' },
)

const DeletedEndpoint = Type.Object(
  { ...endpointFields, status: Type.Enum(['deleted']) },
  { $id: 'DeletedWebhookEndpoint' },
)

export const EndpointReply = envelope('number', Type.Object({ webhook_endpoint: Endpoint }))

export const DeletedReply = envelope('number', Type.Object({ webhook_endpoint: DeletedEndpoint }))

export const EndpointsReply = envelope(
  'number',
  Type.Object({ webhook_endpoints: Type.Array(Endpoint), next: nullableText }),
)

/** An endpoint; what is revealed is shown this once. */
export function presentEndpoint(endpoint: ShownEndpoint, { secret, bearer }: Revealed): Wire<typeof Endpoint> {
  const { secrets, bearer: token } = endpoint.open
  return {
    ...endpointBody(endpoint),
    status: liveStatus(endpoint),
    secret,
    secrets: secrets.map(({ text, createdAt, expiresAt }) => ({
      hint: hintOf(text),
      created_at: iso(createdAt),
      expires_at: isoOrNull(expiresAt),
    })),
    bearer_token: bearer,
    bearer_token_hint: hintOf(token),
  }
}

/** An endpoint whose secrets were erased. */
export function presentDeleted(endpoint: EndpointFacts): Wire<typeof DeletedEndpoint> {
  return {
    ...endpointBody(endpoint),
    status: 'deleted',
    secret: null,
    secrets: [],
    bearer_token: null,
    bearer_token_hint: null,
  }
}

function endpointBody(endpoint: EndpointFacts) {
  return {
    id: endpoint.id,
    livemode: endpoint.livemode,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    events_not_sent: eventsNotSent(endpoint.events),
    api_version: endpoint.apiVersion,
    in_flight_max: endpoint.inFlightMax,
    metadata: endpoint.metadata,
    disabled_because: endpoint.disabledBecause,
    created_at: iso(endpoint.createdAt),
    updated_at: iso(endpoint.updatedAt),
    delivery: presentFares(endpoint.fares),
  } satisfies Partial<Wire<typeof Endpoint>>
}

function liveStatus({ id, status }: EndpointFacts): Wire<typeof Endpoint>['status'] {
  if (status === 'deleted') throw new Error(`endpoint ${id} is deleted, and has no secrets to show`)
  return status
}

function presentFares(fares: Fares): Wire<typeof Endpoint>['delivery'] {
  return {
    behind: fares.behind,
    waiting: fares.waiting,
    held: fares.held,
    dead: fares.dead,
    breaker: fares.openUntil === null ? 'closed' : 'open',
    open_until: isoOrNull(fares.openUntil),
    failures: fares.failures,
    last_success_at: isoOrNull(fares.lastSuccessAt),
    last_failure_at: isoOrNull(fares.lastFailureAt),
    latency_ms: fares.latencyMs,
  }
}

const HINT_LENGTH = 4

/** Enough of a secret to tell it from another one. */
function hintOf(text: string): string {
  return `…${text.slice(-HINT_LENGTH)}`
}
