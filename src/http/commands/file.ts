// GET /commands/{id}/file: the file of an export, streamed a part at a time, with its hash.
import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { findOne } from '../../app/commands/commands.ts'
import { partsOfFile } from '../../app/commands/export.ts'
import { refuseLacking } from '../../app/commands/makers.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import { IdParams } from '../../wire/api.ts'
import { CommandFileReply, fileNameOf } from '../../wire/commands/commands.ts'
import { callerOf, type Context, described, guard } from '../context.ts'
import { TAGGED } from '../openapi/facts.ts'
import { sendRefusal } from '../errors.ts'
import { sendUnchanged } from '../replies.ts'
import { isKnownTag } from '../request/versions.ts'

const READ = { accepts: 'api key', scope: 'commands:read' } as const

export function commandFileRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'commands.file',
    'Download the file that an export made',
    'Commands',
    { params: IdParams, reply: CommandFileReply },
    READ,
    TAGGED,
    {
      description:
        'Beside commands:read it needs what reading the list needs: contracts:read, wallets:read or events:read.',
      stream: 'text/csv',
      files: { 'application/x-ndjson': 'Of format ndjson: an object a line.' },
      sends: ['Content-Disposition', 'Repr-Digest'],
      refusals: ['command_not_found', 'file_not_ready', 'file_expired', 'scope_missing'],
    },
  )
  app.get('/commands/:id/file', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const command = await findOne(deps, caller, request.params.id)
    if (isRefusal(command)) return sendRefusal(reply, command)
    const lacking = refuseLacking(caller.scopes, command.type, command.wanted)
    if (lacking) return sendRefusal(reply, lacking)
    const { file } = command
    if (!file || file.sha256 === null || file.expiresAt === null) return sendRefusal(reply, notReady(file !== null))
    if (file.expiresAt <= deps.nowMs()) return sendRefusal(reply, expired(file.expiresAt))
    const { name, contentType } = fileNameOf(command)
    const tag = `"${file.sha256}"`
    reply.header('etag', tag)
    if (isKnownTag(request, tag)) return sendUnchanged(reply)
    const plain: FastifyReply = reply
    return plain
      .header('content-type', contentType)
      .header('content-length', file.bytes)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('repr-digest', `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`)
      .send(Readable.from(partsOfFile(deps.reader, command)))
  })
}

function notReady(isExport: boolean) {
  const words = isExport
    ? 'The file is not whole yet. GET /commands/{id} says how far it is.'
    : 'Only an export makes a file.'
  return refuse('file_not_ready', 'id', words)
}

const expired = (atMs: number) =>
  refuse('file_expired', 'id', `The file was kept until ${new Date(atMs).toISOString()}. Make another export.`)
