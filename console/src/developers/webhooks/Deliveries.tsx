// What was delivered to an endpoint, newest event first, by status and by kind of event.
import { Group, Select } from '@mantine/core'
import type { Delivery, WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { gateway } from '../../gateway.ts'
import { Badge, Id, Status, Time } from '../../ui/atoms.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Section } from '../../ui/Page.tsx'
import { useFilter, usePage } from '../../ui/paging.ts'
import { STATUS_WORDS } from '../../ui/words.ts'
import { useWords } from '../../words/language.ts'
import { useEventTypes } from '../event-types.ts'
import { WEBHOOKS } from './words.ts'

const STATUSES = ['pending', 'delivered', 'dead', 'held'] as const

export const deliveryLink = (endpoint: string, { id, event_id: event }: Pick<Delivery, 'id' | 'event_id'>) =>
  `/developers/webhooks/${endpoint}/deliveries/${id}?event=${event}`

export function Deliveries({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const w = useWords(WEBHOOKS)
  const [status] = useFilter('status')
  const [event] = useFilter('event')
  const filter = { status: (status || undefined) as Delivery['status'] | undefined, event: event || undefined }
  const page = usePage<Delivery>(['webhookEndpoints', 'deliveries', endpoint.id, filter], (after, signal) =>
    gateway.webhookEndpoints.deliveries(endpoint.id, { ...filter, after, limit: 25 }, { signal }).page(),
  )
  return (
    <Section title={w.deliveries} isFlush actions={<Filters />}>
      <ListTable
        {...page}
        label={w.deliveries}
        keyOf={({ id }) => id}
        linkOf={(delivery) => deliveryLink(endpoint.id, delivery)}
        empty={<Empty icon="hook">{w.noDeliveries}</Empty>}
        columns={[
          { key: 'status', title: w.status, render: (delivery) => <Status of={delivery.status} /> },
          { key: 'event', title: w.event, render: ({ type }) => <span className="id">{type}</span> },
          { key: 'object', title: w.object, render: ({ contract_id: id }) => (id === null ? '—' : <Id id={id} />) },
          { key: 'tries', title: w.tries, render: (delivery) => <Tries of={delivery} /> },
          { key: 'next', title: w.next, render: ({ next_attempt_at: at }) => <Time at={at} /> },
          { key: 'when', title: w.when, render: ({ updated_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  )
}

function Tries({ of }: { readonly of: Delivery }) {
  const w = useWords(WEBHOOKS)
  return (
    <span style={{ display: 'inline-flex', gap: 6 }}>
      {of.tries}
      {of.replay > 0 && <Badge tone="info">{w.replayNo(of.replay)}</Badge>}
    </span>
  )
}

function Filters() {
  const w = useWords(WEBHOOKS)
  const words: Readonly<Record<string, string>> = useWords(STATUS_WORDS)
  const [status, setStatus] = useFilter('status')
  const [event, setEvent] = useFilter('event')
  const types = useEventTypes().flatMap((group) => group.types)
  return (
    <Group gap="xs">
      <Select
        size="xs"
        w={150}
        aria-label={w.status}
        placeholder={w.anyStatus}
        clearable
        data={STATUSES.map((each) => ({ value: each, label: words[each] ?? each }))}
        value={status || null}
        onChange={(each) => setStatus(each ?? '')}
      />
      <Select
        size="xs"
        w={200}
        aria-label={w.event}
        placeholder={w.anyType}
        clearable
        searchable
        data={types}
        value={event || null}
        onChange={(each) => setEvent(each ?? '')}
      />
    </Group>
  )
}
