// The rows of a command, a page at a time: all of them, or those of which the same became. Which ones stands in the URL.
import { Anchor, SegmentedControl, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Command, CommandRow } from '../../../sdk/src/index.ts'
import { gateway } from '../gateway.ts'
import { Money } from '../ui/atoms.tsx'
import { countText } from '../ui/amounts.ts'
import { Empty } from '../ui/feedback.tsx'
import { type Column, ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useFilter, usePage } from '../ui/paging.ts'
import { STATUS_WORDS } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { Checks } from './Checks.tsx'
import { Outcome } from './Sums.tsx'
import { PAYOUT, PAYOUTS } from './words.ts'

const PAGE = 25
/** Of a check: rows that somebody should look at before the file is paid. */
const FLAGGED = 'flagged'
const STATUSES = ['failed', 'waiting', 'done', 'skipped', 'queued'] as const

export function Rows({ of: { id, progress, dry_run: isCheck } }: { readonly of: Command }) {
  const w = useWords(PAYOUT)
  const words: Readonly<Record<string, string>> = useWords(STATUS_WORDS)
  const language = useLanguage()
  const [chosen, setChosen] = useFilter('rows')
  const status = STATUSES.find((each) => each === chosen)
  const isFlagged = isCheck && chosen === FLAGGED
  const counts = { ...progress, queued: progress.left }
  // The counts stand in the key: rows that have moved on since are read again.
  const list = usePage<CommandRow>(['commands', 'rows', id, { status, isFlagged }, counts], (after, signal) =>
    gateway.commands
      .rows(id, { status, ...(isFlagged ? { flagged: true } : {}), after: after as never, limit: PAGE }, { signal })
      .page(),
  )
  const shown = STATUSES.filter((each) => counts[each] > 0 || each === status)
  return (
    <Section
      title={w.rows}
      isFlush
      actions={
        <SegmentedControl
          aria-label={w.show}
          size="xs"
          value={isFlagged ? FLAGGED : (status ?? 'all')}
          onChange={(value) => setChosen(value === 'all' ? '' : value)}
          data={[
            { value: 'all', label: w.allRows },
            ...(isCheck ? [{ value: FLAGGED, label: w.toLookAt }] : []),
            ...shown.map((value) => ({
              value,
              label: `${words[value] ?? value} ${countText(counts[value], language)}`,
            })),
          ]}
        />
      }
    >
      <ListTable
        label={w.rows}
        {...list}
        keyOf={({ index }) => String(index)}
        columns={useColumns(isCheck)}
        empty={<Empty icon="list" title={w.noRows} />}
      />
    </Section>
  )
}

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

/** Whom a row pays, as it was sent: a name, else what it names them by. */
export function whomOf({ sent }: Pick<CommandRow, 'sent'>): string {
  const recipient = (sent['recipient'] ?? {}) as Readonly<Record<string, unknown>>
  const names = ['name', 'email', 'mobile', 'wallet', 'profile'].map((name) => textIn(recipient[name]))
  return names.find((name) => name !== null) ?? textIn(sent['id']) ?? '—'
}

function useColumns(isCheck: boolean): readonly Column<CommandRow>[] {
  const w = useWords(PAYOUT)
  const p = useWords(PAYOUTS)
  return [
    { key: 'row', title: w.rowOf, render: (row) => <Place of={row} /> },
    { key: 'to', title: w.recipient, render: whomOf },
    {
      key: 'amount',
      title: w.amount,
      align: 'right',
      render: (row) => <Amount of={row} />,
    },
    {
      key: 'fee',
      title: w.fee,
      align: 'right',
      render: ({ preview }) => (preview ? <Money amount={preview.fee} currency={preview.currency} /> : '—'),
    },
    { key: 'status', title: p.status, render: ({ status }) => <Outcome of={status} isCheck={isCheck} /> },
    { key: 'why', title: w.why, render: (row) => <Came of={row} /> },
  ]
}

function Place({ of: { index, line } }: { readonly of: Pick<CommandRow, 'index' | 'line'> }) {
  const w = useWords(PAYOUT)
  const language = useLanguage()
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {countText(index + 1, language)}
      {line !== null && (
        <Text span size="xs" c="dimmed">
          {' '}
          {w.line(countText(line, language))}
        </Text>
      )}
    </span>
  )
}

function Amount({ of: { preview, sent } }: { readonly of: Pick<CommandRow, 'preview' | 'sent'> }) {
  if (preview) return <Money amount={preview.amount} currency={preview.currency} />
  // Not priced: as it was written.
  return [sent['amount'], sent['currency']].map(textIn).filter(Boolean).join(' ') || '—'
}

/** The contract that came of it, or why none did. */
function Came({ of: { contract_id: contract, error, checks } }: { readonly of: CommandRow }) {
  const w = useWords(PAYOUT)
  return (
    <div style={{ maxWidth: 420 }}>
      {contract !== null && (
        <Anchor component={Link} to={`/transfers/${contract}`} size="sm">
          {w.open}
        </Anchor>
      )}
      {error && (
        <Text size="sm">
          {error.param !== null && (
            <Text span size="xs" c="dimmed">
              {w.column(error.param)}:{' '}
            </Text>
          )}
          {error.message}
        </Text>
      )}
      {checks && <Checks of={checks} />}
      {contract === null && !error && !checks && '—'}
    </div>
  )
}
