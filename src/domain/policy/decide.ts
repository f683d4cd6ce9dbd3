// What becomes of a policy: made, changed, paused, resumed, archived; by whom, and how many there may be. Pure.
import { invalid, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import type { Policy, PolicyFacts, PolicyNames, PolicyStatus } from './policy.ts'

/** Of one account, without the archived ones; and how many of them may be active at a time. */
const POLICIES_MAX = 100
const ACTIVE_MAX = 50

type PolicyKey = Pick<Policy, 'lane' | 'accountId' | 'id' | 'livemode'>

/** How many an account has beside the one that is written. */
export type Others = { readonly kept: number; readonly active: number }

/** What is wanted of a policy: its facts, and whether it is asked. */
export type PolicyTerms = PolicyFacts & { readonly status: PolicyStatus; readonly names?: PolicyNames }

/** A policy in its first version. */
export function newPolicy(key: PolicyKey, terms: PolicyTerms, others: Others, nowMs: number): Policy | Refusal {
  const policy = { ...key, ...terms, version: 1, createdAt: nowMs, updatedAt: nowMs }
  return refusalOfEnd(terms.status) ?? refusalOfMany(policy, others) ?? policy
}

/** The next version; the same policy where nothing differs. */
export function withTerms(before: Policy, terms: PolicyTerms, others: Others, nowMs: number): Policy | Refusal {
  if (before.status === 'archived') return policyArchived()
  return refusalOfEnd(terms.status) ?? next(before, { ...before, ...terms }, others, nowMs)
}

export function withStatus(before: Policy, status: PolicyStatus, others: Others, nowMs: number): Policy | Refusal {
  if (before.status === status) return before
  if (before.status === 'archived') return policyArchived()
  return next(before, { ...before, status }, others, nowMs)
}

function next(before: Policy, after: Policy, others: Others, nowMs: number): Policy | Refusal {
  if (isSame(before, after)) return before
  const refused = after.status === 'active' && before.status !== 'active' ? refusalOfMany(after, others) : null
  return refused ?? { ...after, version: before.version + 1, updatedAt: nowMs }
}

/** Both were read by the same rules, which put members in one order. */
function isSame(one: Policy, other: Policy): boolean {
  const text = (policy: Policy) =>
    JSON.stringify(factsOf(policy), (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
  return text(one) === text(other)
}

const factsOf = ({ name, description, priority, when, then, status }: Policy) => [
  name,
  description,
  priority,
  when,
  Object.entries(then).toSorted(([before], [after]) => (before < after ? -1 : 1)),
  status,
]

function refusalOfMany({ status }: Policy, { kept, active }: Others): Refusal | null {
  if (kept >= POLICIES_MAX)
    return refuse('policies_full', null, `An account has at most ${POLICIES_MAX} policies. Archive one.`)
  if (status === 'active' && active >= ACTIVE_MAX)
    return refuse(
      'policies_full',
      'status',
      `At most ${ACTIVE_MAX} policies are active at a time. Pause or archive one.`,
    )
  return null
}

function refusalOfEnd(status: PolicyStatus): Refusal | null {
  if (status !== 'archived') return null
  return refuseAll([invalid('status', 'status must be active or paused. DELETE archives a policy.')])
}

/** Whoever has a stolen key must not switch off what stands between it and the money. */
export function refusalOfKey(livemode: boolean, by: 'key' | 'person'): Refusal | null {
  if (!livemode || by === 'person') return null
  const why = 'Policies of a live account are made, changed and ended by a person: a member who is signed in.'
  return refuse('person_required', null, `${why} A key may read and try them.`)
}

export const policyNotFound = (): Refusal =>
  refuse('policy_not_found', 'id', 'No policy of yours has this id. GET /policies lists them.')

export const policyArchived = (): Refusal =>
  refuse('policy_archived', 'id', 'The policy is archived, and stays as it is. Make another one: POST /policies.')
