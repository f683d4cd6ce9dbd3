// Every reply against its own route's schema, as the OpenAPI document has it. Shapes are closed here: a member that the
// document does not name fails as well as one that is missing.
import type { FastifyInstance } from 'fastify'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Schema = { readonly [member: string]: unknown }
type Operation = {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

type Document = Schema & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** One operation of the document. `pattern` fits its paths, without the query. */
export type Route = { readonly method: string; readonly path: string; readonly pattern: RegExp }

export type ReplyCheck = {
  readonly routes: readonly Route[]
  /** What is wrong with a reply, or null. A path outside the document is a refusal, or a page that is no part of the API. */
  readonly faultOf: (method: string, url: string, status: number, text: string) => string | null
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
}
/** What the document is called among the schemas. */
const DOCUMENT = 'api'
const UNDOCUMENTED = /^\/(docs(\/reference.*)?|openapi\.json|metrics)(\?|$)/

// To compile the schemas of a document takes longer than most tests: worlds of the same document share them.
const checks = new Map<string, ReplyCheck>()

/** Reads the document of a built server. */
export function openReplyCheck(app: FastifyInstance): ReplyCheck {
  const text = JSON.stringify(app.swagger())
  const check = checks.get(text) ?? checkOf(closed(JSON.parse(text)) as Document)
  checks.set(text, check)
  return check
}

function checkOf(document: Document): ReplyCheck {
  const ajv = new Ajv2020({ allErrors: true, formats: FORMATS, strict: false })
  ajv.addSchema(document, DOCUMENT)
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/\{[a-z]+\}/g, '[^/]+')}/?$`),
      success: checkAt(ajv, ['paths', path, method, 'responses', '200'], responses['200']),
      refusal: checkAt(ajv, ['paths', path, method, 'responses', 'default'], responses['default']),
    })),
  )
  const anyRefusal = routes[0]?.refusal
  return {
    routes,
    faultOf: (method, url, status, text) => {
      if (status === 200 && UNDOCUMENTED.test(url)) return null
      const path = url.split('?')[0] ?? url
      const route = routes.find((each) => each.method === method && each.pattern.test(path))
      // Not modified: whoever asked has it (RFC 9110, 15.4.5).
      if (status === 304 && text === '') return null
      const check = (status === 200 || isHealth(path) ? route?.success : (route?.refusal ?? anyRefusal))?.()
      if (!check) return `${method} ${url}: the document has no schema for ${status}`
      if (check(JSON.parse(text))) return null
      return `${method} ${url}: ${status} does not fit its schema: ${ajv.errorsText(check.errors)}\n${text}`
    },
  }
}

/** A gateway that is not ready says so in the words of one that is. */
const isHealth = (path: string) => path === '/readyz'

/** The check of a response, compiled when it is asked for first: each part of the document once. */
function checkAt(
  ajv: Ajv2020,
  place: readonly string[],
  response: Operation['responses'][string] | undefined,
): (() => ValidateFunction) | undefined {
  if (response?.content?.['application/json'] === undefined) return undefined
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
