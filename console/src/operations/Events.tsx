// Payment events of all accounts that no contract fits, and taking one in again.
import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { UnallocatedEvent } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Id, Json, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Mode } from '../ui/Mode.tsx'
import { Section } from '../ui/Page.tsx'
import { usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { WorkPage } from './WorkPage.tsx'
import { WORK } from './words.ts'

export function Events() {
  const w = useWords(WORK)
  const can = useCan()
  const [taking, setTaking] = useState<UnallocatedEvent | null>(null)
  const list = usePage(['unallocatedEvents', 'list'], (after, signal) =>
    gateway.unallocatedEvents.list({ after, limit: 25 }, { signal }).page(),
  )
  return (
    <WorkPage>
      <Section title={w.events} isFlush>
        <ListTable
          label={w.events}
          {...list}
          keyOf={({ account_id, id }) => `${account_id} ${id}`}
          empty={<Empty icon="check" title={w.eventsNone} />}
          columns={[
            { key: 'event', title: w.event, render: ({ id }) => <Id id={id} /> },
            {
              key: 'account',
              title: w.account,
              render: ({ account_name, livemode }) => (
                <span>
                  {account_name} <Mode isLive={livemode} />
                </span>
              ),
            },
            {
              key: 'status',
              title: w.result,
              render: ({ status }) =>
                status === 'unmatched' ? (
                  <Badge tone="info">{w.unmatched}</Badge>
                ) : (
                  <Badge tone="warn">{w.needsReview}</Badge>
                ),
            },
            { key: 'reason', title: w.reason, render: ({ reason }) => reason ?? '—' },
            { key: 'at', title: w.at, render: ({ at }) => <Time at={at} /> },
            {
              key: 'do',
              title: '',
              align: 'right',
              render: (event) =>
                can('operations:write') && event.body !== null ? (
                  <Button size="compact-sm" variant="default" onClick={() => setTaking(event)}>
                    {w.take}
                  </Button>
                ) : null,
            },
          ]}
        />
      </Section>
      {taking && <Take event={taking} onClose={() => setTaking(null)} />}
    </WorkPage>
  )
}

function Take({ event, onClose }: { readonly event: UnallocatedEvent; readonly onClose: () => void }) {
  const w = useWords(WORK)
  const [contractId, setContractId] = useState('')
  const take = useWrite(
    (evidence: string) =>
      gateway.unallocatedEvents.take(event.id, {
        account_id: event.account_id,
        evidence,
        ...(contractId.trim() && { contract_id: contractId.trim() }),
      }),
    ['unallocatedEvents', 'payments'],
  )
  return (
    <Confirm
      title={w.takeTitle}
      action={w.take}
      reason={{ label: w.evidence, isRequired: true, max: 2000 }}
      onConfirm={(evidence) => take.mutateAsync(evidence)}
      onClose={onClose}
    >
      <Text size="sm">{w.takeWhat}</Text>
      <Json value={readable(event.body)} label={w.event} />
      <TextInput
        label={w.contractId}
        value={contractId}
        onChange={(change) => setContractId(change.currentTarget.value)}
      />
    </Confirm>
  )
}

/** The bytes as they came, and as JSON where they are that. */
function readable(body: string | null): unknown {
  try {
    return JSON.parse(body ?? 'null')
  } catch {
    return body
  }
}
