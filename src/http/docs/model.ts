// An OpenAPI 3.1 document read as operations. Knows nothing of HTML, nor which operations there are.

export type Schema = {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

type Scheme = { readonly type?: string; readonly in?: string; readonly name?: string; readonly scheme?: string }
type Media = Readonly<Record<string, { readonly schema?: Schema }>>
type Requirement = Readonly<Record<string, unknown>>

type RawOperation = {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Media }
  readonly responses?: Readonly<Record<string, { readonly content?: Media }>>
  readonly security?: readonly Requirement[]
}

export type ApiDocument = {
  readonly info?: { readonly title?: string; readonly version?: string; readonly description?: string }
  readonly servers?: readonly { readonly url?: string }[]
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths?: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly security?: readonly Requirement[]
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, Scheme>>
  }
}

export type Operation = {
  /** Anchor on the page. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  /** Any one of these sets of credentials lets a caller in; none for an open operation. */
  readonly access: readonly (readonly Credential[])[]
  readonly parameters: readonly Parameter[]
  readonly body: Schema | null
  readonly bodyTypes: readonly string[]
  readonly reply: Schema | null
}

/** One credential: how a reader calls it, and the header that carries it as a shell would write it. */
export type Credential = { readonly words: string; readonly header: string }

const METHODS = ['post', 'get', 'patch', 'put', 'delete', 'head', 'options', 'trace']
const JSON_TYPE = 'application/json'

/** All operations, in the order of the document. */
function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, raw]) => operationOf(document, method, path, raw)),
  )
}

function operationOf(document: ApiDocument, method: string, path: string, raw: RawOperation): Operation {
  const body = raw.requestBody?.content ?? {}
  const words = path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return {
    id: `op-${method}-${words}`,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? `${method.toUpperCase()} ${path}`,
    description: raw.description ?? '',
    tag: raw.tags?.[0] ?? 'Other',
    access: accessOf(document, raw.security ?? document.security ?? []),
    parameters: raw.parameters ?? [],
    body: schemaOf(body),
    bodyTypes: Object.keys(body),
    reply: schemaOf(raw.responses?.['200']?.content ?? {}),
  }
}

function schemaOf(media: Media): Schema | null {
  return media[JSON_TYPE]?.schema ?? Object.values(media)[0]?.schema ?? null
}

function accessOf(document: ApiDocument, security: readonly Requirement[]): Credential[][] {
  const schemes = document.components?.securitySchemes ?? {}
  return security.map((each) => Object.keys(each).map((name) => credentialOf(name, schemes[name] ?? {})))
}

function credentialOf(name: string, { type, in: place, name: field, scheme }: Scheme): Credential {
  if (type === 'http' && scheme === 'bearer')
    return { words: 'bearer token', header: 'Authorization: Bearer $ACCESS_TOKEN' }
  if (type === 'apiKey' && place === 'header' && field !== undefined)
    return { words: 'API key', header: `${field}: $API_KEY` }
  return { words: name, header: '' }
}

/** The operations under their tags: the document's own tags first, those without operations left out. */
export function groupsOf(document: ApiDocument): { tag: string; operations: Operation[] }[] {
  const operations = operationsOf(document)
  const tags = [...(document.tags ?? []).map((tag) => tag.name), ...operations.map((operation) => operation.tag)]
  return [...new Set(tags)]
    .map((tag) => ({ tag, operations: operations.filter((operation) => operation.tag === tag) }))
    .filter((group) => group.operations.length > 0)
}
