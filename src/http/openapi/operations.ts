// The operations of the API, as their routes describe themselves.
import type { FastifyInstance } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { keepsWhole } from '../request/keyed.ts'
import type { Door, Facts, OperationId } from './facts.ts'
import type { RequestHeader } from './headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every operation of its API. */
    operations: readonly Operation[]
  }
}

/** The schema of a route, as `described` makes it (context.ts). */
export type DescribedRoute = {
  readonly operationId: OperationId
  readonly summary: string
  readonly tags: readonly string[]
  readonly access: Door
  readonly facts: Facts
  readonly body?: TSchema
  readonly params?: TObject
  readonly querystring?: TObject
  readonly response: { readonly 200: TSchema }
}

export type Operation = { readonly method: string; readonly path: string; readonly schema: DescribedRoute }

/** Every operation of the routes that are added from now on. What describes itself not is a page, and no part of the API. */
export function collectOperations(app: FastifyInstance): readonly Operation[] {
  const operations: Operation[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema === undefined || !('operationId' in schema) || method === 'HEAD') return
    const path = url.replaceAll(/:([a-z]+)/g, '{$1}')
    operations.push({ method: String(method).toLowerCase(), path, schema: schema as unknown as DescribedRoute })
  })
  return operations
}

export const isWrite = ({ method }: Operation): boolean => method !== 'get'

/** The headers that an operation reads, in order: its version, its own, and the key that its reply is kept under. */
export function headersRead(operation: Operation): RequestHeader[] {
  const { reads = [] } = operation.schema.facts
  const keyed = isWrite(operation) && keepsWhole(operation.schema.tags[0]) ? (['Idempotency-Key'] as const) : []
  return [...new Set<RequestHeader>(['Service-Version', ...keyed, ...reads])]
}
