// How an invited person comes in: the link shows who invites to what, accepting sets name and password and opens an enrolment,
// and a code or a passkey ends it. Each link is good once, and each step takes the place of the one before.
import { invalid, isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { ENROLMENT_MS, joined, linkNotFound, type Member } from '../../domain/member/member.ts'
import { faultOfPassword } from '../../domain/member/sign-in.ts'
import { credentialHash, type LinkKind, newLink, readLink } from '../../platform/credentials.ts'
import { findMember, findMemberByLink, memberFrom, saveMember } from '../../store/members/members.ts'
import { insertPasskey } from '../../store/members/passkeys.ts'
import { type AccountChange, changeAccount } from '../accounts/changes.ts'
import { type NewTotp, withConfirmedTotp, withPendingTotp, withRecoveryCodes } from './factors.ts'
import type { MemberDeps, Place } from './member-deps.ts'
import { told } from './members.ts'
import { type CreationOptions, creationOptions, type Registration, registered } from './passkeys.ts'
import { beginSession, type NewSession } from './sessions.ts'
import { signingIn } from './sign-in.ts'

export type OpenInvitation = {
  readonly member: Member
  readonly accountName: string
  readonly livemode: boolean
  readonly inviter: string | null
}

/** What an invitation says; the same refusal for whatever is none. */
export async function openInvitation(
  deps: MemberDeps,
  token: string,
  kind: LinkKind,
): Promise<OpenInvitation | Refusal> {
  const link = readLink(token)
  if (link?.kind !== kind) return linkNotFound()
  const [result] = await deps.reader.send([findMemberByLink(link.lane, credentialHash(token))])
  const row = result?.rows[0]
  if (!row) return linkNotFound()
  return {
    member: memberFrom(row),
    accountName: row['account_name'] as string,
    livemode: row['livemode'] as boolean,
    inviter: row['inviter_name'] as string | null,
  }
}

/** Either factor ends the enrolment. */
export type Enrolment = {
  readonly token: string
  readonly expiresAt: number
  readonly totp: NewTotp
  readonly passkey: CreationOptions
}

/** Name and password of an invited person; the invitation is used up by it. Throws TooManyPasswords. */
export async function acceptInvitation(
  deps: MemberDeps,
  token: string,
  { name, password }: { readonly name: string; readonly password: string },
  place: Place,
): Promise<Enrolment | Refusal> {
  const invitation = await openInvitation(deps, token, 'invitation')
  if (isRefusal(invitation)) return invitation
  const fault = faultOfPassword('password', password, invitation.member.email)
  if (fault) return refuseAll([fault])
  const stored = await deps.passwords.hash(password)
  const link = newLink(invitation.member.lane, 'enrolment')
  const { accountName: issuer } = invitation
  const enrolment = await onLink<Omit<Enrolment, 'passkey'>>(deps, invitation.member, token, place, (before, nowMs) => {
    const { member, totp } = withPendingTotp(deps.sealing, { ...before, name, password: stored }, issuer)
    const expiresAt = nowMs + ENROLMENT_MS
    const after = { ...member, linkHash: link.hash, linkExpiresAt: expiresAt }
    return { statements: [saveMember(after)], audited: [], events: [], value: { token: link.text, expiresAt, totp } }
  })
  if (isRefusal(enrolment)) return enrolment
  return { ...enrolment, passkey: await creationOptions(deps, { ...invitation.member, name }, [], issuer) }
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
  const invitation = await openInvitation(deps, token, 'enrolment')
  if (isRefusal(invitation)) return invitation
  const passkey =
    'registration' in proof ? await registered(deps, invitation.member, proof.registration, proof.passkeyName) : null
  if (isRefusal(passkey)) return passkey
  return onLink<Joined>(deps, invitation.member, token, place, (before, nowMs, held) => {
    const proven = passkey
      ? withoutPendingTotp(
          passkey.challengedAt > before.challengedAt ? { ...before, challengedAt: passkey.challengedAt } : null,
        )
      : withConfirmedTotp(deps.sealing, before, 'code' in proof ? proof.code : '', nowMs)
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

const withoutPendingTotp = (member: Member | null) => member && { ...member, totpPendingSealed: null }

const wrongCode = () =>
  invalid('code', 'code is none of this authenticator at this moment. Type the six digits that it shows now.')
const wrongPasskey = () => invalid('passkey', 'passkey answers a challenge that was answered before. Accept anew.')

type Held = Parameters<Parameters<typeof changeAccount>[3]>[1]
type Decide<T> = (member: Member, nowMs: number, held: Held) => AccountChange<T> | Refusal

/** Decides while the link is the one that is open to the member: whoever comes second finds none. */
function onLink<T>(
  { changes }: MemberDeps,
  { lane, accountId, id }: Member,
  token: string,
  place: Place,
  decide: Decide<T>,
): Promise<T | Refusal> {
  const changer = signingIn({ lane, accountId }, { id }, place)
  const hash = credentialHash(token)
  return changeAccount(changes, changer, [findMember({ lane, accountId, id })], ([found], held) => {
    const row = found?.rows[0]
    const member = row && memberFrom(row)
    const isOpen = member?.linkHash?.equals(hash) && (member.linkExpiresAt ?? 0) > held.nowMs
    return member && isOpen && member.status === 'invited' ? decide(member, held.nowMs, held) : linkNotFound()
  })
}
