// Rows of CSV (RFC 4180), as spreadsheets open them.

export type Cell = string | number | boolean | null | undefined

/** A row with its line end. Texts that a spreadsheet would run as a formula are written so that it does not. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? quoted(harmless(cell)) : String(cell ?? ''))).join(',')}\r\n`
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Numbers may begin with a sign, telephone numbers among them; nothing else may. */
const harmless = (text: string): string => (/^(?:[=@\t\r]|[+-](?![\d ]*$))/.test(text) ? `'${text}` : text)

/** Rows of objects under the API's own names; a member of a member is joined to it by a dot. */
export function csvRowsOf(all: readonly object[], names: readonly string[]): (readonly Cell[])[] {
  return all.map((of) => names.map((name) => cellAt(of, name.split('.'))))
}

function cellAt(of: unknown, [member, ...others]: readonly string[]): Cell {
  if (member === undefined) return typeof of === 'object' && of !== null ? JSON.stringify(of) : (of as Cell)
  if (typeof of !== 'object' || of === null) return null
  return cellAt((of as Readonly<Record<string, unknown>>)[member], others)
}
