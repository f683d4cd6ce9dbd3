// What a wallet did: its ledger entries, and its statement as JSON, CSV and camt.053.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allLines, pageOfLines, refuseFuture, statementOf, type Today } from '../../app/wallets/statements.ts'
import { invalid, refuseAll } from '../../domain/contract/refusals.ts'
import type { Statement } from '../../domain/wallet/statement.ts'
import { entryFrom, listEntries } from '../../ledger/entries.ts'
import { type EntriesAsked, entryBounds, presentEntry } from '../../app/wallets/entries.ts'
import { dayIn, startOfDay } from '../../platform/days.ts'
import { IdParams } from '../../wire/api.ts'
import { STATEMENT_FILES, type StatementFile } from '../../wire/wallets/statement-files.ts'
import { presentStatement, StatementQuery, StatementReply } from '../../wire/wallets/statements.ts'
import { EntriesQuery, EntriesReply } from '../../wire/wallets/wallets.ts'
import { callerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { endOf, instantOf, isDay, pastEndOf } from '../../app/wallets/periods.ts'
import { READ, walletNamed, WALLETS } from './wallets.ts'

export function walletStatementRoutes(context: Context): void {
  entriesRoute(context)
  statementRoute(context)
}

function entriesRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'wallets.entries',
    'List a wallet’s ledger entries, newest first',
    WALLETS,
    { params: IdParams, querystring: EntriesQuery, reply: EntriesReply },
    READ,
    { refusals: ['wallet_not_found'] },
  )
  const parse = queryParserOf(EntriesQuery)
  app.get('/wallets/:id/entries', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const cursor = cursorOf(query.after)
    const limit = limitOf(query)
    const { wallet, timeZone } = await walletNamed(context, request)
    const asked = askedOf(query, timeZone)
    const { after, before } = await entryBounds(deps, wallet, asked)
    const { contractId } = asked
    const { account = null } = query
    const filter = { after, before: Math.min(before, cursor ?? before), contractId, account, limit }
    const [result] = await deps.reader.send([listEntries(wallet, filter)])
    const page = pageOf((result?.rows ?? []).map(entryFrom), limit, ({ sequence }) => String(sequence))
    const entries = page.rows.map((entry) => presentEntry(wallet, entry))
    return succeed(reply, 200, 'Entries found.', { entries, next: page.next })
  })
}

function cursorOf(after: string | undefined): number | null {
  if (after === undefined) return null
  if (!/^[1-9]\d{0,14}$/.test(after)) throw badCursor()
  return Number(after)
}

/** The period and the contract that the query names. */
function askedOf(asked: EntriesQuery, timeZone: string): EntriesAsked {
  const { from, to, contract_id: contractId } = asked
  const fromMs = from === undefined ? null : instantOf(from, timeZone)
  const toMs = to === undefined ? null : endOf(to, timeZone)
  if (fromMs !== null && toMs !== null) refuseBackwards(asked, fromMs, toMs)
  return { fromMs, toMs, contractId: contractId ?? null }
}

/** The end of a day is the moment at which the next one begins: of two days in a row, backwards, it is the same moment. */
function refuseBackwards({ from, to }: Pick<StatementQuery, 'from' | 'to'>, fromMs: number, toMs: number): void {
  const areDays = from !== undefined && to !== undefined && isDay(from) && isDay(to)
  if (fromMs > toMs || (areDays && from > to))
    throw new RefusedRequest(refuseAll([invalid('from', 'from is after to. Give a moment before it.')]))
}

function statementRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'wallets.statement',
    'A wallet’s statement of a period: JSON by pages, or whole as CSV or camt.053',
    WALLETS,
    { params: IdParams, querystring: StatementQuery, reply: StatementReply },
    READ,
    {
      files: { 'text/csv': 'A line for each entry.', 'application/xml': 'ISO 20022 camt.053.' },
      sends: ['Content-Disposition'],
      refusals: ['wallet_not_found'],
    },
  )
  const parse = queryParserOf(StatementQuery)
  app.get('/wallets/:id/statement', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const format = query.format ?? acceptedFormat(request)
    const { wallet, ...today } = await walletNamed(context, request)
    const cursor = statementCursor(query.after, today.nowMs)
    const { fromMs, toMs } = cursor ?? periodOf(query, today)
    const statement = await statementOf(deps, wallet, fromMs, toMs, today.nowMs)
    if (format !== 'json') return sendFile(context, reply, statement, today, STATEMENT_FILES[format])
    const limit = limitOf(query)
    const lines = await pageOfLines(deps, statement, cursor?.after ?? null, limit)
    const page = pageOf(lines, limit, ({ sequence }) => `${sequence}.${fromMs}.${toMs}`)
    const shown = presentStatement(statement, page.rows, callerOf(request).livemode)
    return succeed(reply, 200, 'Statement made.', { statement: shown, next: page.next })
  })
}

function acceptedFormat({ headers: { accept = '' } }: FastifyRequest): 'json' | 'csv' | 'camt053' {
  const [first = ''] = accept.split(',')
  if (first.includes('text/csv')) return 'csv'
  return /\b(application|text)\/xml\b/.test(first) ? 'camt053' : 'json'
}

/** The period with the line: every page is of the same statement, whatever `to` was left to be. */
function statementCursor(
  text: string | undefined,
  nowMs: number,
): { after: number; fromMs: number; toMs: number } | null {
  if (text === undefined) return null
  const [, after, fromMs, toMs] = /^([1-9]\d{0,14})\.(-?\d{1,15})\.(-?\d{1,15})$/.exec(text) ?? []
  if (after === undefined || Number(toMs) > nowMs || Number(fromMs) > Number(toMs)) throw badCursor()
  return { after: Number(after), fromMs: Number(fromMs), toMs: Number(toMs) }
}

function periodOf(asked: StatementQuery, { nowMs, timeZone }: Today): { fromMs: number; toMs: number } {
  const { from, to } = asked
  const fromMs = from === undefined ? startOfMonth(nowMs, timeZone) : instantOf(from, timeZone)
  const toMs = to === undefined ? nowMs : pastEndOf(to, timeZone, nowMs)
  if (fromMs > nowMs) throw new RefusedRequest(refuseFuture('from'))
  if (toMs > nowMs) throw new RefusedRequest(refuseFuture('to'))
  refuseBackwards(asked, fromMs, toMs)
  return { fromMs, toMs }
}

const startOfMonth = (nowMs: number, timeZone: string): number =>
  startOfDay(`${dayIn(nowMs, timeZone).slice(0, 7)}-01`, timeZone)

function sendFile(
  { deps }: Context,
  reply: FastifyReply,
  statement: Statement,
  { nowMs, timeZone }: Today,
  file: StatementFile,
): FastifyReply {
  const [from, to] = [
    dayIn(statement.fromMs, timeZone),
    dayIn(Math.max(statement.fromMs, statement.toMs - 1), timeZone),
  ]
  async function* text(): AsyncGenerator<string> {
    yield file.head(statement, nowMs, timeZone)
    for await (const lines of allLines(deps, statement))
      yield lines.map((line) => file.line(line, statement, timeZone)).join('')
    yield file.tail(statement)
  }
  return reply
    .header('content-type', file.type)
    .header('content-disposition', `attachment; filename="${statement.wallet.id}-${from}-${to}.${file.ending}"`)
    .send(Readable.from(text()))
}
