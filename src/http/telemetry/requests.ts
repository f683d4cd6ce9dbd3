// GET /requests: the latest requests of the caller's account that this gateway answered, newest first.
import type { RequestLog, RequestRecord } from '../../platform/telemetry/request-log.ts'
import { presentRequest, type RequestFilters, RequestsQuery, RequestsReply } from '../../wire/requests.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { momentOf } from '../../domain/text/moments.ts'

export const REQUESTS_ACCESS = { accepts: 'api key', scope: 'audit:read' } as const

export function requestRoutes(context: Context, log: RequestLog): void {
  const schema = described(
    'requests.list',
    'List the latest requests of the account, newest first',
    'Requests',
    { querystring: RequestsQuery, reply: RequestsReply },
    REQUESTS_ACCESS,
    {
      description:
        'What was asked with the account’s credentials, what became of it, and how long it took: ids, codes and times, never a body. What a page of the gateway reads for somebody who is signed in is left out. Each process of the gateway has the last 500 that it answered itself, in memory, and those that one start has begun on one port are asked together: what is older is gone, and so is all that a process had after it ended.',
    },
  )
  const parse = parserOf(RequestsQuery)
  context.app.get('/requests', { schema, onRequest: guard(context, REQUESTS_ACCESS) }, async (request, reply) => {
    const query = parse(request.query)
    const sinceMs = momentOf(query.since, '00:00:00.000') ?? 0
    const limit = limitOf(query)
    const fits = filterOf(query)
    const known = await log.ofAll(callerOf(request).accountId)
    // What stood after a record that has been forgotten is forgotten, too.
    const end = query.after === undefined ? known.length : known.findLastIndex(({ id }) => id === query.after)
    const found = known
      .slice(0, Math.max(0, end))
      .filter((record) => record.at >= sinceMs && fits(record))
      .toReversed()
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    return succeed(reply, 200, 'Requests found.', { requests: rows.map(presentRequest), next })
  })
}

export function filterOf({
  id,
  status,
  method,
  operation,
  code,
  contract,
}: RequestFilters): (record: RequestRecord) => boolean {
  const statusClass = status?.endsWith('xx') ? status.charAt(0) : null
  return (record) =>
    (id === undefined || record.id === id) &&
    (method === undefined || record.method === method) &&
    (operation === undefined || record.operation === operation) &&
    (code === undefined || record.code === code) &&
    (contract === undefined || record.contractId === contract) &&
    (status === undefined || String(record.status) === status || String(record.status).charAt(0) === statusClass)
}
