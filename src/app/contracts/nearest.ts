// The name that a caller probably meant: the nearest known one to what was written.

const CHARS_MAX = 64

/** The nearest known name, if it is near enough to be meant: one slip in three characters, or other capitals and dashes. */
export function nearestName(written: string, known: readonly string[]): string | null {
  if (written.length > CHARS_MAX) return null
  const plain = plainOf(written)
  let nearest: { readonly name: string; readonly slips: number } | null = null
  for (const name of known) {
    const slips = slipsBetween(plain, plainOf(name))
    if (slips <= Math.max(1, Math.floor(name.length / 3)) && slips < (nearest?.slips ?? Number.POSITIVE_INFINITY))
      nearest = { name, slips }
  }
  return nearest?.name ?? null
}

const plainOf = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

/** Letters added, left out, changed, or swapped with their neighbour (Damerau and Levenshtein, restricted). */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
