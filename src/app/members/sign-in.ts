// Signing in by e-mail address, password and a code. The password is looked at outside, for it takes long; what counts, the code,
// the lock and the count of wrong tries, is looked at in the transaction, so that many tries at once are as many tries.
import { laneOf } from '../../domain/contract/ids.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Member } from '../../domain/member/member.ts'
import { afterRight, afterWrong, codeRequired, isLocked, signInFailed } from '../../domain/member/sign-in.ts'
import { ofNodesHere } from '../../platform/servers/absence.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { findMember, memberFrom, membersWithEmail, saveMember } from '../../store/members/members.ts'
import { type AccountChange, changeAccount, type Changer, type Held, unchanged } from '../accounts/changes.ts'
import { withUsedCode } from './factors.ts'
import type { MemberDeps, Place } from './member-deps.ts'
import { objectOf } from './members.ts'
import { beginSession, type NewSession, type SignInWay } from './sessions.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  readonly code: string | null
  /** Which account is meant, where several have the address. */
  readonly accountId: string | null
}

export type SignedIn = { readonly member: Member; readonly session: NewSession }

/** A session for who proves who they are. Throws TooManyPasswords. */
export async function signIn(deps: MemberDeps, credentials: Credentials, place: Place): Promise<SignedIn | Refusal> {
  const { email, password, code, accountId } = credentials
  const { found, fault } = await membersOf(deps, email, accountId)
  // An address that nobody has takes as long as one that somebody has.
  if (found.length === 0) await deps.passwords.isRight(password, null)
  const right: Found[] = []
  for (const each of found) if (await deps.passwords.isRight(password, each.member.password)) right.push(each)
  const free = right.filter(({ member }) => !isLocked(member, deps.nowMs()))
  const [first, ...others] = free
  if (!first) {
    // Of accounts that cannot be looked at it may be the right one: then it is no wrong try of anybody's.
    if (fault !== null) throw fault
    for (const { member } of found) await countWrong(deps, member, place, 'password')
    return signInFailed()
  }
  if (others.length > 0) return whichAccount(free)
  if (code === null) return codeRequired()
  return decided(deps, first.member, place, 'password', (member, held) => {
    if (member.password !== first.member.password || isLocked(member, held.nowMs)) return null
    return withUsedCode(deps.sealing, member, code, held.nowMs)
  })
}

type Found = { readonly member: Member; readonly accountName: string }

/** `fault`: why some accounts could not be looked at, null where all were. Who is found signs in all the same. */
type Members = { readonly found: readonly Found[]; readonly fault: Error | null }

/** Who may sign in with the address: in every account, or in the one that is meant. Throws where none could be looked at. */
export async function membersOf(
  { reader, lanesByNode }: Pick<MemberDeps, 'reader' | 'lanesByNode'>,
  email: string,
  accountId: string | null,
): Promise<Members> {
  const ask = (lanes: readonly number[]) => reader.send([membersWithEmail(email, lanes)])
  // Of the account that is meant its own server knows all, whichever of the others are away.
  const nodes = accountId === null ? lanesByNode() : [[laneOf(accountId)]]
  const { answers, fault } = await ofNodesHere(nodes, ask)
  const found = answers
    .flatMap(({ answer: [result] }) => result?.rows ?? [])
    .map((row) => ({ member: memberFrom(row), accountName: row['account_name'] as string }))
    .filter(({ member }) => accountId === null || member.accountId === accountId)
    .toSorted((one, other) => (one.member.joinedAt ?? 0) - (other.member.joinedAt ?? 0))
  return { found, fault }
}

/** Said only to who has proved who they are. */
export function whichAccount(found: readonly Found[]): Refusal {
  const accounts = found.map(({ member, accountName }) => `${member.accountId} (${accountName})`)
  return refuse('account_required', 'account', `Say by account which one is meant: ${accounts.join(', ')}.`)
}

/** Who changes an account by signing in: nobody yet, from there. */
export const signingIn = ({ lane, accountId }: AccountKey, member: Pick<Member, 'id'>, place: Place): Changer => ({
  lane,
  accountId,
  keyId: null,
  actor: { kind: 'member', id: member.id, ...place },
})

/** What the member is after the proof was used up; null where it is none. */
type Prove = (member: Member, held: Held) => Member | null

/** The session of a member whose proof holds at this moment; else one more wrong try. */
export function decided(
  { changes }: Pick<MemberDeps, 'changes'>,
  { lane, accountId, id }: Member,
  place: Place,
  way: SignInWay,
  prove: Prove,
): Promise<SignedIn | Refusal> {
  const changer = signingIn({ lane, accountId }, { id }, place)
  return changeAccount<SignedIn | Refusal>(changes, changer, [findMember({ lane, accountId, id })], ([found], held) => {
    const row = found?.rows[0]
    const member = row && memberFrom(row)
    if (member?.status !== 'active') return unchanged(signInFailed())
    const proven = prove(member, held)
    if (proven === null) return wrong(member, held, 'code')
    const after = afterRight(proven)
    const { session, statement, audited } = beginSession(after, held, way)
    return {
      statements: [saveMember(after), statement],
      audited: [audited],
      events: [],
      value: { member: after, session },
    }
  })
}

/** Counts a wrong try. Of a member who is locked it writes nothing, however many come. */
function wrong(member: Member, { nowMs }: Held, what: 'password' | 'code'): AccountChange<Refusal> {
  if (isLocked(member, nowMs)) return unchanged(signInFailed())
  const after = afterWrong(member, nowMs)
  const audited = {
    action: 'session.refused',
    object: objectOf(member),
    before: null,
    after: { wrong: what, locked: after.lockedUntil !== null && after.lockedUntil > nowMs },
  } as const
  return { statements: [saveMember(after)], audited: [audited], events: [], value: signInFailed() }
}

async function countWrong(
  { changes }: MemberDeps,
  { lane, accountId, id }: Member,
  place: Place,
  what: 'password',
): Promise<void> {
  const actor = { kind: 'gateway', id: 'gateway', ...place } as const
  const changer = { lane, accountId, keyId: null, actor }
  await changeAccount<Refusal>(changes, changer, [findMember({ lane, accountId, id })], ([found], held) => {
    const row = found?.rows[0]
    return row ? wrong(memberFrom(row), held, what) : unchanged(signInFailed())
  })
}
