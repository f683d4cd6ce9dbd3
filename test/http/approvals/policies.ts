// Policies for tests of approvals, as they are stored: put straight into the database.
import type { ApprovalNeed } from '../../../src/domain/policy/judge.ts'
import type { Policy } from '../../../src/domain/policy/policy.ts'
import { policyDocument } from '../../../src/store/policies/policies.ts'
import type { Caller, World } from '../../world.ts'

/** From this amount on members are asked, in minor units. */
const ASKED_FROM_MINOR = 1_000_00n

/** The account asks for these approvals of every larger transfer in PHP. The ids of the policies. */
export async function asks(
  world: World,
  { account: { lane, accountId } }: Caller,
  needs: readonly Pick<ApprovalNeed, 'count' | 'role'>[],
): Promise<string[]> {
  const ids: string[] = []
  for (const [place, { count, role }] of needs.entries()) {
    const id = world.gateway.deps.newId(lane)
    const policy: Policy = {
      lane,
      accountId,
      id,
      livemode: false,
      version: 1,
      status: 'active',
      name: `Large transfers ${place + 1}`,
      description: null,
      priority: 10,
      when: [{ field: 'amount', op: 'at_least', currency: 'PHP', amountMinor: ASKED_FROM_MINOR }],
      then: { kind: 'approvals', count, role },
      createdAt: 0,
      updatedAt: 0,
    }
    await world.sql('insert into policies (lane, account_id, id, version, status) values ($1, $2, $3, 1, $4)', [
      lane,
      accountId,
      id,
      'active',
    ])
    await world.sql(
      'insert into policy_versions (lane, account_id, policy_id, version, document) values ($1, $2, $3, 1, $4)',
      [lane, accountId, id, policyDocument(policy)],
    )
    ids.push(id)
  }
  await world.sql('update accounts set policies_at = greatest(position, 1) where lane = $1 and account_id = $2', [
    lane,
    accountId,
  ])
  return ids
}
