// What programs asked of the gateway, as it is answered: filtered, one of them open beside the list, errors by their code.
import { Button, Text } from '@mantine/core'
import { useSearchParams } from 'react-router'
import type { ApiRequest } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { DocsLink } from '../../ui/DocsLink.tsx'
import { Badge, Time } from '../../ui/atoms.tsx'
import { Empty, ErrorNote } from '../../ui/feedback.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useFilter } from '../../ui/paging.ts'
import { useWords } from '../../words/language.ts'
import { Live } from '../Live.tsx'
import { merged, useLiveLog } from '../log.ts'
import { Split } from '../Split.tsx'
import { TITLES } from '../titles.ts'
import { Errors } from './Errors.tsx'
import { FilterBar, useFilters } from './FilterBar.tsx'
import { Inspector } from './Inspector.tsx'
import { type Filters, useRequestStream } from './stream.ts'
import { toneOf } from './tone.ts'
import { REQUESTS } from './words.ts'

const PAGE = 50

export function Requests() {
  const { title } = useWords(TITLES.requests)
  const w = useWords(REQUESTS)
  const [params] = useSearchParams()
  const filters = useFilters()
  const log = useLiveLog<ApiRequest>(JSON.stringify(filters))
  const { isOpen, error } = useRequestStream(filters, log.add)
  const id = params.get('id')
  const known = log.rows.find((each) => each.id === id) ?? null
  return (
    <Page
      title={title}
      beside={<Live of={log as never} isOpen={isOpen} />}
      actions={<DocsLink page="reference/">{w.docs}</DocsLink>}
    >
      {error ? <ErrorNote error={error} /> : null}
      <Errors fresh={log.rows} />
      <FilterBar />
      <Split
        list={<RequestTable filters={filters} fresh={log.rows} />}
        detail={<Inspector id={id} known={known} />}
        isOpen={id !== null}
      />
      <Text size="xs" c="dimmed">
        {w.pagesLeftOut}
      </Text>
    </Page>
  )
}

type TableProps = { readonly filters: Filters; readonly fresh: readonly ApiRequest[] }

function RequestTable({ filters, fresh }: TableProps) {
  const { title } = useWords(TITLES.requests)
  const w = useWords(REQUESTS)
  const [after, setAfter] = useFilter('before')
  const [params] = useSearchParams()
  const read = useRead(['log', 'requests', filters, after], (signal) =>
    gateway.requests.list({ ...filters, limit: PAGE, after: after || undefined } as never, { signal }).page(),
  )
  const rows = read.data && (after === '' ? merged(fresh, read.data.items, ({ id }) => id) : read.data.items)
  const next = read.data?.next ?? null
  const isFiltered = Object.values(filters).some((each) => each !== undefined)
  const linkOf = ({ id }: ApiRequest) => {
    const wanted = new URLSearchParams(params)
    wanted.set('id', id)
    return `/developers/requests?${wanted}`
  }
  return (
    <Section isFlush>
      <ListTable<ApiRequest>
        label={title}
        rows={rows}
        error={read.error}
        onAgain={() => void read.refetch()}
        keyOf={({ id }) => id}
        linkOf={linkOf}
        open={params.get('id')}
        empty={
          <Empty icon="code" title={isFiltered ? w.noneFit : w.noneTitle}>
            {isFiltered ? undefined : w.none}
          </Empty>
        }
        columns={[
          { key: 'status', title: w.status, render: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
          { key: 'operation', title: w.operation, render: (request) => <Operation of={request} /> },
          {
            key: 'took',
            title: w.took,
            align: 'right',
            render: ({ duration_ms: ms }) => <span className="money">{w.ms(Math.round(ms))}</span>,
          },
          { key: 'when', title: w.when, render: ({ at }) => <Time at={at} /> },
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

function Operation({ of }: { readonly of: ApiRequest }) {
  return (
    <div style={{ minWidth: 0 }}>
      <span className="id">{of.operation}</span>
      {of.code !== null && (
        <Text size="xs" c="dimmed" className="id">
          {of.code}
        </Text>
      )}
    </div>
  )
}
