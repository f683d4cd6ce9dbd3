// POST /oauth/token: client credentials for short read-only tokens (RFC 6749, 4.4; docs/design/areas.md).
import type { Access } from '../auth/auth.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../app/accounts/callers.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import { TOKEN_SCOPES } from '../../domain/account/scopes.ts'
import { callerOfKey, type Context, described, parserOf } from '../context.ts'
import { type ReplyOf, sendJson, type WireTypes } from '../replies.ts'
import { goesOn } from '../request/keyed.ts'
import { RefusedRequest } from '../errors.ts'
import { TokenBody, TokenReply } from '../../wire/api.ts'

const CLIENT: Access = { accepts: 'api key', scope: 'contracts:read' }
const LIFETIME_SECONDS_DEFAULT = 900

export function tokenRoutes(context: Context): void {
  const { app } = context
  const schema = described(
    'tokens.create',
    'Get an access token',
    'Tokens',
    { body: TokenBody, reply: TokenReply },
    CLIENT,
    {
      credential: 'clientSecret',
      reads: ['Idempotency-Key'],
      form: 'application/x-www-form-urlencoded',
      sends: ['Cache-Control'],
      refusals: ['unsupported_grant_type', 'contract_not_found'],
      description:
        'The key needs the scope contracts:read; a token that is bound to a contract needs one of its account.',
    },
  )
  const parse = parserOf(TokenBody)
  // A scope of its own: a form sent to any other operation is a forgotten Content-Type, and is told so.
  void app.register(async (plain) => {
    const scope = plain.withTypeProvider<WireTypes>()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
      const form: Record<string, unknown> = Object.fromEntries(new URLSearchParams(body.toString()))
      if (/^\d{1,9}$/.test(String(form['expires_in']))) form['expires_in'] = Number(form['expires_in'])
      done(null, form)
    })
    scope.post('/oauth/token', { schema }, async (request, reply) =>
      giveToken(context, parse(request.body ?? {}), request, reply),
    )
  })
}

async function giveToken(
  context: Context,
  body: TokenBody,
  request: FastifyRequest,
  reply: ReplyOf<typeof TokenReply>,
): Promise<FastifyReply> {
  const { deps } = context
  if (body.grant_type !== 'client_credentials')
    throw new RefusedRequest(refuse('unsupported_grant_type', 'grant_type', 'grant_type must be client_credentials.'))
  const caller = await clientOf(context, request, reply, body)
  if (!(await goesOn(deps, request, reply, caller))) return reply
  const contractId = await readableBy(context, caller, body.contract_id ?? null)
  const lifetimeSeconds = body.expires_in ?? LIFETIME_SECONDS_DEFAULT
  const token = await deps.callers.issueToken(caller, lifetimeSeconds, contractId)
  reply.header('cache-control', 'no-store')
  return sendJson(reply, {
    access_token: token,
    token_type: 'bearer',
    expires_in: lifetimeSeconds,
    scope: TOKEN_SCOPES.join(' '),
    livemode: caller.livemode,
  })
}

/** A token reads what its key reads, and no more. The contract that it is to be bound to; throws for one that is not the key's. */
async function readableBy({ deps }: Context, caller: Caller, contractId: string | null): Promise<string | null> {
  if (!caller.scopes.has('contracts:read'))
    throw new RefusedRequest(
      refuse('scope_missing', null, 'A token reads contracts: its key needs the scope contracts:read.'),
    )
  if (contractId === null) return null
  const { lane, accountId } = caller
  const contract = await deps.contracts.submit({ lane, accountId, id: contractId.toLowerCase() })
  // The same words for a contract of somebody else and for none.
  if (!contract) throw new RefusedRequest(refuse('contract_not_found', 'contract_id', 'No contract has this id.'))
  return contract.id
}

/** The client proves itself with an API key: in X-Api-Key, by HTTP Basic, or as client_secret. */
async function clientOf(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: TokenBody,
): Promise<Caller> {
  const header = request.headers['x-api-key']
  const key = typeof header === 'string' ? header : (basicSecret(request.headers.authorization) ?? body.client_secret)
  if (key === undefined)
    throw new RefusedRequest(
      refuse('api_key_required', 'X-Api-Key', 'Send the API key in X-Api-Key, by HTTP Basic, or as client_secret.'),
    )
  const caller = await callerOfKey(context, request, reply, key)
  if (isRefusal(caller)) throw new RefusedRequest(caller)
  return caller
}

function basicSecret(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1]
  const decoded = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
  return decoded?.slice(decoded.indexOf(':') + 1)
}
