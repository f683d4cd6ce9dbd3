// The operations as the SDK calls them: their line in its table, and the TypeScript signature of each.
import type { Document, Operation } from './document.ts'
import { amountPaths, componentOf, docOf, type Names, type Schema, typeOf } from './shapes.ts'
import type { Steps } from './steps.ts'

/** Sent by POST, and yet nothing is changed by them. */
const READS_BY_POST = ['channels.compare']

/** What a client gets of a reply: see `result` in sdk/src/operations.ts. */
type Result = { readonly word: string; readonly schema: Schema }

export function resultOf({ method, reply }: Operation, { components }: Document): Result {
  const whole = reply.$ref === undefined ? reply : (components.schemas[componentOf(reply.$ref)] ?? {})
  const data = whole.properties?.['data']
  if (!data) return { word: '-', schema: reply }
  const shape = data.$ref === undefined ? data : (components.schemas[componentOf(data.$ref)] ?? {})
  const members = Object.entries(shape.properties ?? {})
  const lists = members.filter(([, member]) => member.type === 'array')
  const [list] = lists
  if (method === 'GET' && list && lists.length === 1 && members.some(([name]) => name === 'next'))
    return { word: `[${list[0]}`, schema: list[1].items ?? {} }
  const [only] = members
  return only && members.length === 1 ? { word: only[0], schema: only[1] } : { word: '*', schema: data }
}

/** One line of the table. */
export function lineOf(operation: Operation, document: Document): string {
  const { id, method, path, body, query, isKeyed } = operation
  const isRepeatable = isKeyed || READS_BY_POST.includes(id)
  const traits = `${body ? 'b' : ''}${query.length > 0 ? 'q' : ''}${isRepeatable ? '' : 'u'}`
  const amounts = body ? amountPaths(body.schema, document.components.schemas).join(',') : ''
  return [id, method, path, traits || '-', resultOf(operation, document).word, amounts].join(' ').trim()
}

export const paramsName = (id: string) => `${pascal(id)}Params`

const pascal = (id: string) => id.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What the query of an operation takes. */
export function queryType({ query }: Operation): string {
  const lines = query.flatMap(({ name, required, description, schema }) => [
    ...docOf(description, '  '),
    `  ${name}${required ? '' : '?'}: ${queryValue(name, schema)}${required ? '' : ' | undefined'}`,
  ])
  return `{\n${lines.join('\n')}\n}`
}

function queryValue(name: string, schema: Schema): string {
  const shapes = schema.anyOf ?? [schema]
  if (shapes.some((each) => 'format' in each && String(each.format).startsWith('date'))) return 'string | Date'
  if (name === 'limit' || /^\^?\[?1-9|\^\(\?:\[1-9/.test(String((schema as { pattern?: string }).pattern ?? '')))
    return 'number | string'
  const type = typeOf(schema, 'reply', (component) => component)
  if (schema.type !== 'array') return type
  return `${typeOf(schema.items ?? {}, 'reply', (component) => component)} | ${type}`
}

/** The member of its group that calls the operation. */
export function signatureOf(operation: Operation, document: Document, steps: Steps, names: Names): string {
  const { id, summary, places, body, query } = operation
  const step = steps.of(id)
  const kind = steps.kindOf(id)
  const result = resultOf(operation, document)
  const own = (component: string, side: 'request' | 'reply') => {
    if (kind === null || side === 'request') return names(component, side)
    if (component === kind.component || component === 'Contract')
      return step ? `After<'${id}', '${kind.name}', C>` : (steps.created(id) ?? names(component, side))
    // One schema for both kinds of contract: of this operation it is its own kind.
    return steps.isContract(component) && id.endsWith('.cancel') ? 'never' : names(component, side)
  }
  const type = typeOf(result.schema, 'reply', own, '    ').replaceAll(/ \| never\b|\bnever \| /g, '')
  const params = paramsOf(id, body, query, names)
  const words = [
    ...places.map((place, at) => (at === 0 && step && kind ? 'contract: C' : `${place}: Ref`)),
    ...(params === null ? [] : [params]),
    'options?: CallOptions',
  ]
  const generic = step && kind ? `<C extends Standing<'${id}', '${kind.name}'> | ById>` : ''
  const given = result.word.startsWith('[') ? `List<${type}>` : `Promise<${type}>`
  return [
    ...docOf(`${summary}.`, '    '),
    `    readonly ${memberOf(id)}: ${generic}(${words.join(', ')}) => ${given}`,
  ].join('\n')
}

function paramsOf(id: string, body: Operation['body'], query: Operation['query'], names: Names): string | null {
  if (body) return `body${body.required ? '' : '?'}: ${bodyName(id, body.schema, names)}`
  if (query.length === 0) return null
  return `query${query.some(({ required }) => required) ? '' : '?'}: ${paramsName(id)}`
}

/** The type of a body: its component, or one of its own. */
export const bodyName = (id: string, schema: Schema, names: Names) =>
  schema.$ref === undefined ? paramsName(id) : names(componentOf(schema.$ref), 'request')

const memberOf = (id: string) => id.slice(id.indexOf('.') + 1)
