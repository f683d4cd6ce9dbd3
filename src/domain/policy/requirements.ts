// What a contract waits for that its account's policies ask for: who approved it, and what is lacking. Pure.
import type { Role } from '../account/roles.ts'
import type { ApprovalNeed, VerificationNeed } from './judge.ts'
import type { VerificationKind } from './policy.ts'

/** A member's approval of the terms as they were frozen. `termsHash`: of what they approved, in hexadecimal. */
export type Approval = {
  readonly memberId: string
  /** As it was then. */
  readonly name: string | null
  readonly role: Role
  readonly at: number
  readonly termsHash: string
}

/** What was asked for, the last time that somebody wanted to issue or pay it; and what was given. */
export type Requirements = {
  readonly askedAt: number
  readonly approvals: readonly ApprovalNeed[]
  readonly verifications: readonly VerificationNeed[]
  readonly given: readonly Approval[]
}

/** A verification that did not pass yet: how it stands, in words for people. */
export type LackingVerification = VerificationNeed & {
  /** That of the question that was asked, or is asked now; null where nobody can be asked. */
  readonly verificationId: string | null
  readonly standing: 'not_started' | 'pending' | 'fail' | 'review' | 'unavailable'
  readonly words: string
}

/** A verification that was asked for a contract, as the contract shows it: as of its newest result, or when it was asked. */
export type NotedVerification = {
  readonly id: string
  readonly verification: VerificationKind
  /** One of the account's own; null for the gateway's. */
  readonly verifierId: string | null
  readonly verifierName: string | null
  readonly status: 'pending' | 'pass' | 'fail' | 'review' | 'unavailable'
  readonly words: string | null
  readonly endedAt: number | null
  readonly expiresAt: number | null
}

/** An approval is lacking in so many members. */
export type LackingApproval = ApprovalNeed & { readonly given: number }

/**
 * The approvals that are lacking. A member counts once for each need, with the role that they have now (null: they may not
 * approve any more), and only for these very terms.
 */
export function lackingApprovals(
  needs: readonly ApprovalNeed[],
  given: readonly Approval[],
  termsHash: string,
  roleOf: (memberId: string) => Role | null,
): LackingApproval[] {
  return needs.flatMap((need) => {
    const members = new Set(
      given
        .filter((each) => each.termsHash === termsHash)
        .filter(({ memberId }) => {
          const role = roleOf(memberId)
          return role !== null && (need.role === null || need.role === role)
        })
        .map(({ memberId }) => memberId),
    )
    return members.size >= need.count ? [] : [{ ...need, given: members.size }]
  })
}
