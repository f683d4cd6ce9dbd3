// Policies, as their account writes and reads them: made, changed, paused, resumed and archived, each time as one more version
// with an entry in the audit list and an event; looked at as they stand or stood.
import { type Audited, changed } from '../../domain/account/audit.ts'
import type { AccountEventType } from '../../domain/account/events.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import {
  newPolicy,
  type Others,
  policyNotFound,
  refusalOfKey,
  withStatus,
  withTerms,
} from '../../domain/policy/decide.ts'
import type { PolicyTerms } from '../../domain/policy/decide.ts'
import { looksAt } from '../../domain/policy/look.ts'
import type { Policy, PolicyStatus } from '../../domain/policy/policy.ts'
import type { Result, Statement } from '../../platform/db.ts'
import type { AccountHead, AccountKey } from '../../store/accounts/accounts.ts'
import type { OwnedKey } from '../../store/columns.ts'
import { policyFrom } from '../../store/policies/policies.ts'
import {
  countOthers,
  findPolicy,
  findPolicyVersion,
  listPolicies,
  listPolicyVersions,
  markPolicies,
  othersFrom,
  type PolicyFilter,
  savePolicy,
} from '../../store/policies/written.ts'
import { presentPolicy } from '../../wire/policies/policy.ts'
import { type AccountChange, type Changer, type NewEvent, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { changeCounted } from './counted-change.ts'
import { referentsOf, withNames } from './referents.ts'

export type PolicyDeps = Pick<Deps, 'changes' | 'newId' | 'nowMs' | 'reader'>

/** Who changes it, and of which mode the account is. In live mode only a person does. */
export type PolicyChanger = { readonly changer: Changer; readonly livemode: boolean; readonly by: 'key' | 'person' }

/** What is wanted of a policy, and as which of its versions it must stand; undefined for any. */
export type PolicyAsked = { readonly id: string; readonly versions?: readonly number[] | undefined }

type Verb = 'created' | 'updated' | 'paused' | 'resumed' | 'archived'

/** Who is told: a policy that is paused or resumed is one that changed. */
const EVENTS: Readonly<Record<Verb, AccountEventType>> = {
  created: 'policy.created',
  updated: 'policy.updated',
  paused: 'policy.updated',
  resumed: 'policy.updated',
  archived: 'policy.archived',
}

const loadOne = (key: OwnedKey, terms: PolicyTerms | null): Statement[] => [
  findPolicy(key),
  countOthers(key),
  referentsOf(key, terms),
]

function loadedFrom([found, counted]: readonly Result[]): { readonly policy: Policy | null; readonly others: Others } {
  const [policy = null] = (found?.rows ?? []).map(policyFrom)
  const [others = { kept: 0, active: 0 }] = (counted?.rows ?? []).map(othersFrom)
  return { policy, others }
}

export async function createPolicy(
  deps: PolicyDeps,
  { changer, livemode, by }: PolicyChanger,
  terms: PolicyTerms,
): Promise<Policy | Refusal> {
  const refused = refusalOfKey(livemode, by)
  if (refused) return refused
  const { lane, accountId } = changer
  const key = { lane, accountId, id: deps.newId(lane) }
  return changeCounted(deps, changer, loadOne(key, terms), (loaded, { head, nowMs }, active) => {
    const { others } = loadedFrom(loaded)
    const named = withNames(terms, loaded[2])
    const policy = isRefusal(named) ? named : newPolicy({ ...key, livemode }, named, others, nowMs)
    return isRefusal(policy) ? policy : written(null, policy, 'created', { head, active })
  })
}

/** The terms of a policy after a patch, or what is wrong with them. */
export type TermsPatch = (before: Policy) => PolicyTerms | Refusal

export async function updatePolicy(
  deps: PolicyDeps,
  changer: PolicyChanger,
  asked: PolicyAsked,
  patch: TermsPatch,
): Promise<Policy | Refusal> {
  // What it will name is looked for with the policy; if somebody else changes it meanwhile, what is not found is refused.
  const seen = await findOwnPolicy(deps, changer.changer, asked.id)
  const wanted = isRefusal(seen) ? null : patch(seen)
  const terms = wanted === null || isRefusal(wanted) ? null : wanted
  return changePolicy(deps, changer, asked, { verb: 'updated', terms }, (policy, { others, nowMs, referents }) => {
    const patched = patch(policy)
    const named = isRefusal(patched) ? patched : withNames(patched, referents, policy)
    return isRefusal(named) ? named : withTerms(policy, named, others, nowMs)
  })
}

const STATUS_AFTER = { paused: 'paused', resumed: 'active', archived: 'archived' } as const satisfies Partial<
  Record<Verb, PolicyStatus>
>

/** Pauses, resumes or archives a policy; one that stands so already stays as it is. */
export function movePolicy(
  deps: PolicyDeps,
  changer: PolicyChanger,
  asked: PolicyAsked,
  verb: keyof typeof STATUS_AFTER,
): Promise<Policy | Refusal> {
  return changePolicy(deps, changer, asked, { verb, terms: null }, (policy, { others, nowMs }) =>
    withStatus(policy, STATUS_AFTER[verb], others, nowMs),
  )
}

async function changePolicy(
  deps: PolicyDeps,
  { changer, livemode, by }: PolicyChanger,
  { id, versions }: PolicyAsked,
  { verb, terms }: { readonly verb: Exclude<Verb, 'created'>; readonly terms: PolicyTerms | null },
  decide: (
    policy: Policy,
    about: { readonly others: Others; readonly nowMs: number; readonly referents: Result | undefined },
  ) => Policy | Refusal,
): Promise<Policy | Refusal> {
  const refused = refusalOfKey(livemode, by)
  if (refused) return refused
  const { lane, accountId } = changer
  return changeCounted(deps, changer, loadOne({ lane, accountId, id }, terms), (loaded, { head, nowMs }, active) => {
    const { policy: before, others } = loadedFrom(loaded)
    if (!before) return policyNotFound()
    if (versions && !versions.includes(before.version)) return isAnotherVersion(before)
    const after = decide(before, { others, nowMs, referents: loaded[2] })
    if (isRefusal(after)) return after
    return after === before ? unchanged(before) : written(before, after, verb, { head, active })
  })
}

function isAnotherVersion({ version }: Policy): Refusal {
  const fix = 'Read it again, and send the ETag of what you read.'
  return refuse('precondition_failed', 'If-Match', `The policy has changed: it stands at version ${version}. ${fix}`)
}

/** A version with all that is written of it. The account says since when its active policies are so: the event's position. */
function written(
  before: Policy | null,
  after: Policy,
  verb: Verb,
  { head, active }: { readonly head: AccountHead; readonly active: readonly Policy[] },
): AccountChange<Policy> {
  const { audited, event } = toldOf(before, after, verb)
  const inForce = active.filter(({ id }) => id !== after.id)
  if (after.status === 'active') inForce.push(after)
  return {
    statements: [
      ...savePolicy(after),
      markPolicies(after, inForce.length > 0 ? head.position + 1 : null, looksAt(inForce)),
    ],
    audited: [audited],
    events: [event],
    value: after,
  }
}

/** What the audit list keeps of a version, and what is told of it. */
export function toldOf(
  before: Policy | null,
  after: Policy,
  verb: Verb,
): { readonly audited: Audited; readonly event: NewEvent } {
  const difference = changed(before ? said(before) : {}, said(after)) ?? { before: {}, after: {} }
  const object = { type: 'policy', id: after.id }
  return {
    audited: { action: `policy.${verb}`, object, before: before && difference.before, after: difference.after },
    event: { type: EVENTS[verb], object: presentPolicy(after) },
  }
}

/** What of a policy the audit list compares: that it has another version goes without saying. */
function said(policy: Policy) {
  const { version: _, updated_at: __, created_at: ___, ...values } = presentPolicy(policy)
  return values
}

type Reader = Pick<Deps, 'reader'>

/** One of the account's policies; null for the newest version. */
export async function findOwnPolicy(
  { reader }: Reader,
  { lane, accountId }: AccountKey,
  id: string,
  version: number | null = null,
): Promise<Policy | Refusal> {
  if (!isUuid(id)) return policyNotFound()
  const key = { lane, accountId, id }
  const [found, versions] = await reader.send([
    findPolicy(key),
    ...(version === null ? [] : [findPolicyVersion(key, version)]),
  ])
  const [policy] = (found?.rows ?? []).map(policyFrom)
  if (!policy || version === null) return policy ?? policyNotFound()
  const [old] = (versions?.rows ?? []).map(policyFrom)
  const words = `The policy has no such version: it stands at ${policy.version}.`
  return old ?? refuse('policy_not_found', 'version', words)
}

/** The versions of a policy below one, the newest first, one more than the limit. */
export async function versionsOf(
  { reader }: Reader,
  { lane, accountId }: AccountKey,
  id: string,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<readonly Policy[] | Refusal> {
  if (!isUuid(id)) return policyNotFound()
  const key = { lane, accountId, id }
  const [found, all] = await reader.send([findPolicy(key), listPolicyVersions(key, below, limit)])
  return found?.rows.length === 1 ? (all?.rows ?? []).map(policyFrom) : policyNotFound()
}

/** Policies of the account, newest first, one more than the limit. */
export async function policiesOf({ reader }: Reader, account: AccountKey, filter: PolicyFilter): Promise<Policy[]> {
  const [found] = await reader.send([listPolicies(account, filter)])
  return (found?.rows ?? []).map(policyFrom)
}
