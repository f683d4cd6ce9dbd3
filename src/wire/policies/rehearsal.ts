// A rehearsal of policies on the wire: what is asked, and what the payments of the last days would have met.
import Type, { type Static } from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import type { Spent } from '../../domain/policy/meters.ts'
import {
  EFFECTS,
  type CurrencyTotals,
  type Met,
  type PolicyTotals,
  type Rehearsal as Rehearsed,
} from '../../domain/policy/rehearsal.ts'
import { sentenceOf } from '../../domain/policy/sentence.ts'
import { closed, envelope, livemode, nullable, nullableText, nullableTime, time, uuid, type Wire } from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'
import { PolicyBody } from './policy.ts'

const DAYS = { default: 30, max: 90 } as const
const CONTRACTS = { default: 100, max: 500 } as const

export const RehearsalBody = closed(
  {
    policy: Type.Optional(nullable(PolicyBody)),
    policy_id: Type.Optional(
      nullable(
        uuid(
          'One of your policies, in its newest version, whether or not it is asked. With policy: as if it were changed so.',
        ),
      ),
    ),
    alone: Type.Optional(
      Type.Boolean({
        description: 'Without those that are active. They are rehearsed together where nothing is said.',
      }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DAYS.max,
        description: `How many days up to now; ${DAYS.default} by default.`,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: CONTRACTS.max,
        description: `How many contracts are listed; ${CONTRACTS.default} by default. Totals count all.`,
      }),
    ),
    after: Type.Optional(nullable(uuid('data.next of the page before.'))),
  },
  {
    $id: 'PolicyRehearsalRequest',
    description: 'A policy that is not saved, or one that is; neither: the active ones as they are.',
  },
)
export type RehearsalBody = Static<typeof RehearsalBody>

const Amounts = Type.Object(
  { transfers: Type.Integer(), amount: Type.Number({ description: 'In major units. Without the fee.' }) },
  { $id: 'RehearsedAmounts' },
)

const effect = Type.Enum([...EFFECTS], { $id: 'PolicyEffect', description: 'What a policy would have done to it.' })

const RehearsedCurrency = Type.Object(
  {
    currency: Type.String(),
    paid: Amounts,
    denied: Amounts,
    approvals: Amounts,
    verification: Amounts,
    delayed: Amounts,
    fees: Type.Object({
      charged: Type.Number({ description: 'The fees of these payments, as they were.' }),
      would_be: Type.Number({
        description: 'As they would have been: of those that are not denied, each priced at the moment it was paid.',
      }),
    }),
  },
  { $id: 'RehearsedCurrency' },
)

const RehearsedPolicy = Type.Object(
  {
    policy: nullable(uuid('Null for one that is not saved.')),
    name: Type.String(),
    sentence: Type.String({ description: 'What it does, in words.' }),
    applied: Type.Integer({ description: 'To how many payments it applies.' }),
    met: Type.Integer({
      description: 'Of how many of them it decides something: not where another one allows or denies them first.',
    }),
  },
  { $id: 'RehearsedPolicy' },
)

const RehearsedContract = Type.Object(
  {
    contract: uuid('Of the transfer contract.'),
    paid_at: time('When it was paid.'),
    amount: Type.Number(),
    currency: Type.String(),
    channel: nullableText,
    recipient: nullable(Type.String({ description: 'The recipient’s name.' })),
    effects: Type.Array(effect),
    reasons: Type.Array(
      Type.Object({
        policy: nullable(uuid('Null for one that is not saved.')),
        name: Type.String(),
        effect,
        sentence: Type.String(),
      }),
      { description: 'Which policies would have met it, and what they say.' },
    ),
  },
  { $id: 'RehearsedContract' },
)

const Rehearsal = Type.Object(
  {
    livemode,
    from: time('The first moment whose payments are judged.'),
    to: time('The last one.'),
    time_zone: Type.String({ description: 'Of the account: hours and weekdays are in it.' }),
    cut_at: nullableTime,
    currencies: Type.Array(RehearsedCurrency),
    policies: Type.Array(RehearsedPolicy, { description: 'In the order in which they are asked.' }),
    contracts: Type.Array(RehearsedContract, { description: 'Those that would have been met, the oldest first.' }),
    next: nullableText,
  },
  {
    $id: 'PolicyRehearsal',
    description:
      'cut_at is set where the history is longer than is looked at: nothing before that moment is counted, or judged.',
  },
)

export const RehearsalReply = envelope('number', Type.Object({ rehearsal: Rehearsal }))

export const askedOf = ({ days, limit, after }: RehearsalBody) => ({
  days: days ?? DAYS.default,
  limit: limit ?? CONTRACTS.default,
  after: after ?? null,
})

/** Null of a policy that is not saved. */
const shownId = ({ id }: { readonly id: string }) => (id === '' ? null : id)

export function presentRehearsal(found: Rehearsed, isLive: boolean): Wire<typeof Rehearsal> {
  return {
    livemode: isLive,
    from: iso(found.fromMs),
    to: iso(found.toMs),
    time_zone: found.timeZone,
    cut_at: isoOrNull(found.cutAt),
    currencies: found.currencies.map(presentCurrency),
    policies: found.policies.map(presentPolicyTotals),
    contracts: found.met.map(presentMet),
    next: found.hasMore ? (found.met.at(-1)?.transfer.id ?? null) : null,
  }
}

function presentCurrency({ currency, paid, ...met }: CurrencyTotals): Wire<typeof RehearsedCurrency> {
  const shown = ({ sumMinor, count }: Spent) => ({ transfers: count, amount: majorNumber(sumMinor, currency) })
  return {
    currency,
    paid: shown(paid),
    denied: shown(met.denied),
    approvals: shown(met.approvals),
    verification: shown(met.verification),
    delayed: shown(met.delayed),
    fees: { charged: majorNumber(met.chargedMinor, currency), would_be: majorNumber(met.wouldBeMinor, currency) },
  }
}

function presentPolicyTotals({ policy, applied, met }: PolicyTotals): Wire<typeof RehearsedPolicy> {
  return { policy: shownId(policy), name: policy.name, sentence: sentenceOf(policy), applied, met }
}

function presentMet({ transfer, reasons }: Met): Wire<typeof RehearsedContract> {
  const { amountMinor, currency, channelId, recipient } = transfer.terms
  return {
    contract: transfer.id,
    paid_at: iso(transfer.paidAt ?? 0),
    amount: majorNumber(amountMinor, currency),
    currency,
    channel: channelId,
    recipient: recipient?.name ?? null,
    effects: [...new Set(reasons.map(({ effect: what }) => what))],
    reasons: reasons.map(({ policy, effect: what }) => ({
      policy: shownId(policy),
      name: policy.name,
      effect: what,
      sentence: sentenceOf(policy),
    })),
  }
}
