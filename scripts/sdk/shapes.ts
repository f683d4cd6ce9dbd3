// TypeScript types as text, from the schemas of the API document. What a request may be and what a reply is differ: in a
// request an amount may be decimal text, and what only the gateway writes is left out.

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  readonly readOnly?: boolean
}

export type Side = 'request' | 'reply'

/** How a component is called on a side. */
export type Names = (component: string, side: Side) => string

export const componentOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

export function typeOf(schema: Schema, side: Side, names: Names, indent = ''): string {
  if (schema.$ref !== undefined) return names(componentOf(schema.$ref), side)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return unionOf(schema.enum.map((each) => JSON.stringify(each)))
  const several = schema.anyOf ?? schema.oneOf
  if (several) return unionOf(several.map((each) => typeOf(each, side, names, indent)))
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each, side, names, indent)})`).join(' & ')
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat()
  if (types.length === 0) return 'unknown'
  return unionOf(types.map((type) => plainType(type, schema, side, names, indent)))
}

const unionOf = (parts: readonly string[]) => [...new Set(parts.flatMap((part) => part))].join(' | ')

function plainType(type: string, schema: Schema, side: Side, names: Names, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'number') return side === 'request' ? 'Decimal' : 'number'
  if (type === 'array') return `readonly (${typeOf(schema.items ?? {}, side, names, indent)})[]`
  return type === 'object' ? objectType(schema, side, names, indent) : type
}

/**
 * Where `type` names one of the other members, and no other is there: a union, in which each type comes with its own member
 * alone.
 */
function taggedTypes({ properties = {}, required = [] }: Schema): readonly Schema[] | null {
  const { type: tag, ...others } = properties
  const tags = tag?.enum
  if (!tags || !required.includes('type') || Object.keys(others).length === 0) return null
  if (!Object.keys(others).every((name) => tags.includes(name))) return null
  return tags.map((name) => {
    const own = others[String(name)]
    const type = { const: name }
    if (own === undefined) return { type: 'object', properties: { type }, required: ['type'] }
    // What cannot be without its own members cannot be left out.
    const isNeeded = (own.required ?? []).length > 0
    const shape = isNeeded ? { ...own, type: 'object' } : own
    return {
      type: 'object',
      properties: { type, [String(name)]: shape },
      required: ['type', ...(isNeeded ? [String(name)] : [])],
    }
  })
}

function objectType(schema: Schema, side: Side, names: Names, indent: string): string {
  const tagged = taggedTypes(schema)
  if (tagged) return unionOf(tagged.map((each) => objectType(each, side, names, indent)))
  const { properties = {}, required = [], additionalProperties: more } = schema
  const inner = `${indent}  `
  const lines = Object.entries(properties)
    .filter(([, member]) => side === 'reply' || member.readOnly !== true)
    .flatMap(([name, member]) => {
      const type = typeOf(member, side, names, inner)
      const isThere = required.includes(name)
      const shown = isThere ? `${quoted(name)}: ${type}` : `${quoted(name)}?: ${type} | undefined`
      return [...docOf(member.description, inner), `${inner}${shown}`]
    })
  const rest = more === true ? 'unknown' : typeof more === 'object' ? typeOf(more, side, names, inner) : null
  const open = rest === null ? [] : [`Record<string, ${rest}>`]
  if (lines.length === 0) return open[0] ?? 'Record<string, never>'
  return [`{\n${lines.join('\n')}\n${indent}}`, ...open].join(' & ')
}

const quoted = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

export function docOf(text: string | undefined, indent: string): string[] {
  return text === undefined || text === 'When.'
    ? []
    : [`${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */`]
}

/** The paths of the amounts in a body: members with dots between, * for the elements of a list. */
export function amountPaths(schema: Schema, components: Readonly<Record<string, Schema>>, above = ''): string[] {
  if (schema.$ref !== undefined) return amountPaths(components[componentOf(schema.$ref)] ?? {}, components, above)
  if (schema.readOnly) return []
  const several = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const own = [schema.type ?? []].flat().includes('number') && above !== '' ? [above] : []
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    amountPaths(member, components, above === '' ? name : `${above}.${name}`),
  )
  const elements = schema.items ? amountPaths(schema.items, components, `${above}.*`) : []
  return [
    ...new Set([...own, ...members, ...elements, ...several.flatMap((each) => amountPaths(each, components, above))]),
  ]
}
