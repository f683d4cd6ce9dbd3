// Resolutions that wait for a second person: shown first, for they have an end.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Resolution } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan, useSignedIn } from '../session/session.ts'
import { moneyText } from '../ui/amounts.ts'
import { Badge, Facts, Id, Money, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Mode } from '../ui/Mode.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { WORK } from './words.ts'

type Asked = { readonly resolution: Resolution; readonly what: 'approve' | 'reject' }

export function Resolutions() {
  const w = useWords(WORK)
  const [asked, setAsked] = useState<Asked | null>(null)
  const read = useRead(
    ['resolutions', 'waiting'],
    (signal) => gateway.resolutions.list({ status: 'waiting', limit: 50 }, { signal }).page(),
    { refetchInterval: 15_000 },
  )
  if (read.data?.items.length === 0) return null
  return (
    <Section title={w.toConfirm} isFlush>
      <ListTable
        label={w.toConfirm}
        rows={read.data?.items}
        error={read.error}
        onAgain={() => void read.refetch()}
        keyOf={({ id }) => id}
        columns={[
          { key: 'contract', title: w.contract, render: ({ contract_id }) => <Id id={contract_id} /> },
          {
            key: 'amount',
            title: w.amount,
            align: 'right',
            render: ({ amount, currency, livemode }) => (
              <span>
                <Money amount={amount} currency={currency} /> <Mode isLive={livemode} />
              </span>
            ),
          },
          { key: 'outcome', title: w.outcome, render: ({ as }) => <Outcome as={as} /> },
          {
            key: 'evidence',
            title: w.evidence,
            render: ({ evidence, proposed_by }) => (
              <div style={{ maxWidth: 260, overflowWrap: 'anywhere' }}>
                <Text size="sm" lineClamp={3}>
                  {evidence}
                </Text>
                <Text size="xs" c="dimmed">
                  {proposed_by.email}
                </Text>
              </div>
            ),
          },
          { key: 'until', title: w.expires, render: ({ expires_at }) => <Time at={expires_at} /> },
          { key: 'do', title: '', align: 'right', render: (each) => <Choices resolution={each} onAsk={setAsked} /> },
        ]}
      />
      {asked && <Decide {...asked} onClose={() => setAsked(null)} />}
    </Section>
  )
}

function Outcome({ as }: { readonly as: Resolution['as'] }) {
  const w = useWords(WORK)
  return as === 'delivered' ? (
    <Badge tone="good">{w.resolutionDelivered}</Badge>
  ) : (
    <Badge tone="bad">{w.resolutionFailed}</Badge>
  )
}

function Choices({ resolution, onAsk }: { readonly resolution: Resolution; readonly onAsk: (asked: Asked) => void }) {
  const w = useWords(WORK)
  const can = useCan()
  const { member } = useSignedIn()
  if (!can('operations:approve')) return null
  const isOwn = resolution.proposed_by.email === member.email
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={() => onAsk({ resolution, what: 'reject' })}>
        {w.reject}
      </Button>
      {isOwn ? (
        <Text size="xs" c="dimmed" maw={150}>
          {w.own}
        </Text>
      ) : (
        <Button size="compact-sm" onClick={() => onAsk({ resolution, what: 'approve' })}>
          {w.approve}
        </Button>
      )}
    </Group>
  )
}

function Decide({ resolution, what, onClose }: Asked & { readonly onClose: () => void }) {
  const w = useWords(WORK)
  const language = useLanguage()
  const { id, amount, currency, livemode, as, evidence, contract_id, proposed_by } = resolution
  const groups = ['operations', 'resolutions', 'transfers']
  const approve = useWrite(() => gateway.resolutions.approve(id, {}), groups)
  const reject = useWrite((reason: string) => gateway.resolutions.reject(id, { reason: reason || null }), groups)
  const isApproving = what === 'approve'
  return (
    <Confirm
      title={isApproving ? w.approveTitle : w.rejectTitle}
      action={isApproving ? w.approve : w.reject}
      isDangerous
      {...(isApproving ? {} : { reason: { isRequired: false } })}
      onConfirm={(reason) => (isApproving ? approve.mutateAsync(null) : reject.mutateAsync(reason))}
      onClose={onClose}
    >
      <Facts
        of={[
          [w.contract, <Id key="id" id={contract_id} />],
          [
            w.amount,
            <span key="amount">
              <Money amount={amount} currency={currency} /> <Mode isLive={livemode} />
            </span>,
          ],
          [w.outcome, <Outcome key="as" as={as} />],
          [w.evidence, evidence],
          [w.proposedBy, proposed_by.email],
        ]}
      />
      <Text size="sm">
        {isApproving ? w.approveWhat(moneyText(amount, currency, language), proposed_by.email) : w.rejectWhat}
      </Text>
    </Confirm>
  )
}
