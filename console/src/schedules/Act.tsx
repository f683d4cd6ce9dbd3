// What is asked before a schedule is paused, resumed or ended.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Schedule } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { moneyText } from '../ui/amounts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { useMayMake } from './Schedules.tsx'
import { SCHEDULES } from './words.ts'

type Verb = 'pause' | 'resume' | 'end'

const VERBS: Readonly<Record<Schedule['status'], readonly Verb[]>> = {
  active: ['pause', 'end'],
  paused: ['resume', 'end'],
  ended: [],
}

export function Actions({ of }: { readonly of: Schedule }) {
  const w = useWords(SCHEDULES)
  const can = useCan()
  const mayMake = useMayMake()
  const [verb, setVerb] = useState<Verb | null>(null)
  const verbs = VERBS[of.status].filter((each) => (each === 'resume' ? mayMake : can('commands:write')))
  return (
    <>
      {verbs.map((each) => (
        <Button key={each} variant={each === 'resume' ? 'filled' : 'default'} onClick={() => setVerb(each)}>
          {w[each]}
        </Button>
      ))}
      {mayMake && of.status !== 'ended' && (
        <Button component={Link} to={`/schedules/${of.id}/edit`} variant="default">
          {w.edit}
        </Button>
      )}
      {verb !== null && <Act verb={verb} of={of} onClose={() => setVerb(null)} />}
    </>
  )
}

type ActProps = { readonly verb: Verb; readonly of: Schedule; readonly onClose: () => void }

function Act({ verb, of: { id, version, pays }, onClose }: ActProps) {
  const w = useWords(SCHEDULES)
  const language = useLanguage()
  // Of what is on the screen: a schedule that was changed meanwhile is shown first.
  const act = useWrite(() => gateway.schedules[verb](id, { ifMatch: version }), ['schedules'])
  const amount = moneyText(pays.amount, pays.currency, language)
  const asked = {
    pause: [w.pauseTitle, w.pauseWhat, w.willPause],
    resume: [w.resumeTitle, w.resumeWhat(amount, pays.recipient ?? w.somebody), w.willResume],
    end: [w.endTitle, w.endWhat, w.willEnd],
  } as const
  const [title, what, action] = asked[verb]
  return (
    <Confirm
      title={title}
      action={action}
      isDangerous={verb === 'end'}
      onConfirm={() => act.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Text>{what}</Text>
    </Confirm>
  )
}
