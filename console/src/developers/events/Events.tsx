// What happened, as it happens: the newest on top, one of them open beside the list.
import { Button, Select } from '@mantine/core'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import type { EventType, GatewayEvent } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useEvents, useIsLive } from '../../live/events.ts'
import { DocsLink } from '../../ui/DocsLink.tsx'
import { Time } from '../../ui/atoms.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useFilter } from '../../ui/paging.ts'
import { useWords } from '../../words/language.ts'
import { useEventTypes } from '../event-types.ts'
import { Live } from '../Live.tsx'
import { merged, useLiveLog } from '../log.ts'
import { Split } from '../Split.tsx'
import { TITLES } from '../titles.ts'
import { Inspector } from './Inspector.tsx'
import { About, momentOf } from './shown.tsx'
import { EVENTS } from './words.ts'

const PAGE = 50

export function Events() {
  const { title } = useWords(TITLES.events)
  const w = useWords(EVENTS)
  const [type, setType] = useFilter('type')
  const [params] = useSearchParams()
  const log = useLiveLog<GatewayEvent>(type)
  const { add } = log
  useEvents(useCallback((event) => (type === '' || event.type === type ? add(event) : undefined), [type, add]))
  const types = useEventTypes().flatMap((group) => group.types)
  const isOpen = useIsLive()
  return (
    <Page
      title={title}
      beside={<Live of={log as never} isOpen={isOpen} />}
      actions={
        <>
          <DocsLink page="webhooks">{w.docs}</DocsLink>
          <Select
            size="sm"
            w={220}
            aria-label={w.type}
            placeholder={w.anyType}
            clearable
            searchable
            data={types}
            value={type || null}
            onChange={(each) => setType(each ?? '')}
          />
        </>
      }
    >
      <Split
        list={<EventTable type={type} fresh={log.rows} />}
        detail={<Inspector id={params.get('id')} />}
        isOpen={params.has('id')}
      />
    </Page>
  )
}

function EventTable({ type, fresh }: { readonly type: string; readonly fresh: readonly GatewayEvent[] }) {
  const { title } = useWords(TITLES.events)
  const w = useWords(EVENTS)
  const [after, setAfter] = useFilter('before')
  const [params] = useSearchParams()
  const asked = { order: 'newest', types: type === '' ? undefined : [type as EventType] } as const
  // Not under the group of events: what comes by the stream is put on top, and the list is not read again for each.
  const read = useRead(['log', 'events', type, after], (signal) =>
    gateway.events.list({ ...asked, limit: PAGE, after: after || undefined }, { signal }).page(),
  )
  const rows = read.data && (after === '' ? merged(fresh, read.data.items, ({ id }) => id) : read.data.items)
  const next = read.data?.next ?? null
  const linkOf = ({ id }: GatewayEvent) => {
    const wanted = new URLSearchParams(params)
    wanted.set('id', id)
    return `/developers/events?${wanted}`
  }
  return (
    <Section isFlush>
      <ListTable<GatewayEvent>
        label={title}
        rows={rows}
        error={read.error}
        onAgain={() => void read.refetch()}
        keyOf={({ id }) => id}
        linkOf={linkOf}
        open={params.get('id')}
        empty={
          <Empty icon="list" title={type === '' ? w.noneTitle : w.noneFit}>
            {type === '' ? w.none : undefined}
          </Empty>
        }
        columns={[
          { key: 'type', title: w.type, render: (event) => <span className="id">{event.type}</span> },
          { key: 'about', title: w.about, render: (event) => <About of={event} /> },
          { key: 'at', title: w.at, render: (event) => <Time at={momentOf(event)} /> },
        ]}
      />
      {next !== null && (
        <Button variant="subtle" size="compact-sm" m="sm" onClick={() => setAfter(next)}>
          {w.older}
        </Button>
      )}
    </Section>
  )
}
