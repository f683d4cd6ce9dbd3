// The routes by which a member changes what proves them: password, authenticator, recovery codes, passkeys. By session alone.
import { SECRET } from '../openapi/facts.ts'
import type { FastifyRequest } from 'fastify'
import { oneMember } from '../../app/members/members.ts'
import {
  beginPasskey,
  beginTotp,
  changePassword,
  confirmTotp,
  newRecoveryCodes,
  type Own,
  removeTotp,
} from '../../app/members/own-factors.ts'
import { addPasskey, passkeysOf, type Registration, removePasskey } from '../../app/members/passkeys.ts'
import { memberOf } from '../../app/members/sessions.ts'
import type { Member } from '../../domain/member/member.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { ChangedMemberReply, presentMember } from '../../wire/members/members.ts'
import {
  CodeBody,
  PasskeyBody,
  PasskeyCreationReply,
  PasskeyParams,
  PasskeyReply,
  PasskeysReply,
  PasswordBody,
  presentPasskey,
  ProofBody,
  RecoveryCodesReply,
  RemovedPasskeyReply,
  TotpReply,
} from '../../wire/members/sessions.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { SESSIONS, SIGNED_IN } from './sessions.ts'

export function ownFactorRoutes(context: Context): void {
  passwordRoute(context)
  totpRoutes(context)
  recoveryRoute(context)
  passkeyAddRoutes(context)
  passkeyRoutes(context)
}

const ownOf = (request: FastifyRequest, password: string): Own => ({
  changer: changerOf(request),
  key: memberOf(callerOf(request)),
  password,
})

async function sendMember(
  { deps }: Context,
  request: FastifyRequest,
  reply: ReplyOf<typeof ChangedMemberReply>,
  result: Member | Refusal,
  words: string,
) {
  const seen = isRefusal(result) ? result : await oneMember(deps.reader, result, result.id)
  if (isRefusal(seen)) return sendRefusal(reply, seen)
  const member = presentMember(seen.member, seen.passkeys, callerOf(request).livemode)
  return succeed(reply, '200', words, { member })
}

function passwordRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { body: PasswordBody, reply: ChangedMemberReply }
  const schema = described(
    'password.update',
    'Change your password; your other sessions end',
    SESSIONS,
    shapes,
    SIGNED_IN,
    { refusals: ['not_proven'] },
  )
  const parse = parserOf(PasswordBody)
  app.put('/members/me/password', { schema, onRequest: guard(context, SIGNED_IN) }, async (request, reply) => {
    const { password, new_password: wanted } = parse(request.body ?? {})
    const result = await changePassword(deps.members, ownOf(request, password), wanted)
    return sendMember(context, request, reply, result, 'Password changed. Your other sessions have ended.')
  })
}

function totpRoutes(context: Context): void {
  const { app, deps } = context
  const onRequest = guard(context, SIGNED_IN)
  const begin = described(
    'authenticator.begin',
    'Begin with a new authenticator',
    SESSIONS,
    { body: ProofBody, reply: TotpReply },
    SIGNED_IN,
    SECRET,
    { refusals: ['not_proven'] },
  )
  const [parseProof, parseCode] = [parserOf(ProofBody), parserOf(CodeBody)]
  app.post('/members/me/authenticator', { schema: begin, onRequest }, async (request, reply) => {
    const totp = await beginTotp(deps.members, ownOf(request, parseProof(request.body ?? {}).password))
    if (isRefusal(totp)) return sendRefusal(reply, totp)
    reply.header('cache-control', 'no-store')
    return succeed(reply, 200, 'Confirm it with a code: until then the one before holds.', { authenticator: totp })
  })
  const shapes = { body: CodeBody, reply: ChangedMemberReply }
  const confirm = described(
    'authenticator.confirm',
    'Confirm the new authenticator by a code',
    SESSIONS,
    shapes,
    SIGNED_IN,
    { refusals: ['not_proven'] },
  )
  app.put('/members/me/authenticator', { schema: confirm, onRequest }, async (request, reply) => {
    const { code } = parseCode(request.body ?? {})
    const result = await confirmTotp(deps.members, ownOf(request, ''), code.replace(/\s/g, ''))
    return sendMember(context, request, reply, result, 'The new authenticator holds.')
  })
  const removal = { body: ProofBody, reply: ChangedMemberReply }
  const remove = described(
    'authenticator.remove',
    'Do without an authenticator, with a passkey alone',
    SESSIONS,
    removal,
    SIGNED_IN,
    { refusals: ['not_proven', 'last_factor'] },
  )
  app.delete('/members/me/authenticator', { schema: remove, onRequest }, async (request, reply) => {
    const result = await removeTotp(deps.members, ownOf(request, parseProof(request.body ?? {}).password))
    return sendMember(context, request, reply, result, 'The authenticator is removed.')
  })
}

function recoveryRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { body: ProofBody, reply: RecoveryCodesReply }
  const schema = described(
    'recovery_codes.create',
    'Get new recovery codes; the old ones end',
    SESSIONS,
    shapes,
    SIGNED_IN,
    SECRET,
    { refusals: ['not_proven'] },
  )
  const parse = parserOf(ProofBody)
  app.post('/members/me/recovery-codes', { schema, onRequest: guard(context, SIGNED_IN) }, async (request, reply) => {
    const codes = await newRecoveryCodes(deps.members, ownOf(request, parse(request.body ?? {}).password))
    if (isRefusal(codes)) return sendRefusal(reply, codes)
    reply.header('cache-control', 'no-store')
    return succeed(reply, 200, 'Keep the recovery codes: they are shown once.', { recovery_codes: [...codes] })
  })
}

function passkeyAddRoutes(context: Context): void {
  const { app, deps } = context
  const onRequest = guard(context, SIGNED_IN)
  const shapes = { body: ProofBody, reply: PasskeyCreationReply }
  const options = described(
    'passkeys.options',
    'Get what a browser needs to make a passkey',
    SESSIONS,
    shapes,
    SIGNED_IN,
    SECRET,
    { refusals: ['not_proven'] },
  )
  const [parseProof, parsePasskey] = [parserOf(ProofBody), parserOf(PasskeyBody)]
  app.post('/members/me/passkeys/options', { schema: options, onRequest }, async (request, reply) => {
    const { password } = parseProof(request.body ?? {})
    const { name } = await deps.merchantOf(memberOf(callerOf(request)))
    const begun = await beginPasskey(deps.members, ownOf(request, password), name)
    if (isRefusal(begun)) return sendRefusal(reply, begun)
    reply.header('cache-control', 'no-store')
    return succeed(reply, 200, 'Answer within five minutes.', { options: begun })
  })
  const add = described(
    'passkeys.create',
    'Add a passkey',
    SESSIONS,
    { body: PasskeyBody, reply: PasskeyReply },
    SIGNED_IN,
    { refusals: ['not_proven'] },
  )
  app.post('/members/me/passkeys', { schema: add, onRequest }, async (request, reply) => {
    const { passkey, name = 'Passkey' } = parsePasskey(request.body ?? {})
    const key = memberOf(callerOf(request))
    const made = await addPasskey(deps.members, changerOf(request), key, passkey as unknown as Registration, name)
    if (isRefusal(made)) return sendRefusal(reply, made)
    return succeed(reply, 200, 'Passkey added. It signs you in by itself.', { passkey: presentPasskey(made) })
  })
}

function passkeyRoutes(context: Context): void {
  const { app, deps } = context
  const onRequest = guard(context, SIGNED_IN)
  const list = described(
    'passkeys.list',
    'List your passkeys, oldest first',
    SESSIONS,
    { reply: PasskeysReply },
    SIGNED_IN,
  )
  app.get('/members/me/passkeys', { schema: list, onRequest }, async (request, reply) => {
    const passkeys = (await passkeysOf(deps, memberOf(callerOf(request)))).map(presentPasskey)
    return succeed(reply, 200, 'Passkeys found.', { passkeys, next: null })
  })
  const shapes = { params: PasskeyParams, reply: RemovedPasskeyReply }
  const remove = described('passkeys.remove', 'Remove a passkey', SESSIONS, shapes, SIGNED_IN, {
    refusals: ['passkey_not_found', 'last_factor'],
  })
  app.delete('/members/me/passkeys/:id', { schema: remove, onRequest }, async (request, reply) => {
    const key = memberOf(callerOf(request))
    const removed = await removePasskey(deps.members, changerOf(request), key, request.params.id)
    if (isRefusal(removed)) return sendRefusal(reply, removed)
    return succeed(reply, '200', 'Passkey removed.', { passkey: presentPasskey(removed) })
  })
}
