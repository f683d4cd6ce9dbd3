// The statement of a rail's account for one day of Manila, camt.053: what went out and what came back, with balances; on the day
// that is running also what was taken and has not gone yet, as pending.
import { decimalOf, knownMinor, minorOf } from '../text/amounts.ts'
import type { Books } from './books.ts'
import { groupHeader, timeOf } from '../text/iso20022.ts'
import { dayOf, endOfDay, startOfDay, timeInManila } from '../text/manila.ts'
import { type Entry, movements, type Rail } from './orders.ts'
import { problem, type Reply, xml } from '../replies.ts'
import type { StatementPlay } from '../scripts.ts'
import { type Codes, codeOf } from '../text/codes.ts'
import { documentOf, leaf, node } from '../text/xml.ts'

const STATEMENT = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
const CURRENCY = 'PHP'
/** What the account held before the first order: a billion. */
const OPENING_MINOR = 100_000_000_000n

type Line = {
  readonly reference: string
  readonly id: string
  readonly minor: bigint
  readonly isBack: boolean
  readonly code: string | null
  readonly atMs: number
}

export function statementOf(books: Books, rail: Rail, codes: Codes, day: string): Reply {
  const startMs = startOfDay(day)
  if (startMs === null) return problem(400, 'invalid_request', 'A statement is of a day such as 2026-01-31.')
  if (startMs > books.nowMs()) return problem(404, 'not_found', 'That day has not begun.')
  const all = books
    .entriesOf(rail)
    .filter(({ currency }) => currency === CURRENCY)
    .flatMap((entry) => linesOf(entry, codes))
  const openingMinor = all.filter(({ atMs }) => atMs < startMs).reduce(added, OPENING_MINOR)
  const ofDay = all.filter(({ atMs }) => atMs >= startMs && atMs < endOfDay(startMs))
  const lines = ofDay.sort((a, b) => a.atMs - b.atMs)
  const pending = day === dayOf(books.nowMs()) ? pendingOf(books, rail) : []
  return xml(written(books, rail, day, openingMinor, played(books, rail, day, lines), pending))
}

function linesOf(entry: Entry, codes: Codes): Line[] {
  const { reference, id } = entry
  const minor = knownMinor(entry)
  return movements(entry).map(({ moment, isBack }) => {
    const code = isBack ? codeOf(codes, moment.code) : null
    return { reference, id, minor, isBack, code, atMs: moment.atMs }
  })
}

/** Orders that were accepted, and move their money later or never. */
function pendingOf(books: Books, rail: Rail): Line[] {
  const waiting = books.entriesOf(rail).filter(({ status, currency }) => status === 'accepted' && currency === CURRENCY)
  return waiting.map((entry) => {
    const { reference, id, createdAtMs: atMs } = entry
    return { reference, id, minor: knownMinor(entry), isBack: false, code: null, atMs }
  })
}

const added = (balance: bigint, { minor, isBack }: Line) => (isBack ? balance + minor : balance - minor)

/** The lines that scenarios leave out or make up. A made-up line is of the day on which its scenario was posted. */
function played(books: Books, rail: Rail, day: string, truth: Line[]): Line[] {
  let lines = truth
  for (const { script } of books.scripts().reverse()) {
    if (script.statement === null || (script.rail !== null && script.rail !== rail)) continue
    lines = changed(lines, script.statement, script.createdAtMs, dayOf(script.createdAtMs) === day)
  }
  return lines
}

function changed(lines: Line[], play: StatementPlay, atMs: number, isToday: boolean): Line[] {
  if ('omit' in play) return lines.filter(({ reference }) => reference !== play.omit)
  const { reference, amount } = play.extra
  const minor = minorOf(amount, CURRENCY) ?? 0n
  return isToday ? [...lines, { reference, id: `sbx_extra_${atMs}`, minor, isBack: false, code: null, atMs }] : lines
}

/** The closing balance is that of the lines which are shown. */
function written(
  books: Books,
  rail: Rail,
  day: string,
  openingMinor: bigint,
  lines: readonly Line[],
  pending: readonly Line[],
): string {
  const startMs = startOfDay(day) ?? 0
  const statement = node(
    'Stmt',
    leaf('Id', `${rail}-${day}`),
    leaf('CreDtTm', timeOf(books.nowMs())),
    node('FrToDt', leaf('FrDtTm', timeInManila(startMs)), leaf('ToDtTm', timeInManila(endOfDay(startMs)))),
    node('Acct', node('Id', node('Othr', leaf('Id', `sandbox-${rail}`))), leaf('Ccy', CURRENCY)),
    balance('OPBD', openingMinor, day),
    balance('CLBD', lines.reduce(added, openingMinor), day),
    ...lines.map((line) => entryOf(line, 'BOOK')),
    ...pending.map((line) => entryOf(line, 'PDNG')),
  )
  return documentOf(STATEMENT, node('BkToCstmrStmt', groupHeader(`T${rail}-${day}`, books.nowMs()), statement))
}

const amountOf = (minor: bigint) => leaf('Amt', decimalOf(minor, CURRENCY), ` Ccy="${CURRENCY}"`)

function balance(code: string, minor: bigint, day: string): string {
  const type = node('Tp', node('CdOrPrtry', leaf('Cd', code)))
  const direction = leaf('CdtDbtInd', minor < 0n ? 'DBIT' : 'CRDT')
  return node('Bal', type, amountOf(minor), direction, node('Dt', leaf('Dt', day)))
}

function entryOf({ reference, id, minor, isBack, code, atMs }: Line, status: 'BOOK' | 'PDNG'): string {
  const returned = isBack ? node('RtrInf', node('Rsn', leaf(code?.length === 4 ? 'Cd' : 'Prtry', code))) : ''
  const details = node('TxDtls', node('Refs', leaf('AcctSvcrRef', id), leaf('EndToEndId', reference)), returned)
  return node(
    'Ntry',
    amountOf(minor),
    leaf('CdtDbtInd', isBack ? 'CRDT' : 'DBIT'),
    node('Sts', leaf('Cd', status)),
    node('BookgDt', leaf('DtTm', timeInManila(atMs))),
    leaf('AcctSvcrRef', id),
    node('BkTxCd', node('Prtry', leaf('Cd', isBack ? 'RETURN' : 'PAYOUT'))),
    node('NtryDtls', details),
  )
}
