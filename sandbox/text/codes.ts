// The codes of the books in those of a rail.

export type Codes = Readonly<Record<string, string>>

/** A code for which the rail has no own one is sent as it is. */
export function codeOf(codes: Codes, code: string | null): string | null {
  return code === null ? null : (codes[code] ?? code)
}
