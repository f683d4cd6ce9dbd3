// The OpenAPI document, made from what every route says of itself. docs/openapi.json holds the same.
import type { TSchema } from 'typebox'
import { API_VERSION, ErrorReply } from '../../wire/api.ts'
import { bodyExample, type Examples, parameterExample, refusalExamples, replyExample } from './examples.ts'
import type { Door } from './facts.ts'
import { REPLY_HEADERS, REQUEST_HEADERS, type ReplyHeader, requestHeader } from './headers.ts'
import { type DescribedRoute, headersRead, isWrite, type Operation } from './operations.ts'
import { refusalsOf } from './refusals.ts'
import { securityOf, SECURITY_SCHEMES } from './security.ts'
import { type Json, type JsonObject, openShapes, type Shapes } from './shapes.ts'
import { STATUS_WORDS, statusOfShown } from './statuses.ts'
import { TAGS } from './tags.ts'
import { webhooksOf } from './webhooks.ts'

const DESCRIPTION =
  'Draft a transfer contract, mend it until its preview is valid, issue it, pay it from a wallet: the money moves through a channel exactly once, or comes back. Open a payment contract, and its payer pays by e-wallet, QR code, card, wallet or crypto: the money is booked once, and what does not fit goes back.'

export function openApiDocument(operations: readonly Operation[], examples: Examples) {
  const shapes = openShapes()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {})
    item[operation.method] = shownOperation(operation, shapes, examples)
  }
  const webhooks = webhooksOf(shapes, examples)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gateway for money contracts',
      version: API_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: DESCRIPTION,
    },
    // Wherever the document came from.
    servers: [{ url: '/' }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: Object.fromEntries(
        Object.values(REQUEST_HEADERS).map(({ name, description, schema }) => [
          name,
          { name, in: 'header', required: 'need' in requestHeader(name), description, schema },
        ]),
      ),
      headers: REPLY_HEADERS,
      schemas: shapes.components(),
    },
  }
}

function shownOperation(operation: Operation, shapes: Shapes, examples: Examples): Json {
  const { operationId, summary, tags, access, facts, body } = operation.schema
  const { description } = facts
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [...tags],
    security: securityOf(access, facts),
    parameters: parametersOf(operation, shapes, examples),
    ...(body === undefined ? {} : { requestBody: requestBody(operation.schema, shapes, examples) }),
    responses: responsesOf(operation, shapes, examples),
  }
}

type ParameterShapes = { readonly properties: Readonly<Record<string, TSchema>>; readonly required?: readonly string[] }

function parametersOf(operation: Operation, shapes: Shapes, examples: Examples): Json[] {
  const { params, querystring, operationId } = operation.schema
  const shown = (place: 'path' | 'query', { properties, required = [] }: ParameterShapes) =>
    Object.entries(properties).map(([name, shape]) => {
      const { description, ...schema } = shapes.shown(shape) as JsonObject
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        // Several values stand in one text, with commas between.
        ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
        schema,
        ...parameterExample(examples, operationId, place === 'path' ? 'params' : 'query', { name, schema }),
      }
    })
  return [
    ...(params ? shown('path', params) : []),
    ...(querystring ? shown('query', querystring) : []),
    ...headersRead(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function requestBody({ body, facts, operationId }: DescribedRoute, shapes: Shapes, examples: Examples): Json {
  const schema = shapes.shown(body)
  const forms = facts.form === undefined ? {} : { [facts.form]: { schema } }
  return {
    required: isNeeded(body),
    content: { 'application/json': { schema, ...bodyExample(examples, operationId) }, ...forms },
  }
}

/** A body all of whose members are optional may be left out. */
const isNeeded = (body: TSchema | undefined): boolean =>
  ((body as { required?: readonly string[] } | undefined)?.required?.length ?? 0) > 0

function responsesOf(operation: Operation, shapes: Shapes, examples: Examples): Json {
  const { facts } = operation.schema
  const shown: Record<number, Json> = { 200: success(operation, shapes, examples) }
  if (facts.reads?.includes('If-None-Match'))
    shown[304] = {
      description: 'What the client has is current.',
      headers: headersOf(['ETag', ...(facts.sends ?? [])], operation.schema.access),
    }
  for (const [status, { description, shape }] of Object.entries(facts.states ?? {}))
    shown[Number(status)] = {
      description,
      headers: headersOf(['Retry-After'], operation.schema.access),
      content: { 'application/json': { schema: shapes.shown(shape) } },
    }
  const error = shapes.shown(ErrorReply)
  const codes = refusalsOf(operation)
  for (const status of new Set(codes.map(statusOfShown))) {
    if (shown[status] !== undefined) continue
    shown[status] = {
      description: STATUS_WORDS[status] ?? 'Refused.',
      headers: headersOf(sentWith(status, codes), operation.schema.access),
      content: {
        'application/json': { schema: error, ...refusalExamples(examples, operation.schema.operationId, status) },
      },
      'x-error-codes': codes.filter((code) => statusOfShown(code) === status),
    }
  }
  return shown as unknown as Json
}

function success(operation: Operation, shapes: Shapes, examples: Examples): Json {
  const { access, facts, operationId, response } = operation.schema
  const replayed = headersRead(operation).includes('Idempotency-Key') ? (['Idempotent-Replayed'] as const) : []
  const media = facts.stream ?? 'application/json'
  const files = Object.entries(facts.files ?? {}).map(([type, description]) => [
    type,
    { schema: { type: 'string', description } },
  ])
  return {
    description: isWrite(operation) ? 'Done.' : 'Found.',
    headers: headersOf([...(facts.sends ?? []), ...replayed], access),
    content: {
      [media]: { schema: shapes.shown(response[200]), ...replyExample(examples, operationId) },
      ...Object.fromEntries(files),
    },
  }
}

/** What refusals of a status bring beside the headers of every reply. */
function sentWith(status: number, codes: readonly string[]): ReplyHeader[] {
  if (status === 401) return ['WWW-Authenticate']
  // What is not sealed yet is sealed within seconds.
  const passes = status === 429 || status === 503 || (status === 409 && codes.includes('not_sealed_yet'))
  return passes ? ['Retry-After'] : status === 402 ? ['Idempotent-Replayed'] : []
}

const COUNTED_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

function headersOf(own: readonly ReplyHeader[], { accepts }: Door): Json {
  const names = [
    'Request-Id',
    'Service-Version',
    'Gateway-State',
    ...own,
    ...(accepts === 'anybody' ? [] : COUNTED_HEADERS),
  ]
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
