// Reading the JSON that is posted to the provider, field by field. It must not know what the fields mean.
import { Malformed } from './malformed.ts'

export type Fields = Readonly<Record<string, unknown>>

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
  if (!found) throw new Malformed(`${name} is an object.`)
  return found
}

export function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new Malformed(`${name} is a text.`)
  return value
}

/** A text of that form; `label` names the field to the caller. */
export function matching(fields: Fields, name: string, pattern: RegExp, fault: string, label = name): string {
  const text = textIn(fields, name) ?? ''
  if (!pattern.test(text)) throw new Malformed(`${label} ${fault}.`)
  return text
}

export function numberIn(fields: Fields, name: string, min: number, max: number): number | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || value < min || value > max)
    throw new Malformed(`${name} is a number from ${min} to ${max}.`)
  return value
}

export function countIn(fields: Fields, name: string, min: number, max: number): number | null {
  const count = numberIn(fields, name, min, max)
  if (count !== null && !Number.isInteger(count)) throw new Malformed(`${name} is a whole number.`)
  return count
}

export function oneOf<const T extends string>(fields: Fields, name: string, choices: readonly T[]): T | null {
  const value = fields[name]
  if (value === undefined || value === null) return null
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new Malformed(`${name} is one of: ${choices.join(', ')}.`)
  return found
}
