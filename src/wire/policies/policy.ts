// A policy on the wire: what a caller writes of one, what is shown, and the presenter.
import Type, { type Static } from 'typebox'
import { ROLES } from '../../domain/account/roles.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { AMOUNT_OPS, type Condition as DomainCondition, ONE_OF_FIELDS } from '../../domain/policy/condition.ts'
import type { PolicyTerms } from '../../domain/policy/decide.ts'
import { METER_BY, SPANS } from '../../domain/policy/meters.ts'
import { FEE_BASES } from '../../domain/policy/fees.ts'
import {
  type Outcome as DomainOutcome,
  POLICY_STATUSES,
  type Policy as DomainPolicy,
  VERIFICATION_KINDS,
} from '../../domain/policy/policy.ts'
import { sentenceOf } from '../../domain/policy/sentence.ts'
import { ListQuery } from '../api.ts'
import {
  closed,
  Currency,
  envelope,
  ignored,
  livemode,
  nullable,
  nullableText,
  readAs,
  text,
  time,
  uuid,
  type Wire,
} from '../shapes.ts'
import { iso } from '../times.ts'
import { FeeTier, presentTier } from './fees.ts'

const FIELDS = ['amount', ...ONE_OF_FIELDS, 'recipient.new', 'hour', 'weekday', 'sum', 'count'] as const
const OPS = [...AMOUNT_OPS, 'in', 'not_in'] as const
const OUTCOMES = ['allow', 'deny', 'approvals', 'verification', 'delay', 'fees'] as const

const some = <T extends Type.TSchema>(schema: T) => Type.Optional(nullable(schema))
const hour = (description: string) => some(Type.Integer({ minimum: 0, maximum: 24, description }))

export const Condition = closed(
  {
    field: Type.Enum([...FIELDS], { description: 'What of the transfer, or of what was paid before, is looked at.' }),
    op: some(
      Type.Enum([...OPS], {
        description: 'Of amount: above, at_least, below, at_most; of sum and count: above; of lists: in, not_in.',
      }),
    ),
    value: some(Type.Number({ description: 'Of amount and sum: major units of the currency. Of count: how many.' })),
    values: some(
      Type.Array(Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Integer()]), {
        minItems: 1,
        maxItems: 50,
        description:
          'Of lists: codes or ids, such as PHP, sandbox, PH, or the id of a profile. A key goes on with those that it is rolled into; one that it makes has its limits, and none of its exemptions. Of weekday: 1 for Monday to 7 for Sunday.',
      }),
    ),
    currency: some(Currency),
    by: some(
      Type.Enum([...METER_BY], {
        description:
          'Of sum and count: whose payments are counted together. key: with those that it is rolled into or that it makes.',
      }),
    ),
    window: some(Type.Enum([...SPANS], { description: 'Of sum and count: over how long, up to this moment.' })),
    within_days: some(
      Type.Integer({ minimum: 1, maximum: 90, description: 'Of recipient.new: for how many days somebody is new.' }),
    ),
    from: hour('Of hour: from this one on, 0 to 23, in the account’s time zone.'),
    to: hour('Of hour: until this one begins, 1 to 24; over midnight where it is below from.'),
  },
  { $id: 'PolicyCondition', description: 'All conditions of a policy hold, or it does not apply.' },
)

export type SentCondition = Static<typeof Condition>

const kind = Type.Enum([...OUTCOMES], { description: 'allow and deny: the first that applies decides. Others add up.' })

const OutcomeFields = {
  words: text(500, 'Of deny: what the caller hears.'),
  count: some(Type.Integer({ minimum: 1, maximum: 10, description: 'Of approvals: how many different members.' })),
  role: some(Type.Enum([...ROLES], { description: 'Of approvals: of which role; any that may approve without it.' })),
  verification: some(Type.Enum([...VERIFICATION_KINDS], { description: 'Of verification: what is verified.' })),
  verifier: some(uuid('Of verification: one of your own verifiers; the one that is built in without it.')),
  on_unavailable: some(
    Type.Enum(['wait', 'allow'], {
      description: 'Of verification: what becomes of it without an answer; wait by default.',
    }),
  ),
  seconds: some(Type.Integer({ minimum: 1, maximum: 604_800, description: 'Of delay: how much later it leaves.' })),
  channel: some(
    Type.String({ minLength: 1, maxLength: 64, description: 'Of fees: the channel whose transfers cost so.' }),
  ),
  currency: some(Currency),
  by: some(
    Type.Enum([...FEE_BASES], {
      description: 'Of fees: the amount chooses the tier, by default, or what the channel moved in the 30 days before.',
    }),
  ),
  tiers: some(
    Type.Array(FeeTier, { minItems: 1, maxItems: 20, description: 'Of fees: their ends rise, and the last has none.' }),
  ),
}

export const Outcome = closed({ kind, ...OutcomeFields }, { $id: 'PolicyOutcome' })

export type SentOutcome = Static<typeof Outcome>

const POLICY_OWNED = 'id livemode version sentence created_at updated_at'.split(' ')

