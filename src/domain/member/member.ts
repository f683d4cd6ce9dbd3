// A member: somebody who signs in for an account. What members become of each other's acts is decided here: invited, changed,
// removed. Pure.
import { type Authority, refusalOfRole, type Role } from '../account/roles.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

export const MEMBER_STATUSES = ['invited', 'active', 'removed'] as const
export type MemberStatus = (typeof MEMBER_STATUSES)[number]

/** Times are milliseconds since the epoch. */
export type Member = {
  readonly lane: number
  readonly accountId: string
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly status: MemberStatus
  /** The link that is open to the member, by its hash. */
  readonly linkHash: Buffer | null
  readonly linkExpiresAt: number | null
  /** Who invited: a member's or a key's id, or an operator's name. */
  readonly invitedBy: string | null
  readonly password: string | null
  /** Sealed; the pending one waits for a code of it. */
  readonly totpSealed: string | null
  readonly totpPendingSealed: string | null
  readonly totpStep: number
  /** The hashes of those that are left. */
  readonly recoveryCodes: readonly string[]
  /** When the last passkey challenge was made that has been answered. */
  readonly challengedAt: number
  readonly failures: number
  readonly lockedUntil: number | null
  readonly createdAt: number
  readonly joinedAt: number | null
  readonly removedAt: number | null
}

const INVITATION_MS = 72 * 3_600_000
const ENROLMENT_MS = 3_600_000
export const SESSION_MS = 12 * 3_600_000

export type Invitation = {
  readonly email: string
  readonly role: Role
  readonly name: string | null
  readonly invitedBy: string
  readonly linkHash: Buffer
}

type At = { readonly lane: number; readonly accountId: string; readonly id: string; readonly nowMs: number }

/** Nothing that was proved before is worth anything any more. */
const UNPROVEN = {
  password: null,
  totpSealed: null,
  totpPendingSealed: null,
  recoveryCodes: [],
  failures: 0,
  lockedUntil: null,
} as const

/** The new member; or the one who was invited before, with a new link in place of the old one. */
export function invited(
  by: Authority,
  before: Member | null,
  { email, role, name, invitedBy, linkHash }: Invitation,
  { nowMs, ...key }: At,
): Member | Refusal {
  const refusal = refusalOfRole(by, role) ?? (before && refusalOfRole(by, before.role))
  if (refusal) return refusal
  if (before?.status === 'active')
    return refuse('member_exists', 'email', `${email} is a member already, with the id ${before.id}.`)
  const link = { linkHash, linkExpiresAt: nowMs + INVITATION_MS, invitedBy }
  if (before) return { ...before, ...UNPROVEN, ...link, role, name: name ?? before.name }
  const never = { totpStep: 0, challengedAt: 0, joinedAt: null, removedAt: null }
  return { ...key, email, role, name, status: 'invited', ...UNPROVEN, ...never, ...link, createdAt: nowMs }
}

/** A member who lost what signs them in begins again with a new link. Whoever resets them must be as strong as they are. */
export function reset(
  by: Authority,
  member: Member,
  { linkHash, invitedBy }: Pick<Invitation, 'linkHash' | 'invitedBy'>,
  nowMs: number,
): Member | Refusal {
  const refusal = refusalOfRole(by, member.role)
  if (refusal) return refusal
  if (member.id === by.memberId)
    return refuse('role_not_allowed', 'id', 'Nobody resets themselves: change your factors under /members/me.')
  return { ...member, ...UNPROVEN, status: 'invited', linkHash, linkExpiresAt: nowMs + INVITATION_MS, invitedBy }
}

export type MemberPatch = { readonly name?: string | null; readonly role?: Role }

/** `owners`: how many active owners the account has. */
export function updated(by: Authority, member: Member, patch: MemberPatch, owners: number): Member | Refusal {
  const { role = member.role } = patch
  const refusal = refusalOfRole(by, member.role) ?? refusalOfRole(by, role)
  if (refusal) return refusal
  if (role !== member.role && member.id === by.memberId)
    return refuse('role_not_allowed', 'role', 'Nobody changes their own role. Ask somebody else.')
  if (role !== 'owner' && isLastOwner(member, owners)) return lastOwner()
  return { ...member, ...patch }
}

export function removed(by: Authority, member: Member, owners: number, nowMs: number): Member | Refusal {
  const refusal = refusalOfRole(by, member.role)
  if (refusal) return refusal
  if (isLastOwner(member, owners)) return lastOwner()
  return { ...member, ...UNPROVEN, status: 'removed', linkHash: null, linkExpiresAt: null, removedAt: nowMs }
}

const isLastOwner = ({ role, status }: Member, owners: number) => role === 'owner' && status === 'active' && owners <= 1

const lastOwner = () =>
  refuse('last_owner', 'id', 'An account keeps an owner. Make somebody else an owner first: they must have joined.')

/** Somebody with a password and a second factor has joined. */
export function joined(member: Member, nowMs: number): Member {
  return { ...member, status: 'active', linkHash: null, linkExpiresAt: null, joinedAt: member.joinedAt ?? nowMs }
}

/** What an invited person was given last, by the link: everything that was given before is worth nothing. */
export type BegunEnrolment = {
  /** Of the authenticator that waits for its first code. */
  readonly secret: string
  readonly tokenHash: string
  readonly expiresAt: number
}

/** A start by the link. The link stays open: an answer gets lost, and a page is left. */
export const begun = (part: Pick<BegunEnrolment, 'secret' | 'tokenHash'>, nowMs: number): BegunEnrolment => ({
  ...part,
  expiresAt: nowMs + ENROLMENT_MS,
})

/** Whether the link begins an enrolment. */
export const isInvited = ({ status, linkHash, linkExpiresAt }: Member, hash: Buffer, nowMs: number): boolean =>
  isLinkOf({ status, linkHash }, hash) && (linkExpiresAt ?? 0) > nowMs

const isLinkOf = ({ status, linkHash }: Pick<Member, 'status' | 'linkHash'>, hash: Buffer) =>
  status === 'invited' && linkHash?.equals(hash) === true

type Start = { readonly linkHash: Buffer; readonly tokenHash: string }

/** What was begun, where it is the last that was. It has its hour, even where the invitation ends within it. */
export function goingOn(
  member: Member,
  last: BegunEnrolment | null,
  { linkHash, tokenHash }: Start,
  nowMs: number,
): BegunEnrolment | Refusal {
  if (!isLinkOf(member, linkHash)) return linkNotFound()
  const isLast = last?.tokenHash === tokenHash
  if (isLast && last.expiresAt > nowMs) return last
  if (!isInvited(member, linkHash, nowMs)) return linkNotFound()
  const why = isLast ? 'This start is an hour old.' : 'The invitation was begun anew since, here or elsewhere.'
  const mend = 'Go on where it was begun last, or open the link of the invitation and begin anew.'
  return refuse('invitation_not_found', 'token', `${why} ${mend}`)
}

export const memberNotFound = () => refuse('member_not_found', 'id', 'No member has this id.')

/** The same words for a link that was used, replaced, has expired or never was. */
export const linkNotFound = () =>
  refuse('invitation_not_found', 'token', 'The invitation was used, replaced or has expired. Ask for a new one.')

// Written by hand for people, and by programs for none: a look at the form, and the letter box decides.
const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\].]+$/u

/** The e-mail address as it is kept and looked for; null for what is none. */
export function emailOf(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= 254 && EMAIL.test(email) ? email : null
}
