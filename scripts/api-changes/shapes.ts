// One shape before and after. A request may come to take more, and a reply to hold more; the other way round callers break.
import { nameOf, type Schema } from './surface.ts'

export type Side = 'request' | 'reply'

export type Change = {
  /** What the changelog has to name where it breaks callers: an operation, an event or a named shape. */
  readonly subject: string
  readonly place: string
  readonly what: string
  readonly breaks: boolean
}

export type Comparison = {
  readonly before: Readonly<Record<string, Schema>>
  readonly after: Readonly<Record<string, Schema>>
  readonly changes: Change[]
  /** Named shapes that were compared. */
  readonly seen: Set<string>
}

/** Where a shape is, and which way it goes. */
export type Place = { readonly subject: string; readonly path: string; readonly side: Side }

/** A schema with one type, of those that it may have. */
type Variant = { readonly type: string; readonly name: string | null; readonly schema: Schema }

const KNOWN = `$ref type enum const anyOf oneOf not properties required additionalProperties items pattern format default minLength
  maxLength minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems minProperties maxProperties multipleOf uniqueItems`
const KEYWORDS = new Set(KNOWN.split(/\s+/))
const UPPER = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties']
const LOWER = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties']
const EXACT = ['pattern', 'format', 'multipleOf', 'not', 'uniqueItems']

const inside = ({ subject, path, side }: Place, name: string): Place => ({
  subject,
  path: `${path}.${name}`,
  side,
})

export function note({ changes }: Comparison, { subject, path }: Place, what: string, breaks: boolean): void {
  const isTold = changes.some((each) => each.place === path && each.what === what && each.breaks === breaks)
  if (!isTold) changes.push({ subject, place: path, what, breaks })
}

export function compareShapes(comparison: Comparison, place: Place, before: Schema, after: Schema): void {
  const { $ref } = before
  const here = typeof $ref === 'string' && $ref === after['$ref'] ? placeIn(place, nameOf($ref)) : place
  const [old, now] = [variantsOf(comparison.before, before), variantsOf(comparison.after, after)]
  const areSingle = [old, now].every((each) => each.filter(({ type }) => type === 'object').length === 1)
  const keyOf = ({ type, name, schema }: Variant) => {
    if (type === 'integer') return 'number'
    return type !== 'object' || areSingle ? type : `object ${name ?? tagOf(schema)}`
  }
  const nowBy = new Map(now.map((each) => [keyOf(each), each]))
  const oldBy = new Map(old.map((each) => [keyOf(each), each]))
  for (const [key, variant] of oldBy) {
    const match = nowBy.get(key)
    if (match) compareVariants(comparison, here, variant, match)
    else gone(comparison, here, key, nowBy)
  }
  for (const [key] of nowBy) if (!oldBy.has(key)) come(comparison, here, key, oldBy)
}

function gone(comparison: Comparison, place: Place, type: string, now: ReadonlyMap<string, Variant>): void {
  if (place.side === 'request' && now.has('any')) return
  const breaks = place.side === 'request' || type.startsWith('object') || type === 'any'
  // In a reply what takes its place is told of; null that is sent no more is no harm.
  if (breaks || type !== 'null') note(comparison, place, `is no longer ${type}`, breaks)
}

function come(comparison: Comparison, place: Place, type: string, old: ReadonlyMap<string, Variant>): void {
  if (place.side === 'request') {
    if (!old.has('any')) note(comparison, place, `may be ${type}`, false)
    return
  }
  // One more shape among several is like one more word: readers look at what tells them apart.
  const isOneMore = type.startsWith('object ') && [...old.keys()].some((key) => key.startsWith('object '))
  if (!old.has('any')) note(comparison, place, `may be ${type}`, !isOneMore)
}

/** What changes in a named shape is told there, whoever uses it. */
const placeIn = (place: Place, name: string): Place => ({ subject: name, path: name, side: place.side })

function variantsOf(schemas: Comparison['before'], schema: Schema, name: string | null = null): Variant[] {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword))
  if (unknown !== undefined)
    throw new Error(`the comparison does not know the keyword ${unknown}: teach it (shapes.ts)`)
  const { $ref, anyOf, oneOf, ...own } = schema
  if (typeof $ref === 'string') return variantsOf(schemas, schemas[nameOf($ref)] ?? {}, nameOf($ref))
  const several = (anyOf ?? oneOf) as readonly Schema[] | undefined
  if (several) return several.flatMap((each) => variantsOf(schemas, { ...own, ...each }, name))
  const words = wordsOf(own)
  const types = [own['type'] ?? (own['properties'] ? 'object' : words ? typesOf(words) : 'any')].flat() as string[]
  return types.map((type) => ({ type, name, schema: own }))
}

const typesOf = (words: readonly unknown[]) => [...new Set(words.map((each) => (each === null ? 'null' : typeof each)))]

