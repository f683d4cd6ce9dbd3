// What members say of a transfer that an account's policies hold back: they approve its frozen terms, or reject it. Pure.
import { activity, asItStands, type Checks, type Decision, type Facts, moved } from '../contract/decision.ts'
import { type Refusal, refuse, sessionHasEnded } from '../contract/refusals.ts'
import { invariant } from '../invariant.ts'
import { type LackingApproval, lackingApprovals, type Requirements } from '../policy/requirements.ts'
import type { ApproveTransfer, RejectTransfer } from './commands.ts'
import type { Activity, Transfer, UsedProfile } from './transfer.ts'

/** Refused to whoever made what is to be approved, for other terms, and where the money would go elsewhere now. */
export function decideApprove(contract: Transfer, command: ApproveTransfer, facts: Facts): Decision | Refusal {
  const { requirements } = contract
  const { checks, nowMs } = facts
  invariant(checks !== undefined, 'whoever approves is checked')
  if (!requirements || requirements.approvals.length === 0) return refuseUnasked()
  const { memberId, termsHash } = command
  const refusal = refuseOtherTerms(termsHash, checks) ?? refusalOfApprover(contract, memberId, checks)
  if (refusal) return refusal
  if (requirements.given.some((each) => each.memberId === memberId && each.termsHash === termsHash))
    return asItStands(contract)
  const role = checks.roleOf(memberId)
  invariant(role !== null, 'the role was looked at')
  const given = [...requirements.given, { memberId, name: checks.nameOf(memberId), role, at: nowMs, termsHash }]
  const before = lackingOf(requirements, checks)
  const after = lackingOf({ ...requirements, given }, checks)
  const isLast = before.length > 0 && after.length === 0
  const changes = { requirements: { ...requirements, given } }
  const line = activity('approved', nowMs, 'account', { role, lacking: countOf(after) })
  return moved(contract, nowMs, changes, [line], isLast ? 'contract.approved' : null)
}

/** Why the member may not approve the contract; null where they may. */
export function refusalOfApprover(contract: Transfer, memberId: string, checks: Checks): Refusal | null {
  const { requirements, terms } = contract
  if (!requirements || requirements.approvals.length === 0) return refuseUnasked()
  return (
    refuseMaker(contract, memberId, checks) ??
    refuseRole(requirements, memberId, checks) ??
    refuseMovedDestination(terms.recipientProfile, checks)
  )
}

/** It is told of, and then cancelled as by a cancel: two versions, and nobody pays between them. */
export function decideReject(
  contract: Transfer,
  command: RejectTransfer,
  facts: Facts,
  cancel: (rejected: Transfer) => Decision | Refusal,
): Decision | Refusal {
  const { requirements } = contract
  const { checks, nowMs } = facts
  invariant(checks !== undefined, 'whoever rejects is checked')
  if (!requirements || requirements.approvals.length === 0) return refuseUnasked()
  const refusal = refuseOtherTerms(command.termsHash, checks)
  if (refusal) return refusal
  if (checks.roleOf(command.memberId) === null) return sessionHasEnded()
  const data = command.reason === null ? null : { reason: command.reason }
  const rejected = moved(contract, nowMs, {}, [activity('rejected', nowMs, 'account', data)], 'contract.rejected')
  const next = cancel(rejected.after)
  if ('kind' in next) return next
  return { ...rejected, next }
}

/** What is lacking, of those who are members still. */
export const lackingOf = (
  { approvals, given }: Requirements,
  { termsHash, roleOf }: Pick<Checks, 'termsHash' | 'roleOf'>,
): LackingApproval[] => lackingApprovals(approvals, given, termsHash, roleOf)

/** What would be lacking if the member approved, too, whether or not they may. */
export function lackingWith(requirements: Requirements, memberId: string, checks: Checks): LackingApproval[] {
  const { termsHash, roleOf, nameOf } = checks
  const role = roleOf(memberId)
  if (role === null) return lackingOf(requirements, checks)
  const own = { memberId, name: nameOf(memberId), role, at: 0, termsHash }
  return lackingOf({ ...requirements, given: [...requirements.given, own] }, checks)
}

/** How many members are lacking at least. One may count for several needs. */
const countOf = (lacking: readonly LackingApproval[]): number =>
  Math.max(0, ...lacking.map(({ count, given }) => count - given))

/** Everybody who created, changed or issued it, as far as people are known behind them. */
export function makersOf({ activities, foldedBy = [] }: Transfer, { memberBehind }: Pick<Checks, 'memberBehind'>) {
  const made = activities.filter(({ type }) => MAKING.has(type)).flatMap(({ proxy }) => proxy ?? [])
  return new Set([...foldedBy, ...made].flatMap((proxy) => memberBehind(proxy) ?? []))
}

const MAKING: ReadonlySet<Activity['type']> = new Set<Activity['type']>(['created', 'updated', 'issued'])

function refuseMaker(contract: Transfer, memberId: string, checks: Checks): Refusal | null {
  if (!makersOf(contract, checks).has(memberId)) return null
  return refuse(
    'approver_is_maker',
    'id',
    'You made, changed or issued this contract, yourself or by an API key that you made. Somebody else approves it.',
  )
}

function refuseRole({ approvals }: Requirements, memberId: string, { roleOf }: Checks): Refusal | null {
  const role = roleOf(memberId)
  if (role === null) return sessionHasEnded()
  if (approvals.some((need) => need.role === null || need.role === role)) return null
  const asked = [...new Set(approvals.map((need) => need.role))].join(', ')
  return refuse(
    'approver_role_not_asked',
    'id',
    `Your role is ${role}, and asked for is the approval of: ${asked}. Ask somebody of that role.`,
  )
}

const refuseUnasked = () =>
  refuse('approval_not_required', 'id', 'Nothing asks for an approval of this contract. It can be paid as it is.')

/** Why it is not these terms that were looked at; null where it is. */
export function refuseOtherTerms(sent: string, { termsHash }: Pick<Checks, 'termsHash'>): Refusal | null {
  if (sent === termsHash) return null
  return refuse(
    'terms_changed',
    'terms_hash',
    'terms_hash is not that of the contract’s terms. Read the contract again, look at what it says now, and send its approval.terms_hash.',
  )
}

function refuseMovedDestination(used: UsedProfile | undefined, { destinationVersion }: Checks): Refusal | null {
  if (!used || used.destination === null || used.destinationVersion === destinationVersion) return null
  const what = destinationVersion === null ? 'was archived' : `stands at version ${destinationVersion}`
  return refuse(
    'destination_changed',
    'id',
    `The contract pays version ${used.destinationVersion} of the saved destination, which ${what} now. Cancel it and make a new one.`,
  )
}
