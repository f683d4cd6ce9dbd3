// The routes that try policies on a transfer: one, all that are active, or one that is not saved. Nothing is written.
import type { FastifyRequest } from 'fastify'
import { draftOf } from '../../app/contracts/draft.ts'
import { contractToTry, evaluate, type Trial } from '../../app/policies/evaluate.ts'
import { findOwnPolicy } from '../../app/policies/policies.ts'
import { termsIn } from '../../app/policies/reading.ts'
import { lookedUp } from '../../app/policies/referents.ts'
import { profilesNamed } from '../../app/profiles/named.ts'
import {
  invalid,
  isRefusal,
  missing,
  type Problem,
  type Refusal,
  refuse,
  refuseAll,
} from '../../domain/contract/refusals.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import { IdParams } from '../../wire/api.ts'
import { EvaluateBody, EvaluateOneBody, EvaluationReply, presentVerdict } from '../../wire/policies/evaluation.ts'
import type { PolicyBody } from '../../wire/policies/policy.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { rulesFor } from '../routes/transfers.ts'
import { POLICIES, policyRules, READ } from './policies.ts'

const WORDS = {
  description: 'Judged as a payment is, and nothing is written. To try a contract, contracts:read is needed, too.',
  refusals: ['contract_not_found', 'wallet_not_found'],
} as const

export function evaluationRoutes(context: Context): void {
  allRoute(context)
  oneRoute(context)
}

function allRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'policies.evaluate_all',
    'Try the active policies, or one that is not saved, on a transfer',
    POLICIES,
    { body: EvaluateBody, reply: EvaluationReply },
    READ,
    WORDS,
  )
  const parse = parserOf(EvaluateBody)
  app.post('/policies/evaluate', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { policy, ...sent } = parse(request.body ?? {})
    const policies = policy === undefined ? null : await unsaved(context, request, policy)
    if (isRefusal(policies)) return sendRefusal(reply, policies)
    const trial = await trialOf(context, request, sent)
    if (isRefusal(trial)) return sendRefusal(reply, trial)
    const verdict = await evaluate(deps, callerOf(request), { ...trial, policies })
    if (isRefusal(verdict)) return sendRefusal(reply, verdict)
    return succeed(reply, 200, 'Policies evaluated.', { evaluation: presentVerdict(verdict) })
  })
}

function oneRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'policies.evaluate',
    'Try a policy on a transfer, as if it were active',
    POLICIES,
    { params: IdParams, body: EvaluateOneBody, reply: EvaluationReply },
    READ,
    WORDS,
    { refusals: ['policy_not_found'] },
  )
  const parse = parserOf(EvaluateOneBody)
  app.post('/policies/:id/evaluate', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const sent = parse(request.body ?? {})
    const policy = await findOwnPolicy(deps, callerOf(request), request.params.id)
    if (isRefusal(policy)) return sendRefusal(reply, policy)
    const trial = await trialOf(context, request, sent)
    if (isRefusal(trial)) return sendRefusal(reply, trial)
    const verdict = await evaluate(deps, callerOf(request), { ...trial, policies: [policy] })
    if (isRefusal(verdict)) return sendRefusal(reply, verdict)
    return succeed(reply, 200, 'Policy evaluated.', { evaluation: presentVerdict(verdict) })
  })
}

/** A policy that is tried before it is saved has no id. */
export async function unsaved(
  context: Context,
  request: FastifyRequest,
  policy: PolicyBody,
): Promise<readonly Policy[] | Refusal> {
  const caller = callerOf(request)
  const terms = await lookedUp(context.deps, caller, termsIn(policy, policyRules(context, request)))
  if (isRefusal(terms)) return within('policy', terms)
  const { lane, accountId, livemode } = caller
  return [{ lane, accountId, livemode, id: '', ...terms, version: 0, createdAt: 0, updatedAt: 0 }]
}

async function trialOf(
  context: Context,
  request: FastifyRequest,
  { contract_id: contractId = null, draft, source, key = null, member = null, at }: Omit<EvaluateBody, 'policy'>,
): Promise<Omit<Trial, 'policies'> | Refusal> {
  const caller = callerOf(request)
  const atMs = at === null || at === undefined ? null : Date.parse(at)
  if (key !== null && member !== null)
    return refuseAll([invalid('member', 'Either a key or a member pays: send key or member, not both.')])
  const isNamed = key !== null || member !== null
  const payer = {
    keyId: isNamed ? key : caller.keyId,
    memberId: isNamed ? member : caller.memberId,
    walletId: source?.toLowerCase() ?? null,
  }
  if (contractId !== null) {
    if (draft) return refuseAll([invalid('draft', 'Send contract_id or draft, not both.')])
    if (!caller.scopes.has('contracts:read'))
      return refuse('scope_missing', null, 'The credential lacks the scope contracts:read.')
    const contract = await contractToTry(context.deps, caller, contractId)
    return isRefusal(contract) ? contract : { contract, terms: contract.terms, payer, atMs }
  }
  if (!draft)
    return refuseAll([missing('draft', 'Send a draft, such as {"amount": 500, "currency": "PHP"}, or contract_id.')])
  const named = profilesNamed(context.deps, caller, draft)
  const rules = rulesFor(context, request)
  const parsed = draftOf(draft, rules, { money: 'goes out', profiles: named && (await named) })
  return isRefusal(parsed) ? within('draft', parsed) : { contract: null, terms: parsed.terms, payer, atMs }
}

/** The same refusal of what stands inside a member of the body. */
function within(member: string, refusal: Refusal): Refusal {
  const inside = (problem: Problem): Problem => ({ ...problem, param: problem.param && `${member}.${problem.param}` })
  return { ...refusal, param: inside(refusal).param, problems: refusal.problems.map(inside) }
}
