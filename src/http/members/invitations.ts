// The routes of an invitation: read it, accept it with name and password, and end the enrolment with a second factor. The link
// is the whole right: it is looked for by its hash, and is good until the enrolment has ended.
import { SECRET, COUNTED, OPEN } from '../openapi/facts.ts'
import type { FastifyReply } from 'fastify'
import {
  acceptInvitation,
  confirmEnrolment,
  type Joined,
  openInvitation,
  type Proof,
} from '../../app/members/enrolment.ts'
import type { Registration } from '../../app/members/passkeys.ts'
import { invalid, isRefusal, missing, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { seenText } from '../../domain/text/texts.ts'
import { keyUuid } from '../../platform/credentials.ts'
import { presentMember } from '../../wire/members/members.ts'
import {
  AcceptBody,
  ConfirmBody,
  EnrolmentParams,
  EnrolmentReply,
  JoinedReply,
  LinkParams,
  OpenInvitationReply,
  presentSession,
} from '../../wire/members/sessions.ts'
import { iso } from '../../wire/times.ts'
import { type SignInLimits, takeTry } from '../auth/sign-in-limits.ts'
import { type Context, described, parserOf, placeOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { giveCookie, refuseForeign, SESSIONS, shown } from './sessions.ts'

export function invitationRoutes(context: Context, limits: SignInLimits | null): void {
  readRoute(context)
  acceptRoute(context, limits)
  confirmRoute(context, limits)
}

function readRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: LinkParams, reply: OpenInvitationReply }
  const schema = described('invitations.get', 'Read an invitation', SESSIONS, shapes, OPEN, SECRET, {
    sends: ['Referrer-Policy'],
    refusals: ['invitation_not_found'],
  })
  app.get('/invitations/:token', { schema }, async (request, reply) => {
    const found = await openInvitation(deps.members, request.params.token)
    if (isRefusal(found)) return sendRefusal(reply, found)
    const { member, accountName, livemode, inviter } = found
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    return succeed(reply, 200, 'The invitation is open.', {
      invitation: {
        account_id: member.accountId,
        account_name: accountName,
        livemode,
        email: member.email,
        name: member.name,
        role: member.role,
        invited_by: inviter,
        expires_at: iso(member.linkExpiresAt ?? 0),
      },
    })
  })
}

function acceptRoute(context: Context, limits: SignInLimits | null): void {
  const { app, deps } = context
  const shapes = { params: LinkParams, body: AcceptBody, reply: EnrolmentReply }
  const schema = described(
    'invitations.accept',
    'Accept an invitation, or begin anew what was not ended',
    SESSIONS,
    shapes,
    OPEN,
    SECRET,
    COUNTED,
    { refusals: ['invitation_not_found'] },
  )
  const parse = parserOf(AcceptBody)
  app.post('/invitations/:token/accept', { schema }, async (request, reply) => {
    refuseForeign(context, request)
    const { name, password } = parse(request.body ?? {})
    const attempt = takeTry(limits, request, reply, null)
    if (isRefusal(attempt)) return sendRefusal(reply, attempt)
    const wanted = { name: seenText(name) ?? name, password }
    const enrolment = await acceptInvitation(deps.members, request.params.token, wanted, placeOf(request))
    if (isRefusal(enrolment)) return sendRefusal(reply, enrolment)
    attempt.wasRight()
    const { token, expiresAt, totp, passkey } = enrolment
    reply.header('cache-control', 'no-store')
    return succeed(reply, 200, 'Accepted. Enrol an authenticator or a passkey within the hour.', {
      enrolment: { token, expires_at: iso(expiresAt), authenticator: totp, passkey },
    })
  })
}

function confirmRoute(context: Context, limits: SignInLimits | null): void {
  const { app, deps } = context
  const shapes = { params: EnrolmentParams, body: ConfirmBody, reply: JoinedReply }
  const schema = described(
    'invitations.confirm',
    'Enrol the second factor, and be signed in',
    SESSIONS,
    shapes,
    OPEN,
    SECRET,
    COUNTED,
    { sends: ['Set-Cookie'], refusals: ['invitation_not_found', 'not_proven'] },
  )
  const parse = parserOf(ConfirmBody)
  app.post('/invitations/:token/confirm', { schema }, async (request, reply) => {
    refuseForeign(context, request)
    const proof = proofIn(parse(request.body ?? {}))
    if (isRefusal(proof)) throw new RefusedRequest(proof)
    const attempt = takeTry(limits, request, reply, null)
    if (isRefusal(attempt)) return sendRefusal(reply, attempt)
    const joined = await confirmEnrolment(deps.members, request.params.token, proof, placeOf(request))
    if (isRefusal(joined)) return sendRefusal(reply, joined)
    attempt.wasRight()
    return sendJoined(context, reply, joined)
  })
}

const PASSKEY_NAME = 'Passkey'

/** The browser's own words go on as they are. */
function proofIn(body: {
  readonly code?: string
  readonly passkey?: unknown
  readonly passkey_name?: string
}): Proof | Refusal {
  const { code, passkey, passkey_name: name = PASSKEY_NAME } = body
  if (code !== undefined && passkey !== undefined)
    return refuseAll([invalid('passkey', 'passkey and code are one too many: send either.')])
  if (code !== undefined) return { code: code.replace(/\s/g, '') }
  if (passkey !== undefined) return { registration: passkey as Registration, passkeyName: name }
  return refuseAll([missing('code', 'Send six digits of the new authenticator, or a passkey.')])
}

function sendJoined({ deps }: Context, reply: ReplyOf<typeof JoinedReply>, joined: Joined): FastifyReply {
  const { member, passkeys, session, recoveryCodes } = joined
  giveCookie(deps.members.isHttps(), reply, session.text)
  return succeed(reply, 200, 'Welcome. Keep the recovery codes: they are shown once.', {
    member: presentMember(member, passkeys, session.livemode),
    session: presentSession(shown(session), keyUuid(session.keyId)),
    recovery_codes: [...recoveryCodes],
  })
}
