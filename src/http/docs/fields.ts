// JSON Schema as rows of a table: name, type, required, limits. Follows $ref; knows nothing of HTML.
import type { ApiDocument, Schema } from './model.ts'

export type Field = {
  /** What stands before the name: `recipient.`, `activities[].`, or nothing. */
  readonly parents: string
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  /** The only values there are, null left out; empty where the type says all. */
  readonly values: readonly string[]
  readonly limits: readonly string[]
}

type Place = { readonly parents: string; readonly depth: number; readonly refs: readonly string[] }

// Deeper than any shape that a reader would follow; it also ends schemas that contain themselves.
const DEPTH_MAX = 8

/** All members of an object schema, each followed by its own members. */
export function fieldsOf(document: ApiDocument, schema: Schema): Field[] {
  return membersOf(document, schema, { parents: '', depth: 0, refs: [] })
}

function membersOf(document: ApiDocument, schema: Schema, place: Place): Field[] {
  if (place.depth > DEPTH_MAX || (schema.$ref !== undefined && place.refs.includes(schema.$ref))) return []
  const inside = schema.$ref === undefined ? place : { ...place, refs: [...place.refs, schema.$ref] }
  const { properties, required, items, additionalProperties, ...rest } = flat(document, schema)
  const own = Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const field = fieldOf(document, name, member, inside)
    return rowsOf(document, { ...field, isRequired: required?.includes(name) ?? false }, member, inside)
  })
  const named = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
  const others = named
    ? rowsOf(document, fieldOf(document, '*', additionalProperties, inside), additionalProperties, inside)
    : []
  const elements = items ? membersOf(document, items, { ...inside, parents: inside.parents.replace(/\.$/, '[].') }) : []
  return [...own, ...others, ...elements, ...choicesOf(document, rest.anyOf ?? rest.oneOf ?? [], inside)]
}

/** Members of the one alternative that has any; where there are several, each under a row of its own. */
function choicesOf(document: ApiDocument, choices: readonly Schema[], place: Place): Field[] {
  const objects = choices.map((choice) => ({ choice, members: membersOf(document, choice, place) }))
  const withMembers = objects.filter(({ members }) => members.length > 0)
  if (withMembers.length < 2) return withMembers[0]?.members ?? []
  return withMembers.flatMap(({ choice, members }, index) => [
    fieldOf(document, flat(document, choice).title ?? `choice ${index + 1}`, choice, { ...place, parents: '' }),
    ...members.map((member) => ({ ...member, depth: member.depth + 1 })),
  ])
}

function rowsOf(document: ApiDocument, field: Field, schema: Schema, { parents, depth, refs }: Place): Field[] {
  return [field, ...membersOf(document, schema, { parents: `${parents}${field.name}.`, depth: depth + 1, refs })]
}

function fieldOf(document: ApiDocument, name: string, schema: Schema, { parents, depth }: Place): Field {
  const { description = '' } = flat(document, schema)
  const values = [...new Set(valuesOf(document, schema))]
  return {
    parents,
    name,
    depth,
    type: typeOf(document, schema, 0),
    isRequired: false,
    description,
    values,
    limits: limitsOf(document, schema),
  }
}

/** A parameter of the path or the query as a row. */
export function parameterField(document: ApiDocument, name: string, schema: Schema): Field {
  return fieldOf(document, name, schema, { parents: '', depth: 0, refs: [] })
}

/** The schema with its reference followed and its parts (allOf) merged. Words beside a reference win over it. */
export function flat(document: ApiDocument, schema: Schema): Schema {
  const { $ref, allOf, ...own } = schema
  const referred = $ref === undefined ? {} : flat(document, referredBy(document, $ref))
  const parts = (allOf ?? []).map((part) => flat(document, part))
  const all = [referred, ...parts, own]
  const properties = Object.assign({}, ...all.map((each) => each.properties ?? {})) as Record<string, Schema>
  const required = all.flatMap((each) => each.required ?? [])
  return { ...Object.assign({}, ...all), ...(Object.keys(properties).length > 0 ? { properties, required } : {}) }
}

function referredBy(document: ApiDocument, reference: string): Schema {
  const name = decodeURIComponent(reference.split('/').at(-1) ?? '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return document.components?.schemas?.[name] ?? {}
}

function typeOf(document: ApiDocument, schema: Schema, depth: number): string {
  const { type, anyOf, oneOf, items, format, ...rest } = flat(document, schema)
  const choices = anyOf ?? oneOf
  if (depth > DEPTH_MAX) return 'any'
  if (choices) return listed(choices.map((choice) => typeOf(document, choice, depth + 1)))
  if (type === undefined) return listed(constantsOf(rest).map(kindOf)) || (rest.properties ? 'object' : 'any')
  const words = [type].flat().map((each) => {
    if (each === 'array') return items ? `array of ${typeOf(document, items, depth + 1)}` : 'array'
    return each === 'string' && format !== undefined ? `string (${format})` : each
  })
  return listed(words)
}

/** Distinct words, null last. */
function listed(words: readonly string[]): string {
  const distinct = [...new Set(words.flatMap((word) => word.split(' or ')))]
  return [...distinct.filter((word) => word !== 'null'), ...distinct.filter((word) => word === 'null')].join(' or ')
}

function constantsOf(schema: Schema): readonly unknown[] {
  return 'const' in schema ? [schema.const] : (schema.enum ?? [])
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function valuesOf(document: ApiDocument, schema: Schema): string[] {
  const own = flat(document, schema)
  const choices = own.anyOf ?? own.oneOf
  if (choices) return choices.flatMap((choice) => valuesOf(document, choice))
  const values = constantsOf(own).filter((value) => value !== null)
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}

function limitsOf(document: ApiDocument, schema: Schema): string[] {
  const own = flat(document, schema)
  const choices = own.anyOf ?? own.oneOf ?? []
  return [
    ...range(own.minLength, own.maxLength, 'characters'),
    ...range(own.minItems, own.maxItems, 'elements'),
    ...range(own.minimum, own.maximum, ''),
    ...(own.exclusiveMinimum === undefined ? [] : [`above ${own.exclusiveMinimum}`]),
    ...(own.exclusiveMaximum === undefined ? [] : [`below ${own.exclusiveMaximum}`]),
    ...(own.pattern === undefined ? [] : [`matches ${own.pattern}`]),
    ...(own.default === undefined ? [] : [`by default ${JSON.stringify(own.default)}`]),
    ...choices.flatMap((choice) => limitsOf(document, choice)),
  ]
}

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  const words = (text: string) => [`${text} ${unit}`.trim()]
  if (min !== undefined && max !== undefined) return words(`${min} to ${max}`)
  if (max !== undefined) return words(`at most ${max}`)
  return min === undefined ? [] : words(`at least ${min}`)
}
