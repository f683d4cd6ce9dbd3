// What is done with a member, each asked before: another role, a new beginning, the end.
import { useState } from 'react'
import type { Member } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Note } from '../ui/feedback.tsx'
import { useWords } from '../words/language.ts'
import type { Invited } from './rights.ts'
import type { RoleFacts } from './rights.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { MEMBERS } from './words.ts'

type Asked = { readonly member: Member; readonly onClose: () => void }
const GROUPS = ['members']

export function ChangeRole({ member, roles, onClose }: Asked & { readonly roles: readonly RoleFacts[] }) {
  const w = useWords(MEMBERS)
  const [role, setRole] = useState(member.role)
  const change = useWrite(() => gateway.members.update(member.id, { role }), GROUPS)
  return (
    <Confirm
      title={w.roleOf(member.name ?? member.email)}
      action={w.changeRole}
      isDisabled={role === member.role}
      onConfirm={() => change.mutateAsync(undefined)}
      onClose={onClose}
    >
      <RoleChoice roles={roles} role={role} onChange={setRole} />
      {role !== member.role && <Note tone="info">{w.roleWhat}</Note>}
    </Confirm>
  )
}

export function ResetMember({
  member,
  onInvited,
  onClose,
}: Asked & { readonly onInvited: (invited: Invited) => void }) {
  const w = useWords(MEMBERS)
  const reset = useWrite(() => gateway.members.reset(member.id), GROUPS)
  const confirm = async () => onInvited(await reset.mutateAsync(undefined))
  return (
    <Confirm
      title={w.resetTitle(member.name ?? member.email)}
      action={w.reset}
      isDangerous
      onConfirm={confirm}
      onClose={onClose}
    >
      {w.resetWhat}
    </Confirm>
  )
}

export function RemoveMember({ member, onClose }: Asked) {
  const w = useWords(MEMBERS)
  const remove = useWrite(() => gateway.members.remove(member.id), GROUPS)
  const isInvited = member.status === 'invited'
  return (
    <Confirm
      title={isInvited ? w.withdrawTitle(member.name ?? member.email) : w.removeTitle(member.name ?? member.email)}
      action={isInvited ? w.withdraw : w.remove}
      isDangerous
      onConfirm={() => remove.mutateAsync(undefined)}
      onClose={onClose}
    >
      {isInvited ? w.withdrawWhat : w.removeWhat}
    </Confirm>
  )
}
