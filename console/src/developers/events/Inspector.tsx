// All of one event: what it is about, where it was delivered, and its JSON; sent to an endpoint again from here.
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type EventDelivery, type GatewayEvent, GatewayError } from '../../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { Facts, Id, Json, Status, Time } from '../../ui/atoms.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Empty, Loaded, Note } from '../../ui/feedback.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { screenOfObject } from '../event-types.ts'
import { deliveryLink } from '../webhooks/Deliveries.tsx'
import { WEBHOOKS } from '../webhooks/words.ts'
import { About, momentOf } from './shown.tsx'
import { EVENTS } from './words.ts'

type Whole = { readonly event: GatewayEvent; readonly deliveries: readonly EventDelivery[] }

export function Inspector({ id }: { readonly id: string | null }) {
  const w = useWords(EVENTS)
  const read = useRead<Whole | null>(
    ['events', 'get', id],
    (signal) => gateway.events.get(id ?? '', { signal }).catch(absent),
    { enabled: id !== null },
  )
  return (
    <Section title={w.inspector}>
      {id === null ? (
        <Empty icon="code">{w.choose}</Empty>
      ) : (
        <Loaded of={read}>{(data) => (data ? <Shown {...data} /> : <Note tone="warn" title={w.unknown} />)}</Loaded>
      )}
    </Section>
  )
}

function absent(error: unknown): null {
  if (error instanceof GatewayError && error.status === 404) return null
  throw error
}

function Shown({ event, deliveries }: Whole) {
  const w = useWords(EVENTS)
  const can = useCan()
  const [isSending, setSending] = useState(false)
  const screen = screenOfObject(event.kind, event.data.object.id)
  return (
    <Stack>
      <Facts
        of={[
          [
            w.type,
            <span key="type" className="id">
              {event.type}
            </span>,
          ],
          ['ID', <Id key="id" id={event.id} />],
          [w.about, <About key="about" of={event} />],
          [w.at, <Time key="at" at={momentOf(event)} style="short" />],
          [w.sequence, event.sequence],
          [w.version, event.api_version],
        ]}
      />
      <Group gap="xs">
        {screen !== null && (
          <Button component={Link} to={screen} size="compact-sm" variant="default">
            {w.open(event.kind)}
          </Button>
        )}
        {can('webhooks:manage') && (
          <Button size="compact-sm" variant="default" onClick={() => setSending(true)}>
            {w.sendTo}
          </Button>
        )}
      </Group>
      <DeliveriesOf event={event} deliveries={deliveries} />
      <Json value={event} label={w.json} />
      {isSending && <SendTo event={event} onClose={() => setSending(false)} />}
    </Stack>
  )
}

function DeliveriesOf({ event, deliveries }: Whole) {
  const w = useWords(EVENTS)
  const can = useCan()
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {w.deliveries}
      </Text>
      {deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          {w.noDeliveries}
        </Text>
      )}
      <Stack gap={6}>
        {deliveries.map((delivery) => (
          <Group key={`${delivery.endpoint_id} ${delivery.id}`} gap="xs">
            <Status of={delivery.status} />
            <Id
              id={delivery.id}
              to={
                can('webhooks:manage')
                  ? deliveryLink(delivery.endpoint_id, { id: delivery.id, event_id: event.id })
                  : undefined
              }
            />
            <Text size="sm" c="dimmed">
              {w.tries(delivery.tries)} · <Time at={delivery.updated_at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </div>
  )
}

function SendTo({ event, onClose }: { readonly event: GatewayEvent; readonly onClose: () => void }) {
  const w = useWords(EVENTS)
  const h = useWords(WEBHOOKS)
  const [chosen, setChosen] = useState<string | null>(null)
  const endpoints = useRead(['webhookEndpoints', 'list'], (signal) => gateway.webhookEndpoints.list({ signal }).all())
  const all = endpoints.data ?? []
  const endpoint = chosen ?? all[0]?.id ?? null
  const send = useWrite(
    (id: string) => gateway.webhookEndpoints.replay(id, { events: [event.id] }),
    ['webhookEndpoints', 'events'],
  )
  return (
    <Confirm
      title={w.sendTo}
      action={h.replay}
      isDisabled={endpoint === null}
      onConfirm={() => send.mutateAsync(endpoint ?? '')}
      onClose={onClose}
    >
      {endpoints.data?.length === 0 ? (
        <Note tone="info" title={w.noEndpoint} />
      ) : (
        <Select
          label={w.endpoint}
          data={all.map(({ id, url }) => ({ value: id, label: url }))}
          value={endpoint}
          allowDeselect={false}
          onChange={setChosen}
        />
      )}
      <span>{h.replayWhat}</span>
    </Confirm>
  )
}
