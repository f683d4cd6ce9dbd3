// What became of a contract's events at webhook endpoints, and one of them sent again.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { ContractDelivery } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { countText } from '../ui/amounts.ts'
import { Status, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { PAGE } from './page-words.ts'

const SHOWN = 100

/** For those who manage webhooks: nobody else may read it. */
export function Deliveries({ kind, id }: { readonly kind: 'transfers' | 'payments'; readonly id: string }) {
  const w = useWords(PAGE)
  const read = useRead([kind, 'deliveries', id], (signal) => gateway[kind].deliveries(id, {}, { signal }).all(SHOWN))
  const send = useWrite(
    ({ endpoint_id: endpoint, event_id: event }: ContractDelivery) =>
      gateway.webhookEndpoints.replay(endpoint, { events: [event] }),
    [kind],
  )
  const [chosen, setChosen] = useState<ContractDelivery | null>(null)
  const columns = useColumns(setChosen)
  return (
    <Section title={w.deliveries} isFlush>
      <ListTable
        label={w.deliveries}
        rows={read.data}
        error={read.error}
        onAgain={() => void read.refetch()}
        keyOf={({ id: delivery, endpoint_id: endpoint }) => `${endpoint} ${delivery}`}
        empty={
          <Text c="dimmed" p="md">
            {w.noDeliveries}
          </Text>
        }
        columns={columns}
      />
      {chosen && (
        <Confirm
          title={w.replayTitle}
          action={w.replay}
          onConfirm={() => send.mutateAsync(chosen)}
          onClose={() => setChosen(null)}
        >
          <Text>{w.replayHow(chosen.type, chosen.endpoint_url)}</Text>
        </Confirm>
      )}
    </Section>
  )
}

function useColumns(onReplay: (delivery: ContractDelivery) => void): readonly Column<ContractDelivery>[] {
  const w = useWords(PAGE)
  const language = useLanguage()
  return [
    { key: 'event', title: w.event, render: ({ type }) => type },
    {
      key: 'endpoint',
      title: w.endpoint,
      render: ({ endpoint_url: url }) => <span style={{ overflowWrap: 'anywhere' }}>{url}</span>,
    },
    { key: 'status', title: w.status, render: ({ status }) => <Status of={status} /> },
    {
      key: 'answer',
      title: w.answer,
      render: ({ last_status_code: code, last_fault: fault }) => code ?? fault ?? '—',
    },
    { key: 'tries', title: w.sentTimes, render: ({ tries }) => countText(tries, language), align: 'right' },
    { key: 'when', title: w.when, render: ({ updated_at: at }) => <Time at={at} /> },
    {
      key: 'replay',
      title: '',
      render: (delivery) =>
        delivery.endpoint_deleted ? null : (
          <Button size="compact-sm" variant="default" onClick={() => onReplay(delivery)}>
            {w.replay}
          </Button>
        ),
    },
  ]
}
