// The sandbox provider beside a gateway in development: what it plays, its clock, and its books beside ours. These routes
// are added only where there is such a provider, and serve test accounts alone.
import { comparedOrders } from '../../app/sandbox/orders.ts'
import { endScripts, type Sandbox, standingOf } from '../../app/sandbox/sandbox.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { OrdersQuery, OrdersReply, presentOrder } from '../../wire/sandbox/orders.ts'
import { ClockBody, ClockReply, presentClock, presentSandbox, SandboxReply } from '../../wire/sandbox/sandbox.ts'
import { ResetReply, ScenarioBody, ScriptReply } from '../../wire/sandbox/scenarios.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import type { Facts } from '../openapi/facts.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'

const TAG = 'Sandbox'
const ACCESS: Access = { accepts: 'api key', scope: 'contracts:write' }
/** Said of each: whoever reads one operation alone must not miss it. */
const WHOLE = 'One provider serves every test account of the gateway: what is played and what time it is holds for all.'
const facts = (description: string): Facts => ({
  description: `In development only, beside the gateway’s own sandbox provider, and for test accounts. ${description}`,
  refusals: ['test_account_required', 'sandbox_unavailable'],
})

export function sandboxRoutes(context: Context, sandbox: Sandbox): void {
  getRoute(context, sandbox)
  scriptRoute(context, sandbox)
  resetRoute(context, sandbox)
  clockRoute(context, sandbox)
  ordersRoute(context, sandbox)
}

/** Who comes in: the guard’s callers, but for those of live accounts. */
const door = (context: Context) => [guard(context, ACCESS), refuseLive]

function refuseLive(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (!callerOf(request).livemode) return done()
  sendRefusal(reply, refuse('test_account_required', null, 'The sandbox is for test accounts. Use a key of one.'))
}

function getRoute(context: Context, sandbox: Sandbox): void {
  const schema = described(
    'sandbox.get',
    'Get what the sandbox provider plays, and its time',
    TAG,
    { reply: SandboxReply },
    ACCESS,
    facts(WHOLE),
  )
  context.app.get('/sandbox', { schema, onRequest: door(context) }, async (_, reply) =>
    succeed(reply, 200, 'Sandbox found.', { sandbox: presentSandbox(await standingOf(sandbox)) }),
  )
}

/** What a scenario is played for, and how often: without more it plays nothing. */
const WHEN: readonly string[] = ['rail', 'match', 'times']

function scriptRoute(context: Context, { control }: Sandbox): void {
  const schema = described(
    'sandbox.script',
    'Script an outcome or an outage',
    TAG,
    { body: ScenarioBody, reply: ScriptReply },
    ACCESS,
    facts(`What a scenario can say is in docs/sandbox.md; the newest wins. ${WHOLE}`),
  )
  const parse = parserOf(ScenarioBody)
  context.app.post('/sandbox/scenarios', { schema, onRequest: door(context) }, async (request, reply) => {
    const scenario = parse(request.body)
    if (Object.keys(scenario).every((name) => WHEN.includes(name)))
      return sendRefusal(
        reply,
        refuseAll([
          invalid('scenario', 'scenario plays nothing. Send verdict, outage, wire or another of its fields.'),
        ]),
      )
    const scripted = await control.script(scenario)
    if ('fault' in scripted) return sendRefusal(reply, refuseAll([invalid('scenario', scripted.fault)]))
    return succeed(reply, 200, 'Scenario scripted. It plays for every account of this sandbox.', { script: scripted })
  })
}

function resetRoute(context: Context, sandbox: Sandbox): void {
  const schema = described(
    'sandbox.reset',
    'End every scripted scenario',
    TAG,
    { reply: ResetReply },
    ACCESS,
    facts(`What amounts and accounts choose goes on; the clock stays. ${WHOLE}`),
  )
  context.app.delete('/sandbox/scenarios', { schema, onRequest: door(context) }, async (_, reply) => {
    const ended = await endScripts(sandbox)
    return succeed(reply, '200', 'Scenarios ended, of every account of this sandbox.', { ended })
  })
}

function clockRoute(context: Context, { control }: Sandbox): void {
  const schema = described(
    'sandbox.move_clock',
    'Move the clock of the sandbox provider forwards',
    TAG,
    { body: ClockBody, reply: ClockReply },
    ACCESS,
    facts(
      `What waits falls due: late completions, settlements, returns, the ends of outages. The gateway’s own clock stays. ${WHOLE}`,
    ),
  )
  const parse = parserOf(ClockBody)
  context.app.post('/sandbox/clock', { schema, onRequest: door(context) }, async (request, reply) => {
    const { advance_seconds: seconds } = parse(request.body)
    const clock = presentClock(await control.advance(seconds))
    return succeed(reply, 200, 'Clock moved, for every account of this sandbox.', { clock })
  })
}

function ordersRoute(context: Context, sandbox: Sandbox): void {
  const schema = described(
    'sandbox.orders',
    'List the provider’s books beside ours',
    TAG,
    { querystring: OrdersQuery, reply: OrdersReply },
    ACCESS,
    facts(
      'One order for each attempt at a contract of the account, newest contract first, with what the provider has under its reference; null for nothing. `limit` counts contracts, so a page may hold more orders, or fewer.',
    ),
  )
  const parse = parserOf(OrdersQuery)
  context.app.get('/sandbox/orders', { schema, onRequest: door(context) }, async (request, reply) => {
    const {
      rail = null,
      reference = null,
      contract_id: contractId = null,
      after = null,
      ...page
    } = parse(request.query)
    if (after !== null && !isUuid(after)) throw badCursor()
    if (rail !== null && !sandbox.rails.some((each) => each.rail === rail)) throw noSuchRail(sandbox)
    const limit = limitOf(page)
    const asked = { rail, reference, contractId, after, limit }
    const { orders, contractIds } = await comparedOrders(sandbox, context.deps.reader, callerOf(request), asked)
    const { next } = pageOf(contractIds, limit, (id) => id)
    return succeed(reply, 200, 'Orders found.', { orders: orders.map(presentOrder), next })
  })
}

function noSuchRail({ rails }: Sandbox): RefusedRequest {
  const known = rails.map(({ rail }) => rail).join(', ')
  return new RefusedRequest(refuseAll([invalid('rail', `rail is none that the sandbox plays. There are: ${known}.`)]))
}
