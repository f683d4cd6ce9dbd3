// Days of channels that were held against the books, newest first; and comparing one now.
import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Reconciliation } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Badge, Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { ChannelChoice } from './ChannelChoice.tsx'
import { WorkPage } from './WorkPage.tsx'
import { WORK } from './words.ts'

export function Statements() {
  const w = useWords(WORK)
  const can = useCan()
  const [isComparing, setComparing] = useState(false)
  const list = usePage(['reconciliations', 'list'], (after, signal) =>
    gateway.reconciliations.list({ after, limit: 25 }, { signal }).page(),
  )
  const compare = can('operations:write') && <Button onClick={() => setComparing(true)}>{w.compare}</Button>
  return (
    <WorkPage actions={compare}>
      <Section title={w.compared} isFlush>
        <ListTable
          label={w.compared}
          {...list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/operations/statements/${id}`}
          empty={
            <Empty icon="book" title={w.comparedNone}>
              {w.comparedNoneMore}
            </Empty>
          }
          columns={[
            { key: 'day', title: w.day, render: ({ day }) => day },
            { key: 'channel', title: w.channel, render: ({ channel }) => channel },
            { key: 'result', title: w.result, render: (each) => <Result of={each} /> },
            { key: 'matched', title: w.matched, align: 'right', render: ({ matched }) => matched },
            { key: 'at', title: w.compareAt, render: ({ at }) => <Time at={at} /> },
          ]}
        />
      </Section>
      {isComparing && <Compare onClose={() => setComparing(false)} />}
    </WorkPage>
  )
}

export function Result({ of: { fits, findings } }: { readonly of: Reconciliation }) {
  const w = useWords(WORK)
  if (fits) return <Badge tone="good">{w.fits}</Badge>
  return <Badge tone="bad">{w.doesNotFit(findings.filter(({ kind }) => kind !== 'mended').length)}</Badge>
}

function Compare({ onClose }: { readonly onClose: () => void }) {
  const w = useWords(WORK)
  const navigate = useNavigate()
  const [channel, setChannel] = useState('')
  const [day, setDay] = useState('')
  const compare = useWrite(
    () => gateway.reconciliations.create({ channel, ...(day && { day }) }),
    ['reconciliations', 'freezes', 'operations'],
  )
  return (
    <Confirm
      title={w.compareTitle}
      action={w.compareAction}
      isDisabled={channel === ''}
      onConfirm={async () => {
        const { id } = await compare.mutateAsync(null)
        await navigate(`/operations/statements/${id}`)
      }}
      onClose={onClose}
    >
      <Text size="sm">{w.compareWhat}</Text>
      <ChannelChoice value={channel} onChange={setChannel} />
      <TextInput
        label={w.day}
        description={w.dayHint}
        type="date"
        value={day}
        onChange={(change) => setDay(change.currentTarget.value)}
      />
    </Confirm>
  )
}