/** What a value may be where that is listed, null aside: that is a type of its own. */
function wordsOf({ enum: words, const: only }: Schema): readonly unknown[] | null {
  if (only !== undefined) return [only]
  return Array.isArray(words) ? words.filter((each) => each !== null) : null
}

/** The word that tells a shape from its neighbours. */
function tagOf({ properties = {} }: Schema): string {
  const words = Object.values(properties as Record<string, Schema>).map(wordsOf)
  const word = words.find((each) => each?.length === 1)?.[0]
  return typeof word === 'string' ? word : ''
}

function compareVariants(comparison: Comparison, outer: Place, old: Variant, now: Variant): void {
  const place = old.name !== null && old.name === now.name ? placeIn(outer, old.name) : outer
  if (old.name !== null) {
    // Once on each side: a shape may hold itself.
    const pair = [old.name, now.name, old.type, tagOf(old.schema), place.side].join()
    if (comparison.seen.has(pair)) return
    comparison.seen.add(pair)
  }
  const [narrow, wide] = place.side === 'request' ? [now, old] : [old, now]
  if (narrow.type === 'integer' && wide.type === 'number')
    note(comparison, place, `is ${now.type}, no longer ${old.type}`, true)
  if (old.type === 'null') return
  compareWords(comparison, place, wordsOf(old.schema), wordsOf(now.schema))
  compareLimits(comparison, place, old.schema, now.schema)
  if (old.type === 'array') {
    const items = ({ schema }: Variant) => (schema['items'] ?? {}) as Schema
    compareShapes(comparison, { ...place, path: `${place.path}[]` }, items(old), items(now))
  }
  if (old.type === 'object') compareObjects(comparison, place, old.schema, now.schema)
}

type Words = readonly unknown[] | null

function compareWords(comparison: Comparison, place: Place, old: Words, now: Words): void {
  const isRequest = place.side === 'request'
  if (old === null && now !== null) note(comparison, place, `is only ${now.join(', ')}`, isRequest)
  if (old === null || now === null) return
  const goes = old.filter((each) => !now.includes(each))
  const comes = now.filter((each) => !old.includes(each))
  if (goes.length > 0)
    note(comparison, place, `is no longer ${goes.join(', ')}`, isRequest || goes.length === old.length)
  if (comes.length > 0) note(comparison, place, `may be ${comes.join(', ')}`, false)
}

function compareLimits(comparison: Comparison, place: Place, old: Schema, now: Schema): void {
  const breaks = (keyword: string) => note(comparison, place, `has another ${keyword}`, true)
  if (place.side === 'reply') {
    if (old['format'] !== now['format'] && old['format'] !== undefined) breaks('format')
    return
  }
  const limit = (schema: Schema, keyword: string, none: number) => (schema[keyword] as number | undefined) ?? none
  for (const keyword of UPPER) if (limit(now, keyword, Infinity) < limit(old, keyword, Infinity)) breaks(keyword)
  for (const keyword of LOWER) if (limit(now, keyword, -Infinity) > limit(old, keyword, -Infinity)) breaks(keyword)
  for (const keyword of EXACT)
    if (now[keyword] !== undefined && JSON.stringify(now[keyword]) !== JSON.stringify(old[keyword])) breaks(keyword)
  if (JSON.stringify(now['default']) !== JSON.stringify(old['default'])) breaks('default')
}

const membersOf = ({ properties = {} }: Schema) => properties as Readonly<Record<string, Schema>>
const needed = ({ required = [] }: Schema) => new Set(required as readonly string[])

function compareObjects(comparison: Comparison, place: Place, old: Schema, now: Schema): void {
  const isRequest = place.side === 'request'
  const [oldMembers, nowMembers] = [membersOf(old), membersOf(now)]
  for (const [name, member] of Object.entries(oldMembers)) {
    const here = inside(place, name)
    const match = nowMembers[name]
    if (match === undefined) {
      note(comparison, here, 'is gone', true)
      continue
    }
    const [was, is] = [needed(old).has(name), needed(now).has(name)]
    if (is && !was) note(comparison, here, isRequest ? 'is required' : 'is always there', isRequest)
    if (was && !is) note(comparison, here, isRequest ? 'is optional' : 'may be absent', !isRequest)
    compareShapes(comparison, here, member, match)
  }
  for (const name of Object.keys(nowMembers).filter((each) => !(each in oldMembers))) {
    const isRequired = isRequest && needed(now).has(name)
    note(comparison, inside(place, name), isRequired ? 'is new and required' : 'is new', isRequired)
  }
  compareOthers(comparison, place, old['additionalProperties'] ?? true, now['additionalProperties'] ?? true)
}

/** Members of any name. */
function compareOthers(comparison: Comparison, place: Place, old: unknown, now: unknown): void {
  if (now === false && old !== false && place.side === 'request')
    note(comparison, place, 'takes no other members', true)
  if (typeof old !== 'object' || typeof now !== 'object') return
  compareShapes(comparison, inside(place, '*'), (old ?? {}) as Schema, (now ?? {}) as Schema)
}
