// The examples of the document: docs/examples.json, which a run of a real gateway wrote (test/walks/examples.test.ts).
import type { AnyEventType } from '../../domain/account/events.ts'
import type { Json, JsonObject } from './shapes.ts'

/** One request that was made, and how it was answered. */
export type Example = {
  readonly params?: JsonObject
  readonly query?: JsonObject
  readonly body?: Json
  readonly status: number
  /** JSON; or the text of a stream or file. */
  readonly reply: Json
}

export type Examples = {
  /** What was asked of each operation with success. */
  readonly operations: Readonly<Record<string, Example>>
  /** And what was refused, by the code. */
  readonly refusals: Readonly<Record<string, Readonly<Record<string, Example>>>>
  /** Events as they were delivered to a webhook endpoint. */
  readonly events: Readonly<Partial<Record<AnyEventType, Json>>>
}

export const NO_EXAMPLES: Examples = { operations: {}, refusals: {}, events: {} }

export function bodyExample({ operations }: Examples, operationId: string): JsonObject {
  const body = operations[operationId]?.body
  return body === undefined ? {} : { example: body }
}

export function replyExample({ operations }: Examples, operationId: string): JsonObject {
  const made = operations[operationId]
  return made === undefined ? {} : { example: made.reply }
}

export function parameterExample(
  { operations }: Examples,
  operationId: string,
  place: 'params' | 'query',
  { name, schema }: { readonly name: string; readonly schema: JsonObject },
): JsonObject {
  const value = operations[operationId]?.[place]?.[name]
  return value === undefined ? {} : { example: typeof value === 'string' ? meant(value, schema['type']) : value }
}

/** A path and a query hold text; the document shows what is meant by it. */
function meant(text: string, type: Json | undefined): Json {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true'
  return type === 'array' ? text.split(',') : text
}

export function refusalExamples({ refusals }: Examples, operationId: string, status: number): JsonObject {
  const fit = Object.entries(refusals[operationId] ?? {}).filter(([, made]) => made.status === status)
  if (fit.length === 0) return {}
  return { examples: Object.fromEntries(fit.map(([code, { reply }]) => [code, { value: reply }])) }
}
