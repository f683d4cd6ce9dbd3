// The rows that a check refused, each with line, column and what would mend it: mended here, or left out.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CommandType } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Badge } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Note } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { COLUMNS } from './columns.ts'
import { NEW } from './new-words.ts'
import { whomOf } from './Rows.tsx'
import type { Fault, Mends } from './upload.ts'
import { PAYOUT } from './words.ts'

type Props = {
  readonly type: CommandType
  readonly faults: readonly Fault[]
  readonly total: number
  /** What was mended or left out since the check. */
  readonly mends: Mends
  /** With changed cells, with null to leave the row out, with undefined to take either back. */
  readonly onMend: (line: number, cells: Readonly<Record<string, string>> | null | undefined) => void
  readonly onLeaveAll: () => void
}

export function Faults({ type, faults, total, mends, onMend, onLeaveAll }: Props) {
  const w = useWords(NEW)
  const p = useWords(PAYOUT)
  const language = useLanguage()
  const [mending, setMending] = useState<Fault | null>(null)
  const text = (count: number) => countText(count, language)
  const isOpen = (fault: Fault) => !mends.has(fault.line)
  return (
    <Section
      title={w.faults}
      isFlush
      actions={
        faults.some(isOpen) && total === faults.length ? (
          <Button size="xs" variant="default" onClick={onLeaveAll}>
            {w.leaveAll}
          </Button>
        ) : undefined
      }
    >
      {total > faults.length && (
        <div style={{ padding: '0 16px 12px' }}>
          <Note tone="warn">{w.faultsMore(text(faults.length), text(total))}</Note>
        </div>
      )}
      <ListTable
        label={w.faults}
        rows={faults}
        keyOf={({ line }) => String(line)}
        columns={[
          { key: 'line', title: p.rowOf, render: ({ line }) => p.line(text(line)) },
          { key: 'to', title: p.recipient, render: ({ cells }) => whomOf({ sent: nested(cells) }) },
          { key: 'fault', title: w.fault, render: (fault) => <What of={fault} /> },
          {
            key: 'act',
            title: '',
            align: 'right',
            render: (fault) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <Mended of={mends.get(fault.line)} />
                {isOpen(fault) ? (
                  <>
                    <Button size="compact-sm" onClick={() => setMending(fault)}>
                      {w.mend}
                    </Button>
                    <Button size="compact-sm" variant="default" onClick={() => onMend(fault.line, null)}>
                      {w.leave}
                    </Button>
                  </>
                ) : (
                  <Button size="compact-sm" variant="default" onClick={() => onMend(fault.line, undefined)}>
                    {w.takeBack}
                  </Button>
                )}
              </Group>
            ),
          },
        ]}
      />
      {mending && (
        <Mend
          type={type}
          fault={mending}
          onSave={(cells) => onMend(mending.line, cells)}
          onClose={() => setMending(null)}
        />
      )}
    </Section>
  )
}

const nested = (cells: Fault['cells']) => ({
  id: cells['id'],
  recipient: Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]) =>
      name.startsWith('recipient.') ? [[name.slice('recipient.'.length), cell]] : [],
    ),
  ),
})

function What({ of: { column, message } }: { readonly of: Fault }) {
  const p = useWords(PAYOUT)
  return (
    <Text size="sm" style={{ maxWidth: 460 }}>
      {column !== null && (
        <Text span size="xs" c="dimmed">
          {p.column(column)}:{' '}
        </Text>
      )}
      {message}
    </Text>
  )
}

function Mended({ of }: { readonly of: ReturnType<Mends['get']> }) {
  const w = useWords(NEW)
  if (of === undefined) return null
  return of === null ? <Badge>{w.left}</Badge> : <Badge tone="info">{w.mended}</Badge>
}

type MendProps = {
  readonly type: CommandType
  readonly fault: Fault
  readonly onSave: (cells: Readonly<Record<string, string>>) => void
  readonly onClose: () => void
}

/** The cells of a row as fields; the one that is wrong comes with what is. */
function Mend({ type, fault, onSave, onClose }: MendProps) {
  const w = useWords(NEW)
  const language = useLanguage()
  const { column, message } = fault
  const known = COLUMNS[type]
  const named = column !== null && known.includes(column) ? { [column]: '' } : {}
  const [cells, setCells] = useState<Readonly<Record<string, string>>>({ ...named, ...fault.cells })
  const absent = known.filter((name) => cells[name] === undefined)
  const changed = Object.entries(cells).filter(([name, cell]) => cell !== (fault.cells[name] ?? ''))
  return (
    <Confirm
      title={w.mendTitle(countText(fault.line, language))}
      action={w.mendSave}
      isDisabled={changed.length === 0}
      onConfirm={() => Promise.resolve(onSave(Object.fromEntries(changed)))}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {w.mendHow}
        </Text>
        {(column === null || cells[column] === undefined) && <Note tone="warn">{message}</Note>}
        {Object.entries(cells).map(([name, cell]) => (
          <TextInput
            key={name}
            label={name}
            value={cell}
            error={name === column && cell === (fault.cells[name] ?? '') ? message : undefined}
            {...(name === column && { 'data-autofocus': true })}
            onChange={(event) => setCells({ ...cells, [name]: event.currentTarget.value })}
          />
        ))}
        {absent.length > 0 && (
          <Select
            label={w.addCell}
            data={absent}
            value={null}
            searchable
            onChange={(name) => name !== null && setCells({ ...cells, [name]: '' })}
          />
        )}
      </Stack>
    </Confirm>
  )
}
