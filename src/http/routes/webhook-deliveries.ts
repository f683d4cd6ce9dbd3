// The routes of what became of an endpoint's deliveries, of trying it out, and of sending events again.
import { testEndpoint } from '../../app/webhooks/endpoints.ts'
import { replayEvents, type WantedReplay } from '../../app/webhooks/replays.ts'
import { isForMode } from '../../domain/channel/modes.ts'
import { endpointNotFound } from '../../domain/webhook/endpoint.ts'
import { contractOfEvent, eventId, type EventName, laneUuid } from '../../domain/contract/ids.ts'
import { ALL_EVENT_TYPES, isEventType, isThere, readableTypes } from '../../domain/account/events.ts'
import { invalid, isRefusal, type Problem, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { sampleContract } from '../../domain/transfer/sample.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import {
  eventOfDelivery,
  listDeliveries,
  listDeliveryAttempts,
  shownAttemptFrom,
  shownDeliveryFrom,
} from '../../store/webhooks/delivery-pages.ts'
import { faringEndpointFrom, type FaringEndpoint, findEndpoint } from '../../store/webhooks/endpoints.ts'
import { epochIn, findEvent, storedEventFrom } from '../../store/contracts/events.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { IdParams } from '../../wire/api.ts'
import { presentEvent, presentRemovedEvent, presentStoredEvent } from '../../wire/events.ts'
import {
  AttemptsReply,
  DeliveriesReply,
  DeliveryParams,
  DeliveryQuery,
  deliveryId,
  placeOfDelivery,
  presentAttempt,
  presentDelivery,
  presentReplay,
  presentTest,
  ReplayBody,
  ReplayReply,
  TestBody,
  TestReply,
} from '../../wire/webhook-delivery.ts'
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { endpointKey, MANAGE, refuseProblems, WEBHOOKS } from './webhook-endpoints.ts'

export function webhookDeliveryRoutes(context: Context): void {
  testRoute(context)
  replayRoute(context)
  deliveryList(context)
  attemptList(context)
}

function testRoute(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'webhook_endpoints.test',
    'Send a sample to a webhook endpoint, now and once',
    WEBHOOKS,
    { params: IdParams, body: TestBody, reply: TestReply },
    MANAGE,
    { refusals: ['webhook_endpoint_not_found', 'rate_limited'] },
  )
  const parse = parserOf(TestBody)
  app.post('/webhook-endpoints/:id/test', { schema, onRequest: guard(context, MANAGE) }, async (request, reply) => {
    const key = endpointKey(request)
    const { type = 'contract.paid' } = parse(request.body ?? {})
    const { lane, accountId, livemode, profileId } = callerOf(request)
    const id = laneUuid(lane, deps.nowMs(), deps.randomHex())
    const known = deps.channels.current(EXAMPLES.trial)
    const channel = known && isForMode(known, livemode) ? known : null
    const sample = sampleContract(type, { id, lane, accountId, livemode }, channel, deps.nowMs())
    const event = presentEvent(presenter, sample, type, profileId)
    const result = await testEndpoint(deps, key, { id: event.id, body: Buffer.from(JSON.stringify(event)) })
    if (isRefusal(result)) return sendRefusal(reply, result)
    const words = result.outcome === 'delivered' ? 'Sample delivered.' : 'Sample sent, but not delivered.'
    return succeed(reply, 200, words, { delivery_test: presentTest(result, event) })
  })
}

function replayRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.replay',
    'Send events to a webhook endpoint again',
    WEBHOOKS,
    { params: IdParams, body: ReplayBody, reply: ReplayReply },
    MANAGE,
    { refusals: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'event_not_found', 'events_removed'] },
  )
  const parse = parserOf(ReplayBody)
  app.post('/webhook-endpoints/:id/replay', { schema, onRequest: guard(context, MANAGE) }, async (request, reply) => {
    const key = endpointKey(request)
    const replay = await replayEvents(deps, key, wantedReplay(parse(request.body ?? {}), callerOf(request)))
    if (isRefusal(replay)) return sendRefusal(reply, replay)
    return succeed(reply, 200, 'Events queued.', { replay: presentReplay(replay) })
  })
}

const HOW_TO_REPLAY = 'Send either events, or from and to (or one of them), or missed: true.'

function wantedReplay(body: ReplayBody, { scopes }: Caller): WantedReplay {
  const [events, from, to] = [body.events ?? null, body.from ?? null, body.to ?? null]
  const missed = body.missed === true
  if (events !== null) {
    if (missed || from !== null || to !== null)
      refuseProblems([invalid('events', `events stands beside others. ${HOW_TO_REPLAY}`)])
    return { kind: 'named', events: namedEvents(events), readable: readableTypes(scopes) }
  }
  if (!missed && from === null && to === null)
    refuseProblems([invalid('body', `It is not said what to send again. ${HOW_TO_REPLAY}`)])
  const [fromMs, toMs] = [timeOf(from), timeOf(to)]
  if (fromMs !== null && toMs !== null && fromMs > toMs)
    refuseProblems([invalid('to', 'to is before from. Send the earlier time as from.')])
  return { kind: 'stretch', fromMs, toMs, which: missed ? 'undelivered' : 'all' }
}

