// One policy: what it does, what can be done with it, what it would say of a transfer and of the last days, and its versions.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Policy } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useCan, useSignedIn } from '../session/session.ts'
import { Facts, Id, Json, Status, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Loaded, Note } from '../ui/feedback.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { FORM } from './form/form-words.ts'
import { Rehearse } from './trial/Rehearse.tsx'
import { TryIt } from './trial/TryIt.tsx'
import { Versions } from './Versions.tsx'
import { TITLE } from './title.ts'
import { POLICIES } from './words.ts'

export function PolicyPage() {
  const { id = '' } = useParams()
  const { title } = useWords(TITLE)
  const read = useRead(['policies', 'get', id], (signal) => gateway.policies.get(id, undefined, { signal }))
  const policy = read.data
  return (
    <Page
      title={policy?.name ?? title}
      parent={[title, '/policies']}
      beside={policy && <Status of={policy.status} />}
      actions={policy && <Actions policy={policy} />}
    >
      <Loaded of={read}>
        {(shown) => (
          <>
            <What policy={shown} />
            {shown.status !== 'archived' && (
              <>
                <TryIt what={{ id }} />
                <Rehearse what={{ policy_id: id }} isReady />
              </>
            )}
            <Versions policy={shown} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function What({ policy }: { readonly policy: Policy }) {
  const w = useWords(POLICIES)
  const f = useWords(FORM)
  const { isLive } = useSignedIn()
  const { id, sentence, description, priority, version, updated_at: at, name, when, then, status } = policy
  return (
    <Section title={w.does}>
      <Text fw={600} mb="sm">
        {sentence}
      </Text>
      <Facts
        of={[
          description ? [w.description, description] : null,
          [w.priority, priority],
          [w.version, version],
          [w.changed, <Time key="at" at={at} style="short" />],
          [w.id, <Id key="id" id={id} isWhole />],
        ]}
      />
      {isLive && <Note tone="info">{w.onlyPeople}</Note>}
      <details style={{ marginTop: 12 }}>
        <summary style={{ cursor: 'pointer' }}>{f.json}</summary>
        <Json value={{ name, description, priority, status, when, then }} label={f.json} />
      </details>
    </Section>
  )
}

const MOVES = ['pause', 'resume', 'archive'] as const
type Move = (typeof MOVES)[number]

function Actions({ policy: { id, status, version, sentence } }: { readonly policy: Policy }) {
  const w = useWords(POLICIES)
  const can = useCan()
  const [asked, setAsked] = useState<Move | null>(null)
  const move = useWrite((wanted: Move) => gateway.policies[wanted](id, { ifMatch: version }), ['policies', 'rehearsal'])
  if (!can('policies:write') || status === 'archived') return null
  const what = { pause: w.pauseWhat, resume: w.resumeWhat, archive: w.archiveWhat }
  return (
    <>
      <Button component={Link} to={`/policies/${id}/edit`}>
        {w.edit}
      </Button>
      {MOVES.filter((each) => each === 'archive' || each === (status === 'active' ? 'pause' : 'resume')).map((each) => (
        <Button key={each} variant="default" onClick={() => setAsked(each)}>
          {w[each]}
        </Button>
      ))}
      {asked && (
        <Confirm
          title={w[asked]}
          action={w[asked]}
          isDangerous={asked !== 'resume'}
          onConfirm={() => move.mutateAsync(asked)}
          onClose={() => setAsked(null)}
        >
          <Text fw={600}>{sentence}</Text>
          <Text>{what[asked]}</Text>
        </Confirm>
      )}
    </>
  )
}
