// How an operation is called with the SDK, from the operation's example: a whole program, which test/docs/samples.test.ts compiles.
import { OPERATIONS, STEPS } from '../../../sdk/src/operations.gen.ts'
import { exampleOf, type OpenApi, type Operation, type Place } from './document.ts'
import { parametersOf } from './samples.ts'
import { WRITTEN } from './written.ts'

/** How the SDK has it: b in traits, a body; q, a query. The result is -, *, [list or the name of a member. */
type Call = { readonly name: string; readonly traits: string; readonly result: string }

const CALLS = new Map(
  OPERATIONS.split('\n').map((line): [string, Call] => {
    const [name = '', , , traits = '', result = ''] = line.split(' ')
    return [name, { name, traits, result }]
  }),
)

/** Undefined where the SDK has no such call: what providers and rails send is not for it. */
export function typescriptSample(document: OpenApi, { operation, path }: Place): string | undefined {
  const name = operation.operationId.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const call = CALLS.get(name)
  const query = queryOf(document, operation)
  const made = isStream(operation) ? streamed(path, query) : call && called(document, operation, call, query)
  if (made === undefined) return undefined
  const settings = { url: WRITTEN, ...credentialOf(operation) }
  return [
    "import { createGateway } from 'gateway-contracts-sdk'",
    '',
    `const gateway = createGateway(${literal(settings, 0)})`,
    made,
  ].join('\n')
}

const isStream = ({ responses }: Operation) => {
  const reply = responses['200']
  return reply !== undefined && 'content' in reply && 'text/event-stream' in (reply.content ?? {})
}

/** Code that stands for itself, and is no value of an example. */
const CODE = Symbol('code')
const environment = (name: string) => ({ [CODE]: `process.env['${name}']` })

function credentialOf({ security = [] }: Operation): Readonly<Record<string, unknown>> {
  const kinds = security.flatMap((each) => Object.keys(each))
  if (kinds.includes('apiKey')) return { apiKey: environment('API_KEY') }
  return kinds.includes('bearer') ? { token: environment('TOKEN') } : {}
}

function queryOf(document: OpenApi, operation: Operation): Readonly<Record<string, unknown>> {
  const given = parametersOf(document, operation).filter((each) => each.in === 'query' && each.example !== undefined)
  return Object.fromEntries(given.map(({ name, example }) => [name, example]))
}

const streamed = (path: string, query: object) =>
  path === '/events/stream'
    ? `for await (const event of gateway.events.follow(${literal(query, 0)})) {\n  console.log(event.type)\n}`
    : `for await (const { data } of gateway.stream('${path}', ${literal(query, 0)})) {\n  console.log(data)\n}`

function called(document: OpenApi, operation: Operation, { name, traits, result }: Call, query: object): string {
  const places = parametersOf(document, operation).filter((each) => each.in === 'path')
  // What has no example yet is named.
  const words: unknown[] = places.map(({ name: place, example = place }, at) =>
    at === 0 && Object.hasOwn(STEPS, name) ? { id: example } : example,
  )
  const body = bodyExample(operation)
  if (traits.includes('b') && isFull(body)) words.push(body)
  if (traits.includes('q') && isFull(query)) words.push(query)
  const text = `gateway.${name}(${spread(words)})`
  if (result.startsWith('[')) return `for await (const each of ${text}) {\n  console.log(each)\n}`
  const given = /^[-*]$/.test(result) ? 'reply' : camel(result)
  return `const ${given} = await ${text}\nconsole.log(${given})`
}

/** On one line where there is room, else a line for each. */
function spread(words: readonly unknown[]): string {
  const flat = words.map((each) => literal(each, 0)).join(', ')
  if (words.length < 2 || Math.max(...flat.split('\n').map(({ length }) => length)) <= WIDTH_MAX) return flat
  return `\n${words.map((each) => `  ${literal(each, 1)},\n`).join('')}`
}

function bodyExample({ requestBody }: Operation): unknown {
  const media = requestBody?.content['application/json']
  return media && exampleOf(media)
}

const isFull = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const WIDTH_MAX = 72

/** A value as it is written in TypeScript; what does not fit on a line is broken up. */
function literal(value: unknown, depth: number): string {
  const flat = flatLiteral(value)
  if (flat.length <= WIDTH_MAX || typeof value !== 'object' || value === null) return flat
  const margin = '  '.repeat(depth + 1)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((each) => `${margin}${literal(each, depth + 1)},`)
    : Object.entries(value).map(([name, each]) => `${margin}${memberName(name)}: ${literal(each, depth + 1)},`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${parts.join('\n')}\n${'  '.repeat(depth)}${close}`
}

function flatLiteral(value: unknown): string {
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(flatLiteral).join(', ')}]`
  if (CODE in value) return String(value[CODE])
  const inside = Object.entries(value)
    .map(([name, each]) => `${memberName(name)}: ${flatLiteral(each)}`)
    .join(', ')
  return inside === '' ? '{}' : `{ ${inside} }`
}

const memberName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : textLiteral(name))

const textLiteral = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
