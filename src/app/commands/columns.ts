// A CSV file -> the rows of a command: its columns are named as the API names what they hold, and every fault is told with its
// line and column.
import type { CommandType } from '../../domain/command/command.ts'
import { invalid, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { type CsvLine, readCsv } from '../../formats/csv-reading.ts'
import { nearestName } from '../contracts/nearest.ts'

/** A row as it was sent. `line`: where it stood in its file. */
export type SentRow = { readonly line: number | null; readonly sent: Readonly<Record<string, unknown>> }

const DRAFT = `amount currency description issued_to expires_in channel recipient.name recipient.email recipient.mobile
  recipient.wallet recipient.tag recipient.address recipient.country recipient.profile recipient.destination deliverable.type
  deliverable.reference_id deliverable.description deliverable.details`.split(/\s+/)

const PAYMENT = [
  ...`amount currency description issued_to expires_in channel wallet`.split(' '),
  ...DRAFT.filter((name) => name.startsWith('deliverable.')),
]

const COLUMNS: Readonly<Record<CommandType, readonly string[]>> = {
  'transfers.create': DRAFT,
  'transfers.issue': ['id'],
  'transfers.pay': ['id', 'source'],
  'transfers.cancel': ['id', 'reason'],
  'transfers.payout': [...DRAFT, 'source'],
  'payments.create': PAYMENT,
  'events.replay': ['id'],
  export: [],
}

const METADATA = 'metadata.'
const NUMBERS: ReadonlySet<string> = new Set(['amount', 'expires_in'])
const PROBLEMS_MAX = 20

/**
 * The rows of a file, or of a part of one under its header; or all that is wrong with the header, or with cells. `linesBefore`: how many
 * lines of the file stand between the header and these rows.
 */
export function rowsOfCsv(type: CommandType, text: string, linesBefore = 0): readonly SentRow[] | Refusal {
  const read = readCsv(text)
  if ('fault' in read) {
    const line = read.line + (read.line > 1 ? linesBefore : 0)
    return refuseAll([invalid('csv', `line ${line}: ${read.fault}.`)])
  }
  const [header, ...lines] = read.map((each, i) => (i === 0 ? each : { ...each, line: each.line + linesBefore }))
  if (!header || lines.length === 0)
    return refuseAll([invalid('csv', 'csv has no rows: a header is expected, and a row below it.')])
  const names = header.cells.map((cell) => cell.trim())
  const inHeader = headerProblems(type, header.line, names)
  if (inHeader.length > 0) return refused(inHeader)
  const problems: Problem[] = []
  const rows = lines.map((line) => rowOf(names, line, problems))
  return problems.length > 0 ? refused(problems) : rows
}

function refused(problems: readonly Problem[]): Refusal {
  const [first = invalid('csv', 'csv cannot be read.'), ...others] = problems.slice(0, PROBLEMS_MAX)
  return refuseAll([first, ...others])
}

const isMetadata = (name: string) => name.startsWith(METADATA) && name.length > METADATA.length

function headerProblems(type: CommandType, line: number, names: readonly string[]): Problem[] {
  const known = COLUMNS[type]
  return names.flatMap((name, i) => {
    const at = `line ${line}, column ${i + 1}`
    if (name === '') return [invalid('csv', `${at}: the column has no name.`)]
    if (names.indexOf(name) < i) return [invalid('csv', `${at}: ${name.slice(0, 64)} is there twice.`)]
    if (known.includes(name) || (isMetadata(name) && known === COLUMNS[type] && known.includes('amount'))) return []
    const meant = nearestName(name, known) ?? insideOf(name, known)
    const mend = meant === null ? `There are: ${known.join(', ')}.` : `Did you mean ${meant}?`
    return [invalid('csv', `${at}: ${name.slice(0, 64)} is not known. ${mend}`)]
  })
}

/** `wallet`, where the only name that ends so is `recipient.wallet`. */
function insideOf(name: string, known: readonly string[]): string | null {
  const ends = known.filter((each) => each.includes('.'))
  const meant = nearestName(
    name,
    ends.map((each) => each.slice(each.indexOf('.') + 1)),
  )
  const named = ends.filter((each) => each.endsWith(`.${meant}`))
  return named.length === 1 ? (named[0] ?? null) : null
}

function rowOf(names: readonly string[], { line, cells }: CsvLine, problems: Problem[]): SentRow {
  const sent: Record<string, unknown> = {}
  if (cells.length > names.length)
    problems.push(invalid('csv', `line ${line}: ${cells.length} cells stand below ${names.length} names.`))
  names.forEach((name, i) => {
    const cell = (cells[i] ?? '').trim()
    if (cell === '') return
    const value = NUMBERS.has(name) ? numberIn(cell) : cell
    if (value === null)
      problems.push(
        invalid('csv', `line ${line}, column ${name}: “${cell.slice(0, 32)}” is no number such as 1500.00.`),
      )
    else place(sent, name, value)
  })
  return { line, sent }
}

/** Digits and a point, and no more of them than a double keeps. */
function numberIn(cell: string): number | null {
  return /^\d{1,12}(?:\.\d{1,4})?$/.test(cell) && cell.replace('.', '').length <= 15 ? Number(cell) : null
}

/** Puts a value where its dotted name says. */
function place(sent: Record<string, unknown>, name: string, value: unknown): void {
  const dot = name.indexOf('.')
  if (dot < 0) {
    sent[name] = value
    return
  }
  const [parent, member] = [name.slice(0, dot), name.slice(dot + 1)]
  const inner = (sent[parent] ??= {}) as Record<string, unknown>
  Object.defineProperty(inner, member, { value, enumerable: true, writable: true, configurable: true })
}
