// Transfers of all accounts that wait for an operator, and what one operator proposed and another has to confirm.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { WaitingTransfer } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Id, Money, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Mode } from '../ui/Mode.tsx'
import { Section } from '../ui/Page.tsx'
import { usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { Resolutions } from './Resolutions.tsx'
import { Resolve } from './Resolve.tsx'
import { WorkPage } from './WorkPage.tsx'
import { WORK } from './words.ts'

export function Transfers() {
  const w = useWords(WORK)
  const [asked, setAsked] = useState<WaitingTransfer | null>(null)
  const columns = useColumns(setAsked)
  const list = usePage(['operations', 'transfers'], (after, signal) =>
    gateway.operations.transfers({ after, limit: 25 }, { signal }).page(),
  )
  return (
    <WorkPage>
      <Resolutions />
      <Section title={w.waiting} isFlush>
        <ListTable
          label={w.waiting}
          {...list}
          keyOf={({ contract_id }) => contract_id}
          empty={
            <Empty icon="check" title={w.allClear}>
              {w.allClearMore}
            </Empty>
          }
          columns={columns}
        />
      </Section>
      {asked?.can_be_resolved && <Resolve transfer={asked} onClose={() => setAsked(null)} />}
      {asked && !asked.can_be_resolved && <Close transfer={asked} onClose={() => setAsked(null)} />}
    </WorkPage>
  )
}

/** Of a channel that contradicted itself: somebody has understood why. */
function Close({ transfer, onClose }: { readonly transfer: WaitingTransfer; readonly onClose: () => void }) {
  const w = useWords(WORK)
  const close = useWrite(
    (evidence: string) => gateway.operations.closeTransfer(transfer.contract_id, { evidence }),
    ['operations'],
  )
  return (
    <Confirm
      title={w.closeTitle}
      action={w.close}
      reason={{ label: w.evidence, isRequired: true, max: 2000 }}
      onConfirm={(evidence) => close.mutateAsync(evidence)}
      onClose={onClose}
    >
      <Text size="sm">{transfer.explanation.summary}</Text>
      <Text size="sm">{w.closeWhat}</Text>
    </Confirm>
  )
}

function useColumns(onAsk: (transfer: WaitingTransfer) => void): readonly Column<WaitingTransfer>[] {
  const w = useWords(WORK)
  const can = useCan()
  return [
    { key: 'contract', title: w.contract, render: ({ contract_id }) => <Id id={contract_id} /> },
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
      key: 'amount',
      title: w.amount,
      align: 'right',
      render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: 'channel',
      title: w.channel,
      render: ({ channel, is_frozen }) => (
        <span>
          {channel ?? '—'} {is_frozen && <Badge tone="warn">{w.frozen}</Badge>}
        </span>
      ),
    },
    {
      key: 'why',
      title: w.why,
      render: ({ explanation }) => (
        <Text size="sm" c="dimmed" maw={420}>
          {explanation.summary}
        </Text>
      ),
    },
    { key: 'since', title: w.since, render: ({ since }) => <Time at={since} /> },
    {
      key: 'do',
      title: '',
      align: 'right',
      render: (transfer) =>
        (transfer.can_be_resolved || transfer.is_contradicted) && can('operations:write') ? (
          <Button size="compact-sm" variant="default" onClick={() => onAsk(transfer)}>
            {transfer.can_be_resolved ? w.resolve : w.close}
          </Button>
        ) : null,
    },
  ]
}
