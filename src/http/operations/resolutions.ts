// How an operator says what became of a transfer: propose, and confirm or reject what another one proposed.
import {
  approveResolution,
  pageOfResolutions,
  proposeResolution,
  rejectResolution,
  resolutionWith,
} from '../../app/operator/resolutions.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { IdParams } from '../../wire/api.ts'
import { EmptyBody } from '../../wire/members/sessions.ts'
import {
  DecidedResolutionReply,
  presentResolution,
  ResolutionBody,
  ResolutionRejectBody,
  ResolutionReply,
  ResolutionsQuery,
  ResolutionsReply,
} from '../../wire/operations/transfers.ts'
import { callerOf, type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import type { Facts } from '../openapi/facts.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { APPROVE, deskOf, OFFERED, OPERATIONS, READ, WRITE } from './doors.ts'

export function resolutionRoutes(context: Context): void {
  listRoute(context)
  getRoute(context)
  createRoute(context)
  approveRoute(context)
  rejectRoute(context)
}

function listRoute(context: Context): void {
  const { app } = context
  const shapes = { querystring: ResolutionsQuery, reply: ResolutionsReply }
  const schema = described('resolutions.list', 'List resolutions, newest first', OPERATIONS, shapes, READ, OFFERED)
  const parse = queryParserOf(ResolutionsQuery)
  app.get('/operations/resolutions', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    if (query.after !== undefined && !isUuid(query.after)) throw badCursor()
    const desk = await deskOf(context)
    const limit = limitOf(query)
    const found = await pageOfResolutions(desk, query.status ?? null, query.after ?? null, limit)
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    const nowMs = desk.ids.nowMs()
    const resolutions = rows.map((each) => presentResolution(each, nowMs))
    return succeed(reply, 200, 'Resolutions found.', { resolutions, next })
  })
}

function getRoute(context: Context): void {
  const { app } = context
  const shapes = { params: IdParams, reply: ResolutionReply }
  const schema = described('resolutions.get', 'Get a resolution', OPERATIONS, shapes, READ, OFFERED, {
    refusals: ['resolution_not_found'],
  })
  app.get('/operations/resolutions/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const desk = await deskOf(context)
    const found = await resolutionWith(desk, request.params.id)
    if (isRefusal(found)) return sendRefusal(reply, found)
    return succeed(reply, 200, 'Resolution found.', { resolution: presentResolution(found, desk.ids.nowMs()) })
  })
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'resolutions.create',
    'Say how a transfer ended whose outcome is open',
    OPERATIONS,
    { body: ResolutionBody, reply: ResolutionReply },
    WRITE,
    OFFERED,
    {
      description:
        'Up to the limit of its currency (GATEWAY_RESOLUTION_LIMITS) it is applied at once; above it waits 72 hours for a second person. It is bound to the contract as it stands now: after any change of it nothing is confirmed any more.',
      refusals: [
        'contract_not_found',
        'transfer_not_open',
        'resolution_exists',
        'resolution_overtaken',
        'account_busy',
      ],
    },
  )
  const parse = parserOf(ResolutionBody)
  app.post('/operations/resolutions', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { contract_id: contractId, as, evidence } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const limits = deps.operations?.limits ?? new Map<string, bigint>()
    const result = await proposeResolution(desk, limits, callerOf(request), { contractId, as, evidence })
    if (isRefusal(result)) return sendRefusal(reply, result)
    const words = result.status === 'applied' ? 'The transfer is resolved.' : 'It waits for a second person.'
    return succeed(reply, 200, words, { resolution: presentResolution(result, desk.ids.nowMs()) })
  })
}

const DECIDING: Facts = {
  refusals: ['resolution_not_found', 'resolution_not_waiting', 'account_busy'],
}

function approveRoute(context: Context): void {
  const { app } = context
  const schema = described(
    'resolutions.approve',
    'Confirm what another person proposed: the transfer is resolved',
    OPERATIONS,
    { params: IdParams, body: EmptyBody, reply: DecidedResolutionReply },
    APPROVE,
    OFFERED,
    DECIDING,
    { refusals: ['second_person_required', 'resolution_overtaken', 'contract_not_found', 'transfer_not_open'] },
  )
  const parse = parserOf(EmptyBody)
  const onRequest = guard(context, APPROVE)
  app.put('/operations/resolutions/:id/approve', { schema, onRequest }, async (request, reply) => {
    parse(request.body ?? {})
    const desk = await deskOf(context)
    const result = await approveResolution(desk, callerOf(request), request.params.id)
    if (isRefusal(result)) return sendRefusal(reply, result)
    return succeed(reply, '200', 'The transfer is resolved.', {
      resolution: presentResolution(result, desk.ids.nowMs()),
    })
  })
}

function rejectRoute(context: Context): void {
  const { app } = context
  const schema = described(
    'resolutions.reject',
    'Reject what was proposed: nothing moves',
    OPERATIONS,
    { params: IdParams, body: ResolutionRejectBody, reply: DecidedResolutionReply },
    APPROVE,
    OFFERED,
    DECIDING,
  )
  const parse = parserOf(ResolutionRejectBody)
  const onRequest = guard(context, APPROVE)
  app.put('/operations/resolutions/:id/reject', { schema, onRequest }, async (request, reply) => {
    const { reason = null } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const result = await rejectResolution(desk, callerOf(request), request.params.id, reason)
    if (isRefusal(result)) return sendRefusal(reply, result)
    return succeed(reply, '200', 'Rejected.', { resolution: presentResolution(result, desk.ids.nowMs()) })
  })
}
