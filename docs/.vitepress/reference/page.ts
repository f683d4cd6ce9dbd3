// The page of one operation, as Markdown: what it does, how it is called, what it takes, replies and refuses.
import { REFUSALS } from '../../../src/domain/contract/refusals.ts'
import {
  exampleOf,
  type OpenApi,
  type Place,
  type Parameter,
  type Response,
  resolved,
  type Schema,
} from './document.ts'
import { fieldList, limitsOf, typeOf } from './fields.ts'
import { block, code, escaped, fence, prose, said } from './markup.ts'
import { bodyOf, curlSample, parametersOf, variableOf } from './samples.ts'
import { typescriptSample } from './typescript.ts'

/** Sends itself in pieces for as long as it is open: a page cannot try it. */
const isStream = ({ path }: Place) => path.endsWith('/stream')

/** What the form of a page needs to send the operation. */
export type Trial = {
  readonly method: string
  readonly path: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly body: string | null
  readonly takesKey: boolean
}

/** Null where a key cannot call it, or a page cannot read the reply. */
export function trialOf(document: OpenApi, place: Place): Trial | null {
  const { operation, method, path } = place
  const kinds = (operation.security ?? []).flatMap((each) => Object.keys(each))
  if (isStream(place) || (kinds.length > 0 && !kinds.includes('apiKey'))) return null
  const sent = parametersOf(document, operation).filter((each) => each.in !== 'cookie')
  const parameters = sent.map((each) => ({ name: each.name, in: each.in, required: each.required === true }))
  const hasBody = operation.requestBody?.content['application/json'] !== undefined
  return { method, path, parameters, body: hasBody ? (bodyOf(operation) ?? '{}') : null, takesKey: kinds.length > 0 }
}

export function operationPage(document: OpenApi, place: Place): string {
  const { operation, method, path } = place
  const title = operation.summary ?? `${method} ${path}`
  return [
    `# ${escaped(title)}`,
    block('p', 'class="operation"', `<b class="method ${method.toLowerCase()}">${method}</b> ${code(path)}`),
    operation.description === undefined ? '' : block('p', '', prose(operation.description)),
    accessSection(place),
    sampleSection(document, place),
    trialOf(document, place) === null ? '' : '<TryIt />',
    parameterSection(document, place),
    bodySection(document, place),
    replySection(document, place),
    refusalSection(document, place),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const WAYS: Readonly<Record<string, string>> = {
  apiKey: 'an API key (<code>X-Api-Key</code>)',
  bearer: 'a token (<code>Authorization: Bearer</code>)',
  session: 'a member’s session (cookie)',
}

function accessSection({ operation }: Place): string {
  const security = operation.security ?? []
  const ways = [...new Set(security.flatMap((each) => Object.keys(each)))].map((name) => WAYS[name] ?? escaped(name))
  const scopes = [...new Set(security.flatMap((each) => Object.values(each).flat()))].map(code)
  const who = ways.length === 0 ? 'Needs no credential.' : `Opened by ${ways.join(', or ')}.`
  const needed = scopes.length === 0 ? '' : ` ${scopes.length === 1 ? 'Scope' : 'Scopes'}: ${scopes.join(', ')}.`
  return block('p', 'class="access"', `${who}${needed}`)
}

function sampleSection(document: OpenApi, place: Place): string {
  const variables = [...place.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => variableOf(place.path, name))
  const told = variables.length === 0 ? '' : `Set ${variables.map((each) => `\`${each}\``).join(' and ')} first.`
  const typescript = typescriptSample(document, place)
  const tabs = [
    fence('bash [curl]', curlSample(document, place)),
    ...(typescript === undefined ? [] : [fence('ts [TypeScript]', typescript)]),
  ]
  return ['## Request', told, '::: code-group', ...tabs, ':::'].filter((part) => part !== '').join('\n\n')
}

const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers', cookie: 'Cookies' } as const

function parameterSection(document: OpenApi, { operation }: Place): string {
  const all = parametersOf(document, operation)
  const kinds = ['path', 'query', 'header', 'cookie'] as const
  const lists = kinds.flatMap((kind) => {
    const items = all.filter((each) => each.in === kind).map((each) => parameterItem(document, each))
    return items.length === 0 ? [] : [`### ${PLACES[kind]}`, block('ul', 'class="fields"', items.join(''))]
  })
  return lists.length === 0 ? '' : ['## Parameters', ...lists].join('\n\n')
}

