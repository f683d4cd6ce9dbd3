// Members as others see and change them: invited, listed, changed, reset, removed. What a member's sessions and passkeys were
// ends in the same transaction as what they may.
import { changed } from '../../domain/account/audit.ts'
import { type Authority, refusalOfBounded, type Role } from '../../domain/account/roles.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import {
  invited,
  type Member,
  memberNotFound,
  type MemberPatch,
  removed,
  reset,
  updated,
} from '../../domain/member/member.ts'
import { newLink } from '../../platform/credentials.ts'
import type { Result, Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  countMembers,
  findMember,
  findMemberByEmail,
  insertMember,
  listMembers,
  memberFrom,
  saveMember,
  withdrawLinks,
} from '../../store/members/members.ts'
import { countPasskeys, deletePasskeys } from '../../store/members/passkeys.ts'
import { lockCommandsOf } from '../../store/commands/commands.ts'
import { powersFrom } from '../../store/accounts/keys.ts'
import { endSessions } from '../../store/members/sessions.ts'
import { presentMember } from '../../wire/members/members.ts'
import { ownRow } from '../accounts/keys.ts'
import {
  type AccountChange,
  type ChangeDeps,
  changeAccount,
  type Changer,
  type Held,
  unchanged,
} from '../accounts/changes.ts'
import { pausingToo } from '../commands/stops.ts'

/** A member with how many passkeys they have. */
export type SeenMember = { readonly member: Member; readonly passkeys: number }
/** `token` is shown once. */
export type Invited = SeenMember & { readonly token: string }

/** One page shows them all. */
const MEMBERS_MAX = 500
const ALL_SESSIONS = { only: null, but: null } as const

export async function allMembers(reader: Session, owner: AccountKey, withRemoved: boolean): Promise<SeenMember[]> {
  const [members, passkeys] = await reader.send([listMembers(owner, withRemoved), countPasskeys(owner)])
  const counts = countsIn(passkeys)
  return (members?.rows ?? []).map(memberFrom).map((member) => ({ member, passkeys: counts.get(member.id) ?? 0 }))
}

export async function oneMember(reader: Session, owner: AccountKey, id: string): Promise<SeenMember | Refusal> {
  if (!isUuid(id)) return memberNotFound()
  const [found, passkeys] = await reader.send([findMember({ ...owner, id }), countPasskeys(owner)])
  const row = found?.rows[0]
  return row ? { member: memberFrom(row), passkeys: countsIn(passkeys).get(id) ?? 0 } : memberNotFound()
}

const countsIn = (result: Result | undefined) =>
  new Map(result?.rows.map((row) => [row['member_id'] as string, row['passkeys'] as number]))

type Wanted = { readonly email: string; readonly role: Role; readonly name: string | null }

/** A link for a new member, or a new link for one who was invited and has not joined. */
export function inviteMember(
  changes: ChangeDeps,
  changer: Changer,
  by: Authority,
  wanted: Wanted,
): Promise<Invited | Refusal> {
  const { lane, accountId, actor } = changer
  const { text: token, hash: linkHash } = newLink(lane)
  const id = changes.newId(lane)
  const load = [findMemberByEmail(changer, wanted.email), countMembers(changer), ...ownRow(changer)]
  return changeAccount(changes, changer, load, ([found, count, mine], held) => {
    const bounded = boundedBy(mine)
    if (bounded) return bounded
    const row = found?.rows[0]
    const before = row ? memberFrom(row) : null
    if (!before && Number(count?.rows[0]?.['members'] ?? 0) >= MEMBERS_MAX)
      return refuse('members_full', null, `The account has ${MEMBERS_MAX} members. Remove one.`)
    const invitation = { ...wanted, invitedBy: actor.id, linkHash }
    const member = invited(by, before, invitation, { lane, accountId, id, nowMs: held.nowMs })
    if (isRefusal(member)) return member
    const write = before ? saveMember(member) : insertMember(member)
    return {
      ...told('member.invited', before, { member, passkeys: 0 }, held),
      statements: [write],
      value: { member, passkeys: 0, token },
    }
  })
}

/** Takes from a member all that signs them in, and gives a new link. */
export function resetMember(
  changes: ChangeDeps,
  changer: Changer,
  by: Authority,
  id: string,
): Promise<Invited | Refusal> {
  const { text: token, hash: linkHash } = newLink(changer.lane)
  return changeMember(changes, changer, id, (before, held, { bounded, commands }) => {
    const member = bounded ?? reset(by, before, { linkHash, invitedBy: changer.actor.id }, held.nowMs)
    if (isRefusal(member)) return member
    const seen = { member, passkeys: 0 }
    const key = { ...changer, id }
    const ends = [saveMember(member), endSessions(key, ALL_SESSIONS), deletePasskeys(key, null)]
    const change = { ...told('member.invited', before, seen, held), statements: ends, value: { ...seen, token } }
    return pausingToo(change, 'reset', commands, held.nowMs)
  })
}

