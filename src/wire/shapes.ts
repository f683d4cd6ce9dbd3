// The words that wire shapes are made of: what may be null, texts, ids, times, and the envelope of a success.
import Type, { type Static, type TObjectOptions, type TProperties, type TSchema } from 'typebox'

/**
 * What a schema says, as presenters make it and nobody changes it. A presenter declares it as its return type: a member that
 * is missing, or that the schema does not name, does not compile.
 */
export type Wire<S extends TSchema> = Frozen<Static<S>>

type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [M in keyof T]: Frozen<T[M]> }
    : T

/** Of what an account's own key is shown, the members that are null for whoever holds a token (forOwners). */
export type Owned<T, M extends keyof T> = Omit<T, M> & { readonly [N in M]: NonNullable<T[N]> }

/** The same shape, or null: unset fields are present with null (docs/design/domain.md), and null clears in a patch. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  if (values) return Type.Unsafe<Static<T> | null>({ ...schema, enum: [...values, null] })
  return Type.Unsafe<Static<T> | null>(
    type ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] },
  )
}

/** What a request may hold: these members and no others. Whatever else is sent is refused with unknown_parameter. */
export function closed<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false })
}

/** What a provider sends: members that are not named here are its own affair. */
export function open<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: true })
}

/** Members that only the gateway writes: taken from who sends back what it read, and ignored. */
export function ignored(names: readonly string[]) {
  const member = Type.Optional(Type.Unsafe<unknown>({ readOnly: true, description: 'The gateway’s own; ignored.' }))
  return Object.fromEntries(names.map((name) => [name, member]))
}

export const text = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })))
export const uuid = (description: string) => Type.String({ format: 'uuid', description })
/** What the description of its own place says is said there alone. */
export const currency = (description = 'ISO 4217, in capitals; requests may have small letters.') =>
  Type.String({ $id: 'Currency', pattern: '^[A-Za-z]{3}$', description })
export const Currency = currency()
export const time = (description: string) => Type.String({ format: 'date-time', description })

/** Of everything that belongs to an account: whether its money is real. */
export const livemode = Type.Boolean({ description: 'False: TEST, no real money.' })

/** What only the account's own key sees: null for whoever holds a token. */
export function forOwners<T extends TSchema>(schema: T) {
  const { description = '' } = schema as { description?: string }
  const shape = { ...nullable(schema), description: `${description} Null for whoever holds a token.`.trim() }
  return Type.Unsafe<Static<T> | null>(shape)
}

export const nullableText = nullable(Type.String())
export const nullableTime = nullable(time('When.'))

const STATUSES = { number: 200, string: '200' } as const

/** The success envelope (spec 4): `status` is a number in reads and creates, a string in updates and cancels. */
export function envelope<K extends keyof typeof STATUSES, T extends TSchema>(status: K, data: T) {
  return Type.Object({ status: Type.Literal(STATUSES[status]), message: Type.String(), data })
}

/**
 * One of several shapes; the member `by` says which. What each says must begin there, so that a reader of the document, and
 * the types made from it, need look at nothing else.
 */
export function tagged<M extends Readonly<Record<string, TSchema>>>(
  by: string,
  shapes: M,
  options: { $id: string; description?: string },
) {
  const mapping = Object.fromEntries(
    Object.entries(shapes).map(([tag, shape]) => [tag, `#/components/schemas/${(shape as { $id?: string }).$id}`]),
  )
  return Type.Unsafe<Static<M[keyof M]>>({
    oneOf: Object.values(shapes),
    discriminator: { propertyName: by, mapping },
    ...options,
  })
}

/** A parameter of a query is text; the document shows it as what the text means. */
export const readAs = (documented: Readonly<Record<string, unknown>>, pattern: string, description: string) =>
  Type.String({ pattern, description, documented: { ...documented, description } })

/** Some of these words: after commas, or in a parameter each. */
export const oneOrMore = <W extends string>(words: readonly W[], options: { $id?: string } = {}) =>
  Type.Array(Type.Enum([...words], options), {
    minItems: 1,
    maxItems: words.length,
    description: 'One, or several after commas.',
  })

/** A day in a query. */
export const day = (description: string) =>
  Type.Optional(
    readAs({ type: 'string', format: 'date' }, '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$', description),
  )

/** A moment in a query: a time, or a day. */
export const moment = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ],
      description,
    }),
  )
