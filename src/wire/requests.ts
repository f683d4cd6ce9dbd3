// A request to the API as its account sees it afterwards: what was asked, what became of it, and how long it took.
import Type, { type Static } from 'typebox'
import type { RequestRecord } from '../platform/telemetry/request-log.ts'
import { ListQuery } from './api.ts'
import { closed, envelope, livemode, moment, nullable, nullableText, time, uuid, type Wire } from './shapes.ts'
import { iso } from './times.ts'

const filters = {
  id: Type.Optional(Type.String({ maxLength: 64, description: 'The one with this Request-Id.' })),
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](xx|[0-9]{2})$',
      description: 'An HTTP status, or a class of them: 409, or 4xx.',
    }),
  ),
  method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  operation: Type.Optional(Type.String({ maxLength: 100, description: 'As the API document names it.' })),
  code: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z_]+$',
      description: 'The code of a refusal, such as insufficient_funds.',
    }),
  ),
  contract: Type.Optional(uuid('What was done to this contract.')),
}

export const RequestsQuery = closed({
  ...ListQuery.properties,
  ...filters,
  since: moment('Begun from then on; a date alone is its first moment, in UTC.'),
})
export type RequestsQuery = Static<typeof RequestsQuery>

export const RequestStreamQuery = closed(filters)
export type RequestFilters = Static<typeof RequestStreamQuery>

const milliseconds = (description: string) => Type.Number({ description: `${description}, in milliseconds.` })

const ApiRequest = Type.Object(
  {
    id: Type.String({ description: 'The Request-Id of the reply.' }),
    at: time('When it came.'),
    operation: Type.String({ description: 'What was asked, as the API document names it.' }),
    method: Type.String(),
    route: Type.String({ description: 'The path as the API document has it.' }),
    status: Type.Integer({ description: 'The HTTP status of the reply.' }),
    code: nullable(Type.String({ description: 'The code of the refusal; null for a success.' })),
    duration_ms: milliseconds('From its head to the end of the reply'),
    contract: nullable(uuid('The contract that it was about.')),
    key: nullableText,
    member: nullable(uuid('The member whose session it was.')),
    livemode,
    replayed: Type.Boolean({ description: 'The answer was kept under its Idempotency-Key.' }),
    command: nullable(
      Type.Object(
        {
          verb: Type.String(),
          batch_size: Type.Integer({ description: 'Commands that were committed together with it.' }),
          queued_ms: milliseconds('How long it waited for its batch'),
          batch_ms: milliseconds('How long the batch took'),
        },
        { description: 'What it did to a contract; null where it changed none.' },
      ),
    ),
    trace: nullable(Type.String({ description: 'The id of its trace, where the gateway exports traces.' })),
  },
  { $id: 'ApiRequest' },
)

export const RequestsReply = envelope('number', Type.Object({ requests: Type.Array(ApiRequest), next: nullableText }))

const rounded = (ms: number) => Math.round(ms * 10) / 10

export function presentRequest(record: RequestRecord): Wire<typeof ApiRequest> {
  const { id, at, operation, method, route, status, code, durationMs, contractId, keyId, memberId, livemode } = record
  const { verb, batchSize, queuedMs, batchMs, replayed, traceId } = record
  const command = { batch_size: batchSize, queued_ms: rounded(queuedMs), batch_ms: rounded(batchMs) }
  return {
    id,
    at: iso(at),
    operation,
    method,
    route,
    status,
    code,
    duration_ms: rounded(durationMs),
    contract: contractId,
    key: keyId,
    member: memberId,
    livemode: livemode ?? false,
    replayed,
    command: verb === null ? null : { verb, ...command },
    trace: traceId,
  }
}
