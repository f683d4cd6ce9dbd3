// Somebody is invited: where they are known, what they are called, what they may do.
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { gateway, useWrite } from '../gateway.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useWords } from '../words/language.ts'
import type { Invited } from './rights.ts'
import type { Role, RoleFacts } from './rights.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { MEMBERS } from './words.ts'

type InviteProps = {
  readonly roles: readonly RoleFacts[]
  readonly onInvited: (invited: Invited) => void
  readonly onClose: () => void
}

export function Invite({ roles, onInvited, onClose }: InviteProps) {
  const w = useWords(MEMBERS)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  // The weakest, so that nobody is made strong by haste.
  const [role, setRole] = useState<Role>(roles.at(-1)?.role ?? 'viewer')
  const invite = useWrite(
    () => gateway.members.invite({ email: email.trim(), role, ...(name.trim() === '' ? {} : { name: name.trim() }) }),
    ['members'],
  )
  const confirm = async () => onInvited(await invite.mutateAsync(undefined))
  return (
    <Confirm
      title={w.invite}
      action={w.makeLink}
      isDisabled={email.trim() === ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={w.email}
        type="email"
        value={email}
        maxLength={254}
        data-autofocus
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <TextInput
        label={w.name}
        description={w.nameHint}
        value={name}
        maxLength={120}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RoleChoice roles={roles} role={role} onChange={setRole} />
    </Confirm>
  )
}
