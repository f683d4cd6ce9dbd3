// GET /overview: what of the account waits for a person, what is under way, and figures by day, from rows that are kept behind the
// history.
import type { Caller } from '../../app/accounts/callers.ts'
import { isBehind } from '../../app/accounts/figures.ts'
import type { Deps } from '../../app/deps.ts'
import { approvalsWaitingFor } from '../../app/transfers/approval-queue.ts'
import { CONTRACT_MATTERS, EXPIRES_WITHIN_MS } from '../../domain/account/attention.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import { dayIn } from '../../platform/days.ts'
import type { Statement } from '../../platform/db.ts'
import {
  contractsWaiting,
  COUNT_MAX,
  deliveriesUnsent,
  endpointsFailing,
  endpointsStopped,
  keysEnding,
  moneyInTransit,
  reviewsWaiting,
  underwayFrom,
  type Waiting,
  waitingFrom,
  walletsLow,
} from '../../store/accounts/attention.ts'
import { figureRowFrom, figuresBetween } from '../../store/accounts/figures.ts'
import {
  ATTENTION_KINDS,
  type AttentionKind,
  OVERVIEW_DAYS,
  OverviewQuery,
  OverviewReply,
  PERSONAL_MATTERS,
  presentDay,
  presentTotals,
  presentUnderway,
  type ShownAttention,
} from '../../wire/accounts/overview.ts'
import { TOOK_SECONDS } from '../../domain/account/figures.ts'
import { iso, isoOrNull } from '../../wire/times.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { daysOf } from './days.ts'

const READ: Access = { accepts: 'api key', scope: 'contracts:read' }
const KEY_ENDS_WITHIN_DAYS = 14

/** One question about what waits: who may ask it, and what its answer names. */
type Question = {
  readonly scope: Scope
  readonly type: ShownAttention['objects'][number]['type']
  readonly ask: (caller: Caller) => Statement
}

type PersonalMatter = (typeof PERSONAL_MATTERS)[number]
type SharedMatter = Exclude<AttentionKind, PersonalMatter>

const SHARED_MATTERS = ATTENTION_KINDS.filter(
  (kind): kind is SharedMatter => !(PERSONAL_MATTERS as readonly string[]).includes(kind),
)

const QUESTIONS: Readonly<Record<SharedMatter, Question>> = {
  ...contractQuestions(),
  wallet_low: { scope: 'wallets:read', type: 'wallet', ask: walletsLow },
  endpoint_stopped: { scope: 'webhooks:manage', type: 'webhook_endpoint', ask: endpointsStopped },
  endpoint_failing: { scope: 'webhooks:manage', type: 'webhook_endpoint', ask: endpointsFailing },
  event_not_sent: { scope: 'webhooks:manage', type: 'webhook_endpoint', ask: deliveriesUnsent },
  key_ending: { scope: 'keys:write', type: 'key', ask: (caller) => keysEnding(caller, KEY_ENDS_WITHIN_DAYS) },
}

function contractQuestions() {
  const asked = CONTRACT_MATTERS.map((matter) => {
    const type = matter.startsWith('payment') ? 'payment' : 'transfer'
    return [
      matter,
      { scope: 'contracts:read', type, ask: (caller: Caller) => contractsWaiting(caller, matter) },
    ] as const
  })
  return Object.fromEntries(asked) as Record<(typeof CONTRACT_MATTERS)[number], Question>
}

export function overviewRoutes(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'overview.get',
    'Get what waits for a person, what is under way, and figures by day',
    'Accounts',
    { querystring: OverviewQuery, reply: OverviewReply },
    READ,
    {
      description:
        'Days are those of the account’s time zone. A contract counts on the day of each of its steps: as created on one, as paid and as completed on others. What the credential may not see is left out and named.',
    },
  )
  const parse = parserOf(OverviewQuery)
  app.get('/overview', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const { currency: code, ...period } = parse(request.query)
    const currency = code?.toUpperCase() ?? null
    const progress = await deps.catchUp.figures(caller)
    const days = daysOf(period, dayIn(deps.nowMs(), progress.wantedZone), OVERVIEW_DAYS)
    const [from = '', to = ''] = [days[0], days.at(-1)]
    const kinds = SHARED_MATTERS.filter((kind) => caller.scopes.has(QUESTIONS[kind].scope))
    const seesWallets = caller.scopes.has('wallets:read')
    const [figures, underWay, ...found] = await deps.reader.send([
      figuresBetween(caller, { from, to, currency }),
      moneyInTransit(caller),
      ...kinds.map((kind) => QUESTIONS[kind].ask(caller)),
    ])
    const rows = (figures?.rows ?? []).map(figureRowFrom)
    const attention = [
      ...(await personalAttention(deps, caller)),
      ...kinds.flatMap((kind, i) => presentAttention(kind, QUESTIONS[kind].type, waitingFrom(found[i]?.rows[0]))),
    ]
    const overview = {
      livemode: caller.livemode,
      time_zone: progress.wantedZone,
      from,
      to,
      currency,
      attention,
      under_way: seesWallets ? (underWay?.rows ?? []).map(underwayFrom).map(presentUnderway) : [],
      totals: presentTotals(rows),
      days: rows.map(presentDay),
      time_limits: [...TOOK_SECONDS],
      left_out: leftOut(caller),
      counted_until: isBehind(progress) ? iso(progress.atMs ?? 0) : null,
    }
    return succeed(reply, 200, 'Overview made.', { overview })
  })
}

/** What waits for the very member who asks; nothing for a key. */
async function personalAttention(deps: Pick<Deps, 'reader'>, caller: Caller): Promise<ShownAttention[]> {
  const { memberId, scopes } = caller
  if (memberId === null || !scopes.has('approvals:write')) return []
  const [approvals, [reviews]] = await Promise.all([
    approvalsWaitingFor(deps, caller, memberId, COUNT_MAX),
    deps.reader.send([reviewsWaiting(caller, memberId)]),
  ])
  return [
    ...presentAttention('approvals_waiting', 'transfer', approvals),
    ...presentAttention('reviews_waiting', 'verification', waitingFrom(reviews?.rows[0])),
  ]
}

function presentAttention(
  kind: AttentionKind,
  type: ShownAttention['objects'][number]['type'],
  waiting: Waiting | null,
): ShownAttention[] {
  if (!waiting) return []
  const { count, sinceMs, ids } = waiting
  const endsMs = kind === 'key_ending' ? sinceMs : kind.endsWith('_expiring') ? sinceMs + EXPIRES_WITHIN_MS : null
  return [
    {
      kind,
      count: Math.min(count, COUNT_MAX),
      more: count > COUNT_MAX,
      since: kind === 'key_ending' || kind === 'wallet_low' ? null : iso(sinceMs),
      ends_at: isoOrNull(endsMs),
      objects: ids.map((id) => ({ type, id })),
    },
  ]
}

/** What of an overview the caller may not see. */
function leftOut({ scopes }: Caller) {
  const parts = [
    ['under_way', 'wallets:read'] as const,
    ...SHARED_MATTERS.map((kind) => [kind, QUESTIONS[kind].scope] as const),
  ]
  return parts.flatMap(([part, scope]) => (scopes.has(scope) ? [] : [{ part, scope }]))
}
