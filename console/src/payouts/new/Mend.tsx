// A row that cannot be done, mended: its cells as fields, and what is wrong beside the one that it is about.
import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { PayoutType } from '../types.ts'
import { countText } from '../../ui/amounts.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Note } from '../../ui/feedback.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { COLUMNS } from './columns.ts'
import type { Fault } from './upload.ts'
import { NEW } from './words.ts'

type MendProps = {
  readonly type: PayoutType
  readonly fault: Fault
  readonly onSave: (cells: Readonly<Record<string, string>>) => void
  readonly onClose: () => void
}

export function Mend({ type, fault, onSave, onClose }: MendProps) {
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
