// Lists as CSV (RFC 4180, src/formats/csv.ts): one line of names, and the rows under it, page after page.
import { csvRow } from '../formats/csv.ts'

type Cell = string | number | boolean | null | undefined

export function printCsv(names: readonly string[], rows: readonly (readonly Cell[])[]): void {
  for (const row of [names, ...rows]) process.stdout.write(csvRow(row))
}

/** Rows of objects under the API's own names; a member of a member is joined to it by a dot. */
export function csvRowsOf(all: readonly object[], names: readonly string[]): (readonly Cell[])[] {
  return all.map((of) => names.map((name) => cellAt(of, name.split('.'))))
}

function cellAt(of: unknown, [member, ...others]: readonly string[]): Cell {
  if (member === undefined) return typeof of === 'object' && of !== null ? JSON.stringify(of) : (of as Cell)
  if (typeof of !== 'object' || of === null) return null
  return cellAt((of as Readonly<Record<string, unknown>>)[member], others)
}
