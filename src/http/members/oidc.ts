// Sign-in at an OpenID provider: a page asks where to send the browser, and the provider sends it back here. What belongs to this
// browser goes along in a sealed cookie, so that nobody ends a sign-in that another one began. Who comes back and is refused is a person before a
// browser, too: they are led to the sign-in of the console, which says why.
import { SECRET, COUNTED, OPEN } from '../openapi/facts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Oidc } from '../../app/members/oidc-provider.ts'
import { openState, sealState, signInByOidc } from '../../app/members/oidc.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { signInFailed } from '../../domain/member/sign-in.ts'
import { OidcBody, OidcReply } from '../../wire/members/sessions.ts'
import { oidcStateOf, setOidcState } from '../auth/cookies.ts'
import { type SignInLimits, takeTry } from '../auth/sign-in-limits.ts'
import { type Context, described, parserOf, placeOf } from '../context.ts'
import { html, type Html } from '../checkout/html.ts'
import { refusalOfFault, refused, RefusedRequest, sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { giveCookie, refuseForeign, SESSIONS } from './sessions.ts'

const STATE_SECONDS = 600

export function oidcRoutes(context: Context, limits: SignInLimits | null): void {
  beginRoute(context)
  callbackRoute(context, limits)
}

function beginRoute(context: Context): void {
  const { app, deps } = context
  const summary = 'Get where to send the browser to sign in elsewhere'
  const schema = described(
    'sessions.oidc',
    summary,
    SESSIONS,
    { body: OidcBody, reply: OidcReply },
    OPEN,
    SECRET,
    COUNTED,
    { sends: ['Set-Cookie'], refusals: ['oidc_not_configured', 'oidc_unavailable'] },
  )
  const parse = parserOf(OidcBody)
  app.post('/sessions/oidc', { schema }, async (request, reply) => {
    refuseForeign(context, request)
    const { account = null } = parse(request.body ?? {})
    const { url, state } = await providerOf(deps.members).begin(account)
    const isHttps = deps.members.isHttps()
    setOidcState(reply, { value: sealState(deps.members, state), maxAgeSeconds: STATE_SECONDS, isHttps })
    return succeed(reply, 200, 'Send the browser there; it comes back to /sessions/oidc/callback.', { url })
  })
}

function providerOf({ oidc }: { readonly oidc: Oidc | null }): Oidc {
  if (oidc) return oidc
  const mend = 'Sign in by password or passkey; whoever runs the gateway sets GATEWAY_OIDC_ISSUER.'
  throw new RefusedRequest(refuse('oidc_not_configured', null, `The gateway has no OpenID provider. ${mend}`))
}

function callbackRoute(context: Context, limits: SignInLimits | null): void {
  const { app, deps } = context
  const sendRefused = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) =>
    isBrowser(request) ? sendRefusedPage(context, reply, refusal) : sendRefusal(reply, refusal)
  const errorHandler = (fault: Error, request: FastifyRequest, reply: FastifyReply) => {
    void sendRefused(request, reply, refusalOfFault(fault, request))
  }
  app.get('/sessions/oidc/callback', { schema: { hide: true }, errorHandler }, async (request, reply) => {
    const oidc = providerOf(deps.members)
    const attempt = takeTry(limits, request, reply, null)
    if (isRefusal(attempt)) return sendRefused(request, reply, attempt)
    const session = await finished(context, oidc, request)
    if (isRefusal(session)) return sendRefused(request, reply, session)
    attempt.wasRight()
    giveCookie(deps.members.isHttps(), reply, session)
    return sendSignedInPage(reply, context.settings.console === 'on' ? '/console/' : '/docs/')
  })
}

const isBrowser = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

async function finished({ deps }: Context, oidc: Oidc, request: FastifyRequest): Promise<string | Refusal> {
  const { members } = deps
  const sealed = oidcStateOf(request, members.isHttps())
  const state = sealed === null ? null : openState(members, sealed)
  if (state === null) return signInFailed()
  const person = await oidc.finish(new URL(request.url, members.baseUrl()), state)
  if (person === null) return signInFailed()
  const result = await signInByOidc(members, person, state.accountId, placeOf(request))
  return isRefusal(result) ? result : result.session.text
}

// A page of our own, and no redirect: a cookie that is strict does not come along where another site began the way.
const sendSignedInPage = (reply: FastifyReply, path: '/console/' | '/docs/') =>
  sendPage(reply, pageTo(path, 'Signed in', 'Signed in.'))

/** The page has the status of the refusal. The console says it in the person's language, by its code; without it the page says it itself. */
function sendRefusedPage({ settings }: Context, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, message } = refusal
  reply.header('cache-control', 'no-store')
  const page =
    settings.console === 'on'
      ? pageTo(`/console/?refused=${code}`, 'Not signed in', message)
      : pageOf('Not signed in', html`<p>${message}</p>`, html``)
  return sendPage(refused(reply, refusal), page)
}

const pageTo = (path: string, title: string, words: string) =>
  pageOf(
    title,
    html`<p>${words} <a href="${path}">Go on</a></p>`,
    html`<meta http-equiv="refresh" content="0;url=${path}">`,
  )

const pageOf = (title: string, body: Html, head: Html) =>
  html`<!doctype html><html lang="en"><meta charset="utf-8">${head}<title>${title}</title>${body}</html>`

const sendPage = (reply: FastifyReply, { markup }: Html) =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    .send(markup)
