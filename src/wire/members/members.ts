// Members on the wire: what is sent to invite and change them, and how they are shown. No secret of theirs is ever shown.
import Type, { type Static } from 'typebox'
import { ROLES } from '../../domain/account/roles.ts'
import { type Member as DomainMember, MEMBER_STATUSES } from '../../domain/member/member.ts'
import {
  closed,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  time,
  uuid,
  type Wire,
  readAs,
} from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'
import { SOMETHING } from '../../domain/text/texts.ts'

const role = Type.Enum([...ROLES], { description: 'What the member may do: docs/members.md.' })
const email = Type.String({ maxLength: 254, description: 'Where the member is known by; in lower case.' })
const personName = Type.String({ maxLength: 120, pattern: SOMETHING, description: 'The name that others see.' })

export const Member = Type.Object(
  {
    id: uuid('The member.'),
    livemode,
    email,
    name: nullableText,
    role,
    status: Type.Enum([...MEMBER_STATUSES], { description: 'Active once a second factor is enrolled.' }),
    factors: Type.Object({
      authenticator: Type.Boolean({ description: 'Codes by time.' }),
      passkeys: Type.Integer(),
      recovery_codes: Type.Integer({ description: 'How many are left.' }),
    }),
    invitation_expires_at: nullableTime,
    created_at: time('When.'),
    joined_at: nullableTime,
    removed_at: nullableTime,
  },
  { $id: 'Member' },
)

export const MembersQuery = closed({
  removed: Type.Optional(
    readAs({ type: 'boolean', default: false }, '^(true|false)$', 'true: those who were removed, too.'),
  ),
})

export const InviteBody = closed({ email, role, name: Type.Optional(personName) }, { $id: 'InviteRequest' })

export const MemberPatchBody = closed(
  { name: Type.Optional(nullable(personName)), role: Type.Optional(role) },
  { $id: 'MemberPatch' },
)
export type MemberPatchBody = Static<typeof MemberPatchBody>

export const MemberReply = envelope('number', Type.Object({ member: Member }))
export const ChangedMemberReply = envelope('string', Type.Object({ member: Member }))
export const MembersReply = envelope('number', Type.Object({ members: Type.Array(Member), next: nullableText }))

const Invitation = Type.Object(
  {
    token: Type.String({ description: 'Shown once. It is the whole right to come in.' }),
    url: Type.String({ description: 'Where the invitation is read. Pass it on to the person: nothing is mailed.' }),
    expires_at: time('72 hours after it was made. A new one ends it earlier.'),
  },
  { $id: 'Invitation' },
)
export const InvitedReply = envelope('number', Type.Object({ member: Member, invitation: Invitation }))

/** A member as the API shows one, and as events hold one. */
export function presentMember(member: DomainMember, passkeys: number, isLive: boolean): Wire<typeof Member> {
  const { id, email: address, name, role: given, status, totpSealed, recoveryCodes } = member
  return {
    id,
    livemode: isLive,
    email: address,
    name,
    role: given,
    status,
    factors: { authenticator: totpSealed !== null, passkeys, recovery_codes: recoveryCodes.length },
    invitation_expires_at: isoOrNull(member.linkExpiresAt),
    created_at: iso(member.createdAt),
    joined_at: isoOrNull(member.joinedAt),
    removed_at: isoOrNull(member.removedAt),
  }
}

export function presentInvitation(token: string, member: DomainMember, url: string): Wire<typeof Invitation> {
  return { token, url, expires_at: iso(member.linkExpiresAt ?? 0) }
}
