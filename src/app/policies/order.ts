// A policy put at another place among the others: in one transaction, each that gets another priority as one more version of it.
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { policyNotFound, refusalOfKey } from '../../domain/policy/decide.ts'
import { looksAt } from '../../domain/policy/look.ts'
import { placed, reordered } from '../../domain/policy/order.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import { policyFrom } from '../../store/policies/policies.ts'
import { findPolicy, listKeptPolicies, markPolicies, savePolicy } from '../../store/policies/written.ts'
import { changeAccount, unchanged } from '../accounts/changes.ts'
import { type PolicyChanger, type PolicyDeps, toldOf } from './policies.ts'

/** Right before another, or behind all others for null. Answers with all that are not archived, in the order in which they are asked. */
export async function placePolicy(
  { changes }: Pick<PolicyDeps, 'changes'>,
  { changer, livemode, by }: PolicyChanger,
  id: string,
  before: string | null,
): Promise<readonly Policy[] | Refusal> {
  const refused = refusalOfKey(livemode, by)
  if (refused) return refused
  if (!isUuid(id)) return policyNotFound()
  const { lane, accountId } = changer
  const load = [findPolicy({ lane, accountId, id }), listKeptPolicies(changer)]
  return changeAccount(changes, changer, load, (loaded, { head, nowMs }) => {
    const [own = [], kept = []] = loaded.map(({ rows }) => rows.map(policyFrom))
    const policies = placed([...kept, ...own.filter(({ status }) => status === 'archived')], id, before)
    if (isRefusal(policies)) return policies
    const moved = new Map(reordered(policies, id, nowMs).map((policy) => [policy.id, policy]))
    const value = policies.map((policy) => moved.get(policy.id) ?? policy)
    if (moved.size === 0) return unchanged(value)
    const told = policies.flatMap((old) => {
      const after = moved.get(old.id)
      return after ? [toldOf(old, after, 'updated')] : []
    })
    const inForce = value.filter(({ status }) => status === 'active')
    return {
      statements: [
        ...[...moved.values()].flatMap(savePolicy),
        markPolicies(changer, inForce.length > 0 ? head.position + told.length : null, looksAt(inForce)),
      ],
      audited: told.map(({ audited }) => audited),
      events: told.map(({ event }) => event),
      value,
    }
  })
}
