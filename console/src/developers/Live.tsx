// Whether a log goes on by itself, and the button that holds it still.
import { Button, Group } from '@mantine/core'
import { Badge } from '../ui/atoms.tsx'
import { useWords } from '../words/language.ts'
import { EVENTS } from './events/words.ts'
import type { LiveLog } from './log.ts'

export function Live({ of, isOpen }: { readonly of: LiveLog<unknown>; readonly isOpen: boolean }) {
  const w = useWords(EVENTS)
  const { isPaused, waiting, pause, resume } = of
  return (
    <Group gap="xs">
      {isPaused ? (
        <Badge tone="warn">{w.paused}</Badge>
      ) : (
        <Badge tone={isOpen ? 'good' : 'plain'}>{isOpen ? w.following : '…'}</Badge>
      )}
      <Button size="compact-sm" variant="default" onClick={isPaused ? resume : pause}>
        {isPaused ? (waiting > 0 ? w.waiting(waiting) : w.resume) : w.pause}
      </Button>
    </Group>
  )
}
