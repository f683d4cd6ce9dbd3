// The switch of payouts: whether any are paused, by whom and why, what waits, pausing all or one channel, and letting them go on.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { PayoutPause } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { ChannelChoice } from './ChannelChoice.tsx'
import { WORK } from './words.ts'

export function Payouts() {
  const w = useWords(WORK)
  const mayWrite = useCan()('operations:write')
  const [isPausing, setPausing] = useState(false)
  const [resuming, setResuming] = useState<PayoutPause | null>(null)
  const columns = useColumns(mayWrite ? setResuming : null)
  const payouts = useRead(['payouts', 'get'], (signal) => gateway.payouts.get({ signal }))
  const waiting = payouts.data?.waiting ?? []
  return (
    <Section
      title={w.payouts}
      isFlush
      actions={
        mayWrite && (
          <Button size="compact-sm" variant="default" onClick={() => setPausing(true)}>
            {w.pause}
          </Button>
        )
      }
    >
      <ListTable
        label={w.payouts}
        rows={payouts.data?.pauses}
        error={payouts.error}
        onAgain={() => void payouts.refetch()}
        keyOf={({ channel }) => channel ?? ''}
        empty={<Empty icon="check" title={w.pausesNone} />}
        columns={columns}
      />
      {waiting.length > 0 && (
        <Group p="md" gap="md">
          {waiting.map(({ channel, payouts: count }) => (
            <Text key={channel} size="sm" c="dimmed">
              {w.waitsOn(channel, count)}
            </Text>
          ))}
        </Group>
      )}
      {isPausing && <PauseSome onClose={() => setPausing(false)} />}
      {resuming && <ResumeOne pause={resuming} onClose={() => setResuming(null)} />}
    </Section>
  )
}

/** `onResume` is null for who may not. */
function useColumns(onResume: ((pause: PayoutPause) => void) | null): readonly Column<PayoutPause>[] {
  const w = useWords(WORK)
  return [
    {
      key: 'channel',
      title: w.channel,
      render: ({ channel }) => (
        <span>
          {channel ?? w.allChannels} <Badge tone="warn">{w.paused}</Badge>
        </span>
      ),
    },
    {
      key: 'evidence',
      title: w.reason,
      render: ({ evidence, operator }) => (
        <Text size="sm" maw={520} style={{ overflowWrap: 'anywhere' }}>
          {evidence} ({operator})
        </Text>
      ),
    },
    { key: 'since', title: w.since, render: ({ since }) => <Time at={since} /> },
    {
      key: 'do',
      title: '',
      align: 'right',
      render: (pause) =>
        onResume ? (
          <Button size="compact-sm" variant="default" onClick={() => onResume(pause)}>
            {w.resume}
          </Button>
        ) : null,
    },
  ]
}

const STALE = ['payouts', 'operations'] as const

function PauseSome({ onClose }: { readonly onClose: () => void }) {
  const w = useWords(WORK)
  const [channel, setChannel] = useState('')
  const pause = useWrite(
    (evidence: string) => gateway.payouts.pause({ evidence, ...(channel === '' ? {} : { channel }) }),
    STALE,
  )
  return (
    <Confirm
      title={w.pauseTitle}
      action={w.pauseAction}
      isDangerous
      reason={{ isRequired: true, max: 2000 }}
      onConfirm={(evidence) => pause.mutateAsync(evidence)}
      onClose={onClose}
    >
      <Text size="sm">{w.pauseWhat}</Text>
      <ChannelChoice value={channel} onChange={setChannel} none={w.allChannels} />
    </Confirm>
  )
}

function ResumeOne({ pause, onClose }: { readonly pause: PayoutPause; readonly onClose: () => void }) {
  const w = useWords(WORK)
  const { channel } = pause
  const resume = useWrite(
    (evidence: string) => gateway.payouts.resume({ evidence, ...(channel === null ? {} : { channel }) }),
    STALE,
  )
  return (
    <Confirm
      title={w.resumeTitle}
      action={w.resume}
      isDangerous
      reason={{ label: w.letGoEvidence, isRequired: true, max: 2000 }}
      onConfirm={(evidence) => resume.mutateAsync(evidence)}
      onClose={onClose}
    >
      <Text size="sm">{w.resumeWhat(channel ?? w.allChannels)}</Text>
    </Confirm>
  )
}
