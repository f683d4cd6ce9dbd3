// What commands print with: lines, tables, JSON, colours and a progress bar. Results go to standard output, everything
// else to standard error. Colours only on a terminal, and never with NO_COLOR (styleText sees to both).
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout, validateStream: true })
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** For people who wait or must know; never part of the result. */
export function note(line: string): void {
  process.stderr.write(`${styleText('dim', line, { stream: process.stderr, validateStream: true })}\n`)
}

export function warn(line: string): void {
  process.stderr.write(`${styleText('yellow', `Warning: ${line}`, { stream: process.stderr, validateStream: true })}\n`)
}

/** One JSON document on one line. Amounts in minor units are text, so that none loses digits. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each)))
}

/** The same with the member names of the API: `accountId` is account_id. Not for what holds names of a caller's own. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const named = Object.entries(value).map(([name, each]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    snakeCased(each),
  ])
  return Object.fromEntries(named)
}

/** Some members of an object: what else it has stays here. */
export const picked = <T, K extends keyof T>(of: T, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, of[name]]))

/** Rows under their headings; a column of numbers stands right. Nothing to show is said, too. */
export function printTable(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  if (rows.length === 0) return print(paint('dim', 'none'))
  const texts = rows.map((row) => row.map(String))
  const widths = headings.map((heading, i) => Math.max(heading.length, ...texts.map((row) => row[i]?.length ?? 0)))
  const isNumber = headings.map((_, i) => rows.every((row) => typeof row[i] === 'number'))
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  print(paint('bold', lineOf(headings)))
  for (const row of texts) print(lineOf(row))
}

/** The same rows for a spreadsheet (RFC 4180). A text that one would take for a formula begins with an apostrophe. */
export function printCsv(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cellOf = (cell: string | number) => {
    const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  for (const row of [headings, ...rows]) process.stdout.write(`${row.map(cellOf).join(',')}\r\n`)
}

/**
 * A table that is no wider than the terminal: of what is prose, the widest is cut first, and ids and codes never. Elsewhere its
 * rows are as long as they are.
 */
export function printFitting(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const columns = headings.map((heading, i) => {
    const cells = rows.map((row) => row[i] ?? '')
    const width = Math.max(heading.length, ...cells.map((cell) => cell.length))
    return { width, isProse: cells.some((cell) => cell.includes(' ')) }
  })
  const room = (process.stdout.columns ?? Infinity) - GAP * (headings.length - 1)
  const taken = () => columns.reduce((sum, { width }) => sum + width, 0)
  const widest = () => columns.filter((each) => each.isProse && each.width > WIDTH_LEAST).toSorted(byWidth)[0]
  for (let column = widest(); column && taken() > room; column = widest()) column.width -= 1
  const fitting = (text: string, width = text.length) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)
  printTable(
    headings,
    rows.map((row) => row.map((cell, i) => fitting(cell, columns[i]?.width))),
  )
}

const byWidth = (a: { readonly width: number }, b: { readonly width: number }) => b.width - a.width
const GAP = 2
const WIDTH_LEAST = 10

/** Whether money is real, as every listing and view says it; painted where it stands alone. */
export const modeText = (livemode: boolean) => (livemode ? 'live' : 'TEST')
export const modeWords = (livemode: boolean) => (livemode ? 'live' : paint('yellow', 'TEST: no real money'))

/** What is shown of something; null where there is nothing to show. */
export type Text = string | number | null | undefined

/** Names and values, the values in one column. A name without a value is left out. */
export function printPairs(pairs: readonly (readonly [name: string, value: Text])[]): void {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined)
  const width = Math.max(...shown.map(([name]) => name.length))
  for (const [name, value] of shown) print(`  ${paint('dim', name.padEnd(width))}  ${value}`)
}

export type Progress = {
  /** `done` of `total`, with a word about what is being done. */
  readonly show: (done: number, total: number, doing: string) => void
  /** Takes the bar off the screen. */
  readonly end: () => void
}

const BAR_CELLS = 30
const REDRAW_MS = 250

/** A bar on standard error where that is a terminal; silent elsewhere, so that logs stay readable. */
export function openProgress(): Progress {
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => undefined, end: () => undefined }
  const began = performance.now()
  let shown = { done: 0, total: 1, doing: 'starting' }
  const draw = () => {
    const part = shown.done / Math.max(shown.total, 1)
    const cells = Math.floor(BAR_CELLS * part)
    const seconds = Math.round((performance.now() - began) / 1000)
    const bar = '#'.repeat(cells).padEnd(BAR_CELLS, '.')
    stderr.write(`\r[${bar}] ${Math.floor(100 * part)} %  ${shown.doing}  ${seconds} s\x1b[K`)
  }
  // By the clock: one step may take minutes, and the seconds must be seen to pass.
  const timer = setInterval(draw, REDRAW_MS).unref()
  return {
    show: (done, total, doing) => {
      shown = { done, total, doing }
    },
    end: () => {
      clearInterval(timer)
      stderr.write('\r\x1b[K')
    },
  }
}
