// Pages of other origins may call what takes a token, where the account lists their origin (WHATWG Fetch, CORS). Off for all
// others. A page never gets an answer that needs an API key: a key has no place in a browser.
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownerOfContract } from '../../app/accounts/contract-owners.ts'
import type { Deps } from '../../app/deps.ts'
import { patternOf } from '../request/urls.ts'

const MAX_AGE_SECONDS = 600
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Service-Version'
const EXPOSED_HEADERS =
  'ETag, Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Request-Id, Retry-After, Service-Version'

export type Preflight = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

type Open = { readonly path: RegExp; readonly method: string }

/** Opens every route added from now on that takes a token; answers preflights, and returns whether it did. */
export function openToPages(app: FastifyInstance, deps: Deps): Preflight {
  const open: Open[] = []
  app.addHook('onRoute', (route) => {
    const { schema, url, method } = route
    const takesToken = schema?.access?.accepts === 'api key or token' || schema?.facts?.credential === 'payerToken'
    if (!takesToken) return
    const path = patternOf(url)
    for (const each of [method].flat()) if (each !== 'HEAD') open.push({ path, method: String(each) })
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      // No promise, and so no wait, for requests that come from no page.
      (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DoneFuncWithErrOrRes) => {
        const { origin } = request.headers
        if (origin === undefined) done(null, payload)
        else
          allow(deps, request, reply, origin)
            .catch(unknownTo(request))
            .then(() => done(null, payload), done)
      },
    ]
  })
  return async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers
    if (origin === undefined || wanted === undefined) return false
    const methods = open.filter(({ path }) => path.test(request.url)).map(({ method }) => method)
    reply.header('Vary', 'Origin')
    if (!methods.includes(wanted) || (await deps.origins.accountsOf(origin)).size === 0) return false
    await reply
      .code(200)
      .headers({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': [...new Set(methods)].join(', '),
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
      })
      .send('')
    return true
  }
}

/** What was done is done: a page that may not read the reply is no reason to say that it failed. */
const unknownTo = (request: FastifyRequest) => (fault: unknown) =>
  request.log.warn(
    { err: fault, request_id: request.id },
    'which origins are listed is not known: no page reads the reply',
  )

/** The page reads the reply only where the account that the token belongs to lists its origin. */
async function allow(deps: Deps, request: FastifyRequest, reply: FastifyReply, origin: string): Promise<void> {
  reply.header('Vary', 'Origin')
  const accounts = await deps.origins.accountsOf(origin)
  if (accounts.size === 0) return
  const accountId = await accountOf(deps, request)
  if (accountId === null || !accounts.has(accountId)) return
  reply.headers({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS })
}

async function accountOf(deps: Deps, { caller, payerOf }: FastifyRequest): Promise<string | null> {
  const owner = payerOf === null ? caller : await ownerOfContract(deps, payerOf)
  return owner?.accountId ?? null
}
