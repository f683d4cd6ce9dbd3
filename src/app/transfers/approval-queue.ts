// The queue of approvals: what waits, for whom, and why; as whoever asks sees it. Nothing here is decided: that is done under the
// account's lock, when somebody approves.
import { isUuid } from '../../domain/contract/ids.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import type { LackingApproval } from '../../domain/policy/requirements.ts'
import { lackingOf, lackingWith, refusalOfApprover, refuseOtherTerms } from '../../domain/transfer/approvals.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { checksFor, noChecks, readDestinations, readMakers, readMembers } from '../../engine/approvals.ts'
import { contractNotFound } from '../../engine/execute.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { Waiting } from '../../store/accounts/attention.ts'
import {
  activeMembers,
  type ApprovalFilter,
  findApprovals,
  listApprovals,
  makersOfKeys,
  namesOfActors,
  type QueuedApproval,
  queuedFrom,
  usedDestinations,
} from '../../store/contracts/approvals.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import { policyFrom } from '../../store/policies/policies.ts'
import { findPolicyVersions } from '../../store/policies/written.ts'
import type { Row } from '../../platform/db.ts'
import type { Deps } from '../deps.ts'
import type { Approved } from './approvals.ts'

/** Who held back a command met: a member, or an API key. */
export type WhoAsked = { readonly type: 'member' | 'key'; readonly id: string; readonly name: string | null }

export type WaitingApproval = QueuedApproval & {
  readonly contract: Transfer
  readonly by: WhoAsked | null
  readonly lacking: readonly LackingApproval[]
  /** The policies that ask for it, in the versions that asked. */
  readonly policies: readonly Policy[]
  /** Why whoever asks may not approve it; null where they may. */
  readonly whyNot: Refusal | null
}

type LookedAt = WaitingApproval & { readonly checks: ReturnType<typeof checksFor> }

/** One more than the limit, as the member sees it; null for a key. */
export async function approvalsOf(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
  memberId: string | null,
  filter: ApprovalFilter,
): Promise<WaitingApproval[]> {
  const [found] = await reader.send([listApprovals(owner, filter)])
  return lookedAt({ reader }, owner, memberId, found?.rows ?? [])
}

/** The approvals of one contract; not found where nobody was asked. */
export async function approvalOf(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
  memberId: string | null,
  contractId: string,
): Promise<WaitingApproval | Refusal> {
  if (!isUuid(contractId)) return contractNotFound()
  const [found] = await reader.send([findApprovals(owner, [contractId])])
  const [one] = await lookedAt({ reader }, owner, memberId, found?.rows ?? [])
  return one ?? contractNotFound()
}

const SHOWN = 5

/**
 * What of the queue is this member's to approve; null for nothing. Looks at one more of the newest than are counted, and no further.
 */
export async function approvalsWaitingFor(
  deps: Pick<Deps, 'reader'>,
  owner: AccountKey,
  memberId: string,
  limit: number,
): Promise<Waiting | null> {
  const found = await approvalsOf(deps, owner, memberId, { status: 'waiting', after: null, limit })
  const own = found.filter(({ status, whyNot: reason }) => status === 'waiting' && reason === null)
  const oldest = own.toSorted((one, other) => one.askedAt - other.askedAt)
  const [first] = oldest
  if (!first) return null
  const ids = oldest.slice(0, SHOWN).map(({ contract }) => contract.id)
  return { count: own.length, sinceMs: first.askedAt, ids }
}

/** What would become of approvals: nothing is written. `complete`: it would have every approval then. */
export type TriedApproval = {
  readonly id: string
  readonly result: Transfer | Refusal
  readonly isComplete: boolean
}

