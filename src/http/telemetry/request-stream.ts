// GET /requests/stream: the requests of the caller's account as this gateway answers them, as server-sent events.
import Type from 'typebox'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { RequestLog, RequestRecord } from '../../platform/telemetry/request-log.ts'
import { presentRequest, type RequestFilters, RequestStreamQuery } from '../../wire/requests.ts'
import { beginStream, lastEventIdOf, sendStreamHead, tellAsItComes } from '../connections/sse.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import type { OpenStreams } from '../routes/open-streams.ts'
import { filterOf, REQUESTS_ACCESS } from './requests.ts'

const DESCRIPTION =
  'Server-sent events: `id` is the Request-Id, `event` is request, `data` a request as GET /requests lists it. It begins with what is answered from now on, or after the request that Last-Event-ID names, as far as the gateway still knows it. Reading the requests is not among them.'

export function requestStreamRoute(context: Context, log: RequestLog, streams: OpenStreams): void {
  const parse = parserOf(RequestStreamQuery)
  const schema = described(
    'requests.stream',
    'Follow the requests of the account as they are answered',
    'Requests',
    { querystring: RequestStreamQuery, reply: Type.String() },
    REQUESTS_ACCESS,
    {
      description: DESCRIPTION,
      stream: 'text/event-stream',
      reads: ['Last-Event-ID'],
      refusals: ['too_many_streams'],
    },
  )
  const onRequest = guard(context, REQUESTS_ACCESS)
  context.app.get('/requests/stream', { schema, onRequest }, async (request, reply) => {
    const caller = callerOf(request)
    const query = parse(request.query)
    if (request.method === 'HEAD') return sendStreamHead(reply)
    const stream = streams.open(caller, reply.raw)
    if (isRefusal(stream)) throw new RefusedRequest(stream)
    const ended = log.listen(caller.accountId, stream.stir)
    const told = startOf(await log.ofAll(caller.accountId), lastEventIdOf(request))
    beginStream(reply, told.at(-1)?.id ?? null)
    tellAsItComes(context, request, REQUESTS_ACCESS, stream, newsOf(log, caller.accountId, { told, filters: query }))
      .catch((fault: unknown) => request.log.error({ err: fault, request_id: request.id }, 'a request stream broke'))
      .finally(() => {
        ended()
        stream.response.end()
      })
    return reply
  })
}

type From = { readonly told: readonly RequestRecord[]; readonly filters: RequestFilters }

/** What the client was told: up to the one that it names; where that is forgotten nothing, else all that is known. */
function startOf(known: readonly RequestRecord[], told: string | undefined): readonly RequestRecord[] {
  return told === undefined ? known : known.slice(0, known.findLastIndex(({ id }) => id === told) + 1)
}

/** What the log has got since the last look. What the reader has no room for stays in it, for as long as that keeps it. */
function newsOf(log: RequestLog, accountId: string, { told: first, filters }: From) {
  const fits = filterOf(filters)
  let told = new Set(first.map(({ id }) => id))
  return async () => {
    // Of another process one may come late that was answered before the last one here: what counts is whether it was told.
    const known = await log.ofAll(accountId)
    const fresh = known.filter(({ id }) => !told.has(id))
    told = new Set(known.map(({ id }) => id))
    return { text: fresh.filter(fits).map(eventText).join(''), hasMore: false }
  }
}

const eventText = (record: RequestRecord) =>
  `id: ${record.id}\nevent: request\ndata: ${JSON.stringify(presentRequest(record))}\n\n`
