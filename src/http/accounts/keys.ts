// The routes of API keys: make, look, change, roll, revoke. All with an API key that may do it, or a member's session.
import { SECRET } from '../openapi/facts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  createKey,
  type KeyPatch,
  keysOf,
  oneKey,
  revokeKey,
  type RevealedKey,
  rollKey,
  updateKey,
} from '../../app/accounts/keys.ts'
import type { TransferCap } from '../../domain/account/caps.ts'
import { type ApiKey, keyNotFound } from '../../domain/account/keys.ts'
import { amountFaultWords, parseAmount } from '../../domain/money/money.ts'
import { invalid, isRefusal, type Problem, type Refusal } from '../../domain/contract/refusals.ts'
import { rangeText } from '../../platform/addresses.ts'
import { ListQuery } from '../../wire/api.ts'
import {
  KEY_OVERLAP_SECONDS,
  KeyBody,
  KeyParams,
  KeyPatchBody,
  KeyReply,
  KeyRollBody,
  KeysReply,
  NewKeyReply,
  presentKey,
} from '../../wire/accounts/keys.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { mandateIn } from './mandates.ts'
import { nameFrom } from './names.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { refuseProblems } from '../routes/webhook-endpoints.ts'

const KEYS = 'API keys'
const READ: Access = { accepts: 'api key', scope: 'accounts:read' }
const WRITE: Access = { accepts: 'api key', scope: 'keys:write' }

export function keyRoutes(context: Context): void {
  createRoute(context)
  listRoute(context)
  currentRoute(context)
  getRoute(context)
  updateRoute(context)
  rollRoute(context)
  revokeRoute(context)
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'keys.create',
    'Make an API key',
    KEYS,
    { body: KeyBody, reply: NewKeyReply },
    WRITE,
    {
      description:
        'With a part of your own scopes, life, addresses and caps, and never more. What is left out is as with you. The key is shown once.',
    },
    SECRET,
    { refusals: ['exceeds_own_access', 'keys_full'] },
  )
  const parse = parserOf(KeyBody)
  app.post('/keys', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const { scopes, livemode } = callerOf(request)
    const bounds = boundsOf(context, body)
    const wanted = {
      name: nameFrom(body.name),
      scopes: [...new Set(body.scopes)],
      livemode,
      ...bounds,
      ...(body.expires_in === undefined ? {} : { expiresInSeconds: body.expires_in }),
    }
    const made = await createKey(deps.changes, changerOf(request), { scopes }, wanted)
    return reveal(context, reply, made, 'API key made. Keep it where secrets are kept: it is shown once.')
  })
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { querystring: ListQuery, reply: KeysReply }
  const schema = described(
    'keys.list',
    'List API keys, newest first, those that have ended included',
    KEYS,
    shapes,
    READ,
  )
  const parse = parserOf(ListQuery)
  app.get('/keys', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    if (query.after !== undefined && !KEY_ID.test(query.after)) throw badCursor()
    const limit = limitOf(query)
    const found = await keysOf(deps.reader, callerOf(request), { after: query.after ?? null, limit })
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    const keys = rows.map((key) => presentKey(key, deps.nowMs()))
    return succeed(reply, 200, 'API keys found.', { keys, next })
  })
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'keys.get',
    'Get an API key, never its text',
    KEYS,
    { params: KeyParams, reply: KeyReply },
    READ,
    { refusals: ['key_not_found'] },
  )
  app.get('/keys/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { lane, accountId } = callerOf(request)
    return sendKey(
      context,
      reply,
      await oneKey(deps.reader, { lane, accountId, keyId: keyIdOf(request) }),
      'API key found.',
    )
  })
}

/** What a program wants to know of itself before it acts. */
function currentRoute(context: Context): void {
  const { app, deps } = context
  const access: Access = { accepts: 'api key', scope: null }
  const schema = described(
    'keys.current',
    'Get the API key that asks, with what is left of its mandate',
    KEYS,
    { reply: KeyReply },
    access,
    { description: 'Any key may see itself. A member’s session is no key.' },
    { refusals: ['key_not_found'] },
  )
  app.get('/keys/current', { schema, onRequest: guard(context, access) }, async (request, reply) => {
    const { lane, accountId, keyId } = callerOf(request)
    return sendKey(context, reply, await oneKey(deps.reader, { lane, accountId, keyId }), 'API key found.')
  })
}

function updateRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: KeyParams, body: KeyPatchBody, reply: KeyReply }
  const schema = described(
    'keys.update',
    'Update an API key',
    KEYS,
    shapes,
    WRITE,
    {
      description:
        'Its name; and its addresses, caps and mandate, by whoever could have made the key, before and after. Scopes never change: roll the key, or make another one.',
    },
    { refusals: ['exceeds_own_access', 'key_not_found', 'key_ended'] },
  )
  const parse = parserOf(KeyPatchBody)
  app.patch('/keys/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const { scopes } = callerOf(request)
    const patch: KeyPatch = {
      ...(body.name === undefined ? {} : { name: nameFrom(body.name) }),
      ...boundsOf(context, body),
    }
    const key = await updateKey(deps.changes, changerOf(request), { scopes }, keyIdOf(request), patch)
    return sendKey(context, reply, key, 'API key updated.')
  })
}

function rollRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: KeyParams, body: KeyRollBody, reply: NewKeyReply }
  const schema = described(
    'keys.roll',
    'Roll an API key: a new one like it, and the old one ends',
    KEYS,
    shapes,
    WRITE,
    {
      description:
        'Refused for a key that may do more than yours. Policies that name the key go on with the new one. The new key is shown once.',
    },
    SECRET,
    { refusals: ['exceeds_own_access', 'key_not_found', 'key_ended', 'keys_full'] },
  )
  const parse = parserOf(KeyRollBody)
  app.post('/keys/:id/roll', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { overlap_seconds: overlapSeconds = KEY_OVERLAP_SECONDS.default, expires_in } = parse(request.body ?? {})
    const { scopes } = callerOf(request)
    const options = { overlapSeconds, ...(expires_in === undefined ? {} : { expiresInSeconds: expires_in }) }
    const sealing = () => deps.webhooks.sealing
    const rolled = await rollKey(deps.changes, sealing, changerOf(request), { scopes }, keyIdOf(request), options)
    return reveal(context, reply, rolled, 'API key rolled. Keep the new one where secrets are kept: it is shown once.')
  })
}

function revokeRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'keys.revoke',
    'Revoke an API key: it ends at once',
    KEYS,
    { params: KeyParams, reply: KeyReply },
    WRITE,
    { refusals: ['key_not_found', 'exceeds_own_access'] },
  )
  app.delete('/keys/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const key = await revokeKey(deps.changes, changerOf(request), keyIdOf(request))
    return sendKey(context, reply, key, 'API key revoked. What it pays or cancels from now on is refused.')
  })
}

const KEY_ID = /^[0-9a-f]{2}[0-9A-Za-z]{8}$/

function keyIdOf(request: FastifyRequest<{ Params: { id: string } }>): string {
  const { id } = request.params
  if (!KEY_ID.test(id)) throw new RefusedRequest(keyNotFound())
  return id
}

/** Addresses and caps, read; throws with all that is wrong with them. */
function boundsOf(
  { settings }: Context,
  body: Pick<KeyBody, 'addresses' | 'transfer_max' | 'mandate'>,
): Omit<KeyPatch, 'name'> {
  const problems: Problem[] = []
  const addresses =
    body.addresses?.map((text, i) => rangeText(text) ?? faulty(problems, `addresses.${i}`, text)) ?? null
  const caps = body.transfer_max?.map((cap, i) => capOf(cap, i, settings.currencies, problems)) ?? null
  if (caps && new Set(caps.map(({ currency }) => currency)).size < caps.length)
    problems.push(invalid('transfer_max', 'transfer_max names a currency twice. Give each one cap.'))
  const mandate = body.mandate ? mandateIn(body.mandate, settings.currencies, problems) : null
  refuseProblems(problems)
  return {
    ...(body.addresses === undefined ? {} : { addresses: addresses && [...new Set(addresses)] }),
    ...(body.transfer_max === undefined ? {} : { transferMax: caps }),
    ...(body.mandate === undefined ? {} : { mandate }),
  }
}

function faulty(problems: Problem[], param: string, text: string): string {
  const mend = 'Give an address such as 203.0.113.7, or a range such as 203.0.113.0/24 or 2001:db8::/32.'
  problems.push(invalid(param, `${text} is neither an address nor a range. ${mend}`))
  return text
}

function capOf(
  { currency: sent, amount }: { readonly currency: string; readonly amount: number },
  place: number,
  currencies: ReadonlySet<string>,
  problems: Problem[],
): TransferCap {
  const currency = sent.toUpperCase()
  const param = `transfer_max.${place}`
  if (!currencies.has(currency)) {
    const mend = `Choose one of: ${[...currencies].join(', ')}.`
    problems.push(invalid(`${param}.currency`, `currency ${currency} is not taken here. ${mend}`))
    return { currency, maxMinor: 0n }
  }
  const parsed = parseAmount(amount, currency)
  if ('amountMinor' in parsed) return { currency, maxMinor: parsed.amountMinor }
  problems.push(invalid(`${param}.amount`, amountFaultWords(parsed.fault, currency)))
  return { currency, maxMinor: 0n }
}

function sendKey(
  { deps }: Context,
  reply: ReplyOf<typeof KeyReply>,
  key: ApiKey | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(key)) return sendRefusal(reply, key)
  return succeed(reply, 200, message, { key: presentKey(key, deps.nowMs()) })
}

function reveal(
  { deps }: Context,
  reply: ReplyOf<typeof NewKeyReply>,
  made: RevealedKey | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(made)) return sendRefusal(reply, made)
  reply.header('cache-control', 'no-store')
  return succeed(reply, 200, message, { key: presentKey(made.key, deps.nowMs()), api_key: made.text })
}
