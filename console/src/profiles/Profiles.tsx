// The list of profiles: whom the account deals with, found by what is typed or by kind.
import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Page as PageOf, Profile } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { Status, Time } from '../ui/atoms.tsx'
import { Empty } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { useWords } from '../words/language.ts'
import { TITLE } from './title.ts'
import { PROFILES } from './words.ts'

const PAGE = 25
/** Each that is found is read by itself. */
const FOUND_PAGE = 10
const SEARCH_FROM = 2
const TYPING_MS = 300

export function Profiles() {
  const { title } = useWords(TITLE)
  const w = useWords(PROFILES)
  const can = useCan()
  const [query] = useFilter('q')
  const [type] = useFilter('type')
  const [status] = useFilter('status')
  const isSearch = query.length >= SEARCH_FROM
  const filters = isSearch ? { query } : { type: type || undefined, status: statusOf(status) }
  const { rows, error, onAgain, paging } = usePage<Profile>(['profiles', 'list', filters], (after, signal) =>
    isSearch
      ? found(query, after, signal)
      : gateway.profiles.list({ ...filters, after, limit: PAGE } as never, { signal }).page(),
  )
  const create = can('profiles:write') && (
    <Button component={Link} to="/profiles/new" leftSection={<Icon name="plus" size={16} />}>
      {w.create}
    </Button>
  )
  const isFiltered = isSearch || type !== '' || status !== ''
  return (
    <Page title={title} actions={create || undefined}>
      <Section isFlush>
        <Filters isSearch={isSearch} />
        <ListTable
          label={title}
          rows={rows}
          error={error}
          onAgain={onAgain}
          paging={paging}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/profiles/${id}`}
          columns={useColumns()}
          empty={
            isFiltered ? (
              <Empty icon="search" title={w.noneFound}>
                {w.noneFoundMend}
              </Empty>
            ) : (
              <Empty icon="people" title={w.none} action={create || undefined}>
                {w.noneMend}
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

/** In use, unless asked otherwise. */
const statusOf = (status: string) => (status === 'all' ? undefined : status === 'archived' ? 'archived' : 'active')

async function found(query: string, after: string | undefined, signal: AbortSignal): Promise<PageOf<Profile>> {
  const wanted = { q: query, type: 'profile' as const, limit: FOUND_PAGE, after }
  const hits = await gateway.search.find(wanted, { signal }).page()
  const items = await Promise.all(hits.items.map(({ id }) => gateway.profiles.get(id, undefined, { signal })))
  return { items, next: hits.next }
}

function Filters({ isSearch }: { readonly isSearch: boolean }) {
  const w = useWords(PROFILES)
  const [query, setQuery] = useFilter('q')
  const [type, setType] = useFilter('type')
  const [status, setStatus] = useFilter('status')
  const [typed, setTyped] = useState(query)
  const search = useDebouncedCallback((text: string) => setQuery(text.trim()), TYPING_MS)
  return (
    <search className="filters" style={{ padding: '14px 16px' }}>
      <TextInput
        label={w.search}
        placeholder={w.searchHint}
        value={typed}
        maxLength={100}
        leftSection={<Icon name="search" size={15} />}
        style={{ flex: '2 1 240px' }}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          search(event.currentTarget.value)
        }}
      />
      {!isSearch && (
        <>
          <Select
            label={w.kind}
            value={type || 'all'}
            allowDeselect={false}
            data={[
              { value: 'all', label: w.allKinds },
              { value: 'person', label: w.people },
              { value: 'business', label: w.businesses },
            ]}
            onChange={(value) => setType(value === 'all' ? '' : (value ?? ''))}
          />
          <Select
            label={w.status}
            value={status || 'active'}
            allowDeselect={false}
            data={[
              { value: 'active', label: w.inUse },
              { value: 'archived', label: w.archived },
              { value: 'all', label: w.both },
            ]}
            onChange={(value) => setStatus(value === 'active' ? '' : (value ?? ''))}
          />
        </>
      )}
    </search>
  )
}

function useColumns(): readonly Column<Profile>[] {
  const w = useWords(PROFILES)
  return [
    {
      key: 'name',
      title: w.name,
      render: (profile) => <Link to={`/profiles/${profile.id}`}>{calledOf(profile)}</Link>,
    },
    { key: 'kind', title: w.kind, render: ({ type }) => (type === 'business' ? w.business : w.person) },
    { key: 'contact', title: w.contact, render: ({ mobile, email }) => mobile ?? email ?? '—' },
    {
      key: 'ways',
      title: w.ways,
      render: ({ destinations }) => {
        const used = destinations.filter(({ status }) => status === 'active')
        const first = used.find((each) => each.default) ?? used[0]
        if (!first) return '—'
        return used.length > 1 ? `${first.channel} ${w.andMore(used.length - 1)}` : first.channel
      },
    },
    { key: 'reference', title: w.reference, render: ({ reference }) => reference ?? '—' },
    {
      key: 'changed',
      title: w.changed,
      align: 'right',
      render: ({ status, updated_at }) => (status === 'archived' ? <Status of="archived" /> : <Time at={updated_at} />),
    },
  ]
}

/** What there is of a name. */
export const calledOf = ({ name, email, mobile, reference, id }: Profile): string =>
  name ?? email ?? mobile ?? reference ?? id
