// The webhook endpoints of the account, with how each is doing.
import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { DocsLink } from '../../ui/DocsLink.tsx'
import { Time } from '../../ui/atoms.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { TITLES } from '../titles.ts'
import { CreateEndpoint, EndpointSecrets, type ShownSecrets } from './EndpointForms.tsx'
import { EndpointStatus, Health } from './health.tsx'
import { EVERY } from './TypeChoice.tsx'
import { WEBHOOKS } from './words.ts'

export const REFRESH_MS = 5000

export function Endpoints() {
  const { title } = useWords(TITLES.webhooks)
  const w = useWords(WEBHOOKS)
  const can = useCan()
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<{ readonly shown: ShownSecrets; readonly id: string } | null>(null)
  const create = can('webhooks:manage') ? <Button onClick={() => setMaking(true)}>{w.create}</Button> : undefined
  const kept = () => {
    setMade(null)
    if (made) void navigate(`/developers/webhooks/${made.id}`)
  }
  return (
    <Page
      title={title}
      actions={
        <>
          <DocsLink page="webhooks">{w.docs}</DocsLink>
          {create}
        </>
      }
    >
      <Section isFlush>
        <EndpointTable create={create} />
      </Section>
      {isMaking && <CreateEndpoint onMade={(shown, id) => setMade({ shown, id })} onClose={() => setMaking(false)} />}
      {made && <EndpointSecrets shown={made.shown} onClose={kept} />}
    </Page>
  )
}

function EndpointTable({ create }: { readonly create: ReactNode }) {
  const { title } = useWords(TITLES.webhooks)
  const w = useWords(WEBHOOKS)
  const endpoints = useRead<WebhookEndpoint[]>(
    ['webhookEndpoints', 'list'],
    (signal) => gateway.webhookEndpoints.list({ signal }).all(),
    // What becomes of deliveries is no event of the account.
    { refetchInterval: REFRESH_MS },
  )
  return (
    <ListTable
      label={title}
      rows={endpoints.data}
      error={endpoints.error}
      onAgain={() => void endpoints.refetch()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/developers/webhooks/${id}`}
      empty={
        <Empty icon="hook" title={w.noneTitle} action={create}>
          {w.none}
        </Empty>
      }
      columns={[
        { key: 'url', title: w.url, render: (endpoint) => <Address of={endpoint} /> },
        {
          key: 'events',
          title: w.events,
          render: ({ events }) => (events.includes(EVERY) ? '*' : w.someEvents(events.length)),
        },
        { key: 'health', title: w.health, render: (endpoint) => <Health of={endpoint} /> },
        { key: 'last', title: w.lastSuccess, render: ({ delivery }) => <Time at={delivery.last_success_at} /> },
        { key: 'status', title: w.status, render: (endpoint) => <EndpointStatus of={endpoint} /> },
      ]}
    />
  )
}

function Address({ of }: { readonly of: WebhookEndpoint }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={600} maw={340} style={{ overflowWrap: 'anywhere' }}>
        {of.url}
      </Text>
      {of.description !== null && (
        <Text size="xs" c="dimmed">
          {of.description}
        </Text>
      )}
    </div>
  )
}
