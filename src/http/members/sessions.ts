// The routes by which members sign in and out, and see their sessions. A session is given by cookie, with a new secret at each
// sign-in: what came as a cookie before is never taken over.
import { SECRET, COUNTED, OPEN } from '../openapi/facts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { oneMember } from '../../app/members/members.ts'
import { endSession, liveSessions, memberOf } from '../../app/members/sessions.ts'
import { requestOptions, signInByPasskey, type Assertion } from '../../app/members/passkeys.ts'
import { signIn, type SignedIn } from '../../app/members/sign-in.ts'
import { isRefusal, missing, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { emailOf, SESSION_MS } from '../../domain/member/member.ts'
import { signInFailed } from '../../domain/member/sign-in.ts'
import { keyUuid } from '../../platform/credentials.ts'
import { IdParams } from '../../wire/api.ts'
import { presentMember } from '../../wire/members/members.ts'
import {
  CurrentSessionReply,
  EmptyBody,
  EndedSessionReply,
  PasskeyRequestReply,
  presentSession,
  SessionsReply,
  SignedInReply,
  SignInBody,
} from '../../wire/members/sessions.ts'
import { type Access, invalidSession } from '../auth/auth.ts'
import { dropSession, setSession } from '../auth/cookies.ts'
import { refusalOfSigningIn } from '../auth/cross-site.ts'
import { takeTry, type SignInLimits } from '../auth/sign-in-limits.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf, placeOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { type ReplyOf, succeed } from '../replies.ts'

export const SESSIONS = 'Sessions'
export const SIGNED_IN: Access = { accepts: 'session', scope: null }

export function sessionRoutes(context: Context, limits: SignInLimits | null): void {
  signInRoute(context, limits)
  passkeyOptionsRoute(context)
  currentRoute(context)
  listRoute(context)
  endRoutes(context)
}

function signInRoute(context: Context, limits: SignInLimits | null): void {
  const { app, deps } = context
  const schema = described(
    'sessions.create',
    'Sign in',
    SESSIONS,
    { body: SignInBody, reply: SignedInReply },
    OPEN,
    SECRET,
    COUNTED,
    { sends: ['Set-Cookie'], refusals: ['sign_in_failed', 'second_factor_required', 'account_required'] },
  )
  const parse = parserOf(SignInBody)
  app.post('/sessions', { schema }, async (request, reply) => {
    refuseForeign(context, request)
    const body = parse(request.body ?? {})
    const attempt = takeTry(limits, request, reply, body.passkey ? null : (body.email ?? ''))
    if (isRefusal(attempt)) return sendRefusal(reply, attempt)
    const result = body.passkey
      ? await signInByPasskey(deps.members, body.passkey as Assertion, placeOf(request))
      : await byPassword(context, request, body)
    if (!isRefusal(result) || RIGHT_SO_FAR.has(result.code)) attempt.wasRight()
    return isRefusal(result) ? sendRefusal(reply, result) : sendSignedIn(context, reply, result)
  })
}

/** The password was right: one who guesses has guessed it already. */
const RIGHT_SO_FAR: ReadonlySet<string> = new Set(['second_factor_required', 'account_required'])

/** A page of another origin signs nobody in. */
export function refuseForeign({ deps }: Context, request: FastifyRequest): void {
  const foreign = refusalOfSigningIn(request, deps.members.baseUrl())
  if (foreign) throw new RefusedRequest(foreign)
}

function byPassword({ deps }: Context, request: FastifyRequest, body: SignInBody): Promise<SignedIn | Refusal> {
  const problems: Problem[] = []
  if (body.email === undefined) problems.push(missing('email', 'Say who signs in, or send a passkey.'))
  if (body.password === undefined) problems.push(missing('password', 'Say the password, or send a passkey.'))
  const [first, ...others] = problems
  if (first) return Promise.resolve(refuseAll([first, ...others]))
  const { email = '', password = '', code = null, account: accountId = null } = body
  const address = emailOf(email)
  if (address === null) return Promise.resolve(signInFailed())
  return signIn(deps.members, { email: address, password, code, accountId }, placeOf(request))
}

async function sendSignedIn(
  { deps }: Context,
  reply: ReplyOf<typeof SignedInReply>,
  { member, session }: SignedIn,
): Promise<FastifyReply> {
  const seen = await oneMember(deps.reader, member, member.id)
  if (isRefusal(seen)) return sendRefusal(reply, seen)
  giveCookie(deps.members.isHttps(), reply, session.text)
  return succeed(reply, 200, 'Signed in.', {
    session: presentSession(shown(session), keyUuid(session.keyId)),
    member: presentMember(seen.member, seen.passkeys, session.livemode),
  })
}

/** A session as it is shown: its id is a UUID. */
export const shown = ({ keyId, expiresAt }: { readonly keyId: string; readonly expiresAt: number }) => ({
  id: keyUuid(keyId),
  createdAt: expiresAt - SESSION_MS,
  expiresAt,
})

export function giveCookie(isHttps: boolean, reply: FastifyReply, value: string): void {
  setSession(reply, { value, maxAgeSeconds: SESSION_MS / 1000, isHttps })
}

function passkeyOptionsRoute(context: Context): void {
  const { app, deps } = context
  const summary = 'Get what a browser needs to sign in by a passkey'
  const schema = described(
    'sessions.passkey_options',
    summary,
    SESSIONS,
    { body: EmptyBody, reply: PasskeyRequestReply },
    OPEN,
    SECRET,
    COUNTED,
  )
  const parse = parserOf(EmptyBody)
  app.post('/sessions/passkey-options', { schema }, async (request, reply) => {
    parse(request.body ?? {})
    reply.header('cache-control', 'no-store')
    return succeed(reply, 200, 'Answer within five minutes.', { options: await requestOptions(deps.members) })
  })
}

function currentRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'sessions.current',
    'See who is signed in',
    SESSIONS,
    { reply: CurrentSessionReply },
    SIGNED_IN,
  )
  app.get('/sessions/current', { schema, onRequest: guard(context, SIGNED_IN) }, async (request, reply) => {
    const caller = callerOf(request)
    const key = memberOf(caller)
    const seen = await oneMember(deps.reader, caller, key.id)
    if (isRefusal(seen)) return sendRefusal(reply, seen)
    const current = (await liveSessions(deps.reader, key)).find(({ keyId }) => keyId === caller.keyId)
    if (!current) return sendRefusal(reply, invalidSession())
    return succeed(reply, 200, 'You are signed in.', {
      session: presentSession({ ...current, id: keyUuid(current.keyId) }, keyUuid(caller.keyId)),
      member: presentMember(seen.member, seen.passkeys, caller.livemode),
      account_id: caller.accountId,
      scopes: [...caller.scopes],
    })
  })
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'sessions.list',
    'List your own sessions, newest first',
    SESSIONS,
    { reply: SessionsReply },
    SIGNED_IN,
  )
  app.get('/sessions', { schema, onRequest: guard(context, SIGNED_IN) }, async (request, reply) => {
    const caller = callerOf(request)
    const live = await liveSessions(deps.reader, memberOf(caller))
    const currentId = keyUuid(caller.keyId)
    const sessions = live.map((each) => presentSession({ ...each, id: keyUuid(each.keyId) }, currentId))
    return succeed(reply, 200, 'Sessions found.', { sessions, next: null })
  })
}

