// Policies as their account writes and reads them: one, its versions, a page of them, and how many there are.
import type { Others } from '../../domain/policy/decide.ts'
import type { Look } from '../../domain/policy/look.ts'
import type { Policy, PolicyStatus } from '../../domain/policy/policy.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { OwnedKey } from '../columns.ts'
import { versioned } from '../versioned.ts'
import { POLICY_NAMES } from './names.ts'
import { policyDocument } from './policies.ts'

const {
  newest,
  find: findPolicy,
  findVersion: findPolicyVersion,
  listVersions: listPolicyVersions,
  insertVersion,
} = versioned({
  noun: 'policy',
  heads: 'policies',
  versions: 'policy_versions',
  id: 'policy_id',
  also: `, ${POLICY_NAMES} as names`,
})
export { findPolicy, findPolicyVersion, listPolicyVersions }

/** Policies as these versions left them. */
export function findPolicyVersions(
  { lane, accountId }: AccountKey,
  named: readonly { readonly id: string; readonly version: number }[],
): Statement {
  return {
    name: 'find_policy_versions',
    text: `select distinct on (v.policy_id, v.version)
                  v.lane, v.account_id, v.policy_id, v.version, v.document, ${POLICY_NAMES} as names
             from unnest($3::uuid[], $4::int[]) x (id, version)
             join policy_versions v on v.lane = $1 and v.account_id = $2 and v.policy_id = x.id and v.version = x.version
            order by v.policy_id, v.version`,
    values: [lane, accountId, plainArray(named.map(({ id }) => id)), plainArray(named.map(({ version }) => version))],
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
    text: `${newest} and ($3::text is null or p.status = $3) and ($4::uuid is null or p.id < $4)
            order by p.id desc
            limit $5`,
    values: [lane, accountId, status, after, limit + 1],
  }
}

/** The policies that are in force, with what people call whatever they name. */
export function listActivePolicies({ lane, accountId }: AccountKey): Statement {
  return { name: 'list_active_policies', text: `${newest} and p.status = 'active'`, values: [lane, accountId] }
}

/** All policies of the account that are not archived: a hundred at most. */
export function listKeptPolicies({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'list_kept_policies',
    text: `${newest} and p.status in ('active', 'paused')`,
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
    insertVersion(policy, version, policyDocument(policy)),
  ]
}

/**
 * Since when the account's active policies are as they are, and what they look at; both null where it has none, and nothing of
 * them is read.
 */
export function markPolicies({ lane, accountId }: AccountKey, position: number | null, look: Look): Statement {
  return {
    name: 'mark_policies',
    text: `update accounts a set policies_at = $3, policies_look_at = $4::json where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId, position, position === null ? null : JSON.stringify(look)],
  }
}