/** What each approval would be answered with now; another answer may come where something happens before it is given. */
export async function tryApprovals(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
  memberId: string,
  items: readonly Approved[],
): Promise<TriedApproval[]> {
  const ids = [...new Set(items.map(({ id }) => id).filter(isUuid))]
  const [found] = await reader.send([findApprovals(owner, ids)])
  const queued = new Map(
    (await lookedAt({ reader }, owner, memberId, found?.rows ?? [])).map((each) => [each.contract.id, each]),
  )
  return items.map(({ id, termsHash }) => {
    const one = queued.get(id.toLowerCase())
    if (!one) return { id, result: contractNotFound(), isComplete: false }
    const isOver = one.status === 'rejected' || one.status === 'ended'
    const refusal = isOver
      ? one.whyNot
      : (refuseOtherTerms(termsHash, one.checks) ?? refusalOfApprover(one.contract, memberId, one.checks))
    if (refusal) return { id, result: refusal, isComplete: false }
    const lacking = one.contract.requirements ? lackingWith(one.contract.requirements, memberId, one.checks) : []
    return { id, result: one.contract, isComplete: lacking.length === 0 }
  })
}

/** Rows of the queue with what each is checked against now. Looked at again, under the account's lock, by whoever approves. */
async function lookedAt(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
  memberId: string | null,
  rows: readonly Row[],
): Promise<LookedAt[]> {
  if (rows.length === 0) return []
  const { lane, accountId } = owner
  const scope = { kind: 'one lane', lane } as const
  const queued = rows.flatMap((row) => {
    const contract = readContractFrom(row)
    return contract.kind === 'transfer' ? [{ ...queuedFrom(row), contract }] : []
  })
  const whoAsked = [...new Set(queued.flatMap(({ askedBy }) => askedBy ?? []))]
  const asked = queued.flatMap(({ contract }) => contract.requirements?.approvals ?? [])
  const [members, makers, destinations, named, versions] = await reader.send([
    activeMembers(scope, [owner]),
    makersOfKeys(scope, [owner]),
    usedDestinations(
      scope,
      queued.map(({ contract: { id } }) => ({ lane, accountId, id })),
    ),
    namesOfActors(owner, whoAsked),
    findPolicyVersions(
      owner,
      asked.flatMap((need) => ('policyId' in need ? [{ id: need.policyId, version: need.version }] : [])),
    ),
  ])
  const checks = noChecks()
  readMembers(checks, members?.rows ?? [])
  readMakers(checks, makers?.rows ?? [])
  readDestinations(checks, destinations?.rows ?? [])
  const byId = new Map((named?.rows ?? []).map((row) => [row['id'] as string, row as unknown as WhoAsked]))
  const policies = (versions?.rows ?? []).map(policyFrom)
  return queued.map((each) => {
    const { contract, askedBy } = each
    const against = checksFor(checks, contract)
    const lacking = contract.requirements ? lackingOf(contract.requirements, against) : []
    const by = askedBy === null ? null : (byId.get(askedBy) ?? null)
    // Who approved it may be no member any more.
    const status = each.status === 'approved' && lacking.length > 0 ? 'waiting' : each.status
    const of = policies.filter(({ id, version }) =>
      contract.requirements?.approvals.some(
        (need) => 'policyId' in need && need.policyId === id && need.version === version,
      ),
    )
    const reason = whyNot(each, memberId, against)
    return { ...each, status, by, lacking, policies: of, whyNot: reason, checks: against }
  })
}

function whyNot(
  { status, contract }: QueuedApproval & { readonly contract: Transfer },
  memberId: string | null,
  checks: ReturnType<typeof checksFor>,
): Refusal | null {
  if (memberId === null)
    return refuse('session_required', 'Cookie', 'Owners, admins and approvers approve, signed in. No key does.')
  if (status === 'rejected' || status === 'ended')
    return refuse('approval_not_required', 'id', 'Nobody is asked any more.')
  if (contract.requirements?.given.some((each) => each.memberId === memberId && each.termsHash === checks.termsHash))
    return refuse('approval_not_required', 'id', 'You have approved it.')
  return refusalOfApprover(contract, memberId, checks)
}
