// Tables on a terminal: rows under their headings, no wider than the terminal. What is prose is cut first, then ids to their
// ends, by which commands find them again (short-ids.ts); amounts, times and states never.
import { paint, print } from './output.ts'

type Cells = readonly (string | number)[]
type Column = { width: number; readonly isNumber: boolean; readonly kind: 'fixed' | 'prose' | 'id' }

const GAP = 2
const PROSE_LEAST = 10
const TOKEN_MOST = 26
const ID_END = 8
const ID_LEAST = ID_END + 1
const AMOUNT = /^[+-]?[A-Z0-9]{3,6} -?[\d,]+(\.\d+)?$/
const TIME = /^\d{4}-\d\d-\d\d( [\d:]+(Z|[+-][\d:]+)?)?$/
const ID = /^(evt_)?[0-9a-f]{8}-[0-9a-f-]{27}(_\d+)?$/

/** Rows that come page after page under one line of headings. */
export function openTable(headings: readonly string[]): { readonly add: (rows: readonly Cells[]) => void } {
  let columns: readonly Column[] | null = null
  return {
    add: (rows) => {
      const isFirst = columns === null
      columns = fitted(headings, rows, columns)
      if (isFirst) print(paint('bold', lineOf(headings, columns)))
      for (const row of rows) print(lineOf(row.map(String), columns))
    },
  }
}

/** Nothing to show is said, too. */
export function printTable(
  headings: readonly string[],
  rows: readonly Cells[],
  { lastIsWhole = false }: { readonly lastIsWhole?: boolean } = {},
): void {
  if (rows.length === 0) return print(paint('dim', 'none'))
  const columns = fitted(headings, rows, null)
  print(paint('bold', lineOf(headings, columns)))
  for (const row of rows)
    for (const line of lastIsWhole ? linesOf(row.map(String), columns) : [lineOf(row.map(String), columns)]) print(line)
}

/** The line of a row, and below it what its last cell had no room for, broken between words. */
function linesOf(cells: readonly string[], columns: readonly Column[]): string[] {
  const last = columns.length - 1
  const width = columns[last]?.width ?? 0
  const [first = '', ...others] = brokenUp(cells[last] ?? '', width)
  const indent = columns.slice(0, last).reduce((sum, each) => sum + each.width + GAP, 0)
  return [lineOf([...cells.slice(0, last), first], columns), ...others.map((each) => ' '.repeat(indent) + each)]
}

function brokenUp(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && lengthOf(line) + 1 + lengthOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

function fitted(headings: readonly string[], rows: readonly Cells[], before: readonly Column[] | null): Column[] {
  const columns = headings.map((heading, i): Column => {
    const cells = rows.map((row) => row[i] ?? '')
    const texts = cells.map(String)
    const width = Math.max(heading.length, ...texts.map(lengthOf), before?.[i]?.width ?? 0)
    return { width, isNumber: cells.every((cell) => typeof cell === 'number'), kind: kindOf(texts) }
  })
  const room = (process.stdout.columns ?? Infinity) - GAP * (headings.length - 1)
  shrink(columns, 'prose', PROSE_LEAST, room)
  shrink(columns, 'id', ID_LEAST, room)
  return columns
}

/** The widest of a kind first, until all of it has room. */
function shrink(columns: readonly Column[], kind: Column['kind'], least: number, room: number): void {
  const taken = () => columns.reduce((sum, { width }) => sum + width, 0)
  const widest = () =>
    columns.filter((each) => each.kind === kind && each.width > least).toSorted((a, b) => b.width - a.width)[0]
  for (let column = widest(); column && taken() > room; column = widest())
    column.width = kind === 'id' ? least : column.width - 1
}

function kindOf(texts: readonly string[]): Column['kind'] {
  const plain = texts.map(unpainted).filter((text) => text !== '')
  if (plain.length === 0) return 'fixed'
  if (plain.every((text) => ID.test(text))) return 'id'
  const isFixed = (text: string) => AMOUNT.test(text) || TIME.test(text)
  return plain.every((text) => isFixed(text) || (!text.includes(' ') && text.length <= TOKEN_MOST)) ? 'fixed' : 'prose'
}

function lineOf(cells: readonly string[], columns: readonly Column[]): string {
  const padded = columns.map(({ width, isNumber, kind }, i) => {
    const text = cut(cells[i] ?? '', width, kind)
    const blanks = ' '.repeat(Math.max(width - lengthOf(text), 0))
    return isNumber ? blanks + text : text + blanks
  })
  return padded.join(' '.repeat(GAP)).trimEnd()
}

function cut(text: string, width: number, kind: Column['kind']): string {
  if (lengthOf(text) <= width || kind === 'fixed') return text
  const plain = unpainted(text)
  return kind === 'id' ? `…${plain.replace(/_\d+$/, '').slice(-ID_END)}` : `${plain.slice(0, width - 1)}…`
}

// oxlint-disable-next-line no-control-regex -- what paints a text begins with this character
const unpainted = (text: string) => text.replace(/\x1b\[[\d;]*m/g, '')
const lengthOf = (text: string) => unpainted(text).length
