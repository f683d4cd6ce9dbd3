// GET /search: what an account owns, by a text. Newest first.
import type { Access } from '../auth/auth.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import { eventsAsked, findEvents } from '../../app/resources/find-events.ts'
import { findObjects, type FoundType, type Hit, type Place } from '../../app/resources/find.ts'
import { readableTypes } from '../../domain/account/events.ts'
import { contractOfEvent, isUuid } from '../../domain/contract/ids.ts'
import { invalid, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { askedOf } from '../../domain/resource/terms.ts'
import { contractLine, eventLine, profileLine } from '../../wire/resources/lines.ts'
import { SearchQuery, SearchReply } from '../../wire/resources/search.ts'
import { isoOrNull } from '../../wire/times.ts'
import { callerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import { badCursor, limitOf } from '../pages.ts'
import { type ReplyOf, succeed } from '../replies.ts'

export const RESOURCES = 'Resources'
const ACCESS: Access = { accepts: 'api key or token', scope: null }

export function searchRoutes(context: Context): void {
  const { app } = context
  const shapes = { querystring: SearchQuery, reply: SearchReply }
  const schema = described(
    'search.find',
    'Search contracts, profiles and events, newest first',
    RESOURCES,
    shapes,
    ACCESS,
    { refusals: ['scope_missing', 'token_not_for_contract'] },
  )
  const parse = queryParserOf(SearchQuery)
  app.get('/search', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = callerOf(request)
    const query = parse(request.query)
    const types = typesFor(caller, query)
    return types.has('event')
      ? sendEvents(context, caller, query, reply)
      : sendObjects(context, caller, query, types, reply)
  })
}

type SearchType = NonNullable<SearchQuery['type']>[number]
type Reply = ReplyOf<typeof SearchReply>

const SCOPES = {
  transfer: 'contracts:read',
  payment: 'contracts:read',
  profile: 'profiles:read',
  event: 'events:read',
} as const

/** What is searched: the types that were asked for, all of which the caller must read; or else those that it may. */
function typesFor(caller: Caller, { q, type }: SearchQuery): Set<SearchType> {
  if (caller.contractId !== null)
    throw refused('token_not_for_contract', 'The token is bound to one contract and cannot search for others.')
  const isEvent = q.trim().startsWith('evt_')
  const asked: readonly SearchType[] = type ?? (isEvent ? ['event'] : ['transfer', 'payment', 'profile'])
  if (asked.includes('event') && new Set(asked).size > 1)
    throw invalidParameter('type', 'type event stands alone: events are found by ids only.')
  const readable = asked.filter((each) => caller.scopes.has(SCOPES[each]))
  const missing = asked.find((each) => !caller.scopes.has(SCOPES[each]))
  if (missing !== undefined && (type !== undefined || readable.length === 0))
    throw refused('scope_missing', `The credential lacks the scope ${SCOPES[missing]}.`)
  return new Set(readable)
}

async function sendObjects(
  { deps }: Context,
  caller: Caller,
  query: SearchQuery,
  types: Set<SearchType>,
  reply: Reply,
) {
  const asked = askedOf(query.q)
  if (!asked) throw invalidParameter('q', 'q must hold two letters or digits at least.')
  const after = query.after === undefined ? null : placeFrom(query.after)
  const found = await findObjects(deps, caller, {
    asked,
    types: types as ReadonlySet<FoundType>,
    limit: limitOf(query),
    after,
  })
  const results = found.hits.map((hit) => ({ ...lineOf(hit), fields: [...hit.fields] }))
  return succeed(reply, 200, `Searched.`, {
    results,
    next: found.next && `${PLACES[found.next.by]}${found.next.before}`,
    indexed_until: isoOrNull(found.indexedUntilMs),
    removed_until: isoOrNull(found.removedUntilMs),
  })
}

/** How a place is written as a cursor. */
const PLACES = { whole: '', words: 'words_' } as const

function placeFrom(cursor: string): Place {
  const by = cursor.startsWith(PLACES.words) ? 'words' : 'whole'
  const before = cursor.slice(PLACES[by].length)
  if (!isUuid(before)) throw badCursor()
  return { by, before }
}

const lineOf = (hit: Hit) => (hit.type === 'profile' ? profileLine(hit.object) : contractLine(hit.object))

async function sendEvents({ deps }: Context, caller: Caller, query: SearchQuery, reply: Reply) {
  const range = eventsAsked(query.q)
  if (!range)
    throw invalidParameter('q', 'q must be an event’s id, or eight digits or more of the beginning of its contract’s.')
  const named = query.after === undefined ? null : contractOfEvent(query.after)
  if (named === undefined) throw badCursor()
  const { events, next } = await findEvents(deps.search, caller, range, {
    types: readableTypes(caller.scopes),
    before: named && { id: named.contractId, sequence: named.sequence },
    limit: limitOf(query),
  })
  const results = events.map((event) => ({ ...eventLine(event, caller.livemode), fields: ['id'] }))
  return succeed(reply, 200, 'Searched.', { results, next, indexed_until: null, removed_until: null })
}

const refused = (code: 'token_not_for_contract' | 'scope_missing', message: string) =>
  new RefusedRequest(refuse(code, null, message))

const invalidParameter = (param: string, message: string) => new RefusedRequest(refuseAll([invalid(param, message)]))
