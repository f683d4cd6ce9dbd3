// What policies would say of a transfer: what a caller asks, and the verdict with its trace, in words and in values.
import Type, { type Static } from 'typebox'
import { ROLES } from '../../domain/account/roles.ts'
import { displayText } from '../../domain/money/money.ts'
import type { Condition as DomainCondition, Found } from '../../domain/policy/condition.ts'
import type { AskedBy, Judgement, PolicyTrace, VerificationNeed } from '../../domain/policy/judge.ts'
import { VERIFICATION_KINDS } from '../../domain/policy/policy.ts'
import { clock, conditionWords, sentenceOf, WEEKDAYS } from '../../domain/policy/sentence.ts'
import { NOBODY, type Standing } from '../../domain/verifier/standing.ts'
import { VERIFICATION_STATUSES } from '../../domain/verifier/verification.ts'
import { closed, envelope, nullable, nullableText, text, time, uuid, type Wire } from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'
import { DraftBody } from '../transfer-requests.ts'
import { AskingMandate, presentAskingMandate } from '../contracts/approval.ts'
import { presentTried, TriedFees, type TriedPrice } from './fees.ts'
import { Condition, PolicyBody, presentCondition } from './policy.ts'

const EvaluateFields = {
  contract_id: Type.Optional(nullable(uuid('A transfer contract of yours, as it stands.'))),
  draft: Type.Optional(DraftBody),
  source: Type.Optional(nullable(uuid('The wallet to pay from; by default the account’s wallet in the currency.'))),
  key: text(64, 'As if this API key paid it; by default you.'),
  member: Type.Optional(nullable(uuid('As if this member paid it; by default you.'))),
  at: Type.Optional(nullable(time('As if it were paid then; by default now.'))),
}

export const EvaluateOneBody = closed(EvaluateFields, { $id: 'PolicyEvaluation' })

export const EvaluateBody = closed(
  { policy: Type.Optional(PolicyBody), ...EvaluateFields },
  { $id: 'PoliciesEvaluation', description: 'A policy that is not saved, alone; without it, all that are active.' },
)

export type EvaluateBody = Static<typeof EvaluateBody>

const Named = Type.Object(
  {
    id: nullable(uuid('Null for one that is not saved.')),
    name: Type.String(),
    version: nullable(Type.Integer()),
  },
  { $id: 'NamedPolicy' },
)

const Trace = Type.Object(
  {
    policy: Named,
    sentence: Type.String(),
    applies: Type.Boolean({ description: 'Whether all of its conditions are met.' }),
    conditions: Type.Array(
      Type.Object({
        condition: Condition,
        words: Type.String({ description: 'The condition, of “transfers …”.' }),
        met: Type.Boolean(),
        value: Type.String({ description: 'What it was compared with, in words.' }),
      }),
    ),
  },
  { $id: 'PolicyTrace' },
)

export const Evaluation = Type.Object(
  {
    decision: Type.Enum(['allowed', 'denied', 'needs'], {
      description: 'denied: refused with policy_denied. needs: it waits for approvals or verifications.',
    }),
    words: Type.String(),
    denied_by: nullable(Named),
    approvals: Type.Array(
      Type.Object({
        policy: nullable(Named),
        mandate: AskingMandate,
        count: Type.Integer({ description: 'So many different members.' }),
        given: Type.Integer({ description: 'So many have approved the contract as it stands.' }),
        role: nullable(Type.Enum([...ROLES])),
      }),
    ),
    verifications: Type.Array(
      Type.Object({
        policy: Named,
        verification: Type.Enum([...VERIFICATION_KINDS]),
        verifier: nullableText,
        on_unavailable: Type.Enum(['wait', 'allow']),
        verification_id: nullable(uuid('The newest one about this very recipient; null where it has to be asked.')),
        status: Type.Enum(['not_started', ...VERIFICATION_STATUSES], {
          description: 'How it stands. not_started: nobody has asked yet, or what was answered counts no longer.',
        }),
        words: Type.String({ description: 'How it stands, in a sentence.' }),
        expires_at: nullable(time('Until then a pass counts.')),
        met: Type.Boolean({ description: 'Whether it keeps the transfer waiting no longer.' }),
      }),
    ),
    delay_seconds: Type.Integer({ description: 'How much later the money leaves.' }),
    fees: nullable(TriedFees),
    at: time('The moment that was asked about.'),
    traces: Type.Array(Trace, { description: 'In the order in which policies are asked.' }),
    notes: Type.Array(Type.String(), { description: 'What the verdict cannot know.' }),
  },
  { $id: 'PolicyVerdict' },
)

