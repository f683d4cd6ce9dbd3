// Amounts as decimal text or numbers, and the JSON numbers that they become: of the same digits, or not at all.
import { GatewayError } from './errors.ts'
import type { Decimal } from './types.gen.ts'

/** A JSON number keeps so many, whoever reads it. */
const DIGITS_MAX = 15
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** The number that has the very digits of the amount. Refuses what no number keeps. */
function amountOf(value: Decimal, param: string): number {
  const text = String(value)
  const isDecimal = typeof value === 'number' ? Number.isFinite(value) : DECIMAL.test(text)
  if (!isDecimal) throw refused(param, `${JSON.stringify(value)} is no amount. Write major units, such as '1500.50'.`)
  if (digitsOf(text) > DIGITS_MAX)
    throw refused(param, `${text} has more than ${DIGITS_MAX} significant digits, which no JSON number keeps.`)
  return Number(text)
}

const refused = (param: string, message: string) =>
  new GatewayError(`${param}: ${message}`, { code: 'invalid_amount', param })

const digitsOf = (text: string) =>
  text
    .replace(/e.*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '').length

/** The body with numbers at the paths that take amounts. A path names members, and * for the elements of a list. */
export function withNumbers(body: unknown, paths: readonly string[]): unknown {
  return paths.reduce((made, path) => numbered(made, path.split('.'), ''), body)
}

function numbered(value: unknown, [name, ...rest]: readonly string[], above: string): unknown {
  const isAmount = typeof value === 'number' || typeof value === 'string'
  if (name === undefined) return isAmount ? amountOf(value, above) : value
  if (name === '*')
    return Array.isArray(value) ? value.map((each, at) => numbered(each, rest, `${above}.${at}`)) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  const member = (value as Readonly<Record<string, unknown>>)[name]
  return { ...value, [name]: numbered(member, rest, above === '' ? name : `${above}.${name}`) }
}
