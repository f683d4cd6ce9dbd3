// Sending events again: one of them, all from a moment on, or what was never delivered.
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Replay, WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { Time } from '../../ui/atoms.tsx'
import { Confirm, Dialog } from '../../ui/Confirm.tsx'
import { Note } from '../../ui/feedback.tsx'
import { COMMON } from '../../ui/words.ts'
import { useWords } from '../../words/language.ts'
import { WEBHOOKS } from './words.ts'

const GROUPS = ['webhookEndpoints', 'events']
const HOUR_MS = 3_600_000

/** As an input of the browser takes a moment: in the reader's own time, without a zone. */
const localText = (ms: number) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

type Dialog = { readonly of: Pick<WebhookEndpoint, 'id'>; readonly onClose: () => void }

export function ReplayMany({ of, onReplayed, onClose }: Dialog & { readonly onReplayed: (replay: Replay) => void }) {
  const w = useWords(WEBHOOKS)
  const [which, setWhich] = useState('missed')
  const [since, setSince] = useState(() => localText(Date.now() - HOUR_MS))
  const replay = useWrite(
    () =>
      gateway.webhookEndpoints.replay(
        of.id,
        which === 'missed' ? { missed: true } : { from: new Date(since).toISOString() },
      ),
    GROUPS,
  )
  return (
    <Confirm
      title={w.replayTitle}
      action={w.replay}
      isDisabled={which === 'since' && Number.isNaN(Date.parse(since))}
      onConfirm={async () => onReplayed(await replay.mutateAsync(undefined))}
      onClose={onClose}
    >
      <span>{w.replayWhat}</span>
      <Radio.Group value={which} onChange={setWhich} aria-label={w.replayTitle}>
        <Stack gap="xs">
          <Radio value="missed" label={w.replayMissed} />
          <Radio value="since" label={w.replaySpan} />
        </Stack>
      </Radio.Group>
      {which === 'since' && (
        <TextInput
          type="datetime-local"
          label={w.replaySince}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
      )}
    </Confirm>
  )
}

/** How many are on their way. */
export function Replayed({ of, onClose }: { readonly of: Replay; readonly onClose: () => void }) {
  const w = useWords(WEBHOOKS)
  const c = useWords(COMMON)
  return (
    <Dialog onClose={onClose} title={w.replay} centered closeButtonProps={{ 'aria-label': c.close }}>
      <Stack>
        <Note tone="good" title={w.replayQueued(of.events)}>
          {of.more && (
            <Group gap={6}>
              {w.replayMore} <Time at={of.next_from} style="short" />
            </Group>
          )}
        </Note>
        <Group justify="flex-end">
          <Button onClick={onClose}>{c.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

export function ReplayOne({ of, event, onClose }: Dialog & { readonly event: string }) {
  const w = useWords(WEBHOOKS)
  const replay = useWrite(() => gateway.webhookEndpoints.replay(of.id, { events: [event] }), GROUPS)
  return (
    <Confirm
      title={w.replayOneTitle}
      action={w.replay}
      onConfirm={() => replay.mutateAsync(undefined)}
      onClose={onClose}
    >
      <span className="id" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
        {event}
      </span>
      <span>{w.replayWhat}</span>
    </Confirm>
  )
}
