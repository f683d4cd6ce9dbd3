// Which roles there are, what each may do, and who may give and take them. The gateway decides; this only hides what it would
// refuse (docs/members.md).
import type { Invitation, Member, Scope } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useSignedIn } from '../session/session.ts'

export type Role = Member['role']
export type RoleFacts = { readonly role: Role; readonly scopes: readonly Scope[] }

/** The roles as the gateway lists them, the strongest first. */
const useRoles = () =>
  useRead(
    ['resources', 'roles'],
    async (signal) => {
      const found = await gateway.resources.get('roles', { signal })
      return 'items' in found ? (found.items as readonly unknown[] as readonly RoleFacts[]) : []
    },
    { staleTime: Number.POSITIVE_INFINITY },
  )

export type Rights = {
  /** The roles that the member may give to somebody; none for who may not invite. */
  readonly roles: readonly RoleFacts[]
  readonly mayChangeRole: (member: Member) => boolean
  readonly mayReset: (member: Member) => boolean
  readonly mayRemove: (member: Member) => boolean
}

/** `all`: the members, among whom an owner must stay. */
export function useRights(all: readonly Member[]): Rights {
  const { member: me, scopes } = useSignedIn()
  const roles = useRoles()
  const isAllowed = ({ role, scopes: of }: RoleFacts) =>
    scopes.has('members:write') && (role !== 'owner' || me.role === 'owner') && of.every((scope) => scopes.has(scope))
  const given = (roles.data ?? []).filter(isAllowed)
  const isOwner = ({ role, status }: Member) => role === 'owner' && status === 'active'
  const isLastOwner = (member: Member) => isOwner(member) && all.filter(isOwner).length <= 1
  const isWithin = ({ role, status }: Member) => status !== 'removed' && given.some((each) => each.role === role)
  return {
    roles: given,
    mayChangeRole: (member) => isWithin(member) && member.id !== me.id && !isLastOwner(member) && given.length > 1,
    mayReset: (member) => isWithin(member) && member.id !== me.id && member.status === 'active',
    mayRemove: (member) => isWithin(member) && !isLastOwner(member),
  }
}

/** A member, and the link that leads in. */
export type Invited = { readonly member: Member; readonly invitation: Invitation }
