// Reading the JSON that is posted to the provider, field by field. It must not know what the fields mean.

export type Fields = Readonly<Record<string, unknown>>

/** A field that is not what it must be. Caught where the request is answered: it is the caller's fault. */
export class FieldFault extends Error {
  readonly field: string
  constructor(field: string, fault: string) {
    super(`${field} ${fault}.`)
    this.field = field
  }
}

/** The object that a body holds; null when it holds none. */
export function objectIn(body: string | null): Fields | null {
  try {
    return body === null ? null : objectOf(JSON.parse(body))
  } catch {
    return null
  }
}

export function objectOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

export function fieldsIn(fields: Fields, name: string): Fields | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  const found = objectOf(value)
  if (!found) throw new FieldFault(name, 'is an object')
  return found
}

export function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new FieldFault(name, 'is a text')
  return value
}

export function numberIn(fields: Fields, name: string, min: number, max: number): number | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || value < min || value > max)
    throw new FieldFault(name, `is a number from ${min} to ${max}`)
  return value
}

export function countIn(fields: Fields, name: string, min: number, max: number): number | null {
  const count = numberIn(fields, name, min, max)
  if (count !== null && !Number.isInteger(count)) throw new FieldFault(name, 'is a whole number')
  return count
}

export function oneOf<const T extends string>(fields: Fields, name: string, words: readonly T[]): T | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  const found = words.find((word) => word === value)
  if (found === undefined) throw new FieldFault(name, `is one of: ${words.join(', ')}`)
  return found
}
