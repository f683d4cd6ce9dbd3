// Lists as CSV (RFC 4180): the names are the API's, and an object's members are joined to them by dots.
import { note, print } from './output.ts'

/** A page of a list. What lies beyond it is said beside the result. */
export function printCsv(all: readonly object[], next: string | null): void {
  const rows = all.map(flat)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (names.length > 0) print(lineOf(names))
  for (const row of rows) print(lineOf(names.map((name) => row[name] ?? '')))
  if (next !== null) note(`More: --after ${next}`)
}

function flat(of: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(of).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, cellOf(value)]]
      return Object.entries(flat(value)).map(([member, text]) => [`${name}.${member}`, text])
    }),
  )
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

const lineOf = (cells: readonly string[]) => cells.map(quoted).join(',')

/** A spreadsheet takes a text that begins so for a formula, and runs it. */
function quoted(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
