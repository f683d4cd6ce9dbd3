// A statement as a file: CSV for spreadsheets, camt.053 for accounting. Both are written a page of lines at a time.
import { transactionIdOf } from '../../domain/contract/ids.ts'
import { fixedText } from '../../domain/money/money.ts'
import type { Line, Statement } from '../../domain/wallet/statement.ts'
import { camt053Entry, closeCamt053, openCamt053 } from '../../formats/iso20022/camt053-stream.ts'
import { dayIn } from '../../platform/days.ts'
import { iso } from '../times.ts'

export type StatementFile = {
  readonly type: string
  /** Ends the file's name. */
  readonly ending: string
  readonly head: (statement: Statement, nowMs: number, timeZone: string) => string
  readonly line: (line: Line, statement: Statement, timeZone: string) => string
  readonly tail: (statement: Statement) => string
}

const COLUMNS = [
  'kind',
  'sequence',
  'created_at',
  'amount',
  'currency',
  'available_after',
  'account',
  'contract_id',
  'transaction_id',
  'reference',
  'description',
  'counterparty',
]

const csv: StatementFile = {
  type: 'text/csv; charset=utf-8',
  ending: 'csv',
  head: (statement) => row(COLUMNS) + balanceRow('opening', statement),
  line: (line, { wallet: { currency } }) =>
    row([
      'line',
      line.sequence,
      iso(line.atMs),
      fixedText(line.changeMinor, currency),
      currency,
      fixedText(line.availableAfterMinor, currency),
      line.account,
      line.contractId,
      transactionIdOf(line),
      words(line.reference),
      words(line.description),
      words(line.counterparty),
    ]),
  tail: (statement) => balanceRow('closing', statement),
}

function balanceRow(kind: 'opening' | 'closing', { wallet: { currency }, fromMs, toMs, ...both }: Statement): string {
  const { sequence, availableMinor } = both[kind]
  const at = iso(kind === 'opening' ? fromMs : toMs)
  return row([
    kind,
    sequence,
    at,
    null,
    currency,
    fixedText(availableMinor, currency),
    null,
    null,
    null,
    null,
    null,
    null,
  ])
}

/** RFC 4180. */
function row(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => quoted(cell === null ? '' : String(cell))).join(',')}\r\n`
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A spreadsheet takes a text that begins so for a formula, and runs it. */
const words = (text: string | null): string | null => (text !== null && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const camt053: StatementFile = {
  type: 'application/xml; charset=utf-8',
  ending: 'xml',
  head: ({ wallet, fromMs, toMs, opening, closing }, nowMs, timeZone) => {
    const { currency } = wallet
    const account = withoutDashes(wallet.id)
    return openCamt053({
      // The same period of the same wallet has the same name.
      id: `${account.slice(-12)}-${fromMs.toString(36)}-${toMs.toString(36)}`,
      createdAt: iso(nowMs),
      from: iso(fromMs),
      to: iso(toMs),
      account,
      name: wallet.label,
      opening: { amountDecimal: fixedText(opening.availableMinor, currency), currency, day: dayIn(fromMs, timeZone) },
      closing: {
        amountDecimal: fixedText(closing.availableMinor, currency),
        currency,
        day: dayIn(Math.max(fromMs, toMs - 1), timeZone),
      },
    })
  },
  line: (line, { wallet: { currency } }, timeZone) =>
    camt053Entry({
      number: line.sequence,
      amountDecimal: fixedText(line.changeMinor < 0n ? -line.changeMinor : line.changeMinor, currency),
      currency,
      direction: line.changeMinor < 0n ? 'debit' : 'credit',
      bookedOn: dayIn(line.atMs, timeZone),
      servicerReference: transactionIdOf(line) ?? line.reference,
      endToEndId: line.contractId === null ? null : withoutDashes(line.contractId),
      remittance: line.description,
      details: [line.counterparty, line.reference].filter((text) => text !== null).join(' · ') || null,
    }),
  tail: closeCamt053,
}

/** The standard takes 34 characters of an account and 35 of a reference. */
const withoutDashes = (id: string): string => id.replaceAll('-', '')

export const STATEMENT_FILES = { csv, camt053 } as const
