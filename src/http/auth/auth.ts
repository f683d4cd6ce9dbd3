// Key, session or token -> caller (spec 5, docs/design/areas.md), and what the caller may do.
import type { FastifyRequest } from 'fastify'
import type { Caller, CallerBook } from '../../app/accounts/callers.ts'
import { type Refusal, refuse, sessionHasEnded } from '../../domain/contract/refusals.ts'
import { sessionOf } from './cookies.ts'
import type { Scope } from '../../domain/account/scopes.ts'

/** What a route accepts: a key, or a key or bearer token, and the session of a member like a key; or a session alone. */
export type Accepts = 'api key' | 'api key or token' | 'session'
export type Access = { readonly accepts: Accepts; readonly scope: Scope | null }

export type AuthDeps = { readonly callers: CallerBook; readonly members: { readonly isHttps: () => boolean } }

/** The caller of a request, or why it is refused. Waits only where the credential is not remembered. */
export function authenticate(
  { callers, members }: AuthDeps,
  request: FastifyRequest,
  access: Access,
): Caller | Refusal | Promise<Caller | Refusal> {
  const key = request.headers['x-api-key']
  const token = bearerOf(request)
  if (access.accepts === 'session' || (key === undefined && (token === undefined || access.accepts === 'api key'))) {
    const session = sessionOf(request, members.isHttps())
    if (session !== null)
      return then(callers.bySession(session), (caller) => permitted(caller ?? invalidSession(), request, access))
    if (access.accepts === 'session') return sessionRequired()
  }
  if (access.accepts === 'api key' || token === undefined) {
    if (key === undefined) return access.accepts === 'api key' ? keyRequired() : credentialsRequired()
    if (typeof key !== 'string' || key.includes(',')) return invalidKey()
    return then(callers.byApiKey(key), (caller) => permitted(caller ?? invalidKey(), request, access))
  }
  return then(callers.byToken(token), (byToken) => {
    if (!byToken) return invalidToken()
    if (key === undefined) return permitted(byToken, request, access)
    if (typeof key !== 'string') return invalidKey()
    return then(callers.byApiKey(key), (byKey) => {
      if (!byKey) return invalidKey()
      if (byKey.accountId !== byToken.accountId) return disagree()
      const refusal = refusedFrom(byToken, request)
      return refusal ?? permitted(byKey, request, access)
    })
  })
}

function permitted(caller: Caller | Refusal, request: FastifyRequest, access: Access): Caller | Refusal {
  if ('kind' in caller) return caller
  const refusal = refusedFrom(caller, request)
  if (refusal) return refusal
  if (access.scope === null || caller.scopes.has(access.scope)) return caller
  return refuse('scope_missing', null, `The credential lacks the scope ${access.scope}.`)
}

/** Why the caller may not call from where the request comes from, as it is known behind the trusted proxies; null where it may. */
export function refusedFrom({ isAllowedFrom }: Caller, request: FastifyRequest): Refusal | null {
  if (isAllowedFrom === null || isAllowedFrom(request.ip)) return null
  const mend = 'Call from an address that the key lists, or have the address added by PATCH /keys/{id}.'
  return refuse('address_not_allowed', null, `The API key may not be used from ${request.ip}. ${mend}`)
}

/** Continues at once where the value is here already, so that a remembered caller costs no turn of the event loop. */
function then<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The bearer token of a request; empty for an Authorization header that is none. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const match = /^Bearer +(\S+)$/i.exec(authorization)
  // An Authorization header that is no bearer token is a wrong token, not an absent one.
  return match?.[1] ?? ''
}

const sessionRequired = () =>
  refuse('session_required', 'Cookie', 'This is for a member who is signed in. Sign in by POST /sessions.')
export const invalidSession = sessionHasEnded
const keyRequired = () =>
  refuse(
    'api_key_required',
    'X-Api-Key',
    'This operation needs an API key in the header X-Api-Key. A bearer token is not enough.',
  )
const credentialsRequired = () =>
  refuse('credentials_required', 'X-Api-Key', 'Send an API key in X-Api-Key, or a bearer token in Authorization.')
export const invalidKey = () => refuse('invalid_api_key', 'X-Api-Key', 'The API key is unknown, revoked or expired.')
const invalidToken = () =>
  refuse(
    'invalid_token',
    'Authorization',
    'The bearer token is unknown, revoked or expired. Get one from POST /oauth/token; an API key goes into X-Api-Key.',
  )
const disagree = () =>
  refuse(
    'credentials_disagree',
    'Authorization',
    'The API key and the bearer token belong to different accounts. Send one of them.',
  )
