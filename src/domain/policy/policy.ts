// Policies: what an account lets leave it, and under which conditions. A policy is a versioned document; all of its conditions
// hold, or it does not apply (docs/adr/0051). Nothing but types and the order in which policies are asked.
import type { Role } from '../account/roles.ts'
import type { Condition, Effect } from './condition.ts'
import type { FeeOutcome } from './fees.ts'

export const POLICY_STATUSES = ['active', 'paused', 'archived'] as const
export type PolicyStatus = (typeof POLICY_STATUSES)[number]

export const VERIFICATION_KINDS = ['name', 'mobile', 'chain_address', 'list', 'otp', 'http'] as const
export type VerificationKind = (typeof VERIFICATION_KINDS)[number]

/** What a policy says of a transfer to which it applies. */
export type Outcome =
  /** No policy of a lower priority denies it. What others require is required all the same. */
  | { readonly kind: 'allow' }
  /** Refused in these words, unless a policy of a higher priority allows it. */
  | { readonly kind: 'deny'; readonly words: string }
  /** So many different members approve it, of the role; of any that may approve where `role` is null. */
  | { readonly kind: 'approvals'; readonly count: number; readonly role: Role | null }
  | {
      readonly kind: 'verification'
      readonly verification: VerificationKind
      /** One of the account's own; null for the one that is built in, or the only one of the kind. */
      readonly verifierId: string | null
      /** Closed: it waits until there is a result, or a member's word. */
      readonly onUnavailable: 'wait' | 'allow'
    }
  /** The money leaves so much later than it would; until then it can be cancelled, and comes back. */
  | { readonly kind: 'delay'; readonly seconds: number }
  /** What it costs, from the next draft on that is written; the first that applies is taken. */
  | FeeOutcome

/** An `allow` alone lets anything leave that would not without it: all others ask for something, or deny. */
export const effectOf = ({ kind }: Outcome): Effect => (kind === 'allow' ? 'loosens' : 'tightens')

/** What its account says of a policy, and may change. */
export type PolicyFacts = {
  readonly name: string
  readonly description: string | null
  /** Lower numbers are asked first; of the same number the older policy. */
  readonly priority: number
  /** All must hold; none: it applies to every transfer. */
  readonly when: readonly Condition[]
  readonly then: Outcome
}

/** What people call whatever a policy names by its id, as it is called now. */
export type PolicyNames = Readonly<Record<string, string>>

/** One version of a policy. */
export type Policy = PolicyFacts & {
  readonly lane: number
  readonly accountId: string
  readonly id: string
  readonly livemode: boolean
  readonly status: PolicyStatus
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  /** Absent where nobody reads what it says; no part of the version. */
  readonly names?: PolicyNames
}

/** In the order in which they are asked: by priority, then by age. */
export function inOrder(policies: readonly Policy[]): readonly Policy[] {
  return policies.toSorted((one, other) => one.priority - other.priority || (madeBefore(one, other) ? -1 : 1))
}

/** Ids rise with time. One that is tried and not saved has none: it would be the newest. */
const madeBefore = (one: Policy, other: Policy): boolean => one.id !== '' && (other.id === '' || one.id < other.id)