const name = Type.String({ minLength: 1, maxLength: 100, description: 'What people call it; refusals name it.' })
const when = Type.Array(Condition, { maxItems: 20, description: 'None: it applies to every transfer.' })
const PolicyFields = {
  description: text(1000, 'Why there is such a policy.'),
  priority: some(
    Type.Integer({ minimum: 0, maximum: 1000, description: 'Lower numbers are asked first; 100 by default.' }),
  ),
  when: some(when),
  status: some(
    Type.Enum([...POLICY_STATUSES], { description: 'active by default; paused: it is kept and not asked.' }),
  ),
}

export const PolicyBody = closed(
  { name, ...PolicyFields, then: Outcome, ...ignored(POLICY_OWNED) },
  { $id: 'PolicyRequest' },
)

export type PolicyBody = Static<typeof PolicyBody>

export const PolicyPatchBody = closed(
  {
    name: some(name),
    ...PolicyFields,
    then: some(closed({ kind: some(kind), ...OutcomeFields })),
    ...ignored(POLICY_OWNED),
  },
  { $id: 'PolicyPatch', description: 'A JSON merge patch (RFC 7396): null clears; when is replaced as a whole.' },
)

/** What it says, saved or not. */
const SAID = {
  name: Type.String(),
  description: nullableText,
  priority: Type.Integer(),
  when: Type.Array(Condition),
  then: Outcome,
  status: Type.Enum([...POLICY_STATUSES]),
}

export const Policy = Type.Object(
  {
    id: uuid('Of the policy.'),
    livemode,
    ...SAID,
    sentence: Type.String({ description: 'What it does, in words.' }),
    version: Type.Integer(),
    created_at: time('When.'),
    updated_at: time('When.'),
  },
  { $id: 'Policy' },
)

export const PolicyReply = envelope('number', Type.Object({ policy: Policy }))
export const PoliciesReply = envelope('number', Type.Object({ policies: Type.Array(Policy), next: nullableText }))

const PolicyPreview = Type.Object(
  { ...SAID, sentence: Type.String({ description: 'What it would do, in words.' }) },
  { $id: 'PolicyPreview', description: 'As it would be kept.' },
)

export const PolicyPreviewReply = envelope('number', Type.Object({ preview: PolicyPreview }))

export const PolicyPlaceBody = closed(
  {
    before: Type.Optional(
      nullable(uuid('Another policy, which is asked right after it. Without it: the last of all.')),
    ),
  },
  { $id: 'PolicyPlace' },
)

export const PolicyOrderReply = envelope(
  'number',
  Type.Object({ policies: Type.Array(Policy, { description: 'In the order in which they are asked.' }) }),
)

export const PoliciesQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...POLICY_STATUSES], { description: 'Without it, archived ones too.' })),
})

export const PolicyQuery = closed({
  version: Type.Optional(
    readAs({ type: 'integer', minimum: 1, maximum: 999_999_999 }, '^[1-9][0-9]{0,8}$', 'As of that version.'),
  ),
})

/** The policy as every reply and event shows it. */
export function presentPolicy(policy: DomainPolicy): Wire<typeof Policy> {
  return {
    id: policy.id,
    livemode: policy.livemode,
    ...policySent(policy),
    sentence: sentenceOf(policy),
    version: policy.version,
    created_at: iso(policy.createdAt),
    updated_at: iso(policy.updatedAt),
  }
}

/** A policy that is not saved, as it would be. */
export const presentPreview = (terms: PolicyTerms): Wire<typeof PolicyPreview> => ({
  ...policySent(terms),
  sentence: sentenceOf(terms),
})

/** The policy as a caller would send it, for a patch to mend. */
export function policySent({ name: called, description, priority, when: conditions, then, status }: PolicyTerms) {
  const sent = {
    name: called,
    description,
    priority,
    when: conditions.map(presentCondition),
    then: presentOutcome(then),
  }
  return { ...sent, status }
}

/** As it was written, with the members alone that its field has. */
export function presentCondition(condition: DomainCondition): Wire<typeof Condition> {
  switch (condition.field) {
    case 'amount': {
      const { field, op, currency, amountMinor } = condition
      return { field, op, value: majorNumber(amountMinor, currency), currency }
    }
    case 'recipient.new':
      return { field: condition.field, within_days: condition.withinDays }
    case 'sum': {
      const { field, by, span, currency, aboveMinor } = condition
      return { field, by, window: span, op: 'above', value: majorNumber(aboveMinor, currency), currency }
    }
    case 'count': {
      const { field, by, span, above } = condition
      return { field, by, window: span, op: 'above', value: above }
    }
    case 'hour':
      return { field: condition.field, from: condition.from, to: condition.to }
    case 'weekday':
      return { field: condition.field, values: [...condition.values] }
    case 'currency':
    case 'channel':
    case 'recipient.country':
    case 'recipient.profile':
    case 'key':
    case 'member':
      return { field: condition.field, op: condition.op, values: [...condition.values] }
  }
}

function presentOutcome(then: DomainOutcome): Wire<typeof Outcome> {
  if (then.kind === 'fees') {
    const { kind: fees, channelId, currency, by, tiers } = then
    return { kind: fees, channel: channelId, currency, by, tiers: tiers.map((tier) => presentTier(tier, currency)) }
  }
  if (then.kind !== 'verification') return then
  const { kind, verification, verifierId, onUnavailable } = then
  return { kind, verification, verifier: verifierId, on_unavailable: onUnavailable }
}
