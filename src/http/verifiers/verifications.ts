// The routes of verifications: ask, look, list, ask again, and the word of a person where no verifier could decide.
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  createVerification,
  decideVerification,
  oneVerification,
  retryVerification,
  verificationsOf,
  type WantedVerification,
} from '../../app/verifiers/verifications.ts'
import { answerCode } from '../../app/verifiers/codes.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Problem, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { type Verification, verificationNotFound } from '../../domain/verifier/verification.ts'
import { IdParams } from '../../wire/api.ts'
import {
  AnswerBody,
  presentVerification,
  VerdictBody,
  VerificationBody,
  VerificationReply,
  VerificationsQuery,
  VerificationsReply,
} from '../../wire/verifiers/verification.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { recipientIn } from '../../app/contracts/recipient.ts'
import { READ, VERIFIERS } from './verifiers.ts'

/** A person's word: no key has the scope. */
const DECIDE: Access = { accepts: 'session', scope: 'approvals:write' }
/** What was asked about is shown. */
const BOTH = { scopes: ['contracts:read'] } as const

export function verificationRoutes(context: Context): void {
  createRoute(context)
  listRoute(context)
  getRoute(context)
  retryRoute(context)
  answerRoute(context)
  verdictRoute(context, 'pass', 'Pass a verification that waits for a person')
  verdictRoute(context, 'fail', 'Fail a verification that waits for a person')
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { body: VerificationBody, reply: VerificationReply }
  const schema = described(
    'verifications.create',
    'Verify a recipient; it moves nothing',
    VERIFIERS,
    shapes,
    READ,
    BOTH,
    {
      description: 'Where the same recipient was verified before and the result still counts, that one is the answer.',
      refusals: [
        'contract_not_found',
        'profile_not_found',
        'destination_not_found',
        'verifier_not_found',
        'verifier_archived',
      ],
    },
  )
  const parse = parserOf(VerificationBody)
  app.post('/verifications', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    needContracts(request)
    const wanted = wantedIn(parse(request.body ?? {}), callerOf(request).livemode)
    if (isRefusal(wanted)) return sendRefusal(reply, wanted)
    const asked = await createVerification(deps, changerOf(request), wanted)
    if (isRefusal(asked)) return sendRefusal(reply, asked)
    const words = asked.isKnown ? 'Verified before: this is how it stands.' : 'The verifier is asked.'
    return succeed(reply, 200, words, { verification: presentVerification(asked.verification) })
  })
}

/** The recipient of a contract is told with the verification. */
function needContracts(request: FastifyRequest): void {
  if (callerOf(request).scopes.has('contracts:read')) return
  throw new RefusedRequest(refuse('scope_missing', null, 'The credential lacks the scope contracts:read.'))
}

function wantedIn(body: VerificationBody, livemode: boolean): WantedVerification | Refusal {
  const { kind = null, verifier = null, contract = null, profile = null, destination = null, channel = null } = body
  const problems: Problem[] = []
  const recipient = body.recipient ? recipientIn(body.recipient, 'recipient.', problems) : null
  const [first, ...others] = problems
  if (first) return refuseAll([first, ...others])
  return { livemode, kind, verifier, contract, profile, destination, recipient, channel }
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { querystring: VerificationsQuery, reply: VerificationsReply }
  const words = 'List verifications, newest first'
  const schema = described('verifications.list', words, VERIFIERS, shapes, READ, BOTH)
  const parse = queryParserOf(VerificationsQuery)
  app.get('/verifications', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    needContracts(request)
    const query = parse(request.query)
    const { status = null, kind = null, contract: contractId = null, after = null } = query
    if (after !== null && !isUuid(after)) throw badCursor()
    const filter = { status, kind, contractId, after, limit: limitOf(query) }
    const found = await verificationsOf(deps, callerOf(request), filter)
    const { rows, next } = pageOf(found, filter.limit, ({ id }) => id)
    return succeed(reply, 200, 'Verifications found.', { verifications: rows.map(presentVerification), next })
  })
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: VerificationReply }
  const schema = described('verifications.get', 'Get a verification', VERIFIERS, shapes, READ, BOTH, {
    refusals: ['verification_not_found'],
  })
  app.get('/verifications/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    needContracts(request)
    const { lane, accountId } = callerOf(request)
    const found = await oneVerification(deps, { lane, accountId, id: request.params.id })
    return sendVerification(reply, found, 'Verification found.')
  })
}

function retryRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, reply: VerificationReply }
  const words = 'Ask a verifier again that gave no answer, or have a code sent again'
  const schema = described('verifications.retry', words, VERIFIERS, shapes, READ, BOTH, {
    refusals: ['verification_not_found', 'verification_not_in_review', 'code_not_sent_again'],
  })
  app.put('/verifications/:id/retry', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    needContracts(request)
    const again = await retryVerification(deps, changerOf(request), idIn(request.params.id))
    return sendVerification(reply, again, 'The verifier is asked again.')
  })
}

function answerRoute(context: Context): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: AnswerBody, reply: VerificationReply }
  const words = 'Give back a one-time code that was sent for a verification'
  const schema = described('verifications.answer', words, VERIFIERS, shapes, READ, BOTH, {
    description: 'Five tries, ten minutes, and at most three codes. The code is in no event, no log and no reply.',
    refusals: ['verification_not_found', 'code_wrong', 'code_not_waited_for'],
  })
  const parse = parserOf(AnswerBody)
  app.post('/verifications/:id/answer', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    needContracts(request)
    const { code } = parse(request.body ?? {})
    const after = await answerCode(deps, changerOf(request), idIn(request.params.id), code)
    return sendVerification(reply, after, 'The code is right.')
  })
}

function verdictRoute(context: Context, verdict: 'pass' | 'fail', words: string): void {
  const { app, deps } = context
  const shapes = { params: IdParams, body: VerdictBody, reply: VerificationReply }
  const schema = described(`verifications.${verdict}`, words, VERIFIERS, shapes, DECIDE, {
    refusals: ['verification_not_found', 'verification_not_in_review', 'second_person_required'],
  })
  const parse = parserOf(VerdictBody)
  const path = `/verifications/:id/${verdict}` as const
  app.put(path, { schema, onRequest: guard(context, DECIDE) }, async (request, reply) => {
    const { reason } = parse(request.body ?? {})
    const { memberId } = callerOf(request)
    if (memberId === null) throw new Error('a session without its member')
    const ended = await decideVerification(deps, changerOf(request), idIn(request.params.id), {
      verdict,
      reason,
      memberId,
    })
    return sendVerification(reply, ended, verdict === 'pass' ? 'Verification passed.' : 'Verification failed.')
  })
}

function idIn(id: string): string {
  if (!isUuid(id)) throw new RefusedRequest(verificationNotFound())
  return id
}

function sendVerification(
  reply: ReplyOf<typeof VerificationReply>,
  found: Verification | Refusal,
  message: string,
): FastifyReply {
  if (isRefusal(found)) return sendRefusal(reply, found)
  return succeed(reply, 200, message, { verification: presentVerification(found) })
}
