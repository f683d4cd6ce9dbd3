// The CSV file of a command before it is sent: that it can be read, how many rows it has, what they come to, and its hash, by which
// the same file is known again.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { GatewayError } from '../../../sdk/src/index.ts'
import { type CsvRecord, recordsOf } from '../../../sdk/src/csv-records.ts'
import { minorDigits } from '../../domain/money/currencies.ts'
import { displayText, parseDecimal } from '../../domain/money/money.ts'
import { readCsv, separatorOf } from '../../formats/csv-reading.ts'
import { CommandFailed } from '../failures.ts'

export type CsvFile = {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly rows: number
  /** What the rows say that is to be paid, fees left out: "PHP 1,500.00". Empty where they name no amounts. */
  readonly totals: readonly string[]
  /** The reference of a command that is made of it. */
  readonly reference: string
  /** Its content once more, from its beginning. */
  readonly open: () => AsyncIterable<Uint8Array>
}

/** Goes through the whole file once, holding a row of it at a time. */
export async function lookAt(path: string): Promise<CsvFile> {
  const found = await stat(path).catch((fault: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path} cannot be read (${fault.code}). Give the path of a CSV file.`)
  })
  if (!found.isFile()) throw new CommandFailed(`${path} is no file. Give the path of a CSV file.`)
  const name = basename(path)
  const hash = createHash('sha256')
  const open = (): AsyncIterable<Uint8Array> => createReadStream(path)
  const hashed = async function* () {
    for await (const chunk of open()) {
      hash.update(chunk)
      yield chunk
    }
  }
  const totals = openTotals()
  let rows = 0
  try {
    for await (const { record } of recordsOf(hashed())) if (record.holds) rows += totals.take(record) ? 1 : 0
  } catch (fault) {
    if (!(fault instanceof GatewayError)) throw fault
    throw new CommandFailed(`${name}: ${fault.message}`)
  }
  if (rows === 0) throw new CommandFailed(`${name} has no rows: a header is expected, and a row below it.`)
  return {
    path,
    name,
    bytes: found.size,
    rows,
    totals: totals.shown(),
    reference: referenceOf(hash.digest('hex')),
    open,
  }
}

/** In letters alone: digits in a row might be taken for those of a card, and masked. */
const referenceOf = (hex: string) =>
  `file-sha256:${hex.replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)))}`

/** Sums by currency. What is no amount is left out: the gateway says what is wrong with it. */
function openTotals() {
  const sums = new Map<string, bigint>()
  let separator: string | null = null
  let [amountAt, currencyAt] = [-1, -1]
  return {
    /** False for the header. */
    take: (record: CsvRecord): boolean => {
      if (separator === null) {
        separator = separatorOf(record.text)
        const names = cellsOf(record, separator)
        ;[amountAt, currencyAt] = [names.indexOf('amount'), names.indexOf('currency')]
        return false
      }
      if (amountAt < 0 || currencyAt < 0) return true
      const cells = cellsOf(record, separator)
      const currency = cells[currencyAt] ?? ''
      const digits = minorDigits(currency)
      const parsed = digits === undefined ? null : parseDecimal(Number(cells[amountAt] || 'none'), digits)
      if (parsed && 'scaled' in parsed) sums.set(currency, (sums.get(currency) ?? 0n) + parsed.scaled)
      return true
    },
    shown: () => [...sums].map(([currency, minor]) => displayText(minor, currency)),
  }
}

/** None where it is no CSV. */
function cellsOf({ text }: CsvRecord, separator: string): readonly string[] {
  const read = readCsv(text, separator)
  const row = 'fault' in read ? undefined : read[0]
  return (row?.cells ?? []).map((cell) => cell.trim())
}
