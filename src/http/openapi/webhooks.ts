// The webhooks of the document: what a webhook endpoint is sent for each type of event, and with which headers.
import { ALL_EVENT_TYPES, type AnyEventType, scopesToRead } from '../../domain/account/events.ts'
import { Event, EVENT_SHAPES, EVENT_TYPES_OF, type EventKind } from '../../wire/events.ts'
import { EVENT_WORDS } from './event-words.ts'
import type { Examples } from './examples.ts'
import { isObject, type Json, type Shapes } from './shapes.ts'

const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

const HEADERS: readonly Json[] = [
  header('Authorization', 'Bearer, and the bearer token of the endpoint.'),
  header(
    'Service-Signature',
    't=<unix seconds>,v1=<hex of HMAC-SHA256 over "<t>.<body>"> by the whole secret; a v1 for each live secret.',
  ),
  header('webhook-id', 'The id of the event: the same at every try.'),
  header('webhook-timestamp', 'Unix seconds of this try.', { type: 'integer' }),
  header(
    'webhook-signature',
    'v1,<base64>: the signature of Standard Webhooks; one for each live secret, with spaces between.',
  ),
  header('webhook-attempt', '1 for the first try.', { type: 'integer', minimum: 1 }),
]

export function webhooksOf(shapes: Shapes, examples: Examples): Json {
  // All kinds of events have their names, whether or not an operation shows them.
  shapes.shown(Event)
  return Object.fromEntries(ALL_EVENT_TYPES.map((type) => [type, { post: delivery(type, shapes, examples) }]))
}

function delivery(type: AnyEventType, shapes: Shapes, examples: Examples): Json {
  const example = examples.events[type]
  return {
    operationId: `webhooks.${type.replace('.', '_')}`,
    summary: EVENT_WORDS[type],
    description: 'Answer with any 2xx status within 15 seconds. Anything else is tried again, for up to 75.7 hours.',
    tags: ['Webhook endpoints'],
    security: [],
    // Any one of them lets a key, and the endpoints that were made with it, be told.
    'x-scopes': [...scopesToRead(type)],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: payloadOf(type, shapes), ...(example === undefined ? {} : { example }) },
      },
    },
    responses: { '2XX': { description: 'Taken. The body of the answer does not matter.' } },
  }
}

/** The event as one of its kinds: a few types of event are told of contracts of both. */
function payloadOf(type: AnyEventType, shapes: Shapes): Json {
  const kinds = kindsOf(type)
  const alternatives = kinds.map((kind) => shapes.shown(EVENT_SHAPES[kind]))
  const [only] = alternatives
  if (only !== undefined && alternatives.length === 1) return only
  const mapping = Object.fromEntries(
    kinds.map((kind, index) => {
      const shape = alternatives[index]
      return [kind, isObject(shape) ? (shape['$ref'] ?? '') : '']
    }),
  )
  return { oneOf: alternatives, discriminator: { propertyName: 'kind', mapping } }
}

const kindsOf = (type: AnyEventType): EventKind[] =>
  (Object.keys(EVENT_TYPES_OF) as EventKind[]).filter((kind) => EVENT_TYPES_OF[kind].includes(type))
