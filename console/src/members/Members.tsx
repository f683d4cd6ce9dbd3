// The list of members: who signs in, in which role, with which factors; and what may be done with each.
import { Button, Checkbox, Group, Menu } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useSignedIn } from '../session/session.ts'
import { Badge, Status, Time } from '../ui/atoms.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { Invite } from './Invite.tsx'
import { InvitationLink } from './InvitationLink.tsx'
import { ChangeRole, RemoveMember, ResetMember } from './changes.tsx'
import { type Invited, type Rights, useRights } from './rights.ts'
import { TITLE } from './title.ts'
import { MEMBERS, ROLE_WORDS } from './words.ts'

type Doing = { readonly what: 'role' | 'reset' | 'remove'; readonly member: Member }

export function Members() {
  const { title } = useWords(TITLE)
  const w = useWords(MEMBERS)
  const [removed, setRemoved] = useFilter('removed')
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<Invited | null>(null)
  const [doing, setDoing] = useState<Doing | null>(null)
  const isAll = removed === 'yes'
  const read = useRead(['members', 'list', isAll], (signal) =>
    gateway.members.list(isAll ? { removed: true } : {}, { signal }).all(),
  )
  const rights = useRights(read.data ?? [])
  const close = () => setDoing(null)
  return (
    <Page
      title={title}
      actions={
        rights.roles.length > 0 && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
            {w.invite}
          </Button>
        )
      }
    >
      {invited && <InvitationLink invited={invited} onClose={() => setInvited(null)} />}
      <Section isFlush>
        <ListTable
          label={title}
          rows={read.data}
          error={read.error}
          onAgain={() => void read.refetch()}
          keyOf={({ id }) => id}
          columns={useColumns(rights, setDoing)}
        />
        <div style={{ padding: '10px 16px', borderTop: '1px solid var(--line)' }}>
          <Checkbox
            size="sm"
            label={w.showRemoved}
            checked={isAll}
            onChange={(event) => setRemoved(event.currentTarget.checked ? 'yes' : '')}
          />
        </div>
      </Section>
      {isInviting && <Invite roles={rights.roles} onInvited={setInvited} onClose={() => setInviting(false)} />}
      {doing?.what === 'role' && <ChangeRole member={doing.member} roles={rights.roles} onClose={close} />}
      {doing?.what === 'reset' && <ResetMember member={doing.member} onInvited={setInvited} onClose={close} />}
      {doing?.what === 'remove' && <RemoveMember member={doing.member} onClose={close} />}
    </Page>
  )
}

function useColumns(rights: Rights, onDo: (doing: Doing) => void): readonly Column<Member>[] {
  const w = useWords(MEMBERS)
  const roles = useWords(ROLE_WORDS)
  const { member: me } = useSignedIn()
  return [
    {
      key: 'who',
      title: w.who,
      render: ({ id, name, email }) => (
        <div>
          <Group gap={6}>
            <span style={{ fontWeight: 600 }}>{name ?? email}</span>
            {id === me.id && <Badge tone="info">{w.you}</Badge>}
          </Group>
          {name !== null && (
            <div style={{ color: 'var(--mantine-color-dimmed)', fontSize: 13, overflowWrap: 'anywhere' }}>{email}</div>
          )}
        </div>
      ),
    },
    { key: 'role', title: w.role, render: ({ role }) => roles[role] },
    { key: 'status', title: w.status, render: ({ status }) => <Status of={status} /> },
    { key: 'factors', title: w.factors, render: (member) => <Factors of={member} /> },
    {
      key: 'since',
      title: w.since,
      render: ({ status, joined_at, created_at, removed_at, invitation_expires_at }) =>
        status === 'invited' ? (
          <span>
            {w.linkUntil} <Time at={invitation_expires_at} />
          </span>
        ) : (
          <Time at={status === 'removed' ? removed_at : (joined_at ?? created_at)} />
        ),
    },
    {
      key: 'doings',
      title: '',
      align: 'right',
      render: (member) => <Doings of={member} rights={rights} onDo={onDo} />,
    },
  ]
}

/** What stands between an open password and the account. */
function Factors({ of: { status, factors } }: { readonly of: Member }) {
  const w = useWords(MEMBERS)
  if (status !== 'active') return '—'
  const { authenticator, passkeys, recovery_codes } = factors
  return (
    <Group gap={4}>
      {authenticator && <Badge tone="good">{w.authenticator}</Badge>}
      {passkeys > 0 && <Badge tone="good">{w.passkeys(passkeys)}</Badge>}
      <Badge tone={recovery_codes > 2 ? 'plain' : 'warn'}>{w.codes(recovery_codes)}</Badge>
    </Group>
  )
}

type DoingsProps = { readonly of: Member; readonly rights: Rights; readonly onDo: (doing: Doing) => void }

function Doings({ of: member, rights, onDo }: DoingsProps) {
  const w = useWords(MEMBERS)
  const items = [
    rights.mayChangeRole(member) && (['role', w.changeRole] as const),
    rights.mayReset(member) && (['reset', w.reset] as const),
    rights.mayRemove(member) && (['remove', member.status === 'invited' ? w.withdraw : w.remove] as const),
  ].filter((each) => each !== false)
  if (items.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" rightSection={<Icon name="down" size={13} />}>
          {w.manage}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(([what, title]) => (
          <Menu.Item
            key={what}
            c={what === 'remove' ? 'var(--mantine-color-error)' : undefined}
            onClick={() => onDo({ what, member })}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
