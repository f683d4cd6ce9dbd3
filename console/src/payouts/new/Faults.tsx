// The rows that a check refused, each with line, column and what would mend it: mended here, or left out.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { PayoutType } from '../types.ts'
import { countText } from '../../ui/amounts.ts'
import { Badge } from '../../ui/atoms.tsx'
import { Note } from '../../ui/feedback.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Section } from '../../ui/Page.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { Mend } from './Mend.tsx'
import { NEW } from './words.ts'
import { whomOf } from '../Rows.tsx'
import type { Fault, Mends } from './upload.ts'
import { PAYOUT } from '../words.ts'

type Props = {
  readonly type: PayoutType
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
              <Actions
                of={mends.get(fault.line)}
                onMend={() => setMending(fault)}
                onLeave={() => onMend(fault.line, null)}
                onTakeBack={() => onMend(fault.line, undefined)}
              />
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

type ActionsProps = {
  readonly of: ReturnType<Mends['get']>
  readonly onMend: () => void
  readonly onLeave: () => void
  readonly onTakeBack: () => void
}

/** What became of the row since the check, and what can be done with it. */
function Actions({ of, onMend, onLeave, onTakeBack }: ActionsProps) {
  const w = useWords(NEW)
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {of === null && <Badge>{w.left}</Badge>}
      {of && <Badge tone="info">{w.mended}</Badge>}
      {of === undefined ? (
        <>
          <Button size="compact-sm" onClick={onMend}>
            {w.mend}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onLeave}>
            {w.leave}
          </Button>
        </>
      ) : (
        <Button size="compact-sm" variant="default" onClick={onTakeBack}>
          {w.takeBack}
        </Button>
      )}
    </Group>
  )
}
