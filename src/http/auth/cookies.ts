// The cookie of a session, and the short one of a sign-in elsewhere. Over https their names begin with __Host-, which no other
// host can set (RFC 6265bis, 4.1.3); on this machine, over plain http, browsers would refuse that name.
import type { FastifyReply, FastifyRequest } from 'fastify'

const SESSION = 'gateway_session'
const OIDC = 'gateway_oidc'

const named = (name: string, isHttps: boolean) => (isHttps ? `__Host-${name}` : name)

/** The text of the session that came with the request; null for none, and where the cookie came twice. */
export const sessionOf = (request: FastifyRequest, isHttps: boolean): string | null =>
  cookieOf(request, named(SESSION, isHttps))

export const oidcStateOf = (request: FastifyRequest, isHttps: boolean): string | null =>
  cookieOf(request, named(OIDC, isHttps))

function cookieOf({ headers }: FastifyRequest, name: string): string | null {
  if (headers.cookie === undefined) return null
  const values = headers.cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null
}

type Cookie = { readonly value: string; readonly maxAgeSeconds: number; readonly isHttps: boolean }

function cookieText(name: string, { value, maxAgeSeconds, isHttps }: Cookie, sameSite: 'Strict' | 'Lax'): string {
  const secure = isHttps ? '; Secure' : ''
  return `${named(name, isHttps)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}${secure}`
}

export function setSession(reply: FastifyReply, cookie: Cookie): void {
  reply.header('set-cookie', cookieText(SESSION, cookie, 'Strict')).header('cache-control', 'no-store')
}

export const dropSession = (reply: FastifyReply, isHttps: boolean): void =>
  setSession(reply, { value: '', maxAgeSeconds: 0, isHttps })

/** It has to come along when another site leads back here. */
export function setOidcState(reply: FastifyReply, cookie: Cookie): void {
  reply.header('set-cookie', cookieText(OIDC, cookie, 'Lax')).header('cache-control', 'no-store')
}
