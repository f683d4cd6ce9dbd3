// JSON whose numbers keep the digits that were written: an amount must not become a float on its way to a comparison.

// Text can hold a NUL only by this escape, so what begins with one was a number.
const MARK = '\\u0000'
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** The value of a JSON text with its numbers as {@link digitsOf} reads them; undefined for what is no JSON. */
export function parseExact(text: string): unknown {
  if (text.includes(MARK)) return undefined
  try {
    // Twice: what is no JSON must not become some by the marks.
    JSON.parse(text)
    return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${MARK}${token}"`)))
  } catch {
    return undefined
  }
}

/** "100.10" for the number 100.10; null for anything but a number. */
export function digitsOf(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith('\0') ? value.slice(1) : null
}
