// A CSV file read record by record as it streams, and records written again as the gateway reads them. The same rules as the
// gateway's: commas, semicolons or tabs by the header, a byte-order mark, quotes with line breaks inside, any line end.

/** A row of the file with the line on which it begins; the first line is 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

/** What is no CSV: `open`, a quote that never ends; `after`, text behind one. */
export class CsvFault extends Error {
  readonly line: number
  readonly kind: 'open' | 'after'
  constructor(line: number, kind: 'open' | 'after') {
    super(`line ${line}: the quotes do not fit`)
    this.line = line
    this.kind = kind
  }
}

const SEPARATORS = [',', ';', '\t'] as const

/** Of the first line, what stands in quotes left out. */
function separatorOf(text: string): string {
  const first = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (separator: string) => first.split(separator).length
  return SEPARATORS.reduce((most, each) => (count(each) > count(most) ? each : most))
}

/** No cell, and no header, is longer: a quote that is never closed would take the file into memory. */
const TEXT_MAX = 262_144

/** The first line is whole: a line end stands outside of quotes. */
const HAS_LINE = /^(?:"(?:[^"]|"")*"|[^"\r\n])*[\r\n]/

type Reader = {
  separator: string
  line: number
  /** Where the record began that is being read. */
  from: number
  cells: string[]
  cell: string
  /** Where the quote stands that was opened last. */
  quotedFrom: number
  /** `closed`: behind the quote that ends a cell; a second quote would be one of its text. */
  in: 'start' | 'plain' | 'quoted' | 'closed'
  /** The character before ended a line: a line feed behind it belongs to it. */
  isAfterReturn: boolean
}

/** Records that hold anything, those of a chunk at a time. Nothing but the record at hand is kept. Throws {@link CsvFault}. */
export async function* recordsOf(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord[], void> {
  let head = ''
  let reader: Reader | null = null
  for await (const chunk of chunks) {
    if (reader === null) {
      head += chunk
      if (!HAS_LINE.test(head)) {
        if (head.length > TEXT_MAX) throw new CsvFault(1, 'open')
        continue
      }
      reader = readerFor(head)
      yield read(reader, withoutMark(head))
    } else yield read(reader, chunk)
  }
  const last = reader ?? readerFor(head)
  const found = reader === null ? read(last, withoutMark(head)) : []
  if (last.in === 'quoted') throw new CsvFault(last.quotedFrom, 'open')
  endRecord(last, found)
  yield found
}

const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)

const readerFor = (head: string): Reader => ({
  separator: separatorOf(withoutMark(head)),
  line: 1,
  from: 1,
  cells: [],
  cell: '',
  quotedFrom: 1,
  in: 'start',
  isAfterReturn: false,
})

function read(reader: Reader, text: string): CsvRecord[] {
  const found: CsvRecord[] = []
  for (const character of text) take(reader, character, found)
  if (reader.cell.length > TEXT_MAX) throw new CsvFault(reader.quotedFrom, 'open')
  return found
}

function take(reader: Reader, character: string, found: CsvRecord[]): void {
  const isPair = reader.isAfterReturn && character === '\n'
  reader.isAfterReturn = character === '\r'
  if (reader.in === 'quoted') {
    if (character === '"') reader.in = 'closed'
    else {
      reader.cell += character
      if (!isPair && (character === '\n' || character === '\r')) reader.line += 1
    }
    return
  }
  if (isPair) return
  if (character === '"' && reader.in !== 'plain') {
    if (reader.in === 'closed') reader.cell += '"'
    else reader.quotedFrom = reader.line
    reader.in = 'quoted'
  } else if (character === reader.separator) endCell(reader)
  else if (character === '\n' || character === '\r') {
    reader.line += 1
    endRecord(reader, found)
  } else if (reader.in === 'closed') throw new CsvFault(reader.line, 'after')
  else {
    reader.cell += character
    reader.in = 'plain'
  }
}

function endCell(reader: Reader): void {
  reader.cells.push(reader.cell)
  reader.cell = ''
  reader.in = 'start'
}

function endRecord(reader: Reader, found: CsvRecord[]): void {
  endCell(reader)
  if (reader.cells.some((cell) => cell !== '')) found.push({ line: reader.from, cells: reader.cells })
  reader.cells = []
  reader.from = reader.line
}

/** One line of CSV, with its end. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`
