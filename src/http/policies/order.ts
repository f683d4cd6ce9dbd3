// The routes that show a policy before it is saved, and that put one at another place among the others.
import { placePolicy } from '../../app/policies/order.ts'
import { termsIn } from '../../app/policies/reading.ts'
import { lookedUp } from '../../app/policies/referents.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { IdParams } from '../../wire/api.ts'
import {
  PolicyBody,
  PolicyOrderReply,
  PolicyPlaceBody,
  PolicyPreviewReply,
  presentPolicy,
  presentPreview,
} from '../../wire/policies/policy.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { changing, PERSON, POLICIES, policyRules, READ, WRITE } from './policies.ts'

export function policyPreviewRoute(context: Context): void {
  const schema = described(
    'policies.preview',
    'See what a policy would say, before it is saved',
    POLICIES,
    { body: PolicyBody, reply: PolicyPreviewReply },
    READ,
    { description: 'It is checked as a policy that is made is, and shown with its sentence. Nothing is written.' },
  )
  context.app.post('/policies/preview', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const sent = termsIn(request.body ?? {}, policyRules(context, request))
    const terms = await lookedUp(context.deps, callerOf(request), sent)
    if (isRefusal(terms)) return sendRefusal(reply, terms)
    return succeed(reply, 200, 'Policy previewed.', { preview: presentPreview(terms) })
  })
}

export function policyPlaceRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'policies.place',
    'Put a policy at its place in the order in which they are asked',
    POLICIES,
    { params: IdParams, body: PolicyPlaceBody, reply: PolicyOrderReply },
    WRITE,
    {
      description: `Right before another one, or last. It gets a priority between its neighbours; where there is none, those behind it get others, too, in the same transaction. Each is a version. ${PERSON}`,
      refusals: ['policy_not_found', 'policy_archived', 'person_required'],
    },
  )
  const parse = parserOf(PolicyPlaceBody)
  app.put('/policies/:id/place', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { before = null } = parse(request.body ?? {})
    const policies = await placePolicy(deps, changing(request), request.params.id, before && before.toLowerCase())
    if (isRefusal(policies)) return sendRefusal(reply, policies)
    return succeed(reply, 200, 'Policy placed.', { policies: policies.map(presentPolicy) })
  })
}
