// The routes of webhook endpoints: make, look, change, pause, resume, roll, delete. All with an API key.
import { SECRET } from '../openapi/facts.ts'
import type { FastifyReply } from 'fastify'
import {
  allEndpoints,
  createEndpoint,
  deleteEndpoint,
  type EndpointPatch,
  moveEndpointBy,
  oneEndpoint,
  type RevealedEndpoint,
  rollSecret,
  updateEndpoint,
} from '../../app/webhooks/endpoints.ts'
import type { ShownEndpoint } from '../../domain/webhook/shown.ts'
import { endpointNotFound, eventsFor, eventsNotSent } from '../../domain/webhook/endpoint.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf, type RequestWithId } from '../context.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { maskedOrNull } from '../../app/contracts/recipient.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { patchMetadata, readMetadata } from '../../app/contracts/metadata.ts'
import { API_VERSION, IdParams } from '../../wire/api.ts'
import {
  DeletedReply,
  EndpointBody,
  EndpointPatchBody,
  EndpointReply,
  EndpointsReply,
  IN_FLIGHT_DEFAULT,
  OVERLAP_SECONDS_DEFAULT,
  presentDeleted,
  presentEndpoint,
  RollBody,
} from '../../wire/webhook-endpoint.ts'

export const WEBHOOKS = 'Webhook endpoints'
export const MANAGE: Access = { accepts: 'api key', scope: 'webhooks:manage' }

export function webhookEndpointRoutes(context: Context): void {
  createRoute(context)
  listRoute(context)
  getRoute(context)
  updateRoute(context)
  deleteRoute(context)
  moveRoute(context, 'pause')
  moveRoute(context, 'resume')
  rollRoute(context)
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.create',
    'Make a webhook endpoint',
    WEBHOOKS,
    { body: EndpointBody, reply: EndpointReply },
    MANAGE,
    SECRET,
    { refusals: ['webhook_endpoints_full'] },
  )
  const parse = parserOf(EndpointBody)
  app.post('/webhook-endpoints', { schema, onRequest: guard(context, MANAGE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const problems = [...eventProblems(body.events ?? null), ...tokenProblems(body.bearer_token ?? null)]
    const metadata = readMetadata(body.metadata, problems)
    refuseProblems(problems)
    const events = eventsFor(callerOf(request).scopes, body.events ?? null)
    if (isRefusal(events)) return sendRefusal(reply, events)
    const endpoint = await createEndpoint(deps, changerOf(request), {
      url: body.url,
      description: maskedOrNull(body.description),
      events,
      apiVersion: API_VERSION,
      inFlightMax: body.in_flight_max ?? IN_FLIGHT_DEFAULT,
      metadata,
      bearer: body.bearer_token ?? null,
    })
    return sendEndpoint(reply, endpoint, createdWords(events))
  })
}

/** Says what the endpoint will not get, so that nobody waits for it. */
function createdWords(events: readonly string[]): string {
  const missed = eventsNotSent(events)
  const left = missed.length === 0 ? 'It gets every event.' : `It does not get ${missed.join(', ')}.`
  return `Webhook endpoint created. ${left} Keep its secret and its token: they are shown once.`
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.list',
    'List webhook endpoints, oldest first',
    WEBHOOKS,
    { reply: EndpointsReply },
    MANAGE,
  )
  app.get('/webhook-endpoints', { schema, onRequest: guard(context, MANAGE) }, async (request, reply) => {
    const endpoints = await allEndpoints(deps, callerOf(request))
    const shown = endpoints.map((endpoint) => presentEndpoint(endpoint, { secret: null, bearer: null }))
    return succeed(reply, 200, 'Webhook endpoints found.', { webhook_endpoints: shown, next: null })
  })
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.get',
    'Get a webhook endpoint',
    WEBHOOKS,
    { params: IdParams, reply: EndpointReply },
    MANAGE,
    { refusals: ['webhook_endpoint_not_found'] },
  )
  app.get('/webhook-endpoints/:id', { schema, onRequest: guard(context, MANAGE) }, async (request, reply) =>
    sendEndpoint(reply, await oneEndpoint(deps, endpointKey(request)), 'Webhook endpoint found.'),
  )
}

function updateRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.update',
    'Update a webhook endpoint',
    WEBHOOKS,
    { params: IdParams, body: EndpointPatchBody, reply: EndpointReply },
    MANAGE,
    SECRET,
    { refusals: ['webhook_endpoint_not_found'] },
  )
  const parse = parserOf(EndpointPatchBody)
  app.patch('/webhook-endpoints/:id', { schema, onRequest: guard(context, MANAGE) }, async (request, reply) => {
    const { id } = endpointKey(request)
    const { scopes } = callerOf(request)
    const patch = patchOf(parse(request.body ?? {}))
    const events = eventsFor(scopes, patch.events ?? [])
    if (isRefusal(events)) return sendRefusal(reply, events)
    const endpoint = await updateEndpoint(deps, changerOf(request), id, patch, scopes)
    const isMoved = 'revealed' in endpoint && endpoint.revealed.secret !== null
    return sendEndpoint(reply, endpoint, isMoved ? MOVED : 'Webhook endpoint updated.')
  })
}

const MOVED = 'Webhook endpoint moved to another host. Its secrets are new: keep them, they are shown once.'
const VERBS = { enabled: 'enable', disabled: 'disable' } as const

