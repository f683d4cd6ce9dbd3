// The API keys of the account: what each may do, how long, from where, and when it was used last.
import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Key } from '../../../../sdk/src/index.ts'
import { gateway } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { DocsLink } from '../../ui/DocsLink.tsx'
import { Badge, Status, Time } from '../../ui/atoms.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { moneyText } from '../../ui/amounts.ts'
import { ListTable } from '../../ui/ListTable.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { usePage } from '../../ui/paging.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { TITLES } from '../titles.ts'
import { CreateKey, type MadeKey, ShownKey } from './KeyForms.tsx'
import { MANDATE } from './mandate-words.ts'
import { KEYS } from './words.ts'

const SCOPES_SHOWN = 2

export function Keys() {
  const { title } = useWords(TITLES.keys)
  const w = useWords(KEYS)
  const can = useCan()
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<MadeKey | null>(null)
  const create = can('keys:write') ? <Button onClick={() => setMaking(true)}>{w.create}</Button> : undefined
  const kept = () => {
    setMade(null)
    if (made) void navigate(`/developers/keys/${made.key.id}`)
  }
  return (
    <Page
      title={title}
      actions={
        <>
          <DocsLink page="accounts">{w.docs}</DocsLink>
          {create}
        </>
      }
    >
      <Section isFlush>
        <KeyTable create={create} />
      </Section>
      {isMaking && <CreateKey onMade={setMade} onClose={() => setMaking(false)} />}
      {made && <ShownKey made={made} onClose={kept} />}
    </Page>
  )
}

function KeyTable({ create }: { readonly create: ReactNode }) {
  const { title } = useWords(TITLES.keys)
  const w = useWords(KEYS)
  const page = usePage<Key>(['keys', 'list'], (after, signal) =>
    gateway.keys.list({ after, limit: 25 }, { signal }).page(),
  )
  return (
    <ListTable
      {...page}
      label={title}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/developers/keys/${id}`}
      empty={
        <Empty icon="key" title={w.noneTitle} action={create}>
          {w.noKeys}
        </Empty>
      }
      columns={[
        { key: 'name', title: w.name, render: (key) => <Name of={key} /> },
        { key: 'scopes', title: w.scopes, render: (key) => <Scopes of={key} /> },
        { key: 'bounds', title: w.bounds, render: (key) => <BoundsOf of={key} /> },
        { key: 'used', title: w.lastUsed, render: ({ last_used_on: day }) => <Day at={day} none={w.neverUsed} /> },
        { key: 'ends', title: w.ends, render: ({ expires_at: at }) => (at ? <Time at={at} /> : w.never) },
        { key: 'state', title: w.state, render: ({ state }) => <Status of={state} /> },
      ]}
    />
  )
}

export const Day = ({ at, none }: { readonly at: string | null; readonly none: string }) =>
  at === null ? <span>{none}</span> : <Time at={`${at}T00:00:00Z`} style="day" />

function Name({ of }: { readonly of: Key }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={600} truncate maw={220}>
        {of.name}
      </Text>
      <span className="id" style={{ color: 'var(--mantine-color-dimmed)' }}>
        {of.id}
      </span>
    </div>
  )
}

function Scopes({ of }: { readonly of: Key }) {
  const w = useWords(KEYS)
  if (of.receiver) return <Badge tone="info">{w.receiver}</Badge>
  const rest = of.scopes.length - SCOPES_SHOWN
  return (
    <Group gap={4}>
      {of.scopes.slice(0, SCOPES_SHOWN).map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
      {rest > 0 && <Badge tone="info">{`+${rest}`}</Badge>}
    </Group>
  )
}

function BoundsOf({ of }: { readonly of: Key }) {
  const m = useWords(MANDATE)
  const language = useLanguage()
  const text = (amount: number, currency: string) => moneyText(amount, currency, language)
  const bounds = [
    of.addresses === null
      ? null
      : of.addresses
          .slice(0, 1)
          .concat(of.addresses.length > 1 ? ['…'] : [])
          .join(' '),
    of.transfer_max === null ? null : of.transfer_max.map(({ currency, amount }) => text(amount, currency)).join(', '),
    of.mandate === null
      ? null
      : `${m.title}: ${of.mandate.limits.map(({ currency, total }) => text(total, currency)).join(', ')}`,
  ].filter((each) => each !== null)
  return <span>{bounds.length === 0 ? '—' : bounds.join(' · ')}</span>
}
