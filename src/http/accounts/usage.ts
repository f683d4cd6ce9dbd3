// GET /usage: what an account used, day by day, from counters that the write path keeps.
import type { Access } from '../auth/auth.ts'
import { invalid, refuseAll } from '../../domain/contract/refusals.ts'
import { contractUsage, deliveryUsage, deliveryUsageFrom, usageFrom } from '../../store/accounts/usage.ts'
import { presentUsage, USAGE_DAYS, UsageQuery, UsageReply } from '../../wire/accounts/usage.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import { succeed } from '../replies.ts'

const DAY_MS = 86_400_000

const READ: Access = { accepts: 'api key', scope: 'accounts:read' }

export function usageRoutes(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'usage.get',
    'Get what the account used, by day',
    'Accounts',
    { querystring: UsageQuery, reply: UsageReply },
    READ,
    {
      description:
        'Days are those of UTC. Counted as it happens: a transfer counts as created on one day and as completed on another.',
    },
  )
  const parse = parserOf(UsageQuery)
  const onRequest = guard(context, READ)
  app.get('/usage', { schema, onRequest }, async (request, reply) => {
    const { from, to } = parse(request.query)
    const days = daysOf(from, to, deps.nowMs())
    const [first = '', last = ''] = [days[0], days.at(-1)]
    const caller = callerOf(request)
    const [contracts, deliveries] = await deps.reader.send([
      contractUsage(caller, first, last),
      deliveryUsage(caller, first, last),
    ])
    const used = (contracts?.rows ?? []).map(usageFrom)
    const delivered = new Map((deliveries?.rows ?? []).map(deliveryUsageFrom).map((each) => [each.day, each]))
    const usage = days.map((day) =>
      presentUsage(
        day,
        used.filter((each) => each.day === day),
        delivered.get(day),
      ),
    )
    return succeed(reply, 200, 'Usage found.', { usage, next: null })
  })
}

/** The days from the first to the last, both included. Throws where they are no such days. */
function daysOf(from: string | undefined, to: string | undefined, nowMs: number): string[] {
  const last = momentOf('to', to) ?? Math.floor(nowMs / DAY_MS) * DAY_MS
  const first = momentOf('from', from) ?? last - (USAGE_DAYS.default - 1) * DAY_MS
  const count = (last - first) / DAY_MS + 1
  if (count < 1) throw refused('from', 'from is later than to. Change one of them.')
  if (count > USAGE_DAYS.max) throw refused('from', `from to to are more than ${USAGE_DAYS.max} days. Ask for fewer.`)
  return Array.from({ length: count }, (_, i) => dayOf(first + i * DAY_MS))
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function momentOf(param: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const moment = Date.parse(`${text}T00:00:00Z`)
  // 31 June is no day.
  if (Number.isNaN(moment) || dayOf(moment) !== text)
    throw refused(param, `${param} ${text} is no day. Give YYYY-MM-DD.`)
  return moment
}

const refused = (param: string, message: string) => new RefusedRequest(refuseAll([invalid(param, message)]))