function parameterItem(document: OpenApi, { name, required, description, schema = {} }: Parameter): string {
  const need = required === true ? '<span class="need">required</span>' : ''
  const meaning = description ?? schema.description
  const limits = limitsOf(resolved<Schema>(document, schema))
  return [
    `<li><div class="field">${code(name)} <span class="type">${typeOf(document, schema)}</span>${need}</div>`,
    meaning === undefined ? '' : `<p>${prose(meaning)}</p>`,
    limits === '' ? '' : `<p class="limits">${limits}</p>`,
    '</li>',
  ].join('')
}

function bodySection(document: OpenApi, { operation }: Place): string {
  const body = operation.requestBody
  if (!body) return ''
  const parts = Object.entries(body.content).flatMap(([type, { schema = {} }]) => {
    const fields = fieldList(document, schema)
    return [block('p', 'class="media"', code(type)), fields === '' ? '' : block('div', '', fields)]
  })
  return ['## Body', body.required === true ? '' : 'It may be left out.', ...parts]
    .filter((part) => part !== '')
    .join('\n\n')
}

function replySection(document: OpenApi, { operation }: Place): string {
  const good = responsesOf(document, operation.responses).filter(([status]) => /^[123]/.test(status))
  const parts = good.flatMap(([status, { description, headers = {}, content = {} }]) => [
    `### ${status}`,
    description === undefined || description === 'Default Response' ? '' : block('p', '', prose(description)),
    headerLine(Object.keys(headers)),
    ...Object.entries(content).flatMap(([type, media]) => {
      const example = exampleOf(media)
      const fields = fieldList(document, media.schema ?? {})
      return [
        block('p', 'class="media"', code(type)),
        example === undefined ? '' : exampleFence(type, example),
        fields === '' ? '' : block('div', '', fields),
      ]
    }),
  ])
  return ['## Reply', ...parts].filter((part) => part !== '').join('\n\n')
}

/** Of replies of all operations: said once, in docs/reference/index.md. */
const OF_EVERY_REPLY: ReadonlySet<string> = new Set([
  'Request-Id',
  'Service-Version',
  'Gateway-State',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
])

function headerLine(all: readonly string[]): string {
  const names = all.filter((name) => !OF_EVERY_REPLY.has(name))
  return names.length === 0 ? '' : block('p', 'class="headers"', `Headers: ${names.map(code).join(', ')}`)
}

const exampleFence = (type: string, example: unknown): string =>
  type.includes('json') ? fence('json', JSON.stringify(example, null, 2)) : fence('text', said(example))

const responsesOf = (document: OpenApi, responses: Place['operation']['responses']): [string, Response][] =>
  Object.entries(responses).map(([status, each]) => [status, resolved<Response>(document, each)])

function refusalSection(document: OpenApi, { operation }: Place): string {
  const bad = responsesOf(document, operation.responses).filter(([status]) => /^[45]/.test(status))
  const rows = bad.flatMap(([status, { 'x-error-codes': codes = [] }]) =>
    codes.length === 0 ? [] : [`<li><b>${status}</b> ${codes.map(codeLink).join(', ')}</li>`],
  )
  const all = 'Every code, with what to do about it, is in the [catalogue of errors](/errors).'
  return ['## Refusals', all, rows.length === 0 ? '' : block('ul', 'class="refusals"', rows.join(''))]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The page is written into a block of HTML, which VitePress leaves alone: the address is whole. */
const codeLink = (name: string) => `<a href="/docs/errors#${anchorOf(name)}">${code(name)}</a>`

const anchorOf = (name: string) =>
  Object.hasOwn(REFUSALS, name) ? name : name.startsWith('missing_') ? 'missing_param' : 'invalid_param'
