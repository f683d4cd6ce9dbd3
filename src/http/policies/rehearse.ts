// POST /policies/rehearse: what the payments of the last days would have met. Writes nothing.
import type { FastifyRequest } from 'fastify'
import { findOwnPolicy } from '../../app/policies/policies.ts'
import { activePoliciesOf, rehearse } from '../../app/policies/rehearsal.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import { askedOf, presentRehearsal, RehearsalBody, RehearsalReply } from '../../wire/policies/rehearsal.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { unsaved } from './evaluation.ts'
import { POLICIES, READ } from './policies.ts'

export function rehearseRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'policies.rehearse',
    'See what the payments of the last days would have met',
    POLICIES,
    { body: RehearsalBody, reply: RehearsalReply },
    READ,
    {
      description:
        'The transfers that were paid are judged once more, each at its moment and with what had been paid before it, as the write path judges. What would have been denied is not counted; what would have waited counts as if it had got its approvals and verifications at once. Nothing is written.',
      refusals: ['policy_not_found'],
      scopes: ['contracts:read'],
    },
  )
  const parse = parserOf(RehearsalBody)
  app.post('/policies/rehearse', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const body = parse(request.body ?? {})
    if (!caller.scopes.has('contracts:read'))
      return sendRefusal(reply, refuse('scope_missing', null, 'The credential lacks the scope contracts:read.'))
    const wanted = await wantedPolicies(context, request, body)
    if (isRefusal(wanted)) return sendRefusal(reply, wanted)
    const isAlone = body.alone === true && wanted.length > 0
    const active = isAlone ? [] : await activePoliciesOf(deps, caller)
    const others = active.filter(({ id }) => wanted.every((each) => each.id !== id))
    const found = await rehearse(deps, caller, { policies: [...others, ...wanted], ...askedOf(body) })
    return succeed(reply, 200, 'Policies rehearsed.', { rehearsal: presentRehearsal(found, caller.livemode) })
  })
}

/** What is rehearsed beside the policies that are active: one that is not saved, one that is, a change of it, or nothing. */
async function wantedPolicies(
  context: Context,
  request: FastifyRequest,
  { policy, policy_id: id }: RehearsalBody,
): Promise<readonly Policy[] | Refusal> {
  const drafts = policy ? await unsaved(context, request, policy) : []
  if (isRefusal(drafts) || !id) return drafts
  const found = await findOwnPolicy(context.deps, callerOf(request), id)
  if (isRefusal(found)) return found
  return policy ? drafts.map((draft) => ({ ...draft, id })) : [found]
}
