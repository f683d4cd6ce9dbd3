// Card numbers and secrets, and every place where a caller could put them: each operation of the served document, each text
// of its body, query and path. Account identifiers are no free text: they are left as they are.

/** A number of each brand that the public test decks name. */
export const CARD_NUMBERS = [
  '4111111111111111',
  '4222222222222',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
  '30569309025904',
  '3530111333300000',
  '6200000000000005',
  '6759649826438453',
] as const

/** Plain, in groups with spaces, and in groups with dashes. */
export const writings = (number: string): string[] => [
  number,
  ...[' ', '-'].map((between) => (number.match(/.{1,4}/g) ?? []).join(between)),
]

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

type Operation = {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export type Route = {
  readonly method: string
  readonly path: string
  readonly queries: readonly string[]
  /** The places of its body that take text, each as the names that lead there. */
  readonly texts: readonly (readonly string[])[]
}

// Names by which accounts, rails and callers call things; and what is a secret by itself, shown once.
const IDENTIFIER = /^(?:id|.*_id|reference|wallet|tag|mobile|bearer_token)$/

export function routesOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema
      const texts = schema ? textsIn(document, schema, []) : []
      const queries = parameters
        .filter((each) => each.in === 'query' && !IDENTIFIER.test(each.name))
        .map(({ name }) => name)
      return { method: method.toUpperCase(), path, queries, texts }
    }),
  )
}

function textsIn(document: Document, schema: Schema, at: readonly string[]): (readonly string[])[] {
  if (at.length > 6) return []
  const { $ref, anyOf = [], properties = {}, type } = schema
  const named = $ref && document.components.schemas[$ref.split('/').at(-1) ?? '']
  if (named) return textsIn(document, named, at)
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'))
  const own = isText && !IDENTIFIER.test(at.at(-1) ?? '') ? [at] : []
  const among = anyOf.flatMap((each) => textsIn(document, each, at))
  const members = Object.entries(properties).flatMap(([name, each]) => textsIn(document, each, [...at, name]))
  return [...new Map([...own, ...among, ...members].map((each) => [each.join('.'), each])).values()]
}

/** The body with the text at the place, the rest of it as it was. */
export function bodyWith(base: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text
  const members =
    typeof base === 'object' && base !== null && !Array.isArray(base) ? (base as Record<string, unknown>) : {}
  return { ...members, [name]: bodyWith(members[name], rest, text) }
}

const AROUND = 60

/** The needles that the text holds, each with what stands before it where it is first found. */
export function hitsIn(text: string, needles: readonly string[]): string[] {
  const hits = needles.flatMap((needle) => {
    const hits: string[] = []
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1))
      hits.push(text.slice(Math.max(0, at - AROUND), at + needle.length))
    return hits
  })
  return [...new Map(hits.map((hit) => [hit.slice(-AROUND / 2, -19), hit])).values()]
}
