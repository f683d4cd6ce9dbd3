// JSON whose numbers keep their digits: 100.10 must not become a float on its way to the books, nor back.

const DIGITS = Symbol('the digits of a number')
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

type Exact = { readonly [DIGITS]: string }

/** The value that the text holds, numbers as `digitsOf` reads them; undefined when it is no JSON. */
export function parseExact(text: string): unknown {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const numbers: Exact[] = []
  // Every text gets a mark in front, so that none can pass for a number.
  const marked = text.replace(TOKEN, (token) => {
    if (token.startsWith('"')) return `"t${token.slice(1)}`
    numbers.push({ [DIGITS]: token })
    return `"n${numbers.length - 1}"`
  })
  return unmarked(JSON.parse(marked), numbers)
}

function unmarked(value: unknown, numbers: readonly Exact[]): unknown {
  if (typeof value === 'string') return value.startsWith('n') ? numbers[Number(value.slice(1))] : value.slice(1)
  if (Array.isArray(value)) return value.map((each) => unmarked(each, numbers))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.slice(1), unmarked(each, numbers)]))
}

/** "100.10" for the number 100.10; null for anything but a number. */
export function digitsOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null && DIGITS in value ? (value as Exact)[DIGITS] : null
}

/** A number that is written with these digits. */
export function exactNumber(digits: string): unknown {
  if (!/^\d+(\.\d+)?$/.test(digits)) throw new Error(`${digits} is no number`)
  return { [DIGITS]: digits } satisfies Exact
}

/** The JSON of a value that may hold exact numbers. */
export function exactText(value: unknown): string {
  const digits = digitsOf(value)
  if (digits !== null) return digits
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(exactText).join(',')}]`
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${exactText(each)}`)
  return `{${members.join(',')}}`
}
