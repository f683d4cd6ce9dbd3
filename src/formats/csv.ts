// Rows of CSV (RFC 4180), as spreadsheets open them.

/** A row with its line end. Texts that a spreadsheet would run as a formula are written so that it does not. */
export function csvRow(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? quoted(harmless(cell)) : String(cell ?? ''))).join(',')}\r\n`
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Numbers may begin with a sign, telephone numbers among them; nothing else may. */
const harmless = (text: string): string => (/^(?:[=@\t\r]|[+-](?![\d ]*$))/.test(text) ? `'${text}` : text)
