// The ways to pay somebody: which there are, which is the default, and what is done with them.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Destination, Duplicate, Profile } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Status, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { useChannels } from './channels.ts'
import { DestinationForm } from './DestinationForm.tsx'
import { PROFILES } from './words.ts'

const IN_USE_MAX = 20

type DestinationsProps = {
  readonly profile: Profile
  readonly onDuplicates: (found: readonly Duplicate[]) => void
}

export function Destinations({ profile, onDuplicates }: DestinationsProps) {
  const w = useWords(PROFILES)
  const can = useCan()
  const [opened, setOpened] = useState<Destination | 'new' | null>(null)
  const [archiving, setArchiving] = useState<Destination | null>(null)
  const archive = useWrite((id: string) => gateway.destinations.archive(profile.id, id), ['profiles'])
  const isOpen = profile.status === 'active' && can('profiles:write')
  const inUse = profile.destinations.filter(({ status }) => status === 'active')
  const add = isOpen && opened === null && inUse.length < IN_USE_MAX && (
    <Button size="compact-sm" leftSection={<Icon name="plus" size={14} />} onClick={() => setOpened('new')}>
      {w.addWay}
    </Button>
  )
  return (
    <Section title={w.ways} isFlush actions={add || undefined}>
      {opened !== null && (
        <div style={{ padding: '4px 16px 16px' }}>
          <DestinationForm
            key={opened === 'new' ? 'new' : opened.id}
            profile={profile}
            destination={opened === 'new' ? undefined : opened}
            onDone={(found) => {
              onDuplicates(found)
              setOpened(null)
            }}
            onCancel={() => setOpened(null)}
          />
        </div>
      )}
      <List profile={profile} isOpen={isOpen} onEdit={setOpened} onArchive={setArchiving} />
      {archiving && (
        <Confirm
          title={w.archiveWayTitle}
          action={w.archive}
          isDangerous
          onConfirm={() => archive.mutateAsync(archiving.id)}
          onClose={() => setArchiving(null)}
        >
          <p style={{ margin: 0 }}>
            <b>{archiving.label ?? archiving.channel}</b> · {accountOf(archiving)}
          </p>
          {w.archiveWayWhat}
        </Confirm>
      )}
    </Section>
  )
}

type ListProps = {
  readonly profile: Profile
  readonly isOpen: boolean
  readonly onEdit: (destination: Destination) => void
  readonly onArchive: (destination: Destination) => void
}

function List({ profile, isOpen, onEdit, onArchive }: ListProps) {
  const w = useWords(PROFILES)
  const can = useCan()
  const { nameOf } = useChannels()
  const doings = (destination: Destination) =>
    destination.status === 'archived' ? null : (
      <Group gap={6} justify="flex-end" wrap="nowrap">
        {profile.relation === 'contact' && profile.status === 'active' && can('contracts:write') && (
          <Button
            component={Link}
            to={`/transfers/new?profile=${profile.id}&destination=${destination.id}`}
            size="compact-sm"
            variant="default"
          >
            {w.payThisWay}
          </Button>
        )}
        {isOpen && (
          <>
            <Button size="compact-sm" variant="default" onClick={() => onEdit(destination)}>
              {w.change}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onArchive(destination)}>
              {w.archive}
            </Button>
          </>
        )}
      </Group>
    )
  return (
    <ListTable
      label={w.ways}
      rows={profile.destinations}
      keyOf={({ id }) => id}
      empty={
        <Empty icon="wallet" title={w.noWays}>
          {w.noWaysMend}
        </Empty>
      }
      columns={[
        {
          key: 'label',
          title: w.label,
          render: ({ label, channel, default: isDefault, status }) => (
            <Group gap={6}>
              <span style={{ fontWeight: 600 }}>{label ?? nameOf(channel)}</span>
              {isDefault && <Badge tone="info">{w.default}</Badge>}
              {status === 'archived' && <Status of="archived" />}
            </Group>
          ),
        },
        { key: 'channel', title: w.channel, render: ({ channel }) => nameOf(channel) },
        { key: 'account', title: w.account, render: accountOf },
        { key: 'since', title: w.paysSince, render: ({ changed_at }) => <Time at={changed_at} /> },
        { key: 'doings', title: '', align: 'right', render: doings },
      ]}
    />
  )
}

/** What names the account on the rail. */
const accountOf = ({ recipient: { wallet, tag, mobile, email, name } }: Destination): string =>
  [wallet, tag].filter((part) => part !== null).join(' · ') || (mobile ?? email ?? name ?? '—')
