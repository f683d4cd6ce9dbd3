// Lists as CSV (RFC 4180, src/formats/csv.ts): one line of names, and the rows under it, page after page.
import { type Cell, csvRow } from '../formats/csv.ts'

export function printCsv(names: readonly string[], rows: readonly (readonly Cell[])[]): void {
  for (const row of [names, ...rows]) process.stdout.write(csvRow(row))
}
