// A value of a schema, always the same one: a sample of what an operation shows, without an object that exists.
import type { TSchema } from 'typebox'

type Shape = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly format?: string
}

const TEXTS: Readonly<Record<string, string>> = {
  uuid: '019a3c4e-5e00-7000-8000-000000000001',
  'date-time': '2026-11-01T00:00:00.000Z',
  date: '2026-11-01',
}

/** A sample of a record with these members; texts bear the name of their member. */
export function sampleOf(schema: TSchema): Record<string, unknown> {
  const { properties = {} } = schema as Shape
  return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, valueOf(name, shape)]))
}

function valueOf(name: string, shape: Shape): unknown {
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  if (shape.anyOf) return shape.anyOf[0] ? valueOf(name, shape.anyOf[0]) : null
  const type = [shape.type].flat()[0]
  if (type === 'object') return sampleOf(shape as TSchema)
  if (type === 'array') return shape.items ? [valueOf(name, shape.items)] : []
  if (type === 'string') return TEXTS[shape.format ?? ''] ?? name
  if (type === 'boolean') return false
  return type === 'integer' || type === 'number' ? 1 : null
}
