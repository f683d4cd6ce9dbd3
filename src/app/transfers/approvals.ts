// Approvals: a member approves or rejects what policies hold back, one contract or many; and the queue of what waits.
import type { Requester } from '../payments/payments.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { LackingApproval } from '../../domain/policy/requirements.ts'
import { lackingOf, refusalOfApprover } from '../../domain/transfer/approvals.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { checksFor, noChecks, readDestinations, readMakers, readMembers } from '../../engine/approvals.ts'
import { contractNotFound } from '../../engine/execute.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  activeMembers,
  type ApprovalFilter,
  findApproval,
  listApprovals,
  makersOfKeys,
  namesOfActors,
  type QueuedApproval,
  queuedFrom,
  usedDestinations,
} from '../../store/contracts/approvals.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import type { Row } from '../../platform/db.ts'
import type { Deps } from '../deps.ts'

/** What a member looked at. */
export type Approved = { readonly id: string; readonly termsHash: string }

/** What became of one of many. */
export type ApprovalOutcome = { readonly id: string; readonly result: Transfer | Refusal }

/** Approves each by itself: one that is refused holds no other back. */
export async function approveAll(
  { execute }: Pick<Deps, 'execute'>,
  requester: Omit<Requester, 'idempotency' | 'versions'>,
  memberId: string,
  items: readonly Approved[],
): Promise<ApprovalOutcome[]> {
  return Promise.all(
    items.map(async ({ id, termsHash }) => {
      if (!isUuid(id)) return { id, result: contractNotFound() }
      const command = { verb: 'approve', id, termsHash, memberId } as const
      const result = await execute({ ...requester, idempotency: null, command })
      return { id, result: isRefusal(result) ? result : result.contract }
    }),
  )
}

/** Who held back a command met: a member, or an API key. */
export type WhoAsked = { readonly type: 'member' | 'key'; readonly id: string; readonly name: string | null }

export type WaitingApproval = QueuedApproval & {
  readonly contract: Transfer
  readonly by: WhoAsked | null
  readonly lacking: readonly LackingApproval[]
  /** Why whoever asks may not approve it; null where they may. */
  readonly whyNot: Refusal | null
}

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
  const [found] = await reader.send([findApproval(owner, contractId)])
  const [one] = await lookedAt({ reader }, owner, memberId, found?.rows ?? [])
  return one ?? contractNotFound()
}

/** Rows of the queue with what each is checked against now. Looked at again, under the account's lock, by whoever approves. */
async function lookedAt(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
  memberId: string | null,
  rows: readonly Row[],
): Promise<WaitingApproval[]> {
  if (rows.length === 0) return []
  const { lane, accountId } = owner
  const scope = { kind: 'one lane', lane } as const
  const queued = rows.flatMap((row) => {
    const contract = readContractFrom(row)
    return contract.kind === 'transfer' ? [{ ...queuedFrom(row), contract }] : []
  })
  const whoAsked = [...new Set(queued.flatMap(({ askedBy }) => askedBy ?? []))]
  const [members, makers, destinations, named] = await reader.send([
    activeMembers(scope, [owner]),
    makersOfKeys(scope, [owner]),
    usedDestinations(
      scope,
      queued.map(({ contract: { id } }) => ({ lane, accountId, id })),
    ),
    namesOfActors(owner, whoAsked),
  ])
  const checks = noChecks()
  readMembers(checks, members?.rows ?? [])
  readMakers(checks, makers?.rows ?? [])
  readDestinations(checks, destinations?.rows ?? [])
  const byId = new Map((named?.rows ?? []).map((row) => [row['id'] as string, row as unknown as WhoAsked]))
  return queued.map((each) => {
    const { contract, askedBy } = each
    const against = checksFor(checks, contract)
    const lacking = contract.requirements ? lackingOf(contract.requirements, against) : []
    const by = askedBy === null ? null : (byId.get(askedBy) ?? null)
    // Who approved it may be no member any more.
    const status = each.status === 'approved' && lacking.length > 0 ? 'waiting' : each.status
    return { ...each, status, by, lacking, whyNot: whyNot(each, memberId, against) }
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
