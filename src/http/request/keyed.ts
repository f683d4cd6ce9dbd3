// Idempotency-Key on the writes that are about no contract, and on what is more than one command: a payment by wallet, a payer that
// becomes a profile. Sessions and one's own factors are left out: a fast hash of a password would stand beside the slow one.
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Deps } from '../../app/deps.ts'
import { type Claim, claimOnce, keepReply, releaseClaim, type WhenBrokenOff } from '../../app/accounts/kept-replies.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { callerOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { idempotencyOf } from './idempotency.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The idempotency key that this request's reply is kept under. */
    keyClaim: Claim | null
  }
  interface FastifyContextConfig {
    /** The route goes on with what an earlier try of the same request has made (`keyClaim.carriedOut`); others are refused then. */
    readonly whenBrokenOff?: WhenBrokenOff
  }
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Whose writes are all kept here; those about contracts are kept by the write path. */
const WHOLE = new Set([
  'Accounts',
  'API keys',
  'Commands',
  'Members',
  'Policies',
  'Profiles',
  'Sandbox',
  'Schedules',
  'Verifiers',
  'Wallets',
  'Webhook endpoints',
])
export const keepsWhole = (tag: string | undefined): boolean => tag !== undefined && WHOLE.has(tag)

/** Of the others those that ask for it are. */
const TAGS = new Set([...WHOLE, 'Tokens', 'Payment contracts'])

/** For every route that is added from now on. */
export function keepReplies(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('keyClaim', null)
  app.addHook('onRoute', (route) => {
    const tag = route.schema?.tags?.[0]
    if (tag === undefined || !TAGS.has(tag) || ![route.method].flat().some((method) => WRITES.has(String(method))))
      return
    route.onSend = [...[route.onSend ?? []].flat(), keeping(deps)]
    if (WHOLE.has(tag))
      route.preHandler = [
        async (request: FastifyRequest, reply: FastifyReply) => {
          await goesOn(deps, request, reply, callerOf(request))
        },
        ...[route.preHandler ?? []].flat(),
      ]
  })
}

/** Whether the request is to be carried out; otherwise its reply has been sent. */
export async function goesOn(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: AccountKey & { readonly keyId?: string },
): Promise<boolean> {
  // A secret is shown again to who was shown it, and to no weaker key of the account that asks in the same words.
  const key = idempotencyOf(request, showsSecret(request) ? owner.keyId : null)
  if (key === null) return true
  const { whenBrokenOff = 'refused' } = request.routeOptions.config
  const claim = isRefusal(key) ? key : await claimOnce(deps, owner, key, whenBrokenOff)
  if (isRefusal(claim)) {
    await sendRefusal(reply, claim)
    return false
  }
  if ('keyHash' in claim) {
    request.keyClaim = claim
    return true
  }
  await reply
    .code(claim.status)
    .headers({ ...claim.headers, 'Idempotent-Replayed': 'true' })
    .send(claim.body)
  return false
}

/** Whether the reply holds what nobody may keep (openapi/facts.ts). */
const showsSecret = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.schema?.facts?.sends?.includes('Cache-Control') ?? false

/** What a retry must not undo silently: successes, and a payment that was refused. */
const isKept = (status: number) => status === 200 || status === 402

const KEPT_HEADERS = ['content-type', 'cache-control', 'etag'] as const

function keeping(deps: Deps): onSendHookHandler {
  return (request, reply, payload, done) => {
    const claim = request.keyClaim
    if (claim === null) return done(null, payload)
    request.keyClaim = null
    kept(deps, claim, reply, payload).then(() => done(null, payload), done)
  }
}

async function kept(deps: Deps, claim: Claim, reply: FastifyReply, payload: unknown): Promise<void> {
  if (!isKept(reply.statusCode) || typeof payload !== 'string')
    return releaseClaim(deps, claim, reply.statusCode < 500 ? 'refused' : 'failed')
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name)
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
  return keepReply(deps, claim, { status: reply.statusCode, headers, body: payload })
}
