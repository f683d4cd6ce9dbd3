// What is asked before a bulk payout is started, paused, resumed or cancelled.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { Command } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { countText } from '../ui/amounts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { neededFor } from './types.ts'
import { PAYOUT } from './words.ts'

type Verb = 'start' | 'pause' | 'resume' | 'cancel'

const VERBS: Readonly<Record<Command['status'], readonly Verb[]>> = {
  open: ['start', 'cancel'],
  queued: ['pause', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  completed: [],
  cancelled: [],
}

/** What can be done with it now by whoever is signed in. */
export function Actions({ of }: { readonly of: Command }) {
  const w = useWords(PAYOUT)
  const can = useCan()
  const [verb, setVerb] = useState<Verb | null>(null)
  const maySetGoing = neededFor(of.type).every((scope) => can(scope))
  const verbs = VERBS[of.status].filter(
    (each) => can('commands:write') && !of.cancelling && (maySetGoing || each === 'pause' || each === 'cancel'),
  )
  return (
    <>
      {verbs.map((each) => (
        <Button
          key={each}
          variant={each === 'start' || each === 'resume' ? 'filled' : 'default'}
          onClick={() => setVerb(each)}
        >
          {w[each]}
        </Button>
      ))}
      {verb !== null && <Act verb={verb} of={of} onClose={() => setVerb(null)} />}
    </>
  )
}

type ActProps = { readonly verb: Verb; readonly of: Command; readonly onClose: () => void }

function Act({ verb, of: { id, progress }, onClose }: ActProps) {
  const w = useWords(PAYOUT)
  const language = useLanguage()
  const rows = countText(progress.left, language)
  const act = useWrite(() => gateway.commands[verb](id), ['commands'])
  const asked = {
    start: [w.startTitle, w.startWhat(rows), w.willStart],
    pause: [w.pauseTitle, w.pauseWhat, w.willPause],
    resume: [w.resumeTitle, w.resumeWhat(rows), w.willResume],
    cancel: [w.cancelTitle, w.cancelWhat(rows), w.willCancel],
  } as const
  const [title, what, action] = asked[verb]
  return (
    <Confirm
      title={title}
      action={action}
      isDangerous={verb === 'cancel'}
      onConfirm={() => act.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Text>{what}</Text>
    </Confirm>
  )
}
