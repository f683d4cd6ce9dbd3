// What an account's policies say of a transfer that is to be paid. Pure: the same answer under the account's lock, in a trial
// on a draft and in a rehearsal on what happened.
import type { Role } from '../account/roles.ts'
import { type Circumstances, type Condition, type Found, findingOf } from './condition.ts'
import { conditionsOfFees, type FeePrice, tierOf } from './fees.ts'
import { effectOf, inOrder, type Policy, type VerificationKind } from './policy.ts'

/** Which policy, in which version, asks for something. */
export type AskedBy = { readonly policyId: string; readonly version: number; readonly name: string }

/** Which mandate asks: by the key that it was given to, and as the key that paid is called. */
export type AskedByMandate = { readonly mandateOf: string; readonly name: string }

export type ApprovalNeed = (AskedBy | AskedByMandate) & { readonly count: number; readonly role: Role | null }

/** What a mandate asks for: one member who may approve. `name`: of the key that pays. */
export const approvalByMandate = (mandateOf: string, name: string): ApprovalNeed => ({
  mandateOf,
  name,
  count: 1,
  role: null,
})

/** Who asks, as people read it. */
export const askerWords = (need: ApprovalNeed): string =>
  'mandateOf' in need ? `mandate of the API key “${need.name}”` : `policy “${need.name}”`

export const isSameAsker = (one: ApprovalNeed, other: ApprovalNeed): boolean =>
  'mandateOf' in one
    ? 'mandateOf' in other && one.mandateOf === other.mandateOf
    : 'policyId' in other && one.policyId === other.policyId

export type VerificationNeed = AskedBy & {
  readonly verification: VerificationKind
  readonly verifierId: string | null
  readonly onUnavailable: 'wait' | 'allow'
}

/** What became of one policy: whether it applies, and what each of its conditions met. */
export type PolicyTrace = AskedBy & {
  readonly policy: Policy
  readonly applies: boolean
  readonly conditions: readonly { readonly condition: Condition; readonly found: Found }[]
}

export type Judgement = {
  /** The policy that denies it, with its words; null where none does. */
  readonly denied: (AskedBy & { readonly words: string; readonly param: string | null }) | null
  /** Each of these, and not one for all: requirements add up. */
  readonly approvals: readonly ApprovalNeed[]
  readonly verifications: readonly VerificationNeed[]
  /** The longest that is asked for. */
  readonly delaySeconds: number
  /** What it costs by the first policy of fees that applies; null where the channel's own price stands. */
  readonly fees: FeePrice | null
  readonly traces: readonly PolicyTrace[]
}

/** What an account without policies asks: nothing. */
export const FREE: Judgement = {
  denied: null,
  approvals: [],
  verifications: [],
  delaySeconds: 0,
  fees: null,
  traces: [],
}

const askedBy = ({ id, version, name }: Policy): AskedBy => ({ policyId: id, version, name })

export function judge(policies: readonly Policy[], about: Circumstances): Judgement {
  const traces = inOrder(policies.filter(({ status }) => status === 'active')).map((policy) => traceOf(policy, about))
  const applying = traces.filter(({ applies }) => applies).map(({ policy }) => policy)
  const first = applying.find(({ then }) => then.kind === 'allow' || then.kind === 'deny')
  const denied =
    first?.then.kind === 'deny' ? { ...askedBy(first), words: first.then.words, param: paramOf(first.when) } : null
  const approvals = applying.flatMap((policy) => {
    const { then } = policy
    return then.kind === 'approvals' ? [{ ...askedBy(policy), count: then.count, role: then.role }] : []
  })
  const verifications = applying.flatMap((policy) => {
    const { then } = policy
    if (then.kind !== 'verification') return []
    const { verification, verifierId, onUnavailable } = then
    return [{ ...askedBy(policy), verification, verifierId, onUnavailable }]
  })
  const delays = applying.map(({ then }) => (then.kind === 'delay' ? then.seconds : 0))
  const fees = priceOf(
    applying.find(({ then }) => then.kind === 'fees'),
    about,
  )
  return { denied, approvals, verifications, delaySeconds: Math.max(0, ...delays), fees, traces }
}

/** What of a transfer each condition is about, as a contract names it; null where nothing of it, but who pays and when. */
const PARAMS: Readonly<Record<Condition['field'], string | null>> = {
  amount: 'amount',
  currency: 'currency',
  channel: 'channel',
  'recipient.country': 'recipient.country',
  'recipient.profile': 'recipient',
  'recipient.new': 'recipient',
  key: null,
  member: null,
  hour: null,
  weekday: null,
  sum: 'amount',
  count: null,
}

/** What of it to change: the first of a policy's conditions that is about the transfer says so. */
const paramOf = (when: readonly Condition[]): string | null =>
  when.map(({ field }) => PARAMS[field]).find((param) => param !== null) ?? null

function traceOf(policy: Policy, about: Circumstances): PolicyTrace {
  const { when, then } = policy
  const asked = then.kind === 'fees' ? [...conditionsOfFees(then), ...when] : when
  const conditions = asked.map((condition) => ({ condition, found: findingOf(condition, about, effectOf(then)) }))
  return { ...askedBy(policy), policy, applies: conditions.every(({ found }) => found.isMet), conditions }
}

function priceOf(policy: Policy | undefined, about: Circumstances): FeePrice | null {
  if (policy?.then.kind !== 'fees') return null
  const { by, tiers } = policy.then
  const measuredMinor = by === 'amount' ? about.amountMinor : about.volumeMinor
  const found = tierOf(tiers, measuredMinor)
  return found && { ...askedBy(policy), by, measuredMinor, ...found }
}
