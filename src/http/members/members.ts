// The routes of members, for whoever administers them: invite, look, change, reset, remove.
import { SECRET } from '../openapi/facts.ts'
import {
  allMembers,
  inviteMember,
  oneMember,
  removeMember,
  resetMember,
  type SeenMember,
  updateMember,
} from '../../app/members/members.ts'
import type { Invited } from '../../app/members/members.ts'
import type { Authority } from '../../domain/account/roles.ts'
import { invalid, isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { emailOf } from '../../domain/member/member.ts'
import { seenText } from '../../domain/text/texts.ts'
import { IdParams } from '../../wire/api.ts'
import {
  ChangedMemberReply,
  InviteBody,
  InvitedReply,
  MemberPatchBody,
  MemberReply,
  MembersQuery,
  MembersReply,
  presentInvitation,
  presentMember,
} from '../../wire/members/members.ts'
import type { Access } from '../auth/auth.ts'
import {
  callerOf,
  changerOf,
  type Context,
  described,
  guard,
  parserOf,
  queryParserOf,
  type RequestWithId,
} from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const MEMBERS = 'Members'
const READ: Access = { accepts: 'api key', scope: 'accounts:read' }
const WRITE: Access = { accepts: 'api key', scope: 'members:write' }

export function memberRoutes(context: Context): void {
  inviteRoute(context)
  listRoute(context)
  getRoute(context)
  updateRoute(context)
  resetRoute(context)
  removeRoute(context)
}

/** What the caller may of members: a key, or a member in their role. */
const authorityOf = (request: FastifyRequest): Authority => {
  const { memberId, role, scopes, operates } = callerOf(request)
  return { memberId, scopes, isOwner: role === 'owner', operates }
}

function inviteRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { body: InviteBody, reply: InvitedReply }
  const schema = described(
    'members.invite',
    'Invite a member, or one who has not joined again',
    MEMBERS,
    shapes,
    WRITE,
    SECRET,
    { refusals: ['role_not_allowed', 'member_exists', 'members_full'] },
  )
  const parse = parserOf(InviteBody)
  app.post('/members', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const email = emailOf(body.email)
    if (email === null)
      throw new RefusedRequest(refuseAll([invalid('email', 'email is no e-mail address, such as ana@shop.example.')]))
    const wanted = { email, role: body.role, name: seenText(body.name ?? null) }
    const result = await inviteMember(deps.changes, changerOf(request), authorityOf(request), wanted)
    return sendInvited(context, request, reply, result)
  })
}

function sendInvited(
  { deps }: Context,
  request: FastifyRequest,
  reply: ReplyOf<typeof InvitedReply>,
  result: Invited | Refusal,
): FastifyReply {
  if (isRefusal(result)) return sendRefusal(reply, result)
  const { member, passkeys, token } = result
  reply.header('cache-control', 'no-store')
  return succeed(reply, 200, 'Invited. Pass the link on: it is shown once, and nothing is mailed.', {
    member: presentMember(member, passkeys, callerOf(request).livemode),
    invitation: presentInvitation(token, member, deps.members.invitationUrl(token)),
  })
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { querystring: MembersQuery, reply: MembersReply }
  const schema = described('members.list', 'List members, oldest first', MEMBERS, shapes, READ)
  const parse = queryParserOf(MembersQuery)
  app.get('/members', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { removed } = parse(request.query)
    const caller = callerOf(request)
    const all = await allMembers(deps.reader, caller, removed === 'true')
    const members = all.map(({ member, passkeys }) => presentMember(member, passkeys, caller.livemode))
    return succeed(reply, 200, 'Members found.', { members, next: null })
  })
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const schema = described('members.get', 'Get a member', MEMBERS, { params: IdParams, reply: MemberReply }, READ, {
    refusals: ['member_not_found'],
  })
  app.get('/members/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const found = await oneMember(deps.reader, caller, request.params.id)
    if (isRefusal(found)) return sendRefusal(reply, found)
    return succeed(reply, 200, 'Member found.', {
      member: presentMember(found.member, found.passkeys, caller.livemode),
    })
  })
}

function updateRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: MemberPatchBody, reply: ChangedMemberReply }
  const schema = described(
    'members.update',
    'Change a member’s name or role; a new role ends the sessions',
    MEMBERS,
    shapes,
    WRITE,
    { refusals: ['role_not_allowed', 'member_not_found', 'last_owner'] },
  )
  const parse = parserOf(MemberPatchBody)
  app.patch('/members/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { name, role } = parse(request.body ?? {})
    const patch = { ...(name === undefined ? {} : { name: seenText(name) }), ...(role === undefined ? {} : { role }) }
    const result = await updateMember(deps.changes, changerOf(request), authorityOf(request), request.params.id, patch)
    return sendChanged(request, reply, result, 'Member updated.')
  })
}

function resetRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: InvitedReply }
  const summary = 'Take from a member all that signs them in, and invite them anew'
  const schema = described('members.reset', summary, MEMBERS, shapes, WRITE, SECRET, {
    refusals: ['role_not_allowed', 'member_not_found', 'last_owner'],
  })
  app.post('/members/:id/reset', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const result = await resetMember(deps.changes, changerOf(request), authorityOf(request), request.params.id)
    return sendInvited(context, request, reply, result)
  })
}

function removeRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: ChangedMemberReply }
  const schema = described('members.remove', 'Remove a member; sessions end at once', MEMBERS, shapes, WRITE, {
    refusals: ['role_not_allowed', 'member_not_found', 'last_owner'],
  })
  app.delete('/members/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const result = await removeMember(deps.changes, changerOf(request), authorityOf(request), request.params.id)
    return sendChanged(request, reply, result, 'Member removed.')
  })
}

function sendChanged(
  request: RequestWithId,
  reply: ReplyOf<typeof ChangedMemberReply>,
  result: SeenMember | Refusal,
  words: string,
): FastifyReply {
  if (isRefusal(result)) return sendRefusal(reply, result)
  const member = presentMember(result.member, result.passkeys, callerOf(request).livemode)
  return succeed(reply, '200', words, { member })
}
