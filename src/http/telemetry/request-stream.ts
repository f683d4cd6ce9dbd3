// GET /requests/stream: the requests of the caller's account as this process answers them, as server-sent events.
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { RequestLog, RequestRecord } from '../../platform/telemetry/request-log.ts'
import { presentRequest, type RequestFilters, RequestStreamQuery } from '../../wire/requests.ts'
import { authenticate } from '../auth/auth.ts'
import {
  beginStream,
  HEARTBEAT,
  HEARTBEAT_MS,
  lastEventIdOf,
  LEAST_REST_MS,
  PROOF_MS,
  sendStreamHead,
  STALLED_MS,
  unlessAway,
} from '../connections/sse.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import type { OpenStream, OpenStreams } from '../routes/open-streams.ts'
import { filterOf, REQUESTS_ACCESS } from './requests.ts'

const DESCRIPTION =
  'Server-sent events: `id` is the Request-Id, `event` is request, `data` a request as GET /requests lists it. It begins with what is answered from now on, or after the request that Last-Event-ID names, as far as this process still knows it. Reading the requests is not among them.'

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
    const last = startOf(log.of(caller.accountId), lastEventIdOf(request))
    beginStream(reply, last?.id ?? null)
    follow(context, log, request, stream, { last, filters: query })
      .catch((fault: unknown) => request.log.error({ err: fault, request_id: request.id }, 'a request stream broke'))
      .finally(() => {
        ended()
        stream.response.end()
      })
    return reply
  })
}

type From = { readonly last: RequestRecord | null; readonly filters: RequestFilters }

/** After the one that the client was told last; where that is forgotten, all that is known; else after the newest. */
function startOf(known: readonly RequestRecord[], told: string | undefined): RequestRecord | null {
  return told === undefined ? (known.at(-1) ?? null) : (known.findLast(({ id }) => id === told) ?? null)
}

async function follow(
  { deps }: Context,
  log: RequestLog,
  request: FastifyRequest,
  stream: OpenStream,
  { last, filters }: From,
): Promise<void> {
  const { response, account } = stream
  const fits = filterOf(filters)
  let told = last
  let saidAt = deps.monotonicMs()
  let provenAt = saidAt
  while (!stream.over) {
    if (deps.monotonicMs() >= provenAt + PROOF_MS) {
      const caller = await unlessAway(async () => authenticate(deps, request, REQUESTS_ACCESS))
      if (isRefusal(caller)) return
      if (caller) provenAt = deps.monotonicMs()
    }
    if (response.writableNeedDrain && deps.monotonicMs() >= saidAt + STALLED_MS) return void response.destroy()
    // What the reader has no room for stays in the log, for as long as that keeps it.
    const fresh = response.writableNeedDrain ? [] : after(log.of(account.accountId), told)
    told = fresh.at(-1) ?? told
    const text = fresh.filter(fits).map(eventText).join('')
    const isSilent = deps.monotonicMs() >= saidAt + HEARTBEAT_MS && !response.writableNeedDrain
    if (text !== '' || isSilent) {
      response.write(text === '' ? HEARTBEAT : text)
      saidAt = deps.monotonicMs()
    }
    const dueAt = Math.min(saidAt + HEARTBEAT_MS, provenAt + PROOF_MS)
    await stream.rest(Math.max(dueAt - deps.monotonicMs(), LEAST_REST_MS))
  }
}

/** What has been added since; all that there is where that one is gone. */
const after = (known: readonly RequestRecord[], told: RequestRecord | null) =>
  told === null ? known : known.slice(known.lastIndexOf(told) + 1)

const eventText = (record: RequestRecord) =>
  `id: ${record.id}\nevent: request\ndata: ${JSON.stringify(presentRequest(record))}\n\n`
