// What of the OpenAPI document callers depend on: operations, events and shapes, without prose and examples. A release keeps it
// as docs/released/api.json, a line for each, so that the next one can be compared with it.

/** A JSON Schema. */
export type Schema = { readonly [keyword: string]: unknown }

type Content = Readonly<Record<string, Schema>>
export type Parameter = { readonly required: boolean; readonly schema: Schema }
export type Reply = {
  readonly headers: readonly string[]
  readonly codes: readonly string[]
  readonly content: Content
}

export type Operation = {
  readonly id: string
  /** The alternatives of which one is needed: schemes with their scopes. None: open to anybody. */
  readonly credentials: readonly Readonly<Record<string, readonly string[]>>[]
  /** By place and name: `query limit`. */
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly body: { readonly required: boolean; readonly content: Content } | null
  /** By status. */
  readonly replies: Readonly<Record<string, Reply>>
}

export type Surface = {
  /** That of the API (`Service-Version`), not that of the package. */
  readonly version: string
  /** By method and path: `POST /contracts/transfer`. */
  readonly operations: Readonly<Record<string, Operation>>
  /** What is sent to webhook endpoints, by type. */
  readonly events: Readonly<Record<string, Schema>>
  /** The named shapes that the others refer to. */
  readonly schemas: Readonly<Record<string, Schema>>
}

type Documented = { readonly [media: string]: { readonly schema: Schema } }
type DocumentedParameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}
type DocumentedOperation = {
  readonly operationId: string
  readonly security?: Operation['credentials']
  readonly parameters?: readonly DocumentedParameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Documented }
  readonly responses: Readonly<
    Record<
      string,
      { readonly headers?: object; readonly content?: Documented; readonly 'x-error-codes'?: readonly string[] }
    >
  >
}
type Items = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

/** The parts of an OpenAPI document that are read here. */
export type OpenApi = {
  readonly info: { readonly version: string }
  readonly paths: Items
  readonly webhooks?: Items
  readonly components: {
    readonly parameters?: Readonly<Record<string, DocumentedParameter>>
    readonly schemas?: Readonly<Record<string, Schema>>
  }
}

const PROSE = ['description', 'title', 'example', 'examples', 'discriminator', 'readOnly', 'deprecated', '$comment']

export function surfaceOf({ info, paths, webhooks = {}, components }: OpenApi): Surface {
  const named = (parameter: DocumentedParameter) =>
    parameter.$ref === undefined ? parameter : (components.parameters?.[nameOf(parameter.$ref)] ?? parameter)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, shown(operation, named)]),
  )
  const events = Object.entries(webhooks).flatMap(([type, item]) =>
    Object.values(item).flatMap(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => [type, bare(schema)]),
    ),
  )
  return {
    version: info.version,
    operations: Object.fromEntries(operations),
    events: Object.fromEntries(events),
    schemas: mapped(components.schemas ?? {}, bare),
  }
}

function shown(
  { operationId, security = [], parameters = [], requestBody, responses }: DocumentedOperation,
  named: (parameter: DocumentedParameter) => DocumentedParameter,
): Operation {
  return {
    id: operationId,
    credentials: security,
    parameters: Object.fromEntries(
      parameters.map((each) => {
        const { name, in: place, required = false, schema } = named(each)
        return [`${place} ${name}`, { required, schema: bare(schema) }]
      }),
    ),
    body: requestBody ? { required: requestBody.required === true, content: contentOf(requestBody.content) } : null,
    replies: mapped(responses, ({ headers = {}, content = {}, 'x-error-codes': codes = [] }) => ({
      headers: Object.keys(headers),
      codes,
      content: contentOf(content),
    })),
  }
}

const contentOf = (content: Documented): Content => mapped(content, ({ schema }) => bare(schema))

/** The component that a reference names. */
export const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** The schema without what tells people about it. */
function bare(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => !PROSE.includes(keyword))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, bareValue(keyword, value)]))
}

function bareValue(keyword: string, value: unknown): unknown {
  if (keyword === 'properties') return mapped(value as Record<string, Schema>, bare)
  if (keyword === 'anyOf' || keyword === 'oneOf') return (value as Schema[]).map(bare)
  const isSchema = keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not'
  return isSchema && typeof value === 'object' && value !== null ? bare(value as Schema) : value
}

const mapped = <From, To>(from: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]))
