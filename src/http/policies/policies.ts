// The routes of policies: make, look, list, change, pause, resume, archive.
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  createPolicy,
  findOwnPolicy,
  movePolicy,
  policiesOf,
  type PolicyAsked,
  type PolicyChanger,
  updatePolicy,
  versionsOf,
} from '../../app/policies/policies.ts'
import type { PolicyRules } from '../../app/policies/reading-fees.ts'
import { readPolicyPatch, termsIn, termsPatch } from '../../app/policies/reading.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { policyNotFound } from '../../domain/policy/decide.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import {
  PoliciesQuery,
  PoliciesReply,
  PolicyBody,
  PolicyPatchBody,
  PolicyQuery,
  PolicyReply,
  presentPolicy,
} from '../../wire/policies/policy.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { TAGGED, VERSIONED } from '../openapi/facts.ts'
import { badCursor, limitOf, pageOf, versionBefore } from '../pages.ts'
import { type ReplyOf, sendUnchanged, succeed } from '../replies.ts'
import { expectedVersions, isKnownTag, versionTag } from '../request/versions.ts'

export const POLICIES = 'Policies'
export const READ: Access = { accepts: 'api key', scope: 'policies:read' }
export const WRITE: Access = { accepts: 'api key', scope: 'policies:write' }

export const PERSON = 'In live mode a person does this: a member who is signed in.'

export function policyRoutes(context: Context): void {
  createRoute(context)
  listRoute(context)
  getRoute(context)
  versionsRoute(context)
  updateRoute(context)
  pauseRoute(context)
  resumeRoute(context)
  archiveRoute(context)
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'policies.create',
    'Make a policy, which holds from the next payment on',
    POLICIES,
    { body: PolicyBody, reply: PolicyReply },
    WRITE,
    { description: PERSON, sends: ['ETag'], refusals: ['policies_full', 'person_required'] },
  )
  app.post('/policies', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const terms = termsIn(request.body ?? {}, policyRules(context, request))
    if (isRefusal(terms)) return sendRefusal(reply, terms)
    return sendPolicy(reply, await createPolicy(deps, changing(request), terms), 'Policy created.')
  })
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { querystring: PoliciesQuery, reply: PoliciesReply }
  const schema = described('policies.list', 'List policies, newest first', POLICIES, shapes, READ)
  const parse = queryParserOf(PoliciesQuery)
  app.get('/policies', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const { status = null, after = null } = query
    if (after !== null && !isUuid(after)) throw badCursor()
    const limit = limitOf(query)
    const found = await policiesOf(deps, callerOf(request), { status, after, limit })
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    return succeed(reply, 200, 'Policies found.', { policies: rows.map(presentPolicy), next })
  })
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, querystring: PolicyQuery, reply: PolicyReply }
  const schema = described(
    'policies.get',
    'Get a policy, as it stands or as it stood',
    POLICIES,
    shapes,
    READ,
    TAGGED,
    { refusals: ['policy_not_found'] },
  )
  const parse = queryParserOf(PolicyQuery)
  app.get('/policies/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { version } = parse(request.query)
    const asked = version === undefined ? null : Number(version)
    const policy = await findOwnPolicy(deps, callerOf(request), request.params.id, asked)
    if (isRefusal(policy)) return sendRefusal(reply, policy)
    const tag = versionTag(policy.version)
    reply.header('ETag', tag)
    if (isKnownTag(request, tag)) return sendUnchanged(reply)
    return succeed(reply, 200, 'Policy found.', { policy: presentPolicy(policy) })
  })
}

function versionsRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, querystring: ListQuery, reply: PoliciesReply }
  const schema = described('policies.versions', 'List the versions of a policy, newest first', POLICIES, shapes, READ, {
    refusals: ['policy_not_found'],
  })
  const parse = queryParserOf(ListQuery)
  app.get('/policies/:id/versions', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const [below, limit] = [versionBefore(query.after), limitOf(query)]
    const versions = await versionsOf(deps, callerOf(request), request.params.id, { below, limit })
    if (isRefusal(versions)) return sendRefusal(reply, versions)
    const { rows, next } = pageOf(versions, limit, ({ version }) => String(version))
    return succeed(reply, 200, 'Versions of the policy found.', { policies: rows.map(presentPolicy), next })
  })
}

function updateRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: PolicyPatchBody, reply: PolicyReply }
  const schema = described(
    'policies.update',
    'Change a policy; each change is a version',
    POLICIES,
    shapes,
    WRITE,
    VERSIONED,
    { description: PERSON, refusals: ['policy_not_found', 'policy_archived', 'policies_full', 'person_required'] },
  )
  app.patch('/policies/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const asked = askedIn(request)
    const sent = readPolicyPatch(request.body ?? {})
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const changed = await updatePolicy(
      deps,
      changing(request),
      asked,
      termsPatch(sent.read, policyRules(context, request)),
    )
    return sendPolicy(reply, changed, 'Policy updated.')
  })
}

function pauseRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: PolicyReply }
  const schema = described(
    'policies.pause',
    'Pause a policy: it is kept, and not asked',
    POLICIES,
    shapes,
    WRITE,
    VERSIONED,
    { description: PERSON, refusals: ['policy_not_found', 'policy_archived', 'person_required'] },
  )
  app.put('/policies/:id/pause', { schema, onRequest: guard(context, WRITE) }, async (request, reply) =>
    sendPolicy(reply, await movePolicy(deps, changing(request), askedIn(request), 'paused'), 'Policy paused.'),
  )
}

function resumeRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: PolicyReply }
  const schema = described('policies.resume', 'Resume a paused policy', POLICIES, shapes, WRITE, VERSIONED, {
    description: PERSON,
    refusals: ['policy_not_found', 'policy_archived', 'policies_full', 'person_required'],
  })
  app.put('/policies/:id/resume', { schema, onRequest: guard(context, WRITE) }, async (request, reply) =>
    sendPolicy(reply, await movePolicy(deps, changing(request), askedIn(request), 'resumed'), 'Policy resumed.'),
  )
}

function archiveRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: PolicyReply }
  const schema = described('policies.archive', 'Archive a policy for good', POLICIES, shapes, WRITE, VERSIONED, {
    description: PERSON,
    refusals: ['policy_not_found', 'person_required'],
  })
  app.delete('/policies/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) =>
    sendPolicy(reply, await movePolicy(deps, changing(request), askedIn(request), 'archived'), 'Policy archived.'),
  )
}

/** What there is to name for this caller. */
export function policyRules({ deps: { channels } }: Context, request: FastifyRequest): PolicyRules {
  return { channels, livemode: callerOf(request).livemode }
}

export function changing(request: FastifyRequest): PolicyChanger {
  const { livemode, memberId } = callerOf(request)
  return { changer: changerOf(request), livemode, by: memberId === null ? 'key' : 'person' }
}

/** The policy that the path names, with the version that it must stand at. Throws what is wrong with either. */
function askedIn(request: FastifyRequest & { readonly params: { readonly id: string } }): PolicyAsked {
  const { id } = request.params
  if (!isUuid(id)) throw new RefusedRequest(policyNotFound())
  const versions = expectedVersions(request)
  if (isRefusal(versions)) throw new RefusedRequest(versions)
  return { id, versions }
}

function sendPolicy(reply: ReplyOf<typeof PolicyReply>, policy: Policy | Refusal, message: string): FastifyReply {
  if (isRefusal(policy)) return sendRefusal(reply, policy)
  reply.header('ETag', versionTag(policy.version))
  return succeed(reply, 200, message, { policy: presentPolicy(policy) })
}