export const EvaluationReply = envelope('number', Type.Object({ evaluation: Evaluation }))

/** A judgement with what is needed to show it. */
export type Verdict = {
  readonly judgement: Judgement
  readonly currency: string
  readonly atMs: number
  /** By the place of the approval in the judgement: how many have approved it. */
  readonly given: readonly number[]
  /** By the place of the verification in the judgement: how it stands. */
  readonly verified: readonly Standing[]
  /** What it would cost by a policy of fees; null where none applies. */
  readonly tried: TriedPrice | null
  readonly notes: readonly string[]
}

export function presentVerdict({
  judgement,
  currency,
  atMs,
  given,
  verified,
  tried,
  notes,
}: Verdict): Wire<typeof Evaluation> {
  const { denied, delaySeconds, traces } = judgement
  const approvals = judgement.approvals.map((need, i) => {
    const by =
      'mandateOf' in need
        ? { policy: null, mandate: presentAskingMandate(need) }
        : { policy: named(need), mandate: null }
    return { ...by, count: need.count, given: given[i] ?? 0, role: need.role }
  })
  const verifications = judgement.verifications.map((need, i) => presentNeed(need, verified[i] ?? NOBODY))
  const isLacking = verifications.some(({ met }) => !met) || approvals.some((need) => need.given < need.count)
  const decision = denied ? 'denied' : isLacking ? 'needs' : 'allowed'
  return {
    decision,
    words: denied ? denied.words : WORDS[decision],
    denied_by: denied && named(denied),
    approvals,
    verifications,
    delay_seconds: delaySeconds,
    fees: tried && presentTried(tried, currency),
    at: iso(atMs),
    traces: traces.map((trace) => presentTrace(trace, currency)),
    notes: [...notes],
  }
}

function presentNeed(need: VerificationNeed, { standing, words, found }: Standing) {
  const isOpen = standing === 'unavailable' && need.onUnavailable === 'allow'
  return {
    policy: named(need),
    verification: need.verification,
    verifier: need.verifierId,
    on_unavailable: need.onUnavailable,
    verification_id: found?.id ?? null,
    status: standing,
    words,
    expires_at: isoOrNull(found?.expiresAt ?? null),
    met: standing === 'pass' || isOpen,
  }
}

const WORDS = {
  allowed: 'No policy stands in the way.',
  needs: 'It is paid once what is asked for is there.',
  denied: '',
} as const

const named = ({ policyId, name, version }: AskedBy): Wire<typeof Named> => {
  const isSaved = policyId !== ''
  return { id: isSaved ? policyId : null, name, version: isSaved ? version : null }
}

function presentTrace(trace: PolicyTrace, currency: string): Wire<typeof Trace> {
  return {
    policy: named(trace),
    sentence: sentenceOf(trace.policy),
    applies: trace.applies,
    conditions: trace.conditions.map(({ condition, found }) => ({
      condition: presentCondition(condition),
      words: conditionWords(condition, trace.policy.names),
      met: found.isMet,
      value: foundWords(condition, found, currency),
    })),
  }
}

/** The value that a condition met, for people. `currency`: that of the transfer. */
function foundWords({ field }: DomainCondition, { value }: Found, currency: string): string {
  switch (field) {
    case 'amount':
      return displayText(BigInt(value ?? 0), currency)
    case 'sum':
      return value === null ? `paid in ${currency}` : `${displayText(BigInt(value), currency)} with this one`
    case 'count':
      return `${value} with this one`
    case 'recipient.new':
      return value === null ? 'never paid before' : `known since ${iso(Number(value))}`
    case 'hour':
      return `the hour from ${clock(Number(value))}`
    case 'weekday':
      return WEEKDAYS[Number(value) - 1] ?? String(value)
    case 'currency':
    case 'channel':
    case 'recipient.country':
    case 'recipient.profile':
    case 'key':
    case 'member':
      return value === null ? 'none' : String(value)
  }
}
