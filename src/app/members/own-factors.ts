// What members change of themselves: password, authenticator, recovery codes, a new passkey. Each asks for the password again, and a wrong one
// counts as it does at a sign-in: a session that was left open is not enough to keep somebody out.
import { isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import type { Member } from '../../domain/member/member.ts'
import { afterRight, afterWrong, faultOfPassword, isLocked, notProven } from '../../domain/member/sign-in.ts'
import type { Result, Statement } from '../../platform/db.ts'
import { lockCommandsOf } from '../../store/commands/commands.ts'
import { findMember, memberFrom, type MemberKey, saveMember } from '../../store/members/members.ts'
import { listPasskeys } from '../../store/members/passkeys.ts'
import { endSessions } from '../../store/members/sessions.ts'
import { findAccountName } from '../../store/accounts/accounts.ts'
import { type AccountChange, changeAccount, type Changer, type Held, unchanged } from '../accounts/changes.ts'
import { pausingToo } from '../commands/stops.ts'
import { type NewTotp, withConfirmedTotp, withPendingTotp, withRecoveryCodes } from './factors.ts'
import type { MemberDeps } from './member-deps.ts'
import { objectOf } from './members.ts'
import { type CreationOptions, creationOptions, passkeysOf } from './passkeys.ts'

export type Own = { readonly changer: Changer; readonly key: MemberKey; readonly password: string }

/** A new password; all sessions but this one end, and what goes on by any is paused. Throws TooManyPasswords. */
export async function changePassword(deps: MemberDeps, own: Own, wanted: string): Promise<Member | Refusal> {
  const stored = await deps.passwords.hash(wanted)
  const decide: Decide<Member> = (member, { nowMs }, _, [commands]) => {
    const fault = faultOfPassword('new_password', wanted, member.email)
    if (fault) return refuseAll([fault])
    const after = { ...member, password: stored }
    const ended = endSessions(own.key, { only: null, but: own.changer.keyId })
    return pausingToo(changedTo(after, 'member.password_changed', after, [ended]), 'password', commands, nowMs)
  }
  return withPassword<Member>(deps, own, decide, [lockCommandsOf(own.key, null)])
}

/** A new secret; the old one holds until a code of the new one is shown. */
export async function beginTotp(deps: MemberDeps, own: Own): Promise<NewTotp | Refusal> {
  const [account] = await deps.reader.send([findAccountName(own.key)])
  const issuer = (account?.rows[0]?.['name'] as string | undefined) ?? 'Gateway'
  return withPassword<NewTotp>(deps, own, (before) => {
    const { member, totp } = withPendingTotp(deps.sealing, before, issuer)
    return { statements: [saveMember(member)], audited: [], events: [], value: totp }
  })
}

/** From here on the new secret holds, and no other. */
export function confirmTotp(
  deps: MemberDeps,
  { changer, key }: Omit<Own, 'password'>,
  code: string,
): Promise<Member | Refusal> {
  return onMember<Member>(deps, changer, key, (member, { nowMs }) => {
    if (isLocked(member, nowMs)) return notProven('code')
    const after = withConfirmedTotp(deps.sealing, member, code, nowMs)
    if (after === null) return unproven(member, nowMs, 'code')
    return changedTo(after, 'member.authenticator_changed', after)
  })
}

/** Only who has a passkey goes without an authenticator. */
export function removeTotp(deps: MemberDeps, own: Own): Promise<Member | Refusal> {
  return withPassword<Member>(deps, own, (member, _, passkeys) => {
    if (member.totpSealed === null) return unchanged(member)
    if (passkeys === 0)
      return refuse('last_factor', null, 'This is your only second factor. Add a passkey first, or enrol a new one.')
    const after = { ...member, totpSealed: null, totpPendingSealed: null }
    return changedTo(after, 'member.authenticator_removed', after)
  })
}

/** What a browser needs to make a passkey: it signs in by itself, so that the password is asked for as for the others. */
export async function beginPasskey(deps: MemberDeps, own: Own, rpName: string): Promise<CreationOptions | Refusal> {
  const member = await withPassword<Member>(deps, own, unchanged)
  if (isRefusal(member)) return member
  return creationOptions(deps, member, await passkeysOf(deps, own.key), rpName)
}

/** Ten new codes in place of those that are left; shown once. */
export function newRecoveryCodes(deps: MemberDeps, own: Own): Promise<readonly string[] | Refusal> {
  return withPassword<readonly string[]>(deps, own, (before) => {
    const { member, codes } = withRecoveryCodes(before)
    return changedTo(member, 'member.recovery_codes_made', codes)
  })
}

function changedTo<T>(
  after: Member,
  action: `member.${string}`,
  value: T,
  others: AccountChange<T>['statements'] = [],
): AccountChange<T> {
  const audited = { action, object: objectOf(after), before: null, after: null }
  return { statements: [saveMember(after), ...others], audited: [audited], events: [], value }
}

/** `more`: what was loaded besides. */
type Decide<T> = (member: Member, held: Held, passkeys: number, more: readonly Result[]) => AccountChange<T> | Refusal

async function withPassword<T>(
  deps: MemberDeps,
  { changer, key, password }: Own,
  decide: Decide<T>,
  load: readonly Statement[] = [],
): Promise<T | Refusal> {
  const [result] = await deps.reader.send([findMember(key)])
  const stored = (result?.rows[0]?.['password'] as string | null | undefined) ?? null
  const isRight = await deps.passwords.isRight(password, stored)
  const decideByPassword: Decide<T | Refusal> = (member, held, passkeys, more) => {
    if (isLocked(member, held.nowMs)) return notProven('password')
    if (!isRight || member.password !== stored) return unproven(member, held.nowMs, 'password')
    return decide(afterRight(member), held, passkeys, more)
  }
  return onMember<T>(deps, changer, key, decideByPassword, load)
}

function onMember<T>(
  { changes }: MemberDeps,
  changer: Changer,
  key: MemberKey,
  decide: Decide<T | Refusal>,
  load: readonly Statement[] = [],
): Promise<T | Refusal> {
  return changeAccount<T | Refusal>(
    changes,
    changer,
    [findMember(key), listPasskeys(key), ...load],
    ([found, passkeys, ...more], held) => {
      const row = found?.rows[0]
      if (!row) throw new Error('a session without its member')
      return decide(memberFrom(row), held, passkeys?.rows.length ?? 0, more)
    },
  )
}

/** Refused, and counted. */
function unproven(member: Member, nowMs: number, what: 'password' | 'code'): AccountChange<Refusal> {
  const after = afterWrong(member, nowMs)
  const audited = { action: 'session.refused', object: objectOf(member), before: null, after: { wrong: what } } as const
  return { statements: [saveMember(after)], audited: [audited], events: [], value: notProven(what) }
}
