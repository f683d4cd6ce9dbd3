// The rows of a command: by pages as JSON, or all of them as CSV with what became of each.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { findOne, rowsOf } from '../../app/commands/commands.ts'
import { refuseUnreadable } from '../../app/commands/makers.ts'
import type { BulkCommand, CommandRow } from '../../domain/command/command.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { fixedText } from '../../domain/money/money.ts'
import { csvRow } from '../../formats/csv.ts'
import type { RowFilter } from '../../store/commands/rows.ts'
import { IdParams } from '../../wire/api.ts'
import { CommandRowsQuery, CommandRowsReply, presentRow } from '../../wire/commands/commands.ts'
import { callerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'

const READ = { accepts: 'api key', scope: 'commands:read' } as const

export function commandRowRoutes(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'commands.rows',
    'List the rows of a command in their order, or all of them as CSV',
    'Commands',
    { params: IdParams, querystring: CommandRowsQuery, reply: CommandRowsReply },
    READ,
    {
      files: { 'text/csv': 'Each row, what became of it, and what was sent.' },
      sends: ['Content-Disposition'],
      description:
        'Beside commands:read it needs contracts:read or events:read, for rows show what contracts hold; of events.replay also webhooks:manage will do.',
      refusals: ['command_not_found', 'scope_missing'],
    },
  )
  const parse = queryParserOf(CommandRowsQuery)
  app.get('/commands/:id/rows', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const command = await findOne(deps, callerOf(request), request.params.id)
    if (isRefusal(command)) return sendRefusal(reply, command)
    const unreadable = refuseUnreadable(callerOf(request).scopes, command.type)
    if (unreadable) return sendRefusal(reply, unreadable)
    const filter = { status: query.status ?? null, flagged: query.flagged === 'true' }
    const after = query.after === undefined ? -1 : Number(query.after)
    const plain: FastifyReply = reply
    if ((query.format ?? acceptedFormat(request)) === 'csv')
      return plain
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${command.id}.csv"`)
        .send(Readable.from(csvOf(context, command, filter)))
    const limit = limitOf(query)
    const { rows, next } = pageOf(await rowsOf(deps, command, { ...filter, after, limit }), limit, (row) =>
      String(row.index),
    )
    return succeed(reply, 200, 'Rows found.', { rows: rows.map(presentRow), next })
  })
}

const acceptedFormat = ({ headers: { accept = '' } }: FastifyRequest) =>
  accept.split(',')[0]?.includes('text/csv') ? 'csv' : 'json'

const PAGE = 1000
const COLUMNS = 'index line status contract_id step error_code error_param error_message currency amount fee debit sent'

/** A page of rows at a time. */
async function* csvOf({ deps }: Context, command: BulkCommand, filter: RowFilter): AsyncGenerator<string> {
  yield csvRow(COLUMNS.split(' '))
  for (let after = -1; ; ) {
    const rows = await rowsOf(deps, command, { ...filter, after, limit: PAGE })
    const page = rows.slice(0, PAGE)
    yield page.map(lineOf).join('')
    const last = page.at(-1)
    if (rows.length <= PAGE || !last) return
    after = last.index
  }
}

function lineOf({ index, line, status, contractId, step, error, preview, sent }: CommandRow): string {
  const text = (minor: string | undefined) => (preview && minor ? fixedText(BigInt(minor), preview.currency) : null)
  const where = line !== null && error?.param ? `line ${line}, column ${error.param}: ` : ''
  return csvRow([
    index,
    line,
    status,
    contractId,
    step,
    error?.code,
    error?.param,
    error && `${where}${error.message}`,
    preview?.currency,
    text(preview?.amount),
    text(preview?.fee),
    text(preview?.debit),
    JSON.stringify(sent),
  ])
}
