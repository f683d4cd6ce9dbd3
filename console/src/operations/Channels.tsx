// Channels that stand still, letting one go on, and stopping one by hand.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { Freeze } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { ChannelChoice } from './ChannelChoice.tsx'
import { Payouts } from './Payouts.tsx'
import { WorkPage } from './WorkPage.tsx'
import { WORK } from './words.ts'

export function Channels() {
  const w = useWords(WORK)
  const can = useCan()
  const mayWrite = can('operations:write')
  const [isFreezing, setFreezing] = useState(false)
  const [letting, setLetting] = useState<string | null>(null)
  const columns = useColumns(mayWrite ? setLetting : null)
  const freezes = useRead(['freezes', 'list'], (signal) => gateway.freezes.list({ signal }).all(100))
  const letGo = useWrite(
    ({ channel, evidence }: { channel: string; evidence: string }) =>
      gateway.freezes.acknowledge(channel, { evidence }),
    ['freezes', 'operations'],
  )
  return (
    <WorkPage
      actions={
        mayWrite && (
          <Button variant="default" onClick={() => setFreezing(true)}>
            {w.freeze}
          </Button>
        )
      }
    >
      <Payouts />
      <Section title={w.freezes} isFlush>
        <ListTable
          label={w.freezes}
          rows={freezes.data}
          error={freezes.error}
          onAgain={() => void freezes.refetch()}
          keyOf={({ channel }) => channel}
          empty={<Empty icon="check" title={w.freezesNone} />}
          columns={columns}
        />
      </Section>
      {isFreezing && <FreezeOne onClose={() => setFreezing(false)} />}
      {letting !== null && (
        <Confirm
          title={w.letGoTitle}
          action={w.letGo}
          isDangerous
          reason={{ label: w.letGoEvidence, isRequired: true, max: 2000 }}
          onConfirm={(evidence) => letGo.mutateAsync({ channel: letting, evidence })}
          onClose={() => setLetting(null)}
        >
          <Text size="sm">{w.letGoWhat(letting)}</Text>
        </Confirm>
      )}
    </WorkPage>
  )
}

/** `onLetGo` is null for who may not. */
function useColumns(onLetGo: ((channel: string) => void) | null): readonly Column<Freeze>[] {
  const w = useWords(WORK)
  return [
    {
      key: 'channel',
      title: w.channel,
      render: ({ channel }) => (
        <span>
          {channel} <Badge tone="warn">{w.frozen}</Badge>
        </span>
      ),
    },
    {
      key: 'reason',
      title: w.reason,
      render: ({ reason }) => (
        <Text size="sm" maw={520} style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      ),
    },
    { key: 'since', title: w.since, render: ({ since }) => <Time at={since} /> },
    {
      key: 'do',
      title: '',
      align: 'right',
      render: ({ channel }) =>
        onLetGo ? (
          <Button size="compact-sm" variant="default" onClick={() => onLetGo(channel)}>
            {w.letGo}
          </Button>
        ) : null,
    },
  ]
}

function FreezeOne({ onClose }: { readonly onClose: () => void }) {
  const w = useWords(WORK)
  const [channel, setChannel] = useState('')
  const freeze = useWrite((reason: string) => gateway.freezes.create({ channel, reason }), ['freezes', 'operations'])
  return (
    <Confirm
      title={w.freezeTitle}
      action={w.freezeAction}
      isDangerous
      isDisabled={channel === ''}
      reason={{ isRequired: true, max: 2000 }}
      onConfirm={(reason) => freeze.mutateAsync(reason)}
      onClose={onClose}
    >
      <Text size="sm">{w.freezeWhat}</Text>
      <ChannelChoice value={channel} onChange={setChannel} />
    </Confirm>
  )
}
