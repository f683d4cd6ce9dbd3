// Schema faults in our words: each becomes a problem that names the parameter and the mend (docs/design/domain.md).
import type { Static, TSchema } from 'typebox'
import Format from 'typebox/format'
// Of the two compilers the one that loads no conversions, which the start would wait for.
import { Compile } from 'typebox/schema'
import { maskCards } from '../../domain/text/cards.ts'
import { invalid, missing, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { nearestName } from './nearest.ts'

// RFC 3339 has seconds, and RFC 9557 zones in brackets, that no number of milliseconds can be had of.
Format.Set('date-time', (text) => Format.IsDateTime(text) && !Number.isNaN(Date.parse(text)))

type Fault = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Record<string, unknown>
  readonly message: string
}

/** A value that has the shape of a schema. Never the value alone: it could be mistaken for a refusal. */
export type Read<T> = { readonly read: T }

/**
 * Reads values by a schema; the refusal holds all problems at once, misspelt members first: they explain the missing ones.
 * Throws for a schema that leaves open whether it takes members that it does not name.
 */
export function readerOf<S extends TSchema>(schema: S): (value: unknown) => Read<Static<S>> | Refusal {
  refuseUndecided(schema, '')
  // A start would wait for all of them, and many are never read by.
  let compiled: ReturnType<typeof Compile<S>> | undefined
  const validator = () => (compiled ??= Compile(schema))
  const fits = (value: unknown): value is Static<S> => validator().Check(value)
  return (value) => {
    if (fits(value)) return { read: value }
    const [, faults] = validator().Errors(value)
    const unknown = unknownMembersIn(value, schema, '')
    const [first, ...others] = [...unknown.slice(0, UNKNOWN_MAX), ...problemsOf(faults as unknown as Fault[])]
    return refuseAll([first ?? invalid('body', 'The body does not have the documented shape.'), ...others])
  }
}

/** As far as validation reads a schema. */
type Shape = {
  readonly properties?: Readonly<Record<string, Shape & { readonly readOnly?: boolean }>>
  readonly additionalProperties?: unknown
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

function refuseUndecided(shape: Shape, at: string): void {
  const { properties, additionalProperties, items, anyOf } = shape
  if (properties && additionalProperties === undefined)
    throw new Error(`the schema of a request leaves open what else ${at || 'it'} may hold: make it closed() or open()`)
  for (const [name, member] of Object.entries(properties ?? {})) refuseUndecided(member, `${at}.${name}`)
  if (items) refuseUndecided(items, `${at}[]`)
  for (const each of anyOf ?? []) refuseUndecided(each, at)
}

function problemsOf(faults: readonly Fault[]): Problem[] {
  const problems = faults.flatMap(problemOf)
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const isNew = !seen.has(problem.code)
    seen.add(problem.code)
    return isNew
  })
}

// Nobody mends more at once, and a body of a thousand strange members needs no reply of the same length.
const UNKNOWN_MAX = 20

/** Members that the schema does not name, each with the name that was probably meant. */
function unknownMembersIn(value: unknown, shape: Shape, parents: string): Problem[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties = {}, additionalProperties, items } = shape
  if (Array.isArray(value) && !items) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : Array.isArray(value) ? items : undefined
    if (known) return unknownMembersIn(member, known, `${parents}${name}.`)
    return additionalProperties === false ? [unknownParameter(parents, name, namesOf(properties))] : []
  })
}

/** One member or query parameter that no operation like this knows. `parents` is where it stands, with its dots. */
export function unknownParameter(parents: string, name: string, known: readonly string[]): Problem {
  const param = `${parents}${maskCards(name).slice(0, 64)}`
  const meant = nearestName(name, known)
  const mend =
    meant !== null
      ? `Did you mean ${parents}${meant}?`
      : known.length > 0
        ? `There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}.`
        : 'Nothing is expected there.'
  return { code: 'unknown_parameter', param, message: `${param} is not known. ${mend}` }
}

/** What may be sent: what is only the gateway's is no mend. */
function namesOf(properties: NonNullable<Shape['properties']>): string[] {
  return Object.entries(properties).flatMap(([name, { readOnly }]) => (readOnly ? [] : [name]))
}

function problemOf(fault: Fault): Problem[] {
  const path = fault.instancePath.split('/').slice(1).join('.')
  // Reported by unknownMembersIn.
  if (fault.keyword === 'additionalProperties' || fault.keyword === 'boolean') return []
  if (fault.keyword === 'required') {
    const names = fault.params['requiredProperties'] as string[]
    return names.map((name) => missing(path ? `${path}.${name}` : name, 'It is required.'))
  }
  // An alternative that fails repeats what its members say.
  if (fault.keyword === 'anyOf') return []
  // What callers name themselves is no part of a code.
  if (path.startsWith('metadata.')) return [invalid('metadata', `${path} ${wordsFor(fault)}.`)]
  const param = path || 'body'
  return [invalid(param, `${param} ${wordsFor(fault)}.`)]
}

/** Patterns that a person would not read. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^[A-Za-z]{3}$': 'must be the three letters of ISO 4217, such as PHP',
  '^(?:[1-9]|[1-9][0-9]|100)$': 'must be a whole number from 1 to 100, and given once',
}

const TYPES: Readonly<Record<string, string>> = {
  number: 'a number without quotes, such as 500 or 19.99',
  integer: 'a whole number without quotes, such as 900',
  string: 'text in quotes',
  boolean: 'true or false',
  object: 'an object in braces',
  array: 'a list in brackets',
}

function typeWords(types: readonly string[]): string {
  const named = types.filter((type) => type !== 'null').map((type) => TYPES[type] ?? type)
  return `${named.join(' or ')}${types.includes('null') ? ', or null' : ''}`
}

function wordsFor({ keyword, params, message }: Fault): string {
  switch (keyword) {
    case 'maxLength':
      return `is longer than ${String(params['limit'])} characters`
    case 'minLength':
      return 'is empty'
    case 'enum':
      return `must be one of: ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`
    case 'format':
      return params['format'] === 'date-time'
        ? 'must be a day or a time in UTC, such as 2026-11-01 or 2026-11-01T08:00:00Z'
        : `is not a valid ${String(params['format'])}`
    case 'pattern':
      return PATTERNS[String(params['pattern'])] ?? `must match ${String(params['pattern'])}`
    case 'type':
      return `must be ${typeWords([params['type']].flat().map(String))}`
    case 'not':
      return 'has a form that is kept for the gateway itself'
    default:
      return message
  }
}