function patchOf(body: EndpointPatchBody): EndpointPatch {
  refuseProblems([...eventProblems(body.events ?? null), ...tokenProblems(body.bearer_token ?? null)])
  return {
    ...(body.url === undefined ? {} : { url: body.url }),
    ...(body.description === undefined ? {} : { description: maskedOrNull(body.description) }),
    ...(body.events === undefined ? {} : { events: [...new Set<string>(body.events)] }),
    ...(body.in_flight_max === undefined ? {} : { inFlightMax: body.in_flight_max }),
    ...(body.bearer_token === undefined ? {} : { bearer: body.bearer_token }),
    ...(body.metadata === undefined ? {} : { metadata: metadataPatch(body.metadata) }),
    ...(body.status === undefined ? {} : { verb: VERBS[body.status] }),
  }
}

/** Too many pairs are seen only beside those that are there. */
function metadataPatch(sent: EndpointPatchBody['metadata']): NonNullable<EndpointPatch['metadata']> {
  return (before) => {
    const problems: Problem[] = []
    const metadata = patchMetadata(before, sent, problems)
    const [first, ...others] = problems
    return first ? refuseAll([first, ...others]) : { metadata }
  }
}

function deleteRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.delete',
    'Delete a webhook endpoint',
    WEBHOOKS,
    { params: IdParams, reply: DeletedReply },
    MANAGE,
    { refusals: ['webhook_endpoint_not_found'] },
  )
  app.delete('/webhook-endpoints/:id', { schema, onRequest: guard(context, MANAGE) }, async (request, reply) => {
    const deleted = await deleteEndpoint(deps, changerOf(request), endpointKey(request).id)
    if (isRefusal(deleted)) return sendRefusal(reply, deleted)
    return succeed(reply, 200, 'Webhook endpoint deleted.', { webhook_endpoint: presentDeleted(deleted) })
  })
}

const MOVES = {
  pause: {
    verb: 'pause',
    summary: 'Pause a webhook endpoint: events wait until it is resumed',
    done: 'Webhook endpoint paused. What happens now is delivered once it is resumed.',
  },
  resume: {
    verb: 'enable',
    summary: 'Resume a webhook endpoint that is paused, or enable one that is disabled',
    done: 'Webhook endpoint enabled.',
  },
} as const

function moveRoute(context: Context, name: keyof typeof MOVES): void {
  const { app, deps } = context
  const { verb, summary, done } = MOVES[name]
  const schema = described(
    `webhook_endpoints.${name}`,
    summary,
    WEBHOOKS,
    { params: IdParams, reply: EndpointReply },
    MANAGE,
    { refusals: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled'] },
  )
  app.put(`/webhook-endpoints/:id/${name}`, { schema, onRequest: guard(context, MANAGE) }, async (request, reply) =>
    sendEndpoint(reply, await moveEndpointBy(deps, changerOf(request), endpointKey(request).id, verb), done),
  )
}

function rollRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'webhook_endpoints.roll_secret',
    'Roll the signing secret of a webhook endpoint',
    WEBHOOKS,
    { params: IdParams, body: RollBody, reply: EndpointReply },
    MANAGE,
    SECRET,
    { refusals: ['webhook_endpoint_not_found'] },
  )
  const parse = parserOf(RollBody)
  app.post(
    '/webhook-endpoints/:id/roll-secret',
    { schema, onRequest: guard(context, MANAGE) },
    async (request, reply) => {
      const { id } = endpointKey(request)
      const { overlap_seconds: overlapSeconds = OVERLAP_SECONDS_DEFAULT } = parse(request.body ?? {})
      const endpoint = await rollSecret(deps, changerOf(request), id, overlapSeconds)
      return sendEndpoint(reply, endpoint, 'Secret rolled. Keep the new one: it is shown once.')
    },
  )
}

/** The endpoint that the path names, under the caller's account. */
export function endpointKey(request: RequestWithId): EndpointKey {
  const { lane, accountId } = callerOf(request)
  const { id } = request.params
  if (!isUuid(id)) throw new RefusedRequest(endpointNotFound())
  return { lane, accountId, id }
}

function sendEndpoint(
  reply: ReplyOf<typeof EndpointReply>,
  endpoint: ShownEndpoint | RevealedEndpoint | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(endpoint)) return sendRefusal(reply, endpoint)
  const revealed = 'revealed' in endpoint ? endpoint.revealed : { secret: null, bearer: null }
  if (revealed.secret !== null) reply.header('cache-control', 'no-store')
  return succeed(reply, 200, message, { webhook_endpoint: presentEndpoint(endpoint, revealed) })
}

export function refuseProblems(problems: readonly Problem[]): void {
  const [first, ...others] = problems
  if (first) throw new RefusedRequest(refuseAll([first, ...others]))
}

function eventProblems(events: readonly string[] | null): Problem[] {
  if (events === null || !events.includes('*') || new Set(events).size === 1) return []
  return [invalid('events', 'events holds * beside others. Send ["*"] for all of them, or name those to hear.')]
}

const TOKEN = /^[\x21-\x7e]{16,255}$/

function tokenProblems(token: string | null): Problem[] {
  if (token === null || TOKEN.test(token)) return []
  const mend = 'Leave it out to have one made.'
  return [invalid('bearer_token', `bearer_token must be 16 to 255 printable ASCII characters without a space. ${mend}`)]
}
