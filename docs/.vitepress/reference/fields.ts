// A shape as a list of its fields: name, type, need, limits, meaning, and the fields within.
import { nameOf, type OpenApi, resolved, type Schema } from './document.ts'
import { code, escaped, prose, said } from './markup.ts'

/** Deeper than this nothing of ours goes; a shape that holds itself ends there. */
const DEPTH_MAX = 6

/** The fields of an object, or of the alternatives that it may be, as HTML; nothing where it has none. */
export function fieldList(document: OpenApi, schema: Schema, depth = 0): string {
  const shape = resolved<Schema>(document, schema)
  if (depth > DEPTH_MAX) return ''
  if (shape.items) return fieldList(document, shape.items, depth)
  const kinds = alternatives(shape).filter((each) => hasFields(document, each))
  const own = Object.entries(shape.properties ?? {})
    .map(([name, field]) => fieldItem(document, name, field, shape.required?.includes(name) === true, depth))
    .join('')
  const list = own === '' ? '' : `<ul class="fields">${own}</ul>`
  const inner = (shape.allOf ?? []).map((each) => fieldList(document, each, depth)).join('')
  const first = kinds[0]
  if (kinds.length === 1 && first !== undefined) return list + inner + fieldList(document, first, depth)
  return list + inner + kinds.map((each, place) => kindSection(document, each, place, depth)).join('')
}

const alternatives = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf]

function hasFields(document: OpenApi, schema: Schema, depth = 0): boolean {
  const { properties, items, allOf = [], ...rest } = resolved<Schema>(document, schema)
  if (depth > DEPTH_MAX) return false
  if (properties !== undefined && Object.keys(properties).length > 0) return true
  if (items !== undefined && hasFields(document, items, depth + 1)) return true
  return [...allOf, ...alternatives(rest)].some((each) => hasFields(document, each, depth + 1))
}

/** One of several shapes: by its name, or by the field that tells it from the others. */
function kindSection(document: OpenApi, schema: Schema, place: number, depth: number): string {
  const shape = resolved<Schema>(document, schema)
  const told = Object.entries(shape.properties ?? {})
    .flatMap(([name, field]) => {
      const value = constantOf(resolved<Schema>(document, field))
      return value === undefined ? [] : [`${name}: ${value}`]
    })
    .join(', ')
  const title = told || shape.title || nameOf(schema) || `Form ${place + 1}`
  return `<details class="kind"><summary>${code(title)}</summary>${fieldList(document, schema, depth + 1)}</details>`
}

function constantOf({ const: constant, enum: values = [] }: Schema): string | undefined {
  if (constant !== undefined) return said(constant)
  return values.length === 1 ? said(values[0]) : undefined
}

function fieldItem(document: OpenApi, name: string, field: Schema, isRequired: boolean, depth: number): string {
  const shape = resolved<Schema>(document, field)
  const need = isRequired ? '<span class="need">required</span>' : ''
  const head = `<div class="field">${code(name)} <span class="type">${typeOf(document, field)}</span>${need}</div>`
  const words = field.description ?? shape.description
  const meaning = words === undefined ? '' : `<p>${prose(words)}</p>`
  const inside = hasFields(document, field) ? fieldList(document, field, depth + 1) : ''
  const more = inside === '' ? '' : `<details><summary>Fields of ${code(name)}</summary>${inside}</details>`
  return `<li>${head}${meaning}${limitLine(shape)}${more}</li>`
}

/** "string or null", "list of object", "one of `a`, `b`". */
export function typeOf(document: OpenApi, schema: Schema): string {
  const shape = resolved<Schema>(document, schema)
  if (shape.const !== undefined) return `always ${code(JSON.stringify(shape.const))}`
  if (shape.enum) return enumText(shape)
  const kinds = alternatives(shape)
  if (kinds.length > 0) return [...new Set(kinds.map((each) => typeOf(document, each)))].join(' or ')
  const types = [shape.type ?? (shape.properties || shape.allOf ? 'object' : 'any')].flat()
  const shown = types.map((type) => (type === 'array' ? `list of ${typeOf(document, shape.items ?? {})}` : type))
  const format = shape.format === undefined ? '' : ` (${escaped(shape.format)})`
  return `${shown.join(' or ')}${format}`
}

function enumText({ enum: values = [] }: Schema): string {
  const shown = values.map((value) => (value === null ? 'null' : code(said(value))))
  return shown.length === 1 ? `always ${shown.join('')}` : `one of ${shown.join(', ')}`
}

/** The limits of a value in words; nothing where it has none. */
export function limitsOf(shape: Schema): string {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minItems, maxItems } = shape
  const limits = [
    rangeText(minLength, maxLength, 'characters'),
    rangeText(minimum, maximum, ''),
    exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? '' : `below ${exclusiveMaximum}`,
    rangeText(minItems, maxItems, 'elements'),
    shape.pattern === undefined || shape.pattern.length > 80 ? '' : `matches ${code(shape.pattern)}`,
    shape.default === undefined ? '' : `by default ${code(JSON.stringify(shape.default))}`,
  ]
  return limits.filter((each) => each !== '').join('; ')
}

function limitLine(shape: Schema): string {
  const limits = limitsOf(shape)
  return limits === '' ? '' : `<p class="limits">${limits}</p>`
}

function rangeText(least: number | undefined, most: number | undefined, unit: string): string {
  const what = unit === '' ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined) return `${least} to ${most}${what}`
  if (most !== undefined) return `at most ${most}${what}`
  return least === undefined || least === 0 ? '' : `at least ${least}${what}`
}
