// Writes the file of an export, a page at a time: its parts and how far it has come are stored together under the command's lease,
// so that whoever goes on after a crash goes on behind the last part. The hash is of all parts as they are stored.
import { createHash } from 'node:crypto'
import {
  type BulkCommand,
  EXPORT_ROWS_MAX,
  type ExportFormat,
  type Exported,
  FILE_KEPT_MS,
} from '../../domain/command/command.ts'
import { invariant } from '../../domain/invariant.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { csvRow, csvRowsOf } from '../../formats/csv.ts'
import type { Session } from '../../platform/db.ts'
import type { OwnedKey } from '../../store/columns.ts'
import type { Leased } from '../../store/commands/commands.ts'
import { addFileParts, filePartFrom, type FilePage, findFilePart, holdCommand } from '../../store/commands/files.ts'
import { EXPORT_COLUMNS, type ExportDeps, PAGES_OF } from './export-pages.ts'

/** Of a part, in UTF-16 units: at most three bytes each. */
const PART_LENGTH = 65_536
const HELD_EVERY = 50

/** The cursor of a file whose last page is stored. */
const WRITTEN = { written: true } as const
const isWritten = ({ cursor }: Leased) => (cursor as { readonly written?: boolean } | null)?.written === true

/** Stores the next page of the file; `whole` where there is none, with the hash of the file; or why it cannot be written. */
export async function exportMore(
  deps: ExportDeps,
  leased: Leased,
  leaseMs: number,
): Promise<Refusal | { readonly whole: string | null }> {
  const { wanted, file, progress } = leased
  invariant(wanted !== null && wanted.what !== null && file !== null, 'an export says what')
  if (isWritten(leased)) return { whole: await hashOf(deps.reader, leased, leaseMs) }
  const page = await PAGES_OF[wanted.what](deps, leased)
  if (isRefusal(page)) return page
  if (progress.done + page.rows.length > EXPORT_ROWS_MAX) return tooLarge()
  const isFirst = file.parts === 0 && leased.cursor === null
  const text = textOf(wanted.what, wanted.format ?? 'csv', page.rows, isFirst)
  const stored: FilePage = {
    parts: partsOf(text),
    bytes: Buffer.byteLength(text),
    rows: page.rows.length,
    cursor: page.cursor ?? WRITTEN,
  }
  await deps.reader.send([addFileParts(leased, file.parts, stored, leaseMs)])
  return { whole: null }
}

const tooLarge = () =>
  refuse(
    'command_too_large',
    'filter',
    `A file holds at most ${EXPORT_ROWS_MAX.toLocaleString('en')} rows. Narrow the filter, and export in parts.`,
  )

function textOf(what: Exported, format: ExportFormat, rows: readonly object[], isFirst: boolean): string {
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const columns = EXPORT_COLUMNS[what]
  return [...(isFirst ? [columns] : []), ...csvRowsOf(rows, columns)].map(csvRow).join('')
}

/** No part ends inside of a character. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    const last = text.charCodeAt(from + PART_LENGTH - 1)
    const isSplit = last >= 0xd800 && last < 0xdc00
    const to = from + PART_LENGTH - (isSplit ? 1 : 0)
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** SHA-256 over the whole file, a part in memory at a time; null where another process has taken the command over. */
async function hashOf(reader: Session, leased: Leased, leaseMs: number): Promise<string | null> {
  const hash = createHash('sha256')
  const parts = leased.file?.parts ?? 0
  for (let number = 0; number < parts; number++) {
    if (number % HELD_EVERY === 0) {
      const [held] = await reader.send([holdCommand(leased, leaseMs)])
      if (held?.rows.length !== 1) return null
    }
    hash.update(await partAt(reader, leased, number))
  }
  return hash.digest('hex')
}

async function partAt(reader: Session, key: OwnedKey, number: number): Promise<string> {
  const [found] = await reader.send([findFilePart(key, number)])
  const row = found?.rows[0]
  if (!row) throw new Error(`part ${number} of a file is not there`)
  return filePartFrom(row)
}

/** The file, a part in memory at a time. */
export async function* partsOfFile(reader: Session, command: BulkCommand): AsyncGenerator<string> {
  for (let number = 0; number < (command.file?.parts ?? 0); number++) yield partAt(reader, command, number)
}

export const fileExpiry = (nowMs: number) => nowMs + FILE_KEPT_MS
