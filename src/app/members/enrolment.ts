// How an invited person comes in: the link shows who invites to what, accepting sets name and password and begins an enrolment, and a code or
// a passkey ends it, and the link with it. Until then the link begins it anew, each time in place of the time before (docs/adr/0107).
import { invalid, isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { begun, isInvited, joined, linkNotFound, type Member, goingOn } from '../../domain/member/member.ts'
import { faultOfPassword } from '../../domain/member/sign-in.ts'
import {
  credentialFingerprint,
  type LinkPlace,
  newEnrolment,
  readEnrolment,
  readLink,
} from '../../platform/credentials.ts'
import { findMember, findMemberByLink, memberFrom, saveMember } from '../../store/members/members.ts'
import { insertPasskey } from '../../store/members/passkeys.ts'
import { type AccountChange, changeAccount, type Held } from '../accounts/changes.ts'
import { begunEnrolment, newTotp, type NewTotp, withBegunEnrolment, withRecoveryCodes, withTotp } from './factors.ts'
import type { MemberDeps, Place } from './member-deps.ts'
import { told } from './members.ts'
import { type CreationOptions, creationOptions, type NewPasskey, type Registration, registered } from './passkeys.ts'
import { beginSession, type NewSession } from './sessions.ts'
import { signingIn } from './sign-in.ts'

export type OpenInvitation = {
  readonly member: Member
  readonly accountName: string
  readonly livemode: boolean
  readonly inviter: string | null
}

/** What an invitation says; the same refusal for whatever is none. */
export async function openInvitation(deps: MemberDeps, token: string): Promise<OpenInvitation | Refusal> {
  const found = await invitationAt(deps, readLink(token))
  return found?.isOpen ? found : linkNotFound()
}

type FoundInvitation = OpenInvitation & { readonly isOpen: boolean }

async function invitationAt(deps: MemberDeps, place: LinkPlace | undefined): Promise<FoundInvitation | null> {
  if (!place) return null
  const [result] = await deps.reader.send([findMemberByLink(place.lane, place.linkHash)])
  const row = result?.rows[0]
  if (!row) return null
  return {
    member: memberFrom(row),
    accountName: row['account_name'] as string,
    livemode: row['livemode'] as boolean,
    inviter: row['inviter_name'] as string | null,
    isOpen: row['is_open'] as boolean,
  }
}

/** Either factor ends the enrolment. */
export type Enrolment = {
  readonly token: string
  readonly expiresAt: number
  readonly totp: NewTotp
  readonly passkey: CreationOptions
}

/** Name and password of an invited person, and a start in place of the one before. Throws TooManyPasswords. */
export async function acceptInvitation(
  deps: MemberDeps,
  token: string,
  { name, password }: { readonly name: string; readonly password: string },
  place: Place,
): Promise<Enrolment | Refusal> {
  const invitation = await openInvitation(deps, token)
  if (isRefusal(invitation)) return invitation
  const fault = faultOfPassword('password', password, invitation.member.email)
  if (fault) return refuseAll([fault])
  const stored = await deps.passwords.hash(password)
  const { member: invited, accountName: issuer } = invitation
  const { linkHash } = invited
  if (linkHash === null) return linkNotFound()
  const { text } = newEnrolment(invited.lane, linkHash)
  const tokenHash = credentialFingerprint(text)
  const enrolment = await onMember<Omit<Enrolment, 'passkey'>>(deps, invited, place, (before, { nowMs }) => {
    if (!isInvited(before, linkHash, nowMs)) return linkNotFound()
    const totp = newTotp(before, issuer)
    const last = begun({ secret: totp.secret, tokenHash }, nowMs)
    const after = withBegunEnrolment(deps.sealing, { ...before, name, password: stored }, last)
    const value = { token: text, expiresAt: last.expiresAt, totp }
    return { statements: [saveMember(after)], audited: [], events: [], value }
  })
  if (isRefusal(enrolment)) return enrolment
  const registering = { ...invited, name, enrolment: tokenHash }
  return { ...enrolment, passkey: await creationOptions(deps, registering, [], issuer) }
}

/** A code of the new secret, or a passkey. */
export type Proof = { readonly code: string } | { readonly registration: Registration; readonly passkeyName: string }

export type Joined = {
  readonly member: Member
  readonly passkeys: number
  readonly session: NewSession
  readonly recoveryCodes: readonly string[]
}

/** The second factor of who has accepted: from here on they are a member, and signed in. */
export async function confirmEnrolment(
  deps: MemberDeps,
  token: string,
  proof: Proof,
  place: Place,
): Promise<Joined | Refusal> {
  const link = readEnrolment(token)
  const invitation = await invitationAt(deps, link)
  if (!link || !invitation) return linkNotFound()
  const start = { linkHash: link.linkHash, tokenHash: credentialFingerprint(token) }
  const registering = { ...invitation.member, enrolment: start.tokenHash }
  const passkey =
    'registration' in proof ? await registered(deps, registering, proof.registration, proof.passkeyName) : null
  if (isRefusal(passkey)) return passkey
  return onMember<Joined>(deps, invitation.member, place, (before, held) => {
    const { nowMs } = held
    const last = goingOn(before, begunEnrolment(deps.sealing, before), start, nowMs)
    if (isRefusal(last)) return last
    const proven = passkey
      ? withPasskey(before, passkey)
      : withTotp(deps.sealing, before, last.secret, 'code' in proof ? proof.code : '', nowMs)
    if (proven === null) return refuseAll([passkey ? wrongPasskey() : wrongCode()])
    const { member, codes: recoveryCodes } = withRecoveryCodes(joined(proven, nowMs))
    const seen = { member, passkeys: passkey ? 1 : 0 }
    const { session, statement, audited } = beginSession(member, held, 'invitation')
    const { audited: joining, events } = told('member.joined', before, seen, held)
    return {
      statements: [
        saveMember(member),
        ...(passkey ? [insertPasskey(member, { ...passkey, createdAt: nowMs })] : []),
        statement,
      ],
      audited: [...joining, audited],
      events,
      value: { ...seen, session, recoveryCodes },
    }
  })
}

/** The member whom the passkey proves; null where its challenge was answered before. */
const withPasskey = (member: Member, { challengedAt }: NewPasskey): Member | null =>
  challengedAt > member.challengedAt ? { ...member, challengedAt, totpPendingSealed: null } : null

const wrongCode = () =>
  invalid('code', 'code is none of this authenticator at this moment. Type the six digits that it shows now.')
const wrongPasskey = () => invalid('passkey', 'passkey answers a challenge that was answered before. Accept anew.')

type Decide<T> = (member: Member, held: Held) => AccountChange<T> | Refusal

/** Decides on the member as they stand: of two at once one is first, and the other finds what came of it. */
function onMember<T>(
  { changes }: MemberDeps,
  { lane, accountId, id }: Member,
  place: Place,
  decide: Decide<T>,
): Promise<T | Refusal> {
  const changer = signingIn({ lane, accountId }, { id }, place)
  return changeAccount(changes, changer, [findMember({ lane, accountId, id })], ([found], held) => {
    const row = found?.rows[0]
    return row ? decide(memberFrom(row), held) : linkNotFound()
  })
}
