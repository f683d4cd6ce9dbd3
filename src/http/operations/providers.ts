// What providers said: payment events that no contract fits, and statements of a day held against the books.
import { takeUnallocated } from '../../app/payments/unallocated-events.ts'
import { yesterday } from '../../app/operator/reconcile.ts'
import { isUuid, laneOf } from '../../domain/contract/ids.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import {
  listReconciliations,
  reconciliationFrom,
  type ReconciliationFilter,
} from '../../store/operator/reconciliations.ts'
import { listAllOpenEvents, openEventFrom } from '../../store/payments/payment-events.ts'
import type { Desk } from '../../app/operator/desk.ts'
import { refuse } from '../../domain/contract/refusals.ts'
import { IdParams } from '../../wire/api.ts'
import {
  EventParams,
  presentReconciliation,
  presentUnallocated,
  ReconciliationBody,
  ReconciliationReply,
  ReconciliationsQuery,
  ReconciliationsReply,
  TakeBody,
  TakenReply,
  UnallocatedQuery,
  UnallocatedReply,
} from '../../wire/operations/providers.ts'
import { type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { deedBy, deskOf, OFFERED, OPERATIONS, READ, WRITE } from './doors.ts'

export function providerRoutes(context: Context): void {
  eventsRoute(context)
  takeRoute(context)
  reconciliationsRoute(context)
  reconciliationRoute(context)
  reconcileRoute(context)
}

function eventsRoute(context: Context): void {
  const { app } = context
  const schema = described(
    'unallocated_events.list',
    'List payment events of all accounts that no contract fits, newest first',
    OPERATIONS,
    { querystring: UnallocatedQuery, reply: UnallocatedReply },
    READ,
    OFFERED,
  )
  const parse = queryParserOf(UnallocatedQuery)
  app.get('/operations/payment-events', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const limit = limitOf(query)
    const { reader } = await deskOf(context)
    const [result] = await reader.send([listAllOpenEvents(cursorOf(query.after), limit)])
    const found = (result?.rows ?? []).map((row) => ({
      ...openEventFrom(row),
      accountId: row['account_id'] as string,
      accountName: row['name'] as string,
      livemode: row['livemode'] as boolean,
      hash: row['hash'] as string,
    }))
    const { rows, next } = pageOf(found, limit, ({ at, hash }) => `${at}.${hash}`)
    return succeed(reply, 200, 'Events found.', { events: rows.map(presentUnallocated), next })
  })
}

function cursorOf(text: string | undefined): { atMs: number; hash: string } | null {
  if (text === undefined) return null
  const [, atMs = '', hash = ''] = /^(\d{1,15})\.([0-9a-f]{32})$/.exec(text) ?? []
  if (atMs === '') throw badCursor()
  return { atMs: Number(atMs), hash }
}

function takeRoute(context: Context): void {
  const { app } = context
  const schema = described(
    'unallocated_events.take',
    'Take a payment event in again, as it came or with what is known better',
    OPERATIONS,
    { params: EventParams, body: TakeBody, reply: TakenReply },
    WRITE,
    OFFERED,
    { refusals: ['event_not_found', 'contract_not_found', 'account_busy'] },
  )
  const parse = parserOf(TakeBody)
  const onRequest = guard(context, WRITE)
  app.put('/operations/payment-events/:id/take', { schema, onRequest }, async (request, reply) => {
    const { account_id: accountId, evidence, contract_id, amount, currency } = parse(request.body ?? {})
    const { id } = request.params
    const desk = await deskOf(context)
    const deed = await deedBy(desk, request, evidence, 'operations:write')
    const correction = { contractId: contract_id ?? null, amount: amount ?? null, currency: currency ?? null }
    const result = await takeUnallocated(desk, { lane: laneOf(accountId), accountId }, id, correction, deed)
    if (isRefusal(result)) return sendRefusal(reply, result)
    const { reception, contract } = result
    return succeed(reply, '200', 'Taken in again.', { id, reception, contract_id: contract?.id ?? null })
  })
}

const ALL: ReconciliationFilter = { channelId: null, day: null, id: null, after: null, limit: 1 }

async function reconciliationsOf({ reader }: Desk, filter: Partial<ReconciliationFilter>) {
  const [result] = await reader.send([listReconciliations({ ...ALL, ...filter })])
  return (result?.rows ?? []).map(reconciliationFrom)
}

function reconciliationsRoute(context: Context): void {
  const { app } = context
  const shapes = { querystring: ReconciliationsQuery, reply: ReconciliationsReply }
  const summary = 'List comparisons of providers’ statements with the books, newest first'
  const schema = described('reconciliations.list', summary, OPERATIONS, shapes, READ, OFFERED)
  const parse = queryParserOf(ReconciliationsQuery)
  app.get('/operations/reconciliations', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    if (query.after !== undefined && !isUuid(query.after)) throw badCursor()
    const limit = limitOf(query)
    const filter = { channelId: query.channel ?? null, after: query.after ?? null, limit }
    const found = await reconciliationsOf(await deskOf(context), filter)
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    return succeed(reply, 200, 'Reconciliations found.', { reconciliations: rows.map(presentReconciliation), next })
  })
}

function reconciliationRoute(context: Context): void {
  const { app } = context
  const shapes = { params: IdParams, reply: ReconciliationReply }
  const schema = described('reconciliations.get', 'Get a comparison, line by line', OPERATIONS, shapes, READ, OFFERED, {
    refusals: ['reconciliation_not_found'],
  })
  app.get('/operations/reconciliations/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { id } = request.params
    const desk = await deskOf(context)
    const [found] = isUuid(id) ? await reconciliationsOf(desk, { id }) : []
    if (!found) return sendRefusal(reply, refuse('reconciliation_not_found', 'id', 'No reconciliation has this id.'))
    return succeed(reply, 200, 'Reconciliation found.', { reconciliation: presentReconciliation(found) })
  })
}

function reconcileRoute(context: Context): void {
  const { app } = context
  const schema = described(
    'reconciliations.create',
    'Compare a provider’s statement of a day with the books, line by line',
    OPERATIONS,
    { body: ReconciliationBody, reply: ReconciliationReply },
    WRITE,
    OFFERED,
    {
      description:
        'Yesterday in the Philippines, where no day is named. What the provider has delivered and the books did not know is recorded; a line that is not ours freezes the channel.',
      refusals: ['channel_not_found', 'channel_unavailable', 'account_busy'],
    },
  )
  const parse = parserOf(ReconciliationBody)
  app.post('/operations/reconciliations', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const desk = await deskOf(context)
    const { channel, day = yesterday(desk.ids.nowMs()) } = parse(request.body ?? {})
    await deedBy(desk, request, '', 'operations:write')
    const result = await desk.reconcile(channel, day)
    if (isRefusal(result)) return sendRefusal(reply, result)
    const [kept] = await reconciliationsOf(desk, { channelId: channel, day })
    if (!kept) throw new Error('a comparison was not kept')
    const words = result.findings.length === 0 ? 'All of it fits.' : `${result.findings.length} lines do not fit.`
    return succeed(reply, 200, words, { reconciliation: presentReconciliation(kept) })
  })
}
