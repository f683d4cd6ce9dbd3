// What was asked about recipients, newest first; what waits for a person's word first of all.
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Verification } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { accountOf } from '../approvals/Terms.tsx'
import { Ask } from './Ask.tsx'
import { Result } from './Result.tsx'
import { VerificationsPage } from './VerificationsPage.tsx'
import { KINDS, VERIFICATIONS } from './words.ts'

const SHOWN = ['review', 'all', 'pending', 'pass', 'fail', 'unavailable'] as const
type Shown = (typeof SHOWN)[number]

export function Verifications() {
  const w = useWords(VERIFICATIONS)
  const can = useCan()
  const [isAsking, setAsking] = useState(false)
  return (
    <VerificationsPage
      actions={can('contracts:read') ? <Button onClick={() => setAsking(true)}>{w.ask}</Button> : undefined}
    >
      <Asked />
      {isAsking && <Ask onClose={() => setAsking(false)} />}
    </VerificationsPage>
  )
}

function Asked() {
  const w = useWords(VERIFICATIONS)
  const kinds: Readonly<Record<string, string>> = useWords(KINDS)
  const [filter, setFilter] = useFilter('status')
  const shown: Shown = SHOWN.find((each) => each === filter) ?? 'review'
  const page = usePage<Verification>(['verifications', 'list', shown], (after, signal) =>
    gateway.verifications.list({ after, limit: 25, ...(shown === 'all' ? {} : { status: shown }) }, { signal }).page(),
  )
  return (
    <Section
      title={shown === 'review' ? w.queue : w.asked}
      isFlush
      actions={
        <NativeSelect
          aria-label={w.status}
          size="xs"
          value={shown}
          onChange={(event) => setFilter(event.currentTarget.value === 'review' ? '' : event.currentTarget.value)}
          data={SHOWN.map((value) => ({ value, label: w[value] }))}
        />
      }
    >
      <ListTable
        {...page}
        label={w.asked}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/verifications/${id}`}
        empty={
          <Empty icon="shield" title={shown === 'review' ? w.noReviews : w.none}>
            {shown === 'review' ? w.noReviewsLong : w.noneLong}
          </Empty>
        }
        columns={[
          {
            key: 'recipient',
            title: w.recipient,
            render: ({ recipient }) => (
              <div style={{ overflowWrap: 'anywhere' }}>
                <div style={{ fontWeight: 600 }}>{recipient.name ?? '—'}</div>
                <div style={{ fontSize: 12, color: 'var(--mantine-color-dimmed)' }}>{accountOf(recipient)}</div>
              </div>
            ),
          },
          { key: 'kind', title: w.kind, render: ({ kind }) => kinds[kind] ?? kind },
          { key: 'result', title: w.result, render: (each) => <Result of={each} /> },
          {
            key: 'reason',
            title: w.why,
            render: ({ reason }) => <div style={{ maxWidth: 420 }}>{reason ?? '—'}</div>,
          },
          { key: 'at', title: w.askedAt, render: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  )
}
