// CSV as spreadsheets write it (RFC 4180, and what they make of it): a byte-order mark, commas, semicolons or tabs, quotes with
// line breaks inside, any line end. Pure.

/** A row with the line on which it begins; the first line is 1. */
export type CsvLine = { readonly line: number; readonly cells: readonly string[] }

/** What is no CSV: a quote that never ends, or text after one. */
export type CsvFault = { readonly line: number; readonly fault: string }

const SEPARATORS = [',', ';', '\t'] as const

/** All rows that hold anything; the separator is the one that the first line has most of, where it is not told. */
export function readCsv(text: string, separator: string | null = null): readonly CsvLine[] | CsvFault {
  const from = text.startsWith('\uFEFF') ? 1 : 0
  const place: Place = { text, at: from, line: 1, separator: separator ?? separatorOf(text.slice(from)) }
  const lines: CsvLine[] = []
  while (place.at < text.length) {
    const { line } = place
    const cells = readLine(place)
    if ('fault' in cells) return cells
    if (cells.some((cell) => cell !== '')) lines.push({ line, cells: cells.map(unguarded) })
  }
  return lines
}

type Place = { readonly text: string; at: number; line: number; readonly separator: string }

/** Of the first line, what stands in quotes left out. */
export function separatorOf(text: string): string {
  const first = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const count = (separator: string) => first.split(separator).length
  return SEPARATORS.reduce((most, each) => (count(each) > count(most) ? each : most))
}

/** Moves over one line and its end. */
function readLine(place: Place): string[] | CsvFault {
  const { text, separator } = place
  const cells: string[] = []
  for (;;) {
    const cell = text[place.at] === '"' ? readQuoted(place) : readPlain(place)
    if (typeof cell !== 'string') return cell
    cells.push(cell)
    if (text[place.at] === separator) {
      place.at += 1
      continue
    }
    if (text[place.at] === '\r') place.at += 1
    if (text[place.at] === '\n') place.at += 1
    place.line += 1
    return cells
  }
}

function readPlain(place: Place): string {
  const { text, separator, at } = place
  let end = at
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  place.at = end
  return text.slice(at, end)
}

function readQuoted(place: Place): string | CsvFault {
  const { text, line } = place
  let cell = ''
  for (let from = place.at + 1; ; ) {
    const end = text.indexOf('"', from)
    if (end < 0) return { line, fault: 'a quote that is opened here is never closed' }
    cell += text.slice(from, end)
    if (text[end + 1] !== '"') {
      place.at = end + 1
      break
    }
    cell += '"'
    from = end + 2
  }
  place.line += cell.split(/\r\n|\r|\n/).length - 1
  const next = text[place.at]
  if (next !== undefined && next !== place.separator && next !== '\r' && next !== '\n')
    return { line: place.line, fault: 'text follows a closing quote; a quote inside a text is written twice' }
  return cell
}

/** Files of ours guard texts that a spreadsheet would run (csv.ts); they are read as they were. */
const unguarded = (cell: string): string => (/^'[=@\t\r+-]/.test(cell) ? cell.slice(1) : cell)
