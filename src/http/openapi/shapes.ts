// The shapes of the document: each that has a name once, under components, and a reference wherever it is used.
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [member: string]: Json }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type Shapes = {
  /** The shape as the document has it where it is used. */
  readonly shown: (shape: unknown) => Json
  /** Every named shape that was shown so far, by name. */
  readonly components: () => JsonObject
}

export function openShapes(): Shapes {
  const known = new Map<string, Json>()
  const texts = new Map<string, string>()

  /** Named by its $id. A description of its own stands beside the reference; null is an alternative to it. */
  const referred = (name: string, shape: JsonObject): Json => {
    const { description, ...bare } = withoutNull(shape)
    const text = JSON.stringify(bare)
    const before = texts.get(name)
    if (before !== undefined && before !== text) throw new Error(`two shapes are called ${name}`)
    const $ref = `#/components/schemas/${name}`
    if (before === undefined) {
      texts.set(name, text)
      // Taken before its members are: a shape may hold itself.
      known.set(name, null)
      known.set(name, { ...mapped(bare), ...(description === undefined ? {} : { description }) })
    }
    const own = (known.get(name) as JsonObject | null)?.['description']
    const beside = description === undefined || description === own ? {} : { description }
    return allowsNull(shape) ? { anyOf: [{ $ref }, { type: 'null' }], ...beside } : { $ref, ...beside }
  }

  const shownJson = (value: Json): Json => {
    if (!isObject(value)) return Array.isArray(value) ? value.map((each: Json) => shownJson(each)) : value
    const { patternProperties, ...others } = value
    // Members of any name: generators know the plainer word for it.
    if (isObject(patternProperties) && Object.keys(patternProperties).join() === '^.*$')
      return shownJson({ ...others, additionalProperties: patternProperties['^.*$'] ?? true })
    // What is read as text in a query and means something else is shown as what it means.
    if (isObject(value['documented'])) return shownJson(value['documented'])
    const { $id, ...shape } = value
    return typeof $id === 'string' ? referred($id, shape) : mapped(shape)
  }

  const mapped = (shape: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, shownJson(member)]))

  return {
    shown: (shape) => shownJson(JSON.parse(JSON.stringify(shape)) as Json),
    components: () => Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const allowsNull = ({ type, enum: words }: JsonObject): boolean =>
  (Array.isArray(type) && type.includes('null')) || (Array.isArray(words) && words.includes(null))

/** The shape that may be null, without that. */
function withoutNull(shape: JsonObject): JsonObject {
  if (!allowsNull(shape)) return shape
  const { type, enum: words } = shape
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : type
  const [only] = Array.isArray(types) ? types : []
  return {
    ...shape,
    ...(types === undefined ? {} : { type: Array.isArray(types) && types.length === 1 && only ? only : types }),
    ...(Array.isArray(words) ? { enum: words.filter((each) => each !== null) } : {}),
  }
}
