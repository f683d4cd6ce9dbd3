// A file -> the rows of a command, a part at a time as it streams: neither the file nor its rows are ever whole in memory. Rows keep
// the lines that they have in the file, so that whatever the gateway says of one names the line that people see.
import { type Command, GatewayError } from '../../../../sdk/src/index.ts'
import type { PayoutType } from '../types.ts'
import { gateway } from '../../gateway.ts'
import { takesWallet } from './columns.ts'
import { csvLine, type CsvRecord, recordsOf } from './csv.ts'

/** Changed cells of rows, by the line of the file; null leaves a row out. */
export type Mends = ReadonlyMap<number, Readonly<Record<string, string>> | null>

export type Plan = {
  readonly type: PayoutType
  readonly isCheck: boolean
  readonly name: string
  /** Where rows name no wallet. */
  readonly wallet: string | null
  readonly mends: Mends
  /** Names of the file -> names of the API; empty leaves a column out. */
  readonly columns: ReadonlyMap<string, string>
}

/** What keeps a row from being taken, with what it holds. */
export type Fault = {
  readonly line: number
  readonly column: string | null
  readonly message: string
  readonly cells: Readonly<Record<string, string>>
}

export type Sent = { readonly command: Command; readonly rows: number; readonly faults: readonly Fault[] }

type Options = {
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number, rows: number) => void
}

/** The names of its columns are not those of the API. */
export class HeaderFault extends Error {
  readonly names: readonly string[]
  readonly problems: readonly string[]
  constructor(names: readonly string[], problems: readonly string[]) {
    super(problems.join(' '))
    this.names = names
    this.problems = problems
  }
}

/** What no mend of a row helps against. */
export class FileFault extends Error {
  readonly kind: 'encoding' | 'empty' | 'faults'
  constructor(kind: FileFault['kind']) {
    super(kind)
    this.kind = kind
  }
}

const PART_ROWS = 2000
/** Of text; escaped in JSON, it stays below the megabyte that a request may have. */
const PART_BYTES = 400_000
/** So soon the header is looked at. */
const FIRST_PART_ROWS = 20
const FAULTS_MAX = 500
/** Empty lines that are sent along within a part. */
const GAP_LINES_MAX = 1000

type Row = { readonly line: number; readonly cells: readonly string[]; readonly text: string }
type Header = {
  readonly names: readonly string[]
  readonly places: readonly number[]
  readonly sent: readonly string[]
}
type Upload = Options & {
  readonly command: Command
  readonly plan: Plan
  readonly faults: Fault[]
  header: Header | null
  part: Row[]
  partBytes: number
  rows: number
}

/** Makes a command of the file's rows, which takes no more and is not started. Nothing is left behind where that fails. */
export async function sendFile(file: Blob, plan: Plan, options: Options): Promise<Sent> {
  const { type, isCheck, name } = plan
  const command = await gateway.commands.create({ type, dry_run: isCheck, description: name }, options)
  const upload: Upload = { ...options, command, plan, faults: [], header: null, part: [], partBytes: 0, rows: 0 }
  try {
    let bytes = 0
    const text = textOf(file, (count) => (bytes += count))
    for await (const records of recordsOf(text)) {
      for (const record of records) await takeRecord(upload, record)
      options.onProgress(bytes, upload.rows)
    }
    await sendPart(upload)
    if (upload.rows === 0 && upload.faults.length === 0) throw new FileFault('empty')
    return { command, rows: upload.rows, faults: upload.faults }
  } catch (error) {
    await gateway.commands.cancel(command.id).catch(() => undefined)
    throw error
  }
}

/** The file's text in pieces. What is no UTF-8 would change people's names. */
async function* textOf(file: Blob, onBytes: (count: number) => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw new FileFault('encoding')
    }
  }
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      onBytes(value.length)
      yield decoded(value)
    }
    yield decoded()
  } finally {
    await reader.cancel()
  }
}

async function takeRecord(upload: Upload, record: CsvRecord): Promise<void> {
  if (upload.header === null) {
    upload.header = headerOf(upload.plan, record.cells)
    return
  }
  const row = rowOf(upload.plan, upload.header, record)
  if (row === null) return
  const bytes = new TextEncoder().encode(row.text).length
  const gap = row.line - (upload.part.at(-1)?.line ?? row.line)
  if (upload.partBytes + bytes > PART_BYTES || gap > GAP_LINES_MAX) await sendPart(upload)
  upload.part.push(row)
  upload.partBytes += bytes
  if (upload.part.length >= (upload.rows === 0 ? FIRST_PART_ROWS : PART_ROWS)) await sendPart(upload)
}

