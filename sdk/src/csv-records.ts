// A CSV text that comes in chunks -> its records as they stand, one after another, each with the line it begins on. Knows quotes,
// in which lines may break, and no column: what a cell means is the gateway's business.
import { GatewayError } from './errors.ts'

/** `holds`: some cell of it is not empty. The gateway leaves the others out. */
export type CsvRecord = { readonly text: string; readonly line: number; readonly holds: boolean }

/** A text, a file that was chosen or dropped, or chunks as they come: a stream of Node or of the web. */
export type CsvSource = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<string | Uint8Array>

/** More than any row that the gateway takes; a quote that is never closed must not gather a whole file. */
const RECORD_MAX = 500_000
const SEPARATORS = [',', ';', '\t']

type CsvSplitter = {
  readonly take: (chunk: string) => CsvRecord[]
  /** What stood after the last line end. */
  readonly end: () => CsvRecord[]
}

export function openCsvSplitter(): CsvSplitter {
  let [text, line, began, holds] = ['', 1, 1, false]
  // Of the header, whichever it may be; then the one that it has most of.
  let separators = SEPARATORS
  let quote: 'none' | 'open' | 'maybe closed' = 'none'
  let isCellStart = true
  let afterReturn = false

  const ended = (): CsvRecord => {
    const record = { text, line: began, holds }
    if (holds && separators.length > 1) separators = [separatorOf(text)]
    line += 1
    ;[text, began, holds, isCellStart, quote] = ['', line, false, true, 'none']
    return record
  }
  const takeQuoted = (char: string) => {
    if (char === '"') quote = 'maybe closed'
    else holds = true
    if (char === '\r' || (char === '\n' && !afterReturn)) line += 1
  }
  const takePlain = (char: string) => {
    if (char === '"' && isCellStart) quote = 'open'
    else if (separators.includes(char)) isCellStart = true
    else [holds, isCellStart] = [true, false]
    if (quote === 'open') isCellStart = false
  }

  return {
    take: (chunk) => {
      const records: CsvRecord[] = []
      for (const char of chunk) {
        const isSecond = char === '\n' && afterReturn
        if (quote === 'maybe closed') {
          // A quote that is written twice is one of the text.
          quote = char === '"' ? 'open' : 'none'
          if (char === '"') holds = true
          else if (char !== '\r' && char !== '\n') takePlain(char)
          if (char === '\r' || char === '\n') records.push(ended())
          else text += char
        } else if (quote === 'open') {
          takeQuoted(char)
          text += char
        } else if (char === '\r' || (char === '\n' && !isSecond)) records.push(ended())
        else if (!isSecond) {
          takePlain(char)
          text += char
        }
        afterReturn = char === '\r'
        if (text.length > RECORD_MAX) throw tooLong(began)
      }
      return records
    },
    end: () => (text === '' ? [] : [ended()]),
  }
}

const tooLong = (line: number) =>
  unreadable(`The row on line ${line} is too long. Is a quote opened there that is never closed?`)

export const unreadable = (message: string) => new GatewayError(message, { code: 'invalid_csv', param: 'csv' })

/** The one that stands in it most often, outside of quotes. */
function separatorOf(header: string): string {
  const bare = header.replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (separator: string) => bare.split(separator).length
  return SEPARATORS.reduce((most, each) => (count(each) > count(most) ? each : most))
}

/** All of them, each with how many bytes of the source were read for it. Throws where it is no text in UTF-8. */
export async function* recordsOf(csv: CsvSource): AsyncGenerator<{ record: CsvRecord; bytes: number }> {
  const splitter = openCsvSplitter()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  const decoded = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw unreadable('The CSV is not in UTF-8. Save it as “CSV UTF-8”.')
    }
  }
  for await (const chunk of chunksOf(csv)) {
    bytes += chunk.length
    const records = splitter.take(typeof chunk === 'string' ? chunk.replace(/^\uFEFF/, '') : decoded(chunk))
    for (const record of records) yield { record, bytes }
  }
  for (const record of [...splitter.take(decoded()), ...splitter.end()]) yield { record, bytes }
}

async function* chunksOf(csv: CsvSource): AsyncGenerator<string | Uint8Array> {
  if (typeof csv === 'string') return yield csv
  const source = csv instanceof Blob ? csv.stream() : csv
  if (!('getReader' in source)) return yield* source
  // Not every browser goes through a stream by itself.
  const reader = source.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
