// Policies as their account writes and reads them: one, its versions, a page of them, and how many there are.
import type { Others } from '../../domain/policy/decide.ts'
import type { Policy, PolicyStatus } from '../../domain/policy/policy.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { OwnedKey } from '../columns.ts'
import { policyDocument } from './policies.ts'

const NEWEST = `select v.lane, v.account_id, v.policy_id, v.version, v.document
             from policies p
             join policy_versions v on v.lane = p.lane and v.account_id = p.account_id and v.policy_id = p.id
                                   and v.version = p.version
            where p.lane = $1 and p.account_id = $2`

/** The policy in its newest version, if it is the account's. */
export function findPolicy({ lane, accountId, id }: OwnedKey): Statement {
  return { name: 'find_policy', text: `${NEWEST} and p.id = $3`, values: [lane, accountId, id] }
}

/** The policy as one version left it. */
export function findPolicyVersion({ lane, accountId, id }: OwnedKey, version: number): Statement {
  return {
    name: 'find_policy_version',
    text: `select v.lane, v.account_id, v.policy_id, v.version, v.document
             from policy_versions v
            where v.lane = $1 and v.account_id = $2 and v.policy_id = $3 and v.version = $4`,
    values: [lane, accountId, id, version],
  }
}

/** The versions of a policy below one, the newest first; one more than the limit. */
export function listPolicyVersions({ lane, accountId, id }: OwnedKey, below: number, limit: number): Statement {
  return {
    name: 'list_policy_versions',
    text: `select v.lane, v.account_id, v.policy_id, v.version, v.document
             from policy_versions v
            where v.lane = $1 and v.account_id = $2 and v.policy_id = $3 and v.version < $4
            order by v.version desc
            limit $5`,
    values: [lane, accountId, id, below, limit + 1],
  }
}

export type PolicyFilter = {
  readonly status: PolicyStatus | null
  /** The policy that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** Policies of the account, newest first, one more than the limit. */
export function listPolicies({ lane, accountId }: AccountKey, { status, after, limit }: PolicyFilter): Statement {
  return {
    name: 'list_policies',
    text: `${NEWEST} and ($3::text is null or p.status = $3) and ($4::uuid is null or p.id < $4)
            order by p.id desc
            limit $5`,
    values: [lane, accountId, status, after, limit + 1],
  }
}

/** All policies of the account that are not archived: a hundred at most. */
export function listKeptPolicies({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'list_kept_policies',
    text: `${NEWEST} and p.status in ('active', 'paused')`,
    values: [lane, accountId],
  }
}

/** How many others the account has, the archived ones aside. */
export function countOthers({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'count_other_policies',
    text: `select count(*)::int as kept, count(*) filter (where p.status = 'active')::int as active
             from policies p
            where p.lane = $1 and p.account_id = $2 and p.status in ('active', 'paused') and p.id <> $3`,
    values: [lane, accountId, id],
  }
}

export const othersFrom = (row: Row): Others => ({ kept: row['kept'] as number, active: row['active'] as number })

/** A new version, which is the newest from now on; with the first one the policy begins. */
export function savePolicy(policy: Policy): readonly Statement[] {
  const { lane, accountId, id, version, status } = policy
  return [
    {
      name: 'save_policy',
      text: `insert into policies (lane, account_id, id, version, status) values ($1, $2, $3, $4, $5)
             on conflict (lane, account_id, id) do update set version = excluded.version, status = excluded.status`,
      values: [lane, accountId, id, version, status],
    },
    {
      name: 'insert_policy_version',
      text: `insert into policy_versions (lane, account_id, policy_id, version, document) values ($1, $2, $3, $4, $5)`,
      values: [lane, accountId, id, version, policyDocument(policy)],
    },
  ]
}

/** Since when the account's active policies are as they are; null where it has none, and nothing of them is read. */
export function markPolicies({ lane, accountId }: AccountKey, position: number | null): Statement {
  return {
    name: 'mark_policies',
    text: `update accounts a set policies_at = $3 where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId, position],
  }
}