function endRoutes(context: Context): void {
  const { app } = context
  const current = described(
    'sessions.end_current',
    'Sign out',
    SESSIONS,
    { reply: EndedSessionReply },
    SIGNED_IN,
    SECRET,
    { sends: ['Set-Cookie'], refusals: ['session_not_found'] },
  )
  app.delete('/sessions/current', { schema: current, onRequest: guard(context, SIGNED_IN) }, async (request, reply) =>
    end(context, request, reply, keyUuid(callerOf(request).keyId)),
  )
  const shapes = { params: IdParams, reply: EndedSessionReply }
  const schema = described('sessions.end', 'End one of your own sessions', SESSIONS, shapes, SIGNED_IN, SECRET, {
    sends: ['Set-Cookie'],
    refusals: ['session_not_found'],
  })
  app.delete('/sessions/:id', { schema, onRequest: guard(context, SIGNED_IN) }, async (request, reply) =>
    end(context, request, reply, request.params.id),
  )
}

async function end(
  { deps }: Context,
  request: FastifyRequest,
  reply: ReplyOf<typeof EndedSessionReply>,
  sessionId: string,
): Promise<FastifyReply> {
  const caller = callerOf(request)
  const ended = await endSession(deps, changerOf(request), memberOf(caller).id, sessionId)
  if (isRefusal(ended)) return sendRefusal(reply, ended)
  const currentId = keyUuid(caller.keyId)
  if (sessionId === currentId) dropSession(reply, deps.members.isHttps())
  const session = presentSession({ ...ended, id: sessionId }, currentId)
  return succeed(reply, '200', session.current ? 'Signed out.' : 'Session ended.', { session })
}
