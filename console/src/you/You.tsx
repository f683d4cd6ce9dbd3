// Who one is here and what one may do, and where one is signed in.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Session } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { useSignedIn } from '../session/session.ts'
import { Badge, Facts, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { Passkeys } from './Passkeys.tsx'
import { Secrets } from './Secrets.tsx'
import { TITLE } from './title.ts'
import { YOU } from './words.ts'

export function You() {
  const { title } = useWords(TITLE)
  const w = useWords(YOU)
  const { member, scopes } = useSignedIn()
  const { authenticator, recovery_codes } = member.factors
  return (
    <Page title={title} beside={<Badge tone="info">{member.role}</Badge>}>
      <Section>
        <Facts
          of={[
            [w.name, member.name],
            [w.email, member.email],
            [w.authenticator, authenticator ? w.present : w.absent],
            [w.recoveryLeft, recovery_codes],
            [
              w.may,
              <Group key="scopes" gap={4}>
                {[...scopes].map((scope) => (
                  <Badge key={scope}>{scope}</Badge>
                ))}
              </Group>,
            ],
          ]}
        />
      </Section>
      <Secrets />
      <Passkeys />
      <Sessions />
    </Page>
  )
}

function Sessions() {
  const w = useWords(YOU)
  const sessions = useRead(['sessions'], (signal) => gateway.sessions.list({ signal }).all(100))
  const end = useWrite((id: string) => gateway.sessions.end(id), ['sessions'])
  const [ending, setEnding] = useState<Session | null>(null)
  return (
    <Section title={w.sessions} isFlush>
      <ListTable
        label={w.sessions}
        rows={sessions.data}
        error={sessions.error}
        onAgain={() => void sessions.refetch()}
        keyOf={({ id }) => id}
        columns={[
          { key: 'since', title: w.since, render: ({ created_at }) => <Time at={created_at} /> },
          { key: 'until', title: w.until, render: ({ expires_at }) => <Time at={expires_at} /> },
          {
            key: 'end',
            title: '',
            align: 'right',
            render: (session) =>
              session.current ? (
                <Badge tone="good">{w.thisOne}</Badge>
              ) : (
                <Button size="compact-sm" variant="default" onClick={() => setEnding(session)}>
                  {w.end}
                </Button>
              ),
          },
        ]}
      />
      {ending && (
        <Confirm
          title={w.endTitle}
          action={w.end}
          isDangerous
          onConfirm={() => end.mutateAsync(ending.id)}
          onClose={() => setEnding(null)}
        >
          {w.endWhat}
        </Confirm>
      )}
    </Section>
  )
}