export function updateMember(
  changes: ChangeDeps,
  changer: Changer,
  by: Authority,
  id: string,
  patch: MemberPatch,
): Promise<SeenMember | Refusal> {
  return changeMember(changes, changer, id, (before, held, { owners, passkeys, bounded }) => {
    const member = bounded ?? updated(by, before, patch, owners)
    if (isRefusal(member)) return member
    const seen = { member, passkeys }
    if (changed(valuesOf(before), valuesOf(member)) === null) return unchanged(seen)
    // A session has the rights that its member signed in with, or none; and so has a link that they gave to others.
    const key = { ...changer, id }
    const ends = member.role === before.role ? [] : [endSessions(key, ALL_SESSIONS), withdrawLinks(key, held.nowMs)]
    return { ...told('member.updated', before, seen, held), statements: [saveMember(member), ...ends], value: seen }
  })
}

/**
 * The sessions end in the same commit, and passkeys and link with them; and the links that the member made for others, or who is removed
 * would come back by one.
 */
export function removeMember(
  changes: ChangeDeps,
  changer: Changer,
  by: Authority,
  id: string,
): Promise<SeenMember | Refusal> {
  return changeMember(changes, changer, id, (before, held, { owners, commands }) => {
    const member = removed(by, before, owners, held.nowMs)
    if (isRefusal(member)) return member
    const seen = { member, passkeys: 0 }
    const key = { ...changer, id }
    const links = withdrawLinks(key, held.nowMs)
    const statements = [saveMember(member), endSessions(key, ALL_SESSIONS), deletePasskeys(key, null), links]
    const change = { ...told('member.removed', before, seen, held), statements, value: seen }
    return pausingToo(change, 'removal', commands, held.nowMs)
  })
}

/** What is known of a member beside themselves. */
type Around = {
  readonly owners: number
  readonly passkeys: number
  /** Theirs that are at work. */
  readonly commands: Result | undefined
  /** Why the key that asks may give nobody a role. */
  readonly bounded: Refusal | null
}
type Decide<T> = (before: Member, held: Held, around: Around) => AccountChange<T> | Refusal

function boundedBy(mine: Result | undefined): Refusal | null {
  const row = mine?.rows[0]
  return row ? refusalOfBounded(powersFrom(row)) : null
}

/** Of a member who was not removed. */
async function changeMember<T>(
  changes: ChangeDeps,
  changer: Changer,
  id: string,
  decide: Decide<T>,
): Promise<T | Refusal> {
  if (!isUuid(id)) return memberNotFound()
  const key = { ...changer, id }
  const around = [countMembers(changer), countPasskeys(changer), lockCommandsOf(key, null)]
  const load = [findMember(key), ...around, ...ownRow(changer)]
  return changeAccount(changes, changer, load, ([found, owners, passkeys, commands, mine], held) => {
    const row = found?.rows[0]
    const member = row && memberFrom(row)
    if (!member || member.status === 'removed') return memberNotFound()
    return decide(member, held, {
      owners: (owners?.rows[0]?.['owners'] as number | undefined) ?? 0,
      passkeys: countsIn(passkeys).get(id) ?? 0,
      commands,
      bounded: boundedBy(mine),
    })
  })
}

/** What the audit list shows of a member. */
const valuesOf = ({ email, name, role, status }: Member) => ({ email, name, role, status })

type Told = Pick<AccountChange<unknown>, 'audited' | 'events'>

/** A change of a member for the audit list and the feed. */
export function told(
  type: 'member.invited' | 'member.joined' | 'member.updated' | 'member.removed',
  before: Member | null,
  { member, passkeys }: SeenMember,
  { head }: Held,
): Told {
  const differing =
    before === null ? { before: null, after: valuesOf(member) } : changed(valuesOf(before), valuesOf(member))
  return {
    audited: [{ action: type, object: objectOf(member), ...(differing ?? { before: null, after: null }) }],
    events: [{ type, object: presentMember(member, passkeys, head.livemode) }],
  }
}

export const objectOf = ({ id }: Pick<Member, 'id'>) => ({ type: 'member', id })
