// The wire shapes of webhook endpoints, their deliveries and replays: what validates requests and makes the document.
import Type, { type Static } from 'typebox'
import { ENDPOINT_STATUSES, IN_FLIGHT_MAX } from '../domain/webhook/endpoint.ts'
import { EVENT_TYPES } from '../domain/transfer/moves.ts'
import { DELIVERY_STATUSES } from '../domain/webhook/delivery.ts'
import { API_VERSION } from './present.ts'
import { Event } from './event-schemas.ts'
import { ListQuery } from './schemas.ts'
import { closed, envelope, livemode, nullable, nullableText, nullableTime, text, time, uuid } from './shapes.ts'

/** What an endpoint hears where nothing is said (spec 6.1). */
export const DEFAULT_EVENTS = ['contract.issued', 'contract.paid', 'contract.cancelled', 'contract.completed'] as const
export const IN_FLIGHT_DEFAULT = 4
export const OVERLAP_SECONDS_DEFAULT = 86_400
const OVERLAP_SECONDS_MAX = 604_800
const REPLAYED_EVENTS_MAX = 100

const url = Type.String({ maxLength: 2048, description: 'Where events are posted: https, at a public address.' })
const events = Type.Array(Type.Enum([...EVENT_TYPES, '*']), {
  minItems: 1,
  maxItems: EVENT_TYPES.length + 1,
  description: 'What the endpoint hears: event types, or * alone for all there are and will be.',
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

export const TestBody = closed(
  { type: Type.Optional(Type.Enum([...EVENT_TYPES], { description: 'contract.paid by default.' })) },
  { $id: 'DeliveryTestRequest' },
)
export type TestBody = Static<typeof TestBody>

const instant = (words: string) => Type.Optional(nullable(Type.String({ format: 'date-time', description: words })))

export const ReplayBody = closed(
  {
    events: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: 64 }), {
          minItems: 1,
          maxItems: REPLAYED_EVENTS_MAX,
          description: 'Ids of events, whatever the endpoint hears otherwise.',
        }),
      ),
    ),
    from: instant('Events from then on that the endpoint hears.'),
    to: instant('Events until then.'),
    missed: Type.Optional(
      nullable(
        Type.Boolean({
          description: 'True for what was never delivered since the endpoint is there; from and to narrow it.',
        }),
      ),
    ),
  },
  { $id: 'ReplayRequest', description: 'Either events, or a time, or what was missed.' },
)
export type ReplayBody = Static<typeof ReplayBody>

const endpointFields = {
  id: uuid('The endpoint.'),
  livemode,
  url: Type.String(),
  description: nullableText,
  events: Type.Array(Type.String()),
  api_version: Type.String(),
  in_flight_max: Type.Integer(),
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

const outcome = Type.Enum(['delivered', 'refused', 'no_answer', 'not_sent'])
export const TestReply = envelope(
  'number',
  Type.Object({
    delivery_test: Type.Object(
      {
        delivered: Type.Boolean(),
        outcome,
        status_code: nullable(Type.Integer()),
        duration_ms: Type.Integer(),
        fault: nullable(Type.String({ description: 'What was wrong.' })),
        response_body: nullable(Type.String({ description: 'Its first 2 KiB.' })),
        event: Event,
      },
      { $id: 'DeliveryTest' },
    ),
  }),
)
export const ReplayReply = envelope(
  'number',
  Type.Object({
    replay: Type.Object(
      {
        number: Type.Integer({ description: 'The replay of its deliveries.' }),
        events: Type.Integer({ description: 'How many were queued.' }),
        more: Type.Boolean({ description: 'There were more than one replay takes.' }),
        next_from: nullable(time('Send the replay again with this as from.')),
      },
      { $id: 'Replay' },
    ),
  }),
)

const Delivery = Type.Object(
  {
    id: Type.String({ description: 'Unique within its endpoint.' }),
    livemode,
    event_id: Type.String(),
    type: Type.String(),
    contract_id: uuid('The contract.'),
    sequence: Type.Integer(),
    status: Type.Enum([...DELIVERY_STATUSES]),
    replay: Type.Integer({ description: '0 for the first delivery of the event; above, the number of the replay.' }),
    tries: Type.Integer(),
    next_attempt_at: nullableTime,
    created_at: time('When.'),
    updated_at: time('When.'),
  },
  { $id: 'Delivery' },
)
export const DeliveriesReply = envelope('number', Type.Object({ deliveries: Type.Array(Delivery), next: nullableText }))
const Attempt = Type.Object(
  {
    number: Type.Integer(),
    at: time('When the call began.'),
    duration_ms: Type.Integer(),
    outcome,
    status_code: nullable(Type.Integer()),
    fault: nullable(Type.String({ description: 'What was wrong.' })),
    request: Type.Object(
      {
        method: Type.String(),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: Type.String({ description: 'Its first 2 KiB.' }),
      },
      { description: 'As it was, without its token and signatures; the url is that of today.' },
    ),
    response: Type.Object({ body: nullable(Type.String({ description: 'Its first 2 KiB.' })) }),
  },
  { $id: 'DeliveryAttempt' },
)
export const AttemptsReply = envelope('number', Type.Object({ attempts: Type.Array(Attempt), next: nullableText }))

export const DeliveryParams = Type.Object({
  id: uuid('The endpoint.'),
  delivery: Type.String({ description: 'The id of the delivery.' }),
})
export const DeliveryQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
  event: Type.Optional(Type.String({ maxLength: 64, description: 'The id of an event, or an event type.' })),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>
