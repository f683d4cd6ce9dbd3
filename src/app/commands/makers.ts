// For whom the rows of a command act, and what they must be allowed: when it is made, and as long as it works.
import { readableTypes, scopesToRead } from '../../domain/account/events.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import type { Powers } from '../../domain/account/keys.ts'
import { type BulkCommand, type CommandType, scopesNeeded, type Wanted } from '../../domain/command/command.ts'
import { scopesOf } from '../../domain/account/roles.ts'
import { isRefusal, keyHasEnded, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { MemberStatus } from '../../domain/member/member.ts'
import { findApiKeys, storedKeyFrom } from '../../store/accounts/callers.ts'
import { findMember, memberFrom } from '../../store/members/members.ts'
import { scopesOfKey } from '../accounts/callers.ts'
import type { Row } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import type { Deps } from '../deps.ts'

/** What the caller lacks of what each row of the type needs, or of what the file holds. */
export function refuseLacking(
  scopes: ReadonlySet<Scope>,
  type: CommandType,
  wanted: Pick<Wanted, 'what' | 'types'> | null,
): Refusal | null {
  const lacking = scopesNeeded(type, wanted?.what ?? null).filter((scope) => !scopes.has(scope))
  if (lacking.length > 0)
    return refuse('scope_missing', 'type', `For ${type} the credential lacks ${lacking.join(', ')}.`)
  const readable = new Set<string>(readableTypes(scopes))
  const hidden = (wanted?.types ?? []).filter((each) => !readable.has(each))
  if (hidden.length === 0) return null
  return refuse('scope_missing', 'type', `The credential may not be told of ${hidden.slice(0, 5).join(', ')}.`)
}

/**
 * Why a key with caps or a mandate sets no payments of somebody else going: their rows act for whoever made the command, and are
 * judged by its bounds alone.
 */
export function refuseBounded(type: CommandType, { transferMax, mandate }: Powers): Refusal | null {
  const isBounded = transferMax !== null || mandate !== null
  if (!isBounded || !scopesNeeded(type, null).includes('transfers:pay')) return null
  const bound = transferMax === null ? 'mandate' : 'caps'
  const fix = 'Have whoever made it, or a credential without, set it going.'
  return refuse(
    'exceeds_own_access',
    'id',
    `Its payments act for whoever made the command, beside the ${bound} of your key. ${fix}`,
  )
}

/**
 * What the caller lacks to be shown what rows of the type hold, and what they come to: any scope by which it may be told of contracts.
 * What is sent again is named by its event alone, as an endpoint's deliveries are, which webhooks:manage lists.
 */
export function refuseUnreadable(scopes: ReadonlySet<Scope>, type: CommandType): Refusal | null {
  const readers: readonly Scope[] = scopesToRead('contract.created')
  const enough: readonly Scope[] = type === 'events.replay' ? [...readers, 'webhooks:manage'] : readers
  if (enough.some((scope) => scopes.has(scope))) return null
  const words = `Rows of ${type} show what contracts hold. The credential lacks ${enough.join(' or ')}.`
  return refuse('scope_missing', null, words)
}

/** What the one for whom the rows act may do at this moment; or why they may not act any more. */
export async function scopesToAct(
  { reader }: Pick<Deps, 'reader'>,
  { type, wanted, ...command }: BulkCommand,
): Promise<ReadonlySet<Scope> | Refusal> {
  const scopes = await scopesOfMaker(reader, command)
  return isRefusal(scopes) ? scopes : (refuseLacking(scopes, type, wanted) ?? scopes)
}

/** Of one who was reset nobody knows yet whether they come in again. */
function memberHasGone(status: MemberStatus | undefined): Refusal {
  const stands = status === 'invited' ? 'was reset, and has not come in again' : 'is none of the account any more'
  const words = `The member for whom the rows act ${stands}. They act for whoever resumes the command.`
  return refuse('member_not_found', null, words)
}

/** What the key or the member may do at this moment; or why they may not act any more. A member's session may have ended. */
async function scopesOfMaker(
  reader: Deps['reader'],
  { lane, accountId, keyId, memberId }: Pick<BulkCommand, 'lane' | 'accountId' | 'keyId' | 'memberId'>,
): Promise<ReadonlySet<Scope> | Refusal> {
  if (keyId !== null) {
    const [found] = await reader.send([findApiKeys(scopeOf([{ lane }]), [{ lane, keyId }])])
    const [key] = (found?.rows ?? []).map(storedKeyFrom)
    return key ? scopesOfKey(key) : keyHasEnded()
  }
  if (memberId === null) throw new Error('a command for which nobody acts')
  const [found] = await reader.send([findMember({ lane, accountId, id: memberId })])
  const [row] = found?.rows ?? []
  const scopes = row ? memberScopes(row) : NOTHING
  return scopes.size > 0 ? scopes : memberHasGone(row && memberFrom(row).status)
}

const NOTHING: ReadonlySet<Scope> = new Set()

/** What a member may do; nothing once they were removed. */
export function memberScopes(row: Row): ReadonlySet<Scope> {
  const { status, role } = memberFrom(row)
  return status === 'active' ? scopesOf(role) : new Set()
}
