// A list as a table: rows that open with a click, Enter, or j and k; on a phone a card for each row. Shows one page; which one
// is the business of ui/paging.ts.
import { Button, Group } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useShortcuts } from '../shell/shortcuts.ts'
import { useWords } from '../words/language.ts'
import { Empty, ErrorNote, Loading } from './feedback.tsx'
import type { Paging } from './paging.ts'
import { COMMON } from './words.ts'

export type Column<T> = {
  readonly key: string
  readonly title: string
  readonly render: (row: T) => ReactNode
  readonly align?: 'right'
}

type ListTableProps<T> = {
  /** What the list is of, for who hears it. */
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[] | undefined
  readonly keyOf: (row: T) => string
  /** Where a row leads; without it rows lead nowhere. */
  readonly linkOf?: (row: T) => string
  /** Rows that stand as they were, and no longer are. */
  readonly isPast?: (row: T) => boolean
  /** What single keys do to the row that j and k have chosen; by how many rows it moved, where it gives back a number. */
  readonly keys?: Readonly<Record<string, (row: T) => unknown>>
  /** The key of the row that is open beside the list. */
  readonly open?: string | null
  readonly error?: unknown
  readonly onAgain?: () => void
  readonly empty?: ReactNode
  readonly paging?: Paging
}

export function ListTable<T>(props: ListTableProps<T>) {
  const { label, columns, rows, keyOf, linkOf, isPast, keys, open, error, onAgain, empty, paging } = props
  const chosen = useChosenRow(rows ?? [], linkOf, keys)
  if (rows === undefined) return error ? <ErrorNote error={error} onAgain={onAgain} /> : <Loading rows={8} />
  if (rows.length === 0)
    return (
      <>
        {empty ?? <Empty />}
        {paging && <Pager paging={paging} />}
      </>
    )
  return (
    <>
      {error ? <ErrorNote error={error} onAgain={onAgain} /> : null}
      <div className="scrolls">
        <table className="list stacks" aria-label={label}>
          <thead>
            <tr>
              {columns.map(({ key, title, align }) =>
                title === '' ? (
                  <td key={key} />
                ) : (
                  <th key={key} scope="col" className={align}>
                    {title}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <Row
                key={keyOf(row)}
                row={row}
                columns={columns}
                link={linkOf?.(row)}
                isOpen={keyOf(row) === open}
                isPast={isPast?.(row) ?? false}
                isChosen={place === chosen}
              />
            ))}
          </tbody>
        </table>
      </div>
      {paging && <Pager paging={paging} />}
    </>
  )
}

type RowProps<T> = {
  readonly row: T
  readonly columns: readonly Column<T>[]
  readonly link: string | undefined
  readonly isOpen: boolean
  readonly isPast: boolean
  readonly isChosen: boolean
}

function Row<T>({ row, columns, link, isOpen, isPast, isChosen }: RowProps<T>) {
  const navigate = useNavigate()
  const open = (target: EventTarget) => {
    // A link or a button in the row does its own.
    if (link && !(target as Element).closest('a, button, input')) void navigate(link)
  }
  return (
    <tr
      className={`${link ? 'opens' : ''} ${isChosen || isOpen ? 'chosen' : ''} ${isPast ? 'past' : ''}`}
      onClick={(event) => open(event.target)}
      data-chosen={isChosen || undefined}
    >
      {columns.map(({ key, title, align, render }) => (
        <td key={key} className={align} data-title={title}>
          {render(row)}
        </td>
      ))}
    </tr>
  )
}

/** j and k choose a row, Enter opens it. */
function useChosenRow<T>(
  rows: readonly T[],
  linkOf: ((row: T) => string) | undefined,
  keys: Readonly<Record<string, (row: T) => unknown>> = {},
): number {
  const navigate = useNavigate()
  const [place, setPlace] = useState(-1)
  useEffect(() => {
    // It gives back a promise in newer browsers, which React would take for what ends the effect.
    document.querySelector('[data-chosen]')?.scrollIntoView({ block: 'nearest' })
  }, [place])
  const own = Object.entries(keys).map(([key, act]) => [
    key,
    () => {
      const row = rows[place]
      if (row === undefined) return
      const moved = act(row)
      if (typeof moved === 'number') setPlace(place + moved)
    },
  ])
  useShortcuts(
    linkOf === undefined
      ? {}
      : {
          ...Object.fromEntries(own),
          j: () => setPlace((at) => Math.min(at + 1, rows.length - 1)),
          k: () => setPlace((at) => Math.max(at - 1, 0)),
          Enter: () => {
            const row = rows[place]
            if (row !== undefined) void navigate(linkOf(row))
          },
        },
  )
  return place
}

function Pager({ paging }: { readonly paging: Paging }) {
  const w = useWords(COMMON)
  if (paging.isFirst && paging.next === null) return null
  return (
    <Group justify="flex-end" gap="xs" p="sm">
      <Button size="compact-sm" variant="default" disabled={paging.isFirst} onClick={paging.goBack}>
        {w.previous}
      </Button>
      <Button size="compact-sm" variant="default" disabled={paging.next === null} onClick={paging.goOn}>
        {w.next}
      </Button>
    </Group>
  )
}