function headerOf({ columns, mends, wallet, type }: Plan, cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim())
  const places = names.flatMap((name, place) => (columns.get(name) === '' ? [] : [place]))
  const taken = places.map((place) => columns.get(names[place] ?? '') ?? names[place] ?? '')
  const mended = [...mends.values()].flatMap((changed) => Object.keys(changed ?? {}))
  const added = wallet !== null && takesWallet(type) ? [...mended, 'source'] : mended
  return { names, places, sent: [...taken, ...new Set(added.filter((name) => !taken.includes(name)))] }
}

function rowOf({ mends, wallet }: Plan, { names, places, sent }: Header, { line, cells }: CsvRecord): Row | null {
  const mend = mends.get(line)
  if (mend === null) return null
  const written = sent.map((name, at) => {
    const cell = mend?.[name] ?? cells[places[at] ?? -1] ?? ''
    return name === 'source' && cell.trim() === '' ? (wallet ?? '') : cell
  })
  // Cells below no name are sent along: the gateway refuses the row, where they would be lost here.
  const beyond = cells.slice(names.length)
  return { line, cells: written, text: csvLine(beyond.some((cell) => cell !== '') ? [...written, ...beyond] : written) }
}

/** Sends the rows that were gathered; those that cannot be read are put aside, and the others sent again without them. */
async function sendPart(upload: Upload): Promise<void> {
  const { header, command, signal } = upload
  const rows = upload.part
  upload.part = []
  upload.partBytes = 0
  if (header === null) return
  for (let left = rows; left.length > 0; ) {
    try {
      const part = { first: upload.rows, csv: textOfPart(header, left), lines_before: (left[0]?.line ?? 2) - 2 }
      await gateway.commands.addRows(command.id, part, { signal })
      upload.rows += left.length
      return
    } catch (error) {
      const told = unreadable(error)
      const bad = new Map(told?.flatMap((each) => (each.line > 1 ? [[each.line, each] as const] : [])))
      if (told === null || bad.size === 0) throw told === null ? error : faultOfHeader(header, error)
      for (const row of left) {
        const fault = bad.get(row.line)
        if (fault) upload.faults.push({ ...fault, cells: cellsOf(header, row) })
      }
      if (upload.faults.length > FAULTS_MAX) throw new FileFault('faults')
      const others = left.filter(({ line }) => !bad.has(line))
      // A line that no row has would be sent for ever.
      if (others.length === left.length) throw error
      left = others
    }
  }
}

const cellsOf = ({ sent }: Header, { cells }: Row) =>
  Object.fromEntries(sent.map((name, at) => [name, cells[at] ?? '']))

/** Empty lines are no rows and are counted: each row stands on the line that it has in the file. */
function textOfPart({ sent }: Header, rows: readonly Row[]): string {
  const parts = [csvLine(sent)]
  let at = rows[0]?.line ?? 2
  for (const { line, text } of rows) {
    parts.push('\n'.repeat(Math.max(0, line - at)), text)
    at = Math.max(line, at) + text.split(/\r\n|\r|\n/).length - 1
  }
  return parts.join('')
}

const TOLD = /^line (\d+)(?:, column ([^:]+))?: (.*)$/s

/** What the gateway says of lines; null where it says something else. */
function unreadable(error: unknown): (Omit<Fault, 'cells'> & { readonly message: string })[] | null {
  if (!(error instanceof GatewayError) || error.status !== 400) return null
  const told = problemsIn(error).map((text) => TOLD.exec(text))
  const found = told.flatMap((match) =>
    match ? [{ line: Number(match[1]), column: match[2] ?? null, message: match[3] ?? '' }] : [],
  )
  return found.length === told.length ? found : null
}

const problemsIn = ({ errors, message }: GatewayError) =>
  errors.length > 0 ? errors.map((each) => each.message) : [message]

const faultOfHeader = ({ names }: Header, error: unknown) =>
  new HeaderFault(names, error instanceof GatewayError ? problemsIn(error) : [])
