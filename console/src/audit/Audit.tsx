// The audit list: who did what, on what, from where, and what it changed; and all of it as a file.
import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import type { AuditEntry } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { Id, Time } from '../ui/atoms.tsx'
import { Changes } from '../ui/Changes.tsx'
import { Empty } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { usePage } from '../ui/paging.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { type Actors, useActors } from './actors.ts'
import { actionText, memberText, objectText } from './diction.ts'
import { Filters, useAsked } from './Filters.tsx'
import { screenOfObject } from './objects.ts'
import { TITLE } from './title.ts'
import { AUDIT } from './words.ts'

const PAGE = 25

export function Audit() {
  const { title } = useWords(TITLE)
  const w = useWords(AUDIT)
  const actors = useActors()
  const asked = useAsked()
  const { rows, error, onAgain, paging } = usePage<AuditEntry>(['audit', 'list', asked], (after, signal) =>
    gateway.audit.list({ ...asked, after, limit: PAGE }, { signal }).page(),
  )
  const isFiltered = Object.keys(asked).length > 0
  return (
    <Page
      title={title}
      actions={
        <Button
          component="a"
          href={`/audit?${new URLSearchParams({ ...asked, format: 'csv' })}`}
          download
          variant="default"
          leftSection={<Icon name="download" size={16} />}
        >
          {isFiltered ? w.exportFound : w.exportAll}
        </Button>
      }
    >
      <Section isFlush>
        <Filters actors={actors} />
        <ListTable
          label={title}
          rows={rows}
          error={error}
          onAgain={onAgain}
          paging={paging}
          keyOf={({ id }) => id}
          columns={useColumns(actors)}
          empty={
            <Empty icon="book" title={isFiltered ? w.noneFound : w.none}>
              {isFiltered ? w.noneFoundMend : w.noneMend}
            </Empty>
          }
        />
      </Section>
    </Page>
  )
}

function useColumns(actors: Actors): readonly Column<AuditEntry>[] {
  const w = useWords(AUDIT)
  const language = useLanguage()
  return [
    { key: 'at', title: w.at, render: ({ at }) => <Time at={at} /> },
    { key: 'who', title: w.who, render: ({ actor }) => <Who of={actor} actors={actors} /> },
    {
      key: 'what',
      title: w.what,
      render: ({ action, before, after }) => (
        <div>
          <div style={{ fontWeight: 600 }}>{actionText(action, language)}</div>
          <Changes before={told(before)} after={told(after)} nameOf={(member) => memberText(member, language)} />
        </div>
      ),
    },
    {
      key: 'on',
      title: w.on,
      render: ({ object }) => {
        const known = actors.nameOf(object.id)
        return (
          <div>
            <div style={{ fontSize: 13, color: 'var(--mantine-color-dimmed)' }}>
              {objectText(object.type, language)}
              {known === null ? '' : ` · ${known}`}
            </div>
            <Id id={object.id} to={screenOfObject(object) ?? undefined} />
            <Anchor component={Link} to={`/audit?object=${encodeURIComponent(object.id)}`} size="xs" display="block">
              {w.onlyThis}
            </Anchor>
          </div>
        )
      },
    },
  ]
}

/** Members that say nothing of what was done: the id stands beside. */
function told(values: AuditEntry['before']): AuditEntry['before'] {
  if (values === null) return null
  const { id: _, livemode: __, ...others } = values
  return others
}

/** Whoever it was, as people call them, and from where. */
function Who({ of: { type, id, address }, actors }: { readonly of: AuditEntry['actor']; readonly actors: Actors }) {
  const w = useWords(AUDIT)
  const kind = { key: w.key, member: w.member, operator: w.operator, gateway: w.gateway }[type]
  const name = actors.nameOf(id)
  return (
    <div>
      <Link to={`/audit?actor=${encodeURIComponent(id)}`} title={id} style={{ fontWeight: 600 }}>
        {type === 'gateway' ? kind : (name ?? id)}
      </Link>
      <div style={{ fontSize: 13, color: 'var(--mantine-color-dimmed)' }}>
        {[type === 'gateway' ? null : kind, address].filter((each) => each !== null).join(' · ')}
      </div>
    </div>
  )
}
