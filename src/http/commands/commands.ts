// The routes of commands: make, fill, start, pause, resume, cancel, look. Their rows: rows.ts.
import type { FastifyReply } from 'fastify'
import { rowsOfCsv, type SentRow } from '../../app/commands/columns.ts'
import { wantedIn } from '../../app/commands/wanted.ts'
import { addRows, commandsOf, createCommand, findOne, moveCommandBy, sumsOf } from '../../app/commands/commands.ts'
import { refuseUnreadable } from '../../app/commands/makers.ts'
import type { BulkCommand, CommandType, CommandVerb } from '../../domain/command/command.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, missing, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { seenText } from '../../domain/text/texts.ts'
import { IdParams } from '../../wire/api.ts'
import {
  CommandBody,
  CommandFoundReply,
  CommandReply,
  CommandRowsBody,
  CommandsQuery,
  CommandsReply,
  presentCommand,
  presentSum,
} from '../../wire/commands/commands.ts'
import { maskedOrNull } from '../../app/contracts/recipient.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { BODY_BYTES_MAX } from '../request/sizes.ts'
import { commandFileRoute } from './file.ts'
import { commandRowRoutes } from './rows.ts'

const COMMANDS = 'Commands'
const READ: Access = { accepts: 'api key', scope: 'commands:read' }
const WRITE: Access = { accepts: 'api key', scope: 'commands:write' }
const LARGE = { bodyLimit: BODY_BYTES_MAX.rows, config: { membersMax: 200_000 } } as const

export function commandRoutes(context: Context): void {
  createRoute(context)
  addRoute(context)
  listRoute(context)
  getRoute(context)
  for (const verb of VERBS) moveRoute(context, verb)
  commandRowRoutes(context)
  commandFileRoute(context)
}

type Brought = {
  readonly rows?: readonly object[] | null | undefined
  readonly csv?: string | null | undefined
  readonly lines_before?: number | null | undefined
}

/** The rows that a body brings, one way or the other; null where it brings none. */
function rowsIn(type: CommandType, { rows, csv, lines_before: before }: Brought): readonly SentRow[] | null | Refusal {
  if (rows && csv) return refuseAll([invalid('csv', 'csv and rows are two ways to say the same. Send one of them.')])
  if (csv) return rowsOfCsv(type, csv, before ?? 0)
  return rows ? rows.map((sent) => ({ line: null, sent: sent as SentRow['sent'] })) : null
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'commands.create',
    'Make a command; with rows it starts at once',
    COMMANDS,
    { body: CommandBody, reply: CommandReply },
    WRITE,
    {
      refusals: [
        'commands_full',
        'command_empty',
        'command_not_found',
        'command_started_before',
        'scope_missing',
        'webhook_endpoint_not_found',
        'webhook_endpoint_disabled',
      ] as const,
    },
  )
  const parse = parserOf(CommandBody)
  const config = { ...LARGE.config, whenBrokenOff: 'goes on' } as const
  app.post('/commands', { ...LARGE, schema, config, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const sent = parse(request.body ?? {})
    const { type, dry_run: dryRun, again, description, reference } = sent
    const [caller, changer] = [callerOf(request), changerOf(request)]
    const wanted = await wantedIn(deps, caller, sent)
    if (isRefusal(wanted)) return sendRefusal(reply, wanted)
    const rows = rowsIn(type, sent)
    if (isRefusal(rows)) return sendRefusal(reply, rows)
    const key = request.keyClaim
    const words = { description: maskedOrNull(seenText(description)), reference: maskedOrNull(seenText(reference)) }
    const asked = { type, dryRun: dryRun ?? false, again: again ?? false, wanted, key, ...words }
    const made = await (key?.carriedOut
      ? findOne(deps, caller, key.carriedOut)
      : createCommand(deps, changer, caller, asked))
    if (isRefusal(made)) return sendRefusal(reply, made)
    if (made.status !== 'open') return sendCommand(context, reply, made, 'Command started.')
    if (rows === null) return sendCommand(context, reply, made, 'Command made. It takes rows.')
    const filled = await addRows(deps, caller, made.id, { first: 0, rows })
    if (isRefusal(filled)) return sendRefusal(reply, filled)
    const started = await moveCommandBy(deps, changer, caller, made.id, 'start')
    return sendCommand(context, reply, started, 'Command started.')
  })
}

function addRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'commands.add_rows',
    'Add rows to a command that is open; the same rows again change nothing',
    COMMANDS,
    { params: IdParams, body: CommandRowsBody, reply: CommandReply },
    WRITE,
    {
      refusals: [
        'command_not_found',
        'command_not_movable',
        'command_row_differs',
        'scope_missing',
        'exceeds_own_access',
      ],
    },
  )
  const parse = parserOf(CommandRowsBody)
  app.post('/commands/:id/rows', { ...LARGE, schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { id } = request.params
    const caller = callerOf(request)
    const { first, ...brought } = parse(request.body ?? {})
    const command = await findOne(deps, caller, id)
    if (isRefusal(command)) return sendRefusal(reply, command)
    const rows = rowsIn(command.type, brought)
    if (isRefusal(rows)) return sendRefusal(reply, rows)
    if (rows === null) return sendRefusal(reply, refuseAll([missing('rows', 'Send rows, or csv.')]))
    const filled = await addRows(deps, caller, id, { first: first ?? 0, rows })
    return sendCommand(context, reply, filled, 'Rows added.')
  })
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { querystring: CommandsQuery, reply: CommandsReply }
  const schema = described('commands.list', 'List commands, newest first', COMMANDS, shapes, READ)
  const parse = queryParserOf(CommandsQuery)
  app.get('/commands', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const { status = null, reference = null, dry_run_id: dryRunId = null, after = null } = query
    if (after !== null && !isUuid(after)) throw badCursor()
    const limit = limitOf(query)
    const { rows, next } = pageOf(
      await commandsOf(deps, callerOf(request), { status, reference, dryRunId, after, limit }),
      limit,
      ({ id }) => id,
    )
    return succeed(reply, 200, 'Commands found.', {
      commands: rows.map((each) => presentCommand(each, deps.nowMs())),
      next,
    })
  })
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'commands.get',
    'Get a command: how far it is, and what its rows come to',
    COMMANDS,
    { params: IdParams, reply: CommandFoundReply },
    READ,
    {
      description: 'sums are empty for whoever has neither contracts:read nor events:read.',
      refusals: ['command_not_found'],
    },
  )
  app.get('/commands/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const command = await findOne(deps, callerOf(request), request.params.id)
    if (isRefusal(command)) return sendRefusal(reply, command)
    // What contracts hold is nothing for whoever may not read contracts.
    const isReadable = refuseUnreadable(callerOf(request).scopes, command.type) === null
    const sums = isReadable ? await sumsOf(deps, command) : []
    return succeed(reply, 200, 'Command found.', {
      command: presentCommand(command, deps.nowMs()),
      sums: sums.map(presentSum),
    })
  })
}

const VERBS = ['start', 'pause', 'resume', 'cancel'] as const satisfies readonly CommandVerb[]
const WORDS: Readonly<Record<CommandVerb, readonly [summary: string, done: string]>> = {
  start: ['Start a command: no row is added any more', 'Command started.'],
  pause: ['Pause a command; rows that were begun are finished', 'Command paused.'],
  resume: ['Resume a command that was paused', 'Command resumed.'],
  cancel: ['Cancel a command; contracts that it made stay', 'Command cancelled: what was begun is finished first.'],
}

function moveRoute(context: Context, verb: CommandVerb): void {
  const { app, deps } = context
  const [summary, done] = WORDS[verb]
  const schema = described(`commands.${verb}`, summary, COMMANDS, { params: IdParams, reply: CommandReply }, WRITE, {
    refusals: ['command_not_found', 'command_not_movable', 'command_empty', 'scope_missing', 'exceeds_own_access'],
  })
  app.put(`/commands/:id/${verb}`, { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const moved = await moveCommandBy(deps, changerOf(request), callerOf(request), request.params.id, verb)
    return sendCommand(context, reply, moved, done)
  })
}

function sendCommand(
  { deps }: Context,
  reply: ReplyOf<typeof CommandReply>,
  command: BulkCommand | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(command)) return sendRefusal(reply, command)
  return succeed(reply, 200, message, { command: presentCommand(command, deps.nowMs()) })
}
