// Every reply against its own operation of the OpenAPI document. Shapes are closed here: a member that the document does not
// name fails as well as one that is missing; so does a status, a header or an error code that the operation does not declare.
import type { FastifyInstance } from 'fastify'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { NO_EXAMPLES } from '../src/http/openapi/examples.ts'

/** A reply that fits none of many shapes has a fault for each member of each of them. */
const FAULTS_MAX = 8

type Schema = { readonly [member: string]: unknown }
type Response = {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly 'x-error-codes'?: readonly string[]
}
type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, Response>> }

type Document = Schema & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** One operation of the document. `pattern` fits its paths, without the query. */
export type Route = {
  readonly method: string
  readonly path: string
  readonly pattern: RegExp
  readonly operationId: string
}

/** A reply as it is judged. */
export type Judged = {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

export type ReplyCheck = {
  readonly routes: readonly Route[]
  /** What is wrong with a reply, or null. A path outside the document is a refusal, or a page that is no part of the API. */
  readonly faultOf: (method: string, url: string, reply: Judged) => string | null
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
}
/** What the document is called among the schemas. */
const DOCUMENT = 'api'
const UNDOCUMENTED = /^\/(docs(\/.*)?|openapi\.json|metrics)(\?|$)/
/** What HTTP itself, and what pages of other origins need, is said of no operation. */
const UNSAID =
  /^(date|connection|keep-alive|content-type|content-length|transfer-encoding|vary|allow|access-control-.*)$/

// To show a document and to compile its schemas takes longer than most tests: worlds of the same operations share them.
const checks = new Map<string, ReplyCheck>()

/** Reads the document of a built server. */
export function openReplyCheck(app: FastifyInstance): ReplyCheck {
  const key = JSON.stringify(app.operations)
  const known = checks.get(key)
  if (known) return known
  const shown: unknown = JSON.parse(JSON.stringify(openApiDocument(app.operations, NO_EXAMPLES)))
  const check = checkOf(closed(shown) as Document)
  checks.set(key, check)
  return check
}

function checkOf(document: Document): ReplyCheck {
  const ajv = new Ajv2020({ allErrors: true, formats: FORMATS, strict: false })
  ajv.addSchema(document, DOCUMENT)
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${path.replace(/\{[a-z]+\}/g, '[^/]+')}/?$`),
        operationId: operation.operationId,
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status,
            { ...response, check: checkAt(ajv, ['paths', path, method, 'responses', status], response) },
          ]),
        ),
      })),
    )
    // A word in a path goes before a parameter.
    .toSorted((a, b) => (a.path.includes('{') ? 1 : 0) - (b.path.includes('{') ? 1 : 0))
  const anyRefusal = operations[0]?.responses['500']?.check
  return {
    routes: operations,
    faultOf: (method, url, reply) => {
      const { status, text } = reply
      if (status === 200 && UNDOCUMENTED.test(url)) return null
      const path = url.split('?')[0] ?? url
      const operation = operations.find((each) => each.method === method && each.pattern.test(path))
      const response = operation?.responses[status]
      const name = `${method} ${url}: ${status}`
      if (operation && !isOfAnyPath(text)) {
        if (!response) return `${name} is not declared: ${text.slice(0, 500)}`
        const undeclared = undeclaredIn(response, reply)
        if (undeclared !== null) return `${name} ${undeclared}`
      }
      if (status === 304 && text === '') return null
      // A file, which is never JSON.
      if (status === 200 && operation?.operationId === 'commands.file') return null
      const check = (operation && response ? response.check : anyRefusal)?.()
      if (!check) return `${name}: the document has no schema for it`
      if (check(JSON.parse(text))) return null
      return `${name} does not fit its schema: ${ajv.errorsText(check.errors?.slice(0, FAULTS_MAX))}\n${text}`
    },
  }
}

/** A path that the router cannot read is no operation's, whatever it looks like. */
const isOfAnyPath = (text: string) => /"code":"(route_not_found|method_not_allowed)"/.test(text)

function undeclaredIn(response: Response, { text, headers }: Judged): string | null {
  const declared = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
  const header = Object.keys(headers).find((name) => !declared.has(name) && !UNSAID.test(name))
  if (header !== undefined) return `has the header ${header}, which is not declared`
  const codes = response['x-error-codes']
  const code = codes && (JSON.parse(text) as { error?: { code?: string } }).error?.code
  if (codes === undefined || code === undefined) return null
  const family = /^(missing|invalid)_/.exec(code)?.[1]
  if (codes.includes(code) || (family !== undefined && codes.includes(`${family}_<param>`))) return null
  return `has the code ${code}, which is not declared`
}

/** The check of a response, compiled when it is asked for first: each part of the document once. */
function checkAt(ajv: Ajv2020, place: readonly string[], response: Response): (() => ValidateFunction) | undefined {
  if (response.content?.['application/json'] === undefined) return undefined
  const names = [...place, 'content', 'application/json', 'schema']
  const pointer = names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
  let check: ValidateFunction | undefined
  return () => (check ??= ajv.compile({ $ref: `${DOCUMENT}#/${pointer}` }))
}

/** The same schema without room for members that it does not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const named = Object.entries(value).filter(([name, member]) => name !== '$id' || typeof member !== 'string')
  const members = Object.fromEntries(named.map(([name, member]) => [name, closed(member)]))
  return 'properties' in members && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members
}
