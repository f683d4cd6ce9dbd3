// A list of contracts, of either kind: filters in the URL, columns as one likes them, an export, and news that do not jump.
import { Button, Checkbox, Group, Menu, VisuallyHidden } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { List } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Empty } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Page } from '../ui/Page.tsx'
import { usePage } from '../ui/paging.ts'
import { COMMON } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { type CsvColumns, ExportCsv } from './ExportCsv.tsx'
import { FilterBar } from './FilterBar.tsx'
import { queryOf, useFilters, useKept } from './filters.ts'
import { LIST } from './list-words.ts'
import { useQuietRows } from './quiet-rows.ts'

type Query = ReturnType<typeof queryOf> & { readonly after?: string; readonly limit?: number }

type Props<T> = {
  readonly kind: 'transfers' | 'payments'
  readonly title: string
  readonly statuses: readonly string[]
  readonly columns: readonly (Column<T> & { readonly isHidden?: true })[]
  readonly csv: CsvColumns<T>
  readonly list: (query: Query, options: { readonly signal: AbortSignal }) => List<T>
  /** What can be begun here. */
  readonly actions?: ReactNode
  /** What is said where there are none at all. */
  readonly empty: ReactNode
}

const PAGE = 25
const EXPORT_PAGE = 100

export function ContractList<T extends { readonly id: string }>(props: Props<T>) {
  const { kind, title, statuses, columns, csv, list, actions, empty } = props
  const w = useWords(LIST)
  const { filters } = useFilters()
  const query = queryOf(filters)
  const key = [kind, 'list', filters] as const
  const page = usePage<T>(key, (after, signal) =>
    list({ ...query, limit: PAGE, ...(after && { after }) }, { signal }).page(),
  )
  const [params] = useSearchParams()
  const at = `${JSON.stringify(filters)} ${params.get('after') ?? ''}`
  const { rows, news, past, showNews } = useQuietRows(page.isOld ? undefined : page.rows, at)
  const [hidden, hide] = useKept<readonly string[]>(
    `console-columns-${kind}`,
    columns.flatMap(({ key: name, isHidden }) => (isHidden ? [name] : [])),
  )
  const [isExporting, setExporting] = useState(false)
  const hasFilters = Object.keys(filters).length > 0
  return (
    <Page
      title={title}
      actions={
        <>
          <Columns columns={columns} hidden={hidden} onHide={hide} />
          <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={() => setExporting(true)}>
            {w.exportCsv}
          </Button>
          {actions}
        </>
      }
    >
      <section className="card" aria-label={title}>
        <VisuallyHidden component="h2">{w.filters}</VisuallyHidden>
        <FilterBar kind={kind} statuses={statuses} />
        {(news > 0 || past.size > 0) && <News count={news} past={past.size} onShow={showNews} />}
        <ListTable
          label={title}
          columns={columns.filter(({ key: name }) => !hidden.includes(name))}
          rows={rows}
          keyOf={({ id }) => id}
          isPast={({ id }) => past.has(id)}
          linkOf={({ id }) => `/${kind}/${id}`}
          error={page.error}
          onAgain={page.onAgain}
          paging={page.paging}
          empty={hasFilters ? <NothingFits hasMore={page.paging.next !== null} /> : empty}
        />
      </section>
      {isExporting && (
        <ExportCsv
          name={kind}
          columns={csv}
          pages={(signal) => list({ ...query, limit: EXPORT_PAGE }, { signal }).pages()}
          onClose={() => setExporting(false)}
        />
      )}
    </Page>
  )
}

function NothingFits({ hasMore }: { readonly hasMore: boolean }) {
  const w = useWords(LIST)
  const { set } = useFilters()
  const clear = (
    <Button variant="default" onClick={() => set(null)}>
      {w.clear}
    </Button>
  )
  return (
    <Empty icon="filter" title={w.noFit} action={clear}>
      {hasMore ? w.noFitHere : undefined}
    </Empty>
  )
}

type NewsProps = { readonly count: number; readonly past: number; readonly onShow: () => void }

function News({ count, past, onShow }: NewsProps) {
  const w = useWords(LIST)
  const language = useLanguage()
  return (
    <Group justify="center" gap="xs" py={6} className="tone-info" role="status">
      {count > 0 && <span>{w.news(countText(count, language))}</span>}
      {past > 0 && <span>{w.past(countText(past, language))}</span>}
      <Button size="compact-sm" variant="default" onClick={onShow}>
        {w.showNews}
      </Button>
    </Group>
  )
}

type ColumnsProps<T> = {
  readonly columns: readonly Column<T>[]
  readonly hidden: readonly string[]
  readonly onHide: (hidden: readonly string[]) => void
}

function Columns<T>({ columns, hidden, onHide }: ColumnsProps<T>) {
  const c = useWords(COMMON)
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="columns" size={16} />}>
          {c.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown p="sm">
        {columns.map(({ key, title }) => (
          <Checkbox
            key={key}
            label={title}
            py={4}
            checked={!hidden.includes(key)}
            onChange={(event) =>
              onHide(event.currentTarget.checked ? hidden.filter((each) => each !== key) : [...hidden, key])
            }
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