/** Each event once, however often it was named. */
function namedEvents(ids: readonly string[]) {
  const problems: Problem[] = []
  const named = new Map<string, EventName>()
  for (const [i, id] of ids.entries()) {
    const event = contractOfEvent(id)
    if (event) named.set(eventId(event.contractId, event.sequence, event.epoch), event)
    else problems.push(invalid(`events.${i}`, `events.${i} is not the id of an event (evt_…).`))
  }
  refuseProblems(problems)
  return [...named.values()]
}

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text))

function deliveryList(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.deliveries',
    'List the deliveries of a webhook endpoint, newest event first',
    WEBHOOKS,
    { params: IdParams, querystring: DeliveryQuery, reply: DeliveriesReply },
    MANAGE,
    { refusals: ['webhook_endpoint_not_found'] },
  )
  const parse = parserOf(DeliveryQuery)
  app.get(
    '/webhook-endpoints/:id/deliveries',
    { schema, onRequest: guard(context, MANAGE) },
    async (request, reply) => {
      const key = endpointKey(request)
      const query = parse(request.query)
      await endpointNamed(context, key)
      const after = query.after === undefined ? null : placeOfDelivery(query.after)
      if (after === undefined) throw badCursor()
      const limit = limitOf(query)
      const filter = { ...(await eventFilter(context, callerOf(request), query.event)), status: query.status ?? null }
      const [result] = await deps.reader.send([listDeliveries(key, { ...filter, after, limit })])
      const page = pageOf((result?.rows ?? []).map(shownDeliveryFrom), limit, deliveryId)
      const { livemode } = callerOf(request)
      const deliveries = page.rows.map((each) => presentDelivery(each, livemode))
      return succeed(reply, 200, 'Deliveries found.', { deliveries, next: page.next })
    },
  )
}

/** Deliveries of one event, or of all events of a type. */
async function eventFilter({ deps }: Context, caller: Caller, word: string | undefined) {
  if (word === undefined) return { event: null, position: null }
  if (isEventType(word)) return { event: word, position: null }
  const named = contractOfEvent(word)
  const [result] = named ? await deps.reader.send([findEvent(caller, named)]) : []
  const row = result?.rows[0]
  if (row) return { event: null, position: Number(row['position']) }
  const types = ALL_EVENT_TYPES.join(', ')
  throw new RefusedRequest(
    refuseAll([invalid('event', `event must be the id of an event (evt_…) or one of: ${types}.`)]),
  )
}

function attemptList(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'webhook_endpoints.attempts',
    'List the tries of a delivery, first to last',
    WEBHOOKS,
    { params: DeliveryParams, reply: AttemptsReply },
    MANAGE,
    { refusals: ['webhook_endpoint_not_found', 'delivery_not_found'] },
  )
  app.get(
    '/webhook-endpoints/:id/deliveries/:delivery/attempts',
    { schema, onRequest: guard(context, MANAGE) },
    async (request, reply) => {
      const key = endpointKey(request)
      const { url } = await endpointNamed(context, key)
      const place = placeOfDelivery(request.params.delivery)
      if (!place) return sendRefusal(reply, deliveryNotFound())
      const [found, tries] = await deps.reader.send([eventOfDelivery(key, place), listDeliveryAttempts(key, place)])
      const row = found?.rows[0]
      if (!row || epochIn(row) !== place.epoch) return sendRefusal(reply, deliveryNotFound())
      const told = storedEventFrom(row)
      const { livemode, profileId, scopes } = callerOf(request)
      const event = isThere(told) ? presentStoredEvent(presenter, told, profileId) : presentRemovedEvent(told, livemode)
      // What it may not read elsewhere it does not read here.
      const body = readableTypes(scopes).includes(told.event) ? JSON.stringify(event) : ''
      const sent = { eventId: event.id, url, body }
      const attempts = (tries?.rows ?? []).map((row) => presentAttempt(shownAttemptFrom(row), sent))
      return succeed(reply, 200, 'Attempts found.', { attempts, next: null })
    },
  )
}

async function endpointNamed({ deps }: Context, key: EndpointKey): Promise<FaringEndpoint> {
  const [result] = await deps.reader.send([findEndpoint(key)])
  const row = result?.rows[0]
  if (!row) throw new RefusedRequest(endpointNotFound())
  return faringEndpointFrom(row)
}

function deliveryNotFound() {
  return refuse('delivery_not_found', 'delivery', 'No delivery of this webhook endpoint has this id.')
}
