// Array literals of PostgreSQL taken apart and put together again, as text: what stands in them is not looked at.

/** The elements of a one-dimensional array literal, quoted as they are in it. */
export function elementsOf(literal: string): string[] {
  const elements: string[] = []
  let [start, isQuoted] = [1, false]
  const end = literal.length - 1
  if (end <= 1) return elements
  for (let at = 1; at < end; at++) {
    const char = literal[at]
    if (char === '\\') at += 1
    else if (char === '"') isQuoted = !isQuoted
    else if (char === ',' && !isQuoted) {
      elements.push(literal.slice(start, at))
      start = at + 1
    }
  }
  elements.push(literal.slice(start, end))
  return elements
}

/** The literal of those of its elements that are wanted. */
export function partOf(literal: string, wanted: readonly boolean[]): string {
  return `{${elementsOf(literal)
    .filter((_, index) => wanted[index] === true)
    .join(',')}}`
}

/** The whole numbers of an array, given as a literal or as what the driver takes. Throws RangeError where one is none. */
export function numbersOf(value: unknown): number[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : elementsOf(String(value))
  return elements.map((element) => {
    const text = String(element)
    const bare = text.startsWith('"') ? text.slice(1, -1) : text
    if (!/^-?\d+$/.test(bare)) throw new RangeError(`no whole number: ${bare}`)
    return Number(bare)
  })
}
