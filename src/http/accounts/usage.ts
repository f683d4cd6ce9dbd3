// GET /usage: what an account used, day by day, from counters that the write path keeps.
import type { Access } from '../auth/auth.ts'
import { contractUsage, deliveryUsage, deliveryUsageFrom, usageFrom } from '../../store/accounts/usage.ts'
import { presentUsage, USAGE_DAYS, UsageQuery, UsageReply } from '../../wire/accounts/usage.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { daysOf } from './days.ts'

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
    const today = new Date(deps.nowMs()).toISOString().slice(0, 10)
    const days = daysOf({ from, to }, today, USAGE_DAYS)
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
