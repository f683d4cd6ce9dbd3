// The API document as the SDK's generator reads it: its operations, each with what a client must know of it.
import type { Schema } from './shapes.ts'

type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly $ref?: string
}
type Described = {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>
}
export type Document = {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
  }
}

export type Operation = {
  /** transfers.create; webhookEndpoints.rollSecret. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly places: readonly string[]
  readonly query: readonly Parameter[]
  readonly body: { readonly schema: Schema; readonly required: boolean } | null
  readonly isKeyed: boolean
  readonly reply: Schema
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** What is not for clients: providers call these, with signatures of theirs. */
const FOR_PROVIDERS = ['/webhooks', '/channels/{id}/callbacks']

/** Every operation that a client calls for a JSON reply. The stream of events has a reader of its own. */
export function operationsIn(document: Document): Operation[] {
  return Object.entries(document.paths)
    .filter(([path]) => !FOR_PROVIDERS.includes(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.includes(method))
        .flatMap(([method, described]) => operationOf(document, path, method.toUpperCase(), described) ?? []),
    )
}

function operationOf(document: Document, path: string, method: string, described: Described): Operation | null {
  const { operationId, summary = '', tags = [], parameters = [], requestBody, responses } = described
  if (operationId === undefined) throw new Error(`${method} ${path} has no operationId`)
  const reply = contentOf(document, responses['200'])?.['application/json']?.schema
  if (reply === undefined) return null
  const all = parameters.map((each) => (each.$ref === undefined ? each : parameterOf(document, each.$ref)))
  const query = all.filter((each) => each.in === 'query' && each.name !== 'format')
  const schema = requestBody?.content['application/json']?.schema
  if (schema && query.length > 0)
    throw new Error(`${operationId} takes a body and a query: the SDK has no form for that`)
  return {
    id: operationId.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    method,
    path,
    summary,
    places: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query,
    body: schema ? { schema, required: requestBody?.required === true } : null,
    isKeyed:
      method === 'GET' ||
      !tags.includes('Sessions') ||
      all.some((each) => each.in === 'header' && each.name.toLowerCase() === 'idempotency-key'),
    reply,
  }
}

function contentOf(
  { components }: Document,
  response: Described['responses'][string] | undefined,
): Content | undefined {
  if (response?.$ref === undefined) return response?.content
  return components.responses?.[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)]?.content
}

function parameterOf({ components }: Document, ref: string): Parameter {
  const found = components.parameters?.[ref.slice(ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`the document has no parameter ${ref}`)
  return found
}
