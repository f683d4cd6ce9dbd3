// GET /events/changes: that the account has changed, and nothing about what, as server-sent events. For many who look and read again
// what they show, such as open consoles: it costs no read of the history, however much happens.
import Type from 'typebox'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { newestEvent } from '../../store/contracts/events.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, described, guard } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import type { OpenStream, OpenStreams } from '../routes/open-streams.ts'
import { beginStream, sendStreamHead, tellAsItComes } from './sse.ts'

const ACCESS: Access = { accepts: 'api key', scope: 'events:read' }

const DESCRIPTION =
  'Server-sent events for what shows the account and reads again what it shows: `event` is changed, `data` is `{"position": N}`, where the account’s history ends. At most one about each second, whatever happens in it; what happened is in GET /events. It begins with what happens from now on: who comes back reads once, and follows.'

export function changesStreamRoute(context: Context, streams: OpenStreams): void {
  const schema = described(
    'events.changes',
    'Follow that something has changed',
    'Events',
    { reply: Type.String() },
    ACCESS,
    { description: DESCRIPTION, stream: 'text/event-stream', refusals: ['too_many_streams'] },
  )
  context.app.get('/events/changes', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = callerOf(request)
    if (request.method === 'HEAD') return sendStreamHead(reply)
    const stream = streams.open(caller, reply.raw, 'by look')
    if (isRefusal(stream)) throw new RefusedRequest(stream)
    const [result] = await context.deps.reader.send([newestEvent(caller)])
    stream.position = Number(result?.rows[0]?.['position'] ?? 0)
    beginStream(reply, null)
    tellAsItComes(context, request, ACCESS, stream, async () => changeOf(stream))
      .catch((fault: unknown) => request.log.error({ err: fault, request_id: request.id }, 'a stream of changes broke'))
      .finally(() => stream.response.end())
    return reply
  })
}

/** What the looks have found since the stream was told of any. */
function changeOf(stream: OpenStream) {
  if (stream.newest <= stream.position) return { text: '', hasMore: false }
  stream.position = stream.newest
  return { text: `event: changed\ndata: {"position":${stream.position}}\n\n`, hasMore: false }
}
