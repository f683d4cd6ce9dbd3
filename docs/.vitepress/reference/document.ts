// The OpenAPI document as the pages of the reference read it: its operations in order, and its shapes by name.
import { readFileSync } from 'node:fs'

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly title?: string
}

type Example = { readonly value?: unknown; readonly summary?: string }
export type Media = {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example>>
}
type Content = Readonly<Record<string, Media>>

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

export type Response = {
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema?: Schema }>>
  readonly content?: Content
  readonly 'x-error-codes'?: readonly string[]
}

type Security = readonly Readonly<Record<string, readonly string[]>>[]

export type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
  readonly security?: Security
  /** Of a webhook: any one of them lets a key be told. */
  readonly 'x-scopes'?: readonly string[]
}

export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> } & Readonly<
    Record<string, Readonly<Record<string, unknown>>>
  >
}

/** An operation with its place: what a page of the reference is about. */
export type Place = {
  /** The last part of its page's address. */
  readonly slug: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly operation: Operation
}

const DOCUMENT = new URL('../../openapi.json', import.meta.url)
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

export function readDocument(): OpenApi {
  return JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApi
}

/** Every operation, by the order of the tags and then of the document. */
export function placesOf({ paths, tags = [] }: OpenApi): Place[] {
  const order = tags.map(({ name }) => name)
  const places = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Place[] => {
      const operation = item[method]
      if (operation === undefined) return []
      const tag = operation.tags?.[0] ?? 'Others'
      return [{ slug: slugOf(operation, method, path), method: method.toUpperCase(), path, tag, operation }]
    }),
  )
  const rank = ({ tag }: Place) => (order.includes(tag) ? order.indexOf(tag) : order.length)
  return places.toSorted((a, b) => rank(a) - rank(b))
}

/** A dot in an address would be taken for the ending of a file. */
const slugOf = ({ operationId }: Operation, method: string, path: string) =>
  (operationId ?? `${method}${path}`).replaceAll(/[^\w]+/g, '-').replace(/-$/, '')

/** What a reference inside the document leads to. */
export function resolved<T extends object>(document: OpenApi, value: T | { readonly $ref: string }): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
  return resolved(document, found as T)
}

/** The name of a shape that is referred to, or null. */
export const nameOf = (schema: Schema): string | null => schema.$ref?.split('/').at(-1) ?? null

/** The example of a body: the first of several. */
export function exampleOf({ example, examples }: Media): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value
}
