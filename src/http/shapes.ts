// The words that wire shapes are made of: what may be null, texts, ids, times, and the envelope of a success.
import Type, { type Static, type TSchema } from 'typebox'

/** The same shape, or null: unset fields are present with null (design 3, trap 15), and null clears in a patch. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  if (values) return Type.Unsafe<Static<T> | null>({ ...schema, enum: [...values, null] })
  return Type.Unsafe<Static<T> | null>(
    type ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] },
  )
}

export const text = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })))
export const uuid = (description: string) => Type.String({ format: 'uuid', description })
export const time = (description: string) => Type.String({ format: 'date-time', description })

export const nullableText = nullable(Type.String())
export const nullableTime = nullable(time('When.'))

/** The success envelope (spec 4): `status` is a number in reads and creates, a string in updates and cancels. */
export function envelope<T extends TSchema>(status: 'number' | 'string', data: T) {
  const code = status === 'number' ? Type.Literal(200) : Type.Literal('200')
  return Type.Object({ status: code, message: Type.String(), data })
}
