// The list of bulk payouts: what each does, how far it is, who gave it.
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Command } from '../../../sdk/src/index.ts'
import { useActors } from '../audit/actors.ts'
import { gateway } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { DocsLink } from '../ui/DocsLink.tsx'
import { countText } from '../ui/amounts.ts'
import { Badge, Status, Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { StatusFilter } from '../ui/StatusFilter.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { EXPORT } from './export-words.ts'
import { NEW } from './new/words.ts'
import { ProgressBar } from './ProgressBar.tsx'
import { TITLE } from './title.ts'
import { PAYOUTS, TYPES } from './words.ts'

const PAGE = 25
const STATUSES = ['open', 'queued', 'running', 'paused', 'completed', 'cancelled'] as const

export function Payouts() {
  const { title } = useWords(TITLE)
  const w = useWords(PAYOUTS)
  const newWords = useWords(NEW)
  const exportWords = useWords(EXPORT)
  const [chosen] = useFilter('status')
  const status = STATUSES.find((each) => each === chosen)
  const list = usePage<Command>(['commands', 'list', { status }], (after, signal) =>
    gateway.commands.list({ status, after, limit: PAGE }, { signal }).page(),
  )
  const mayWrite = useCan()('commands:write')
  const create = mayWrite && (
    <Button component={Link} to="/payouts/new" leftSection={<Icon name="plus" size={16} />}>
      {newWords.create}
    </Button>
  )
  return (
    <Page
      title={title}
      actions={
        <>
          <DocsLink page="commands">{w.docs}</DocsLink>
          {mayWrite && (
            <Button component={Link} to="/payouts/export" variant="default">
              {exportWords.create}
            </Button>
          )}
          {create}
        </>
      }
    >
      <Section isFlush>
        <StatusFilter label={w.status} any={w.anyStatus} statuses={STATUSES} />
        <ListTable
          label={title}
          {...list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/payouts/${id}`}
          columns={useColumns()}
          empty={
            status === undefined ? (
              <Empty icon="columns" title={w.none} action={create || undefined}>
                {w.noneMend}
              </Empty>
            ) : (
              <Empty icon="search" title={w.noneFits}>
                {w.noneFitsMend}
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

function useColumns(): readonly Column<Command>[] {
  const w = useWords(PAYOUTS)
  const types: Readonly<Record<string, string>> = useWords(TYPES)
  const { nameOf } = useActors()
  return [
    {
      key: 'what',
      title: w.name,
      render: ({ id, description, reference, type }) => (
        <Link to={`/payouts/${id}`}>{description ?? reference ?? types[type] ?? type}</Link>
      ),
    },
    { key: 'type', title: w.type, render: ({ type }) => types[type] ?? type },
    { key: 'status', title: w.status, render: (command) => <Standing of={command} /> },
    { key: 'progress', title: w.progress, render: (command) => <Far of={command} /> },
    { key: 'who', title: w.who, render: ({ created_by: by }) => makerOf(by, nameOf) },
    { key: 'when', title: w.when, align: 'right', render: ({ created_at: at }) => <Time at={at} /> },
  ]
}

/** Who gave it, by name. */
export const makerOf = ({ member, key }: Command['created_by'], nameOf: (id: string) => string | null): string =>
  nameOf(member ?? key) ?? '—'

/** Its status, and whether it is a check alone. */
export function Standing({ of: { status, dry_run: isCheck, cancelling } }: { readonly of: Command }) {
  const w = useWords(PAYOUTS)
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 4 }}>
      {cancelling ? <Badge tone="warn">{w.cancelling}</Badge> : <Status of={status} />}
      {isCheck && <Badge>{w.check}</Badge>}
    </span>
  )
}

function Far({ of: { progress } }: { readonly of: Command }) {
  const w = useWords(PAYOUTS)
  const language = useLanguage()
  const text = (count: number) => countText(count, language)
  const { done, total, failed, waiting } = progress
  return (
    <div style={{ minWidth: 150 }}>
      <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 6 }}>
        {w.doneOf(text(done), text(total))}
        {failed > 0 && <Badge tone="bad">{w.failed(text(failed))}</Badge>}
        {waiting > 0 && <Badge tone="warn">{w.waiting(text(waiting))}</Badge>}
      </span>
      <ProgressBar of={progress} />
    </div>
  )
}
